-- A view of SELECT * has the columns that it was created with. So has one that reads it, which says what
-- has come about where its own query would have more.
CREATE TABLE t(a, b);
INSERT INTO t VALUES (1, 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t);
CREATE VIRTUAL TABLE w USING lockstep(SELECT * FROM v);
CREATE VIRTUAL TABLE x USING lockstep(SELECT v.*, t.a FROM v JOIN t ON v.a = t.a);
CREATE VIRTUAL TABLE y USING lockstep(SELECT b, count(*) AS n FROM v GROUP BY b);
ALTER TABLE t ADD COLUMN c INT;
INSERT INTO t VALUES (3, 4, 5);
SELECT * FROM v; SELECT * FROM w;
SELECT * FROM x;
SELECT * FROM y ORDER BY b;
DROP TABLE w; DROP TABLE x; DROP TABLE y; DROP TABLE v;
CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t);
SELECT * FROM v ORDER BY a;
