-- plain
CREATE TABLE t(x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT count(*) AS n, count(x) AS c, sum(x) AS s, total(x) AS t, avg(x) AS m, min(x) AS low, max(x) AS high FROM t);
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n, coalesce(sum(x), 0) AS s FROM t WHERE x > 100);
CREATE VIRTUAL TABLE g USING lockstep(SELECT x, count(*) AS n FROM t GROUP BY x);
SELECT n, c, quote(s), quote(t), quote(m), quote(low), quote(high) FROM v;
SELECT * FROM w;
SELECT count(*) FROM g;
INSERT INTO t VALUES (NULL);
SELECT n, c, quote(s), quote(t), quote(m), quote(low), quote(high) FROM v;
SELECT * FROM w;
SELECT quote(x), n FROM g;
DELETE FROM t;
SELECT n, c, quote(s), quote(t), quote(m), quote(low), quote(high) FROM v;
SELECT * FROM w;
SELECT count(*) FROM g;
