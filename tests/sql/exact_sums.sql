-- Sums do not depend on the order of what came and went: each line says whether the view shows the
-- exact sum of the rows that are there, to the bit.
CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL);
CREATE VIRTUAL TABLE v USING lockstep(SELECT sum(x) AS s, avg(x) AS m, total(x) AS t FROM t);
INSERT INTO t(x) VALUES (0.1), (1e16), (0.2), (-1e16), (0.3), (1e-300);
SELECT v.s IS e.s, v.m IS e.m, v.t IS e.t FROM v, (SELECT exact_sum(x) AS s, exact_avg(x) AS m, exact_total(x) AS t FROM t) AS e;
DELETE FROM t WHERE abs(x) = 1e16;
SELECT v.s IS e.s, v.m IS e.m, v.t IS e.t FROM v, (SELECT exact_sum(x) AS s, exact_avg(x) AS m, exact_total(x) AS t FROM t) AS e;
UPDATE t SET x = x * 3;
SELECT v.s IS e.s, v.m IS e.m, v.t IS e.t FROM v, (SELECT exact_sum(x) AS s, exact_avg(x) AS m, exact_total(x) AS t FROM t) AS e;
INSERT INTO t(x) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT 1.0 / i FROM n;
SELECT v.s IS e.s, v.m IS e.m, v.t IS e.t FROM v, (SELECT exact_sum(x) AS s, exact_avg(x) AS m, exact_total(x) AS t FROM t) AS e;
DELETE FROM t WHERE id % 2 = 0;
SELECT v.s IS e.s, v.m IS e.m, v.t IS e.t FROM v, (SELECT exact_sum(x) AS s, exact_avg(x) AS m, exact_total(x) AS t FROM t) AS e;
