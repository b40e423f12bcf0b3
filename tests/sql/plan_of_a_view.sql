-- lockstep_plan says how a view is computed, what each operator keeps, and what a change costs.
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE posts(id INTEGER PRIMARY KEY, author INT, title TEXT, "a ""b" REAL);
CREATE VIRTUAL TABLE plain USING lockstep(SELECT upper(title) AS t FROM posts WHERE id > 1);
CREATE VIRTUAL TABLE sums USING lockstep(
  SELECT author, count(*) AS n, sum("a ""b"), count(DISTINCT title) FROM posts GROUP BY author
  HAVING n > 1);
CREATE VIRTUAL TABLE lists USING lockstep(
  SELECT author, max(id), title, json_group_array(title) FROM posts GROUP BY author);
CREATE VIRTUAL TABLE names USING lockstep(SELECT DISTINCT name FROM users);
CREATE VIRTUAL TABLE latest USING lockstep(SELECT id FROM posts ORDER BY id DESC LIMIT 10 OFFSET 2);
CREATE VIRTUAL TABLE u USING lockstep(SELECT name FROM users UNION ALL SELECT title FROM posts);
INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
INSERT INTO posts VALUES (1, 1, 'one', 1.5), (2, 2, 'two', 2.5), (3, 1, 'three', 3.5);
INSERT INTO sums(lockstep) VALUES ('store');
SELECT name FROM pragma_table_xinfo('lockstep_plan');
SELECT * FROM lockstep_plan('plain');
SELECT id, operator, detail, inputs, cells > 0, bytes > cells, cost FROM lockstep_plan('sums');
SELECT id, operator, detail, inputs, cost FROM lockstep_plan('lists');
SELECT id, operator, detail, inputs, cost FROM lockstep_plan('NAMES', 'MAIN');
SELECT id, operator, detail, inputs, cost FROM lockstep_plan('latest');
SELECT id, operator, detail, inputs, cost FROM lockstep_plan('u');
.print joins
CREATE VIRTUAL TABLE j USING lockstep(
  SELECT title, name FROM posts JOIN users ON users.id = author);
CREATE VIRTUAL TABLE bare USING lockstep(indexes=no,
  SELECT p.id, u.name FROM users u LEFT JOIN posts p ON p.title = u.name);
CREATE VIRTUAL TABLE self USING lockstep(
  SELECT a.id FROM posts a WHERE NOT EXISTS (SELECT 1 FROM posts b WHERE b.author = a.author AND b.id > a.id));
CREATE VIRTUAL TABLE less USING lockstep(SELECT u.id, p.id AS p FROM users u JOIN posts p ON p.id < u.id);
CREATE VIRTUAL TABLE far USING lockstep(SELECT u.id, p.id AS p FROM users u LEFT JOIN posts p ON p.author < u.id);
SELECT detail, inputs, cost FROM lockstep_plan('j') WHERE id = 0;
SELECT detail, cost FROM lockstep_plan('bare') WHERE id = 0;
SELECT detail, cost FROM lockstep_plan('self') WHERE id = 0;
SELECT detail, cost FROM lockstep_plan('less') WHERE id = 0;
SELECT detail, cost FROM lockstep_plan('far') WHERE id = 0;
.print with an index of the user's
CREATE INDEX mine ON posts(title);
SELECT detail, cost FROM lockstep_plan('bare') WHERE id = 0;
.print every view
SELECT v.name, count(*), max(p.cost) FROM lockstep_views AS v, lockstep_plan(v.name, v.schema) AS p
  GROUP BY v.name ORDER BY v.name;
.print a view of an attached database
ATTACH 'other.db' AS other;
CREATE TABLE other.t(x);
CREATE VIRTUAL TABLE other.plain USING lockstep(SELECT DISTINCT x FROM t);
CREATE VIRTUAL TABLE other.there USING lockstep(SELECT x FROM t);
SELECT detail, view, schema FROM lockstep_plan('plain') WHERE id = 0;
SELECT detail, view, schema FROM lockstep_plan('plain', 'other') WHERE id = 0;
SELECT detail, view, schema FROM lockstep_plan('there') WHERE id = 0;
.print what is no view
SELECT * FROM lockstep_plan('nowhere');
SELECT * FROM lockstep_plan('posts');
SELECT * FROM lockstep_plan('there', 'main');
SELECT * FROM lockstep_plan('there', 'no such');
SELECT * FROM lockstep_plan;
SELECT count(*) FROM lockstep_plan(NULL);
SELECT detail FROM lockstep_plan('there', NULL) WHERE id = 0;
.print nor is one whose table is gone
DROP TABLE users;
SELECT * FROM lockstep_plan('names');
SELECT lockstep_dot('names');
.print what a join reads of other operators
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
CREATE VIRTUAL TABLE counts USING lockstep(
  SELECT name, (SELECT count(*) FROM posts p WHERE p.author = u.id) AS n FROM users u);
CREATE VIRTUAL TABLE above USING lockstep(
  SELECT name FROM users WHERE id > (SELECT avg(author) FROM posts));
SELECT id, operator, detail, inputs, cells, cost FROM lockstep_plan('counts');
SELECT id, operator, detail, inputs, cells, cost FROM lockstep_plan('above');
-- What a NULL alone would have looked at is no scan.
CREATE VIRTUAL TABLE listed USING lockstep(SELECT id, id IN (SELECT author FROM posts) AS writes FROM users);
SELECT detail FROM lockstep_plan('listed') WHERE operator = 'join';
