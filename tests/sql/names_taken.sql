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
.print names that are as Lockstep's, on tables of views
DROP VIEW lockstep_log_1;
DROP TRIGGER lockstep_log_4;
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(y) AS s FROM t JOIN k USING (g) GROUP BY g);
CREATE TRIGGER lockstep_log_5_mine BEFORE UPDATE ON t BEGIN
  UPDATE t SET x = x + 100 WHERE rowid = old.rowid;
  DELETE FROM k WHERE g = 'gone';
END;
CREATE TABLE c(id INTEGER PRIMARY KEY, g);
INSERT INTO c SELECT value, 'a' FROM json_each('[1, 2, 3]');
CREATE INDEX lockstep_index_9 ON c(g);
CREATE TRIGGER lockstep_log_9_mine AFTER INSERT ON c WHEN new.id % 2 BEGIN SELECT RAISE(IGNORE); END;
CREATE VIRTUAL TABLE w USING lockstep(SELECT t.x, c.id FROM t JOIN c USING (g));
CREATE VIRTUAL TABLE n USING lockstep(SELECT g, count(*) AS n FROM c GROUP BY g);
INSERT INTO c VALUES (4, 'a'), (5, 'a'), (6, 'b');
UPDATE t SET x = x + 1;
SELECT * FROM n ORDER BY g;
SELECT count(*), (SELECT count(*) FROM w_query), count(DISTINCT x) FROM w;
.print a trigger of ours that a user has made another
SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%_insert' AND tbl_name = 'k';
DROP TRIGGER lockstep_log_5_insert;
CREATE TRIGGER lockstep_log_5_insert AFTER INSERT ON k BEGIN INSERT INTO c(g) VALUES (new.g); END;
INSERT INTO k VALUES ('a', 20);
SELECT * FROM v;
INSERT INTO k VALUES ('a', 30);
SELECT * FROM v;
SELECT * FROM n ORDER BY g;
DROP TABLE v;
DROP TABLE w;
DROP TABLE n;
SELECT name FROM sqlite_schema ORDER BY name;
