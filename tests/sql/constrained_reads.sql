-- Equality, ranges, IN, OR, ORDER BY and LIMIT give what the query gives: each count is of rows that
-- only one of the two has.
CREATE TABLE t(k TEXT, j INTEGER, x INTEGER);
INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT char(97 + i % 7), CASE WHEN i % 11 > 0 THEN i % 11 END, i FROM n;
CREATE VIRTUAL TABLE v USING lockstep(index=(n), SELECT k, j, count(*) AS n, sum(x) AS s FROM t GROUP BY k, j);
UPDATE t SET k = 'a' WHERE x < 40;
SELECT count(*) FROM (SELECT * FROM v WHERE k = 'a' EXCEPT SELECT * FROM v_query WHERE k = 'a');
SELECT count(*) FROM (SELECT * FROM v_query WHERE k = 'a' EXCEPT SELECT * FROM v WHERE k = 'a');
SELECT count(*) FROM (SELECT * FROM v WHERE k > 'c' AND j < 5 EXCEPT SELECT * FROM v_query WHERE k > 'c' AND j < 5);
SELECT count(*) FROM (SELECT * FROM v_query WHERE k > 'c' AND j < 5 EXCEPT SELECT * FROM v WHERE k > 'c' AND j < 5);
SELECT count(*) FROM (SELECT * FROM v_query WHERE k IN ('a', 'g', 'zz') AND j IS NULL EXCEPT SELECT * FROM v WHERE k IN ('a', 'g', 'zz') AND j IS NULL);
SELECT count(*) FROM (SELECT * FROM v_query WHERE k = 'b' OR j = 3 OR n = 40 EXCEPT SELECT * FROM v WHERE k = 'b' OR j = 3 OR n = 40);
SELECT count(*) FROM (SELECT * FROM v_query WHERE k BETWEEN 'b' AND 'd' AND j >= 9 EXCEPT SELECT * FROM v WHERE k BETWEEN 'b' AND 'd' AND j >= 9);
SELECT count(*) FROM (SELECT * FROM v_query WHERE n > 4 EXCEPT SELECT * FROM v WHERE n > 4);
SELECT group_concat(k || coalesce(j, '-')) IS (SELECT group_concat(k || coalesce(j, '-')) FROM (SELECT * FROM v_query ORDER BY k, j DESC LIMIT 30 OFFSET 5)) FROM (SELECT * FROM v ORDER BY k, j DESC LIMIT 30 OFFSET 5);
SELECT (SELECT count(*) FROM v AS a JOIN v AS b ON a.k = b.k AND a.j = b.j + 1) = (SELECT count(*) FROM v_query AS a JOIN v_query AS b ON a.k = b.k AND a.j = b.j + 1);
SELECT (SELECT count(*) FROM v) = (SELECT count(*) FROM v_query);
.print plans
EXPLAIN QUERY PLAN SELECT * FROM v WHERE k = 'a';
EXPLAIN QUERY PLAN SELECT * FROM v WHERE k = 'a' AND j > 3;
EXPLAIN QUERY PLAN SELECT * FROM v WHERE k > 'a' AND k < 'c';
EXPLAIN QUERY PLAN SELECT * FROM v WHERE n = 3;
EXPLAIN QUERY PLAN SELECT * FROM v WHERE s = 3;
EXPLAIN QUERY PLAN SELECT * FROM v;
EXPLAIN QUERY PLAN SELECT * FROM v ORDER BY k;
