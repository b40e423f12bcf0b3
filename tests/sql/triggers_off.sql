-- Triggers switched off on a connection that reads a view: what it writes meanwhile is logged by nobody, and
-- the view is made anew, or its query is run, from the first read then to the first when they are on again.
CREATE TABLE t(id INTEGER PRIMARY KEY, g, x);
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE w USING lockstep(SELECT id FROM t WHERE x > 1);
SELECT * FROM v ORDER BY g;
SELECT * FROM w ORDER BY id;
.dbconfig enable_trigger off
INSERT INTO t VALUES (3, 'a', 3);
SELECT * FROM v ORDER BY g;
SELECT * FROM w ORDER BY id;
BEGIN;
DELETE FROM t WHERE id = 1;
SELECT * FROM v ORDER BY g;
UPDATE t SET x = x * 10;
SELECT * FROM v ORDER BY g;
SELECT * FROM w ORDER BY id;
ROLLBACK;
SELECT * FROM v ORDER BY g;
UPDATE t SET x = x + 1;
.dbconfig enable_trigger on
.print on again
SELECT * FROM v ORDER BY g;
SELECT * FROM w ORDER BY id;
INSERT INTO t VALUES (4, 'b', 1);
SELECT * FROM v ORDER BY g;
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO w(lockstep) VALUES ('integrity-check');
