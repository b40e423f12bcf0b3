-- .dump works and its script makes the same view again.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 1), ('b', 2), ('a', 3);
SELECT * FROM v ORDER BY g;
.output dump.txt
.dump
.output
.open restored.db
.load ./lockstep
.read dump.txt
.open restored.db
.load ./lockstep
SELECT * FROM t ORDER BY x;
SELECT * FROM v ORDER BY g;
INSERT INTO t VALUES ('b', 10);
SELECT * FROM v ORDER BY g;
INSERT INTO v(lockstep) VALUES ('integrity-check');
