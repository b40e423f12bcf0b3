-- Looking at a view's plan, or checking it, between two reads, after the TEMP schema has moved, takes
-- nothing of what is pending.
CREATE TABLE t(k TEXT, x INT);
INSERT INTO t VALUES ('a', 1);
CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k);
INSERT INTO t VALUES ('a', 2), ('b', 3);
SELECT * FROM v ORDER BY k;
CREATE TEMP TABLE other(x);
SELECT count(*) > 0 FROM lockstep_plan('v');
SELECT * FROM v ORDER BY k;
BEGIN;
INSERT INTO t VALUES ('c', 4);
SELECT * FROM v ORDER BY k;
DROP TABLE temp.other;
SELECT lockstep_dot('v') LIKE 'digraph%';
SELECT * FROM v ORDER BY k;
SAVEPOINT s;
INSERT INTO t VALUES ('c', 5);
SELECT * FROM v WHERE k = 'c';
CREATE TEMP TABLE other(x);
PRAGMA integrity_check;
SELECT * FROM v WHERE k = 'c';
ROLLBACK TO s;
SELECT * FROM v WHERE k = 'c';
ROLLBACK;
SELECT * FROM v ORDER BY k;
CREATE TEMP TABLE another(x);
PRAGMA integrity_check;
SELECT * FROM v ORDER BY k;
