-- plain
-- A read inside a savepoint takes changes in that were made before it: ROLLBACK TO undoes only
-- what came later.
CREATE TABLE t(g TEXT, x REAL);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s, avg(x) AS mean FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 0.5);
BEGIN;
INSERT INTO t VALUES ('a', 1.5), ('b', 1.0);
SAVEPOINT s;
SELECT 'read in s', * FROM v ORDER BY g;
UPDATE t SET x = x * 2;
SELECT 'read again', * FROM v ORDER BY g;
ROLLBACK TO s;
SELECT 'back', * FROM v ORDER BY g;
DELETE FROM t WHERE g = 'b';
ROLLBACK TO s;
SELECT 'back without a read between', * FROM v ORDER BY g;
RELEASE s;
ROLLBACK;
SELECT 'nothing happened', * FROM v ORDER BY g;
BEGIN;
SELECT 'read first', * FROM v ORDER BY g;
SAVEPOINT s;
INSERT INTO t VALUES ('c', 8.0);
ROLLBACK TO s;
INSERT INTO t VALUES ('d', 16.0);
COMMIT;
SELECT 'after COMMIT', * FROM v ORDER BY g;
