-- A sum that leaves 64 bits fails the read, never the write, and heals when it is taken back.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 9223372036854775807), ('b', 1);
SELECT * FROM v ORDER BY g;
INSERT INTO t VALUES ('a', 1);
.print view, then query
SELECT * FROM v ORDER BY g;
SELECT * FROM v_query ORDER BY g;
INSERT INTO t VALUES ('a', -2), ('b', 2);
.print no partial sum counts, only the total
SELECT * FROM v ORDER BY g;
INSERT INTO t VALUES ('a', 5);
SELECT * FROM v ORDER BY g;
.print a real among them makes a real sum
INSERT INTO t VALUES ('a', 0.5);
SELECT g, n, typeof(s) FROM v ORDER BY g;
DELETE FROM t WHERE typeof(x) = 'real';
SELECT * FROM v ORDER BY g;
DELETE FROM t WHERE x > 100;
SELECT * FROM v ORDER BY g;
BEGIN;
INSERT INTO t VALUES ('b', 9223372036854775807);
SELECT * FROM v ORDER BY g;
ROLLBACK;
SELECT * FROM v ORDER BY g;
