-- What a view is called, and what is called as something of its own; and what else is said at CREATE of
-- what it can't be made of. Nothing is left behind, and nothing of the user's goes with a view.
CREATE TABLE t(g, x);
CREATE TABLE k(g, y);
INSERT INTO t VALUES ('a', 1);
INSERT INTO k VALUES ('a', 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM v);
CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM temp.t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT name FROM sqlite_schema);
CREATE VIRTUAL TABLE v USING lockstep(maintain=read, maintain=commit, SELECT g FROM t);
.print names of logs that are none
CREATE VIEW lockstep_log_1 AS SELECT 1 AS one;
CREATE TABLE lockstep_log_2(z);
CREATE INDEX lockstep_log_3 ON t(x);
CREATE TRIGGER lockstep_log_4 AFTER INSERT ON k BEGIN SELECT 1; END;
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, x, y FROM t JOIN k USING (g));
INSERT INTO t VALUES ('a', 3);
SELECT * FROM v ORDER BY x;
DROP TABLE v;
SELECT name FROM sqlite_schema ORDER BY name;
