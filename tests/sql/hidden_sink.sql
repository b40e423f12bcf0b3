-- A table of the user's by the name of Lockstep's own table, which follows transactions.
CREATE TABLE t(x);
CREATE VIRTUAL TABLE v USING lockstep(SELECT x, count(*) AS n FROM t GROUP BY x);
INSERT INTO t VALUES (1);
CREATE TABLE lockstep_sink(log);
SELECT * FROM v;
BEGIN;
INSERT INTO t VALUES (2);
SELECT * FROM v;
ROLLBACK;
SELECT * FROM v;
SELECT count(*) FROM lockstep_sink;
.print renamed
ALTER TABLE lockstep_sink RENAME TO mine;
BEGIN;
INSERT INTO t VALUES (2);
SELECT * FROM v;
ROLLBACK;
SELECT * FROM v;
INSERT INTO v(lockstep) VALUES ('integrity-check');
