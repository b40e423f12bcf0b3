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
-- The key may be all that names a row.
CREATE TABLE r(id TEXT PRIMARY KEY, x INT) WITHOUT ROWID; CREATE TABLE e(r INT REFERENCES r); CREATE INDEX er ON e(r);
CREATE VIRTUAL TABLE u USING lockstep(SELECT id, x FROM r);
INSERT INTO r VALUES ('7', 1), ('8', 2);
SELECT * FROM u ORDER BY id;
INSERT INTO r VALUES ('007', 3);
SELECT * FROM u ORDER BY id;
UPDATE r SET x = x + 10; DELETE FROM r WHERE id = '007';
SELECT * FROM u ORDER BY id;
REPLACE INTO r VALUES ('07', 4); UPDATE r SET id = '0' || id WHERE id = '8';
SELECT * FROM u ORDER BY id;
-- What no trigger tells, a key that a default gives, is seen, too.
CREATE TABLE s(id TEXT NOT NULL ON CONFLICT REPLACE DEFAULT (hex(x'07')), x INT, PRIMARY KEY(id)) WITHOUT ROWID;
CREATE TABLE f(s INT REFERENCES s); CREATE INDEX fs ON f(s);
CREATE VIRTUAL TABLE t USING lockstep(SELECT id, x FROM s);
INSERT INTO s VALUES (NULL, 1), ('7', 2);
SELECT * FROM t ORDER BY id;
