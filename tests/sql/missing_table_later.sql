-- A view whose table is gone says so, and comes back with it; nothing else is lost.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE TABLE u(y INTEGER);
INSERT INTO t VALUES ('a', 1);
INSERT INTO u VALUES (7);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n FROM u);
SELECT * FROM v;
.print the table is dropped
DROP TABLE t;
SELECT * FROM v;
SELECT * FROM w;
.print and made again
CREATE TABLE t(g TEXT, x INTEGER);
INSERT INTO t VALUES ('b', 2);
SELECT * FROM v;
INSERT INTO t VALUES ('b', 3);
SELECT * FROM v;
.print the rest goes on
INSERT INTO u VALUES (10);
SELECT * FROM v;
SELECT count(*) FROM u;
