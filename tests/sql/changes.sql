-- plain
-- changes() and last_insert_rowid() after writes are what they are without views.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT UNIQUE, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT x, count(*) AS n FROM t GROUP BY x);
INSERT INTO t VALUES (41, 'a', 1), (42, 'b', 1);
SELECT changes(), last_insert_rowid();
SELECT * FROM v;
SELECT last_insert_rowid();
UPDATE t SET x = 2;
SELECT changes(), last_insert_rowid();
REPLACE INTO t VALUES (50, 'a', 3);
SELECT changes(), last_insert_rowid();
BEGIN;
INSERT INTO t VALUES (60, 'c', 2);
SELECT * FROM v ORDER BY x;
SELECT last_insert_rowid();
DELETE FROM t WHERE x = 2;
SELECT changes(), last_insert_rowid();
COMMIT;
SELECT * FROM v ORDER BY x;
DELETE FROM t;
SELECT changes(), last_insert_rowid();
