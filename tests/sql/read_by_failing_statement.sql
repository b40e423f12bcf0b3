-- plain
-- A statement reads a view of the table that it changes, for the first time since other changes, and fails.
CREATE TABLE t(id INTEGER PRIMARY KEY, k INT UNIQUE, n INT);
CREATE VIRTUAL TABLE v USING lockstep(SELECT n, count(*) AS times FROM t GROUP BY n);
INSERT INTO t VALUES (1, 10, 1), (2, 20, 1), (3, 30, 2);
UPDATE t SET k = 40, n = n + 1 WHERE n IN (SELECT n FROM v) RETURNING id;
SELECT * FROM v ORDER BY n;
DELETE FROM t WHERE id = 3;
INSERT INTO t VALUES (4, 50, 3), (5, 10, 3) RETURNING (SELECT sum(times) FROM v);
SELECT * FROM v ORDER BY n;
BEGIN;
INSERT INTO t VALUES (6, 60, 4);
UPDATE t SET k = 40, n = n + 1 WHERE n IN (SELECT n FROM v) RETURNING id;
SELECT * FROM v ORDER BY n;
COMMIT;
SELECT * FROM v ORDER BY n;
