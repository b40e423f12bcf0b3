-- lockstep_dot draws a view's circuit for Graphviz.
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE "po\sts"(id INTEGER PRIMARY KEY, author INT, title TEXT, about_what_this_post_is TEXT);
CREATE VIRTUAL TABLE "v ""1" USING lockstep(
  SELECT name, count(*) AS n FROM users AS u JOIN "po\sts" AS p ON u.id = p.author AND p.title <> 'ä' AND about_what_this_post_is <> '' GROUP BY name);
INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
INSERT INTO "po\sts" VALUES (1, 1, 'one', 'x'), (2, 2, 'two', 'y'), (3, 1, 'three', 'z');
INSERT INTO "v ""1"(lockstep) VALUES ('store');
SELECT lockstep_dot('v "1');
CREATE VIRTUAL TABLE w USING lockstep(SELECT name FROM users UNION SELECT title FROM "po\sts");
SELECT lockstep_dot('w', 'main');
SELECT lockstep_dot(NULL) IS NULL;
SELECT lockstep_dot('x');
SELECT lockstep_dot('w', 'temp');
