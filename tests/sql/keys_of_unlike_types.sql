-- plain
-- Looking for children by an index, SQLite gives a parent's key the affinity of the child's column where it
-- lies, and AFTER triggers see that: 7 for '007'.
PRAGMA foreign_keys = ON;
CREATE TABLE p(id TEXT PRIMARY KEY, x INT); CREATE TABLE c(p INT REFERENCES p); CREATE INDEX cp ON c(p);
CREATE VIRTUAL TABLE v USING lockstep(SELECT id, count(*) AS n FROM p GROUP BY id);
INSERT INTO p VALUES ('007', 1), ('8', 2), ('09', 3), ('010', 4);
SELECT * FROM v ORDER BY id;
DELETE FROM p WHERE id = '007';
SELECT * FROM v ORDER BY id;
UPDATE p SET id = '9' WHERE id = '09';
SELECT * FROM v ORDER BY id;
CREATE TABLE q(id PRIMARY KEY);
CREATE VIRTUAL TABLE w USING lockstep(SELECT id, typeof(id) AS type FROM q);
INSERT INTO q VALUES ('1e0'), ('2e0');
SELECT * FROM w ORDER BY id;
CREATE TABLE d(q REAL UNIQUE REFERENCES q(id));
SELECT * FROM w ORDER BY id;
DELETE FROM q WHERE id = '1e0';
SELECT * FROM w ORDER BY id;
