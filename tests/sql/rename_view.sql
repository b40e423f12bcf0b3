-- A view is renamed with all that belongs to it, and its old name is free again.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
ALTER TABLE v RENAME TO w;
INSERT INTO t VALUES ('a', 1);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, max(x) AS m FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 5), ('b', 2);
SELECT * FROM v ORDER BY g;
SELECT * FROM w ORDER BY g;
DROP TABLE v;
INSERT INTO t VALUES ('c', 3);
SELECT * FROM w ORDER BY g;
DROP TABLE w;
SELECT name FROM sqlite_schema;
