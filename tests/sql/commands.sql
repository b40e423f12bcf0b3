-- The commands of the hidden column, and what else is refused.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 1), ('a', 2), ('b', 3);
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('store');
SELECT g, s FROM v_data ORDER BY g;
INSERT INTO v(lockstep) VALUES ('rebuild');
SELECT * FROM v ORDER BY g;
INSERT INTO v(lockstep) VALUES ('no such command');
INSERT INTO v(g, s) VALUES ('c', 1);
UPDATE v SET s = 0;
DELETE FROM v;
SELECT * FROM v ORDER BY g;
BEGIN;
UPDATE t SET x = 10 WHERE g = 'b';
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('store');
SELECT * FROM v ORDER BY g;
ROLLBACK;
INSERT INTO v(lockstep) VALUES ('integrity-check');
SELECT * FROM v ORDER BY g;
.print a stored row is changed by hand
UPDATE v_data SET s = s + 1 WHERE g = 'a';
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('rebuild');
INSERT INTO v(lockstep) VALUES ('integrity-check');
SELECT * FROM v ORDER BY g;
.print a change is lost
INSERT INTO v(lockstep) VALUES ('store');
UPDATE t SET x = x + 1 WHERE g = 'a';
DELETE FROM lockstep_log_1 WHERE lockstep_weight <> 2;
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('rebuild');
SELECT * FROM v ORDER BY g;
.print what is made says nothing of the rows that were inserted last
CREATE TABLE made(g, x);
INSERT INTO made VALUES (1, 2), (1, 3), (2, 4);
CREATE VIRTUAL TABLE grouped USING lockstep(SELECT g, sum(x) AS s FROM made GROUP BY g);
SELECT last_insert_rowid();
CREATE VIRTUAL TABLE first USING lockstep(SELECT g, x FROM made ORDER BY x LIMIT 2);
SELECT last_insert_rowid();
-- The least value is compared whatever its column is called.
CREATE TABLE called("true", "false");
INSERT INTO called VALUES (2.5, '3'), (4, '1');
CREATE VIRTUAL TABLE at_least USING lockstep(SELECT "false" AS f FROM called WHERE "false" >= (SELECT min("true") FROM called));
INSERT INTO at_least(lockstep) VALUES ('integrity-check');
SELECT * FROM at_least;
