-- plain
-- A left join of subqueries that stand in parentheses together, and are joined by what another of them has.
CREATE TABLE t(a INT, b INT);
CREATE VIEW grouped AS SELECT a, b FROM t GROUP BY 1, 2;
CREATE VIEW joined AS SELECT x.a, y.b FROM t x LEFT JOIN t y ON x.a = y.b;
INSERT INTO t VALUES (1, 2), (2, 1), (3, 1), (2, 2), (NULL, 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT t.a, x.b AS xb, y.b AS yb FROM t LEFT JOIN (grouped AS x JOIN grouped AS y ON x.a = y.b) ON t.b = y.b);
CREATE VIRTUAL TABLE w USING lockstep(SELECT t.a, x.b AS xb, y.b AS yb FROM t LEFT JOIN (joined AS x JOIN joined AS y ON x.a = y.b) ON t.b = y.b);
CREATE VIRTUAL TABLE u USING lockstep(SELECT t.a, x.b AS xb, y.b AS yb FROM t LEFT JOIN (t AS x LEFT JOIN joined AS y ON x.a = y.b) ON t.b = y.b AND t.a = x.b);
SELECT sum(a), sum(xb), sum(yb), count(*) FROM v; SELECT sum(a), sum(xb), sum(yb), count(*) FROM w; SELECT * FROM u ORDER BY 1, 2, 3;
UPDATE t SET a = a + 1 WHERE b = 2; DELETE FROM t WHERE a = 3 AND b = 1; INSERT INTO t VALUES (1, 3);
SELECT sum(a), sum(xb), sum(yb), count(*) FROM v; SELECT sum(a), sum(xb), sum(yb), count(*) FROM w; SELECT * FROM u ORDER BY 1, 2, 3;
DELETE FROM t WHERE b = 2;
SELECT sum(a), sum(xb), sum(yb), count(*) FROM v; SELECT sum(a), sum(xb), sum(yb), count(*) FROM w; SELECT * FROM u ORDER BY 1, 2, 3;
