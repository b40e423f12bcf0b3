-- A table that is made anew with columns of other types, by the customary migration, which makes its
-- triggers again, Lockstep's among them: the log that they write to is not for such columns.
CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x TEXT);
INSERT INTO t VALUES (1, 'a', '7'), (2, 'a', 'b');
CREATE VIRTUAL TABLE v USING lockstep(SELECT count(*) AS n, max(x) AS m, sum(typeof(x) = 'integer') AS integers FROM t WHERE k = 'a');
CREATE VIRTUAL TABLE c USING lockstep(maintain=commit, SELECT id, x FROM t);
CREATE TABLE texts AS SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 't';
PRAGMA legacy_alter_table = ON;
BEGIN;
CREATE TABLE new_t(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, x INT);
INSERT INTO new_t SELECT * FROM t;
DROP TABLE t;
ALTER TABLE new_t RENAME TO t;
.output triggers.txt
SELECT sql || ';' FROM texts ORDER BY rowid;
.output stdout
.read triggers.txt
COMMIT;
PRAGMA legacy_alter_table = OFF;
SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'lockstep!_log!_1!_%' ESCAPE '!';
SELECT * FROM v;
INSERT INTO t VALUES (3, 'A', '9'), (4, 'A', 'c');
UPDATE t SET x = '3' WHERE id = 2;
DELETE FROM t WHERE id = 4;
SELECT * FROM v;
SELECT * FROM v_query;
INSERT INTO v(lockstep) VALUES ('integrity-check');
.print what was logged of columns that are none any more goes
SELECT count(*) FROM lockstep_log_1;
.print a view that shows such columns is told, on each connection
SELECT * FROM c;
INSERT INTO t VALUES (5, 'b', 5);
.open main.db
.load ./lockstep
SELECT * FROM c;
INSERT INTO c(lockstep) VALUES ('rebuild');
DROP TABLE c;
CREATE VIRTUAL TABLE c USING lockstep(maintain=commit, SELECT id, x FROM t);
SELECT * FROM c ORDER BY id;
