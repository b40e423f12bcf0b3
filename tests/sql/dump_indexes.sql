-- An index that a join was given survives VACUUM, and .dump and its script.
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE posts(author INT, title TEXT);
CREATE VIRTUAL TABLE v USING lockstep(SELECT title, name FROM posts JOIN users ON users.id = author);
INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
INSERT INTO posts VALUES (1, 'one'), (2, 'two'), (1, 'three');
VACUUM;
DELETE FROM posts WHERE title = 'one';
SELECT * FROM v ORDER BY title;
.output dump.txt
.dump
.output
.open restored.db
.load ./lockstep
.read dump.txt
.open restored.db
.load ./lockstep
SELECT sql FROM sqlite_schema WHERE name GLOB 'lockstep_index_*';
SELECT * FROM lockstep_index;
SELECT * FROM v ORDER BY title;
UPDATE users SET name = 'bert' WHERE id = 2;
SELECT * FROM v ORDER BY title;
SELECT detail FROM lockstep_plan('v') WHERE id = 0;
INSERT INTO v(lockstep) VALUES ('integrity-check');
DROP TABLE v;
SELECT type, name FROM sqlite_schema;
