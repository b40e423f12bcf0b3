-- plain
-- The keys of two rows change places; the rows are in both members of a compound, whose columns
-- compare in different ways.
CREATE TABLE t(k INT PRIMARY KEY, a, s TEXT); INSERT INTO t VALUES (1, 0.5, '[1,2]');
CREATE VIRTUAL TABLE v USING lockstep(SELECT a5.k FROM (SELECT y.s FROM t x JOIN t y ON y.s >= x.s UNION ALL SELECT z.a FROM t z) AS a4, t AS a5);
INSERT INTO t VALUES (6, -0.5, '{}'); SELECT count(*) FROM v;
UPDATE t SET k = CASE k WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE k END; SELECT count(*) FROM v;
