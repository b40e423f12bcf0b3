-- A join on columns that no index serves gets one, which views share and the last takes along.
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE posts(id INTEGER PRIMARY KEY, author_id INT, title TEXT);
CREATE TABLE likes(post INT, name TEXT COLLATE NOCASE, at INT);
CREATE VIEW made AS
  SELECT sql FROM sqlite_schema WHERE type = 'index' AND name GLOB 'lockstep*' ORDER BY name;
CREATE VIRTUAL TABLE v USING lockstep(
  SELECT p.title, u.name FROM posts p JOIN users u ON u.id = p.author_id);
SELECT * FROM made;
.print two more have use for it
CREATE VIRTUAL TABLE w USING lockstep(
  SELECT u.name FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author_id = u.id));
CREATE VIRTUAL TABLE x USING lockstep(
  SELECT name, count(p.id) AS n FROM users u LEFT JOIN posts p ON author_id = u.id GROUP BY name);
SELECT * FROM made;
SELECT * FROM lockstep_index;
.print several columns, collations, USING
CREATE VIRTUAL TABLE both USING lockstep(
  SELECT a.at FROM likes a JOIN likes b ON a.post = b.post AND a.name = b.name WHERE a.at < b.at);
CREATE VIRTUAL TABLE fold USING lockstep(
  SELECT at FROM users JOIN likes ON users.name = likes.name COLLATE NOCASE);
CREATE VIRTUAL TABLE of_names USING lockstep(SELECT id, at FROM users JOIN likes USING (name));
SELECT * FROM made;
.print a view can do without
CREATE VIRTUAL TABLE bare USING lockstep(indexes=no, SELECT title FROM posts JOIN likes ON title = at);
CREATE VIRTUAL TABLE two USING lockstep(indexes=maybe, SELECT 1 FROM posts);
SELECT * FROM made;
INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
INSERT INTO posts VALUES (1, 1, 'one'), (2, 2, '7'), (3, 1, 'three');
INSERT INTO likes VALUES (1, 'ANN', 7), (1, 'ann', 8);
SELECT * FROM v ORDER BY 1;
SELECT * FROM w ORDER BY 1;
SELECT * FROM x ORDER BY 1;
SELECT * FROM both;
SELECT * FROM fold ORDER BY 1;
SELECT * FROM bare;
.print they follow a rename, and come again with a table that was made anew
ALTER TABLE w RENAME TO w2;
DROP TABLE v;
SELECT * FROM lockstep_index;
CREATE TABLE posts_new(id INTEGER PRIMARY KEY, author_id INT, title TEXT);
INSERT INTO posts_new SELECT * FROM posts;
PRAGMA legacy_alter_table = ON;
DROP TABLE posts;
ALTER TABLE posts_new RENAME TO posts;
PRAGMA legacy_alter_table = OFF;
SELECT * FROM made WHERE sql LIKE '%posts%';
SELECT * FROM w2 ORDER BY 1;
SELECT * FROM made WHERE sql LIKE '%posts%';
.print no index is made where one of the user's serves
CREATE INDEX mine ON posts(title, id);
CREATE VIRTUAL TABLE served USING lockstep(
  SELECT posts.id FROM posts JOIN users ON users.name = posts.title);
SELECT count(*) FROM made WHERE sql LIKE '%posts%title%';
.print dropped in any order they leave nothing behind
DROP TABLE served;
DROP INDEX mine;
DROP TABLE w2;
DROP TABLE both;
DROP TABLE bare;
SELECT * FROM made;
DROP TABLE of_names;
DROP TABLE fold;
DROP TABLE x;
SELECT type, name FROM sqlite_schema;
.print none of a column that refers to one of another affinity: what is deleted would show 7 for 007
PRAGMA foreign_keys = ON;
CREATE TABLE parts(name PRIMARY KEY, whole INT REFERENCES parts, code INT);
INSERT INTO parts VALUES ('007', NULL, 1), ('x', NULL, 2);
CREATE VIRTUAL TABLE held USING lockstep(SELECT a.name, b.code FROM parts AS a JOIN parts AS b ON a.whole = b.code);
SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'parts' AND sql LIKE '%lockstep%';
DELETE FROM parts WHERE code = 1 RETURNING quote(name);
