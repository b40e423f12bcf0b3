-- plain
-- 1e16 comes and goes, and the sums are what they were before; infinities too.
CREATE TABLE t(g TEXT, x REAL);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s, avg(x) AS m, total(x) AS t FROM t GROUP BY g);
INSERT INTO t VALUES ('a', 0.5), ('a', 0.25), ('a', 1.0);
SELECT g, quote(s), quote(m), quote(t) FROM v;
INSERT INTO t VALUES ('a', 1e16);
SELECT g, s > 9e15 FROM v;
DELETE FROM t WHERE x = 1e16;
SELECT g, quote(s), quote(m), quote(t) FROM v;
BEGIN;
INSERT INTO t VALUES ('a', 1e999), ('a', 1e300);
SELECT g, quote(s), quote(m), quote(t) FROM v;
INSERT INTO t VALUES ('a', -1e999);
SELECT g, quote(s), quote(m), quote(t) FROM v;
DELETE FROM t WHERE abs(x) > 1e299;
SELECT g, quote(s), quote(m), quote(t) FROM v;
ROLLBACK;
SELECT g, quote(s), quote(m), quote(t) FROM v;
