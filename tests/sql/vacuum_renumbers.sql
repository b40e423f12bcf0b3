-- plain
-- VACUUM gives rows of a table without a key other rowids; the view shows them.
.open first.db
.load ./lockstep
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE r USING lockstep(SELECT rowid AS place, x FROM t);
INSERT INTO t VALUES ('a', 1), ('b', 2), ('a', 3);
DELETE FROM t WHERE x = 1;
.open first.db
.load ./lockstep
SELECT * FROM v ORDER BY g;
SELECT * FROM r ORDER BY x;
INSERT INTO t VALUES ('b', 4);
VACUUM;
SELECT * FROM v ORDER BY g;
SELECT * FROM r ORDER BY x;
UPDATE t SET rowid = rowid * 10 WHERE g = 'b';
SELECT * FROM r ORDER BY x;
VACUUM;
DELETE FROM t WHERE rowid = 2;
SELECT * FROM v ORDER BY g;
SELECT * FROM r ORDER BY x;
.open first.db
.load ./lockstep
SELECT * FROM v ORDER BY g;
SELECT * FROM r ORDER BY x;
