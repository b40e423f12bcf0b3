-- plain
.open first.db
.load ./lockstep
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 1), ('b', 2), ('a', 3);
DELETE FROM t WHERE x = 1;
.open first.db
.load ./lockstep
SELECT * FROM v ORDER BY g;
INSERT INTO t VALUES ('b', 4);
VACUUM;
SELECT * FROM v ORDER BY g;
VACUUM;
SELECT * FROM v ORDER BY g;
.open first.db
.load ./lockstep
SELECT * FROM v ORDER BY g;
