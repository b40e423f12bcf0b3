-- plain
-- Columns of views and common table expressions that have names of their own, while the SELECT within
-- names its columns as it did.
CREATE TABLE t(g INT, x INT);
INSERT INTO t VALUES (1, 30), (2, 20), (3, 10);
CREATE VIEW swapped(g, x) AS SELECT x, g FROM t ORDER BY x LIMIT 2;
CREATE VIEW swapped_groups(g, x) AS SELECT x, max(g) FROM t GROUP BY x HAVING x > 10 ORDER BY x DESC LIMIT 1;
CREATE VIEW aliased(p) AS SELECT g + 1 AS q FROM t WHERE q > 2 ORDER BY q LIMIT 2;
CREATE VIEW compound(x, y) AS SELECT g, x AS z FROM t UNION ALL SELECT x, g FROM t ORDER BY z, g LIMIT 3;
CREATE VIEW cased(G, X) AS SELECT * FROM t;
CREATE VIEW starred(x, g) AS SELECT * FROM t;
CREATE VIEW joined(a, g, x, d) AS SELECT * FROM t JOIN t AS u ON t.g * 10 = u.x;
CREATE VIEW merged(x, g, y) AS SELECT * FROM t LEFT JOIN (SELECT g, x + 1 AS z FROM t WHERE x > 10) USING (g);
CREATE VIEW partly(x, q, g) AS SELECT t.*, g + x AS y FROM t WHERE y > 10 ORDER BY g LIMIT 2;
CREATE VIEW valued(column2, column1) AS VALUES (1, 2), (3, 4);
CREATE VIRTUAL TABLE a USING lockstep(SELECT g, x FROM swapped);
CREATE VIRTUAL TABLE b USING lockstep(SELECT g, x FROM swapped_groups);
CREATE VIRTUAL TABLE c USING lockstep(SELECT p FROM aliased);
CREATE VIRTUAL TABLE d USING lockstep(SELECT x, y FROM compound);
CREATE VIRTUAL TABLE e USING lockstep(SELECT sum(x) AS s, g FROM cased GROUP BY g);
CREATE VIRTUAL TABLE f USING lockstep(SELECT t.g, s.g AS h FROM starred AS s JOIN t USING(x));
CREATE VIRTUAL TABLE h USING lockstep(SELECT v.column1, t.x FROM valued AS v LEFT JOIN t ON t.g = v.column1);
CREATE VIRTUAL TABLE i USING lockstep(WITH c(g, x) AS (SELECT x, g FROM t ORDER BY x LIMIT 1) SELECT g, x FROM c);
CREATE VIRTUAL TABLE j USING lockstep(WITH c(a) AS (SELECT g * 2 AS b FROM t WHERE b > 2) SELECT max(a) AS m FROM c);
CREATE VIRTUAL TABLE k USING lockstep(SELECT g, (WITH c(x) AS (SELECT g FROM t AS u WHERE x = t.x) SELECT max(x) FROM c) AS m FROM t);
CREATE VIRTUAL TABLE l USING lockstep(SELECT a, g, x, d FROM joined);
CREATE VIRTUAL TABLE m USING lockstep(SELECT x, g, y FROM merged);
CREATE VIRTUAL TABLE n USING lockstep(SELECT g, q, x FROM partly);
.print made
SELECT * FROM a ORDER BY 1, 2; SELECT * FROM b; SELECT * FROM c ORDER BY 1; SELECT * FROM d ORDER BY 1, 2;
SELECT * FROM e ORDER BY 1, 2; SELECT * FROM f ORDER BY 1, 2; SELECT * FROM h ORDER BY 1; SELECT * FROM i; SELECT * FROM j;
SELECT * FROM k ORDER BY 1; SELECT * FROM l ORDER BY 1, 2; SELECT * FROM m ORDER BY 1; SELECT * FROM n ORDER BY 1;
.print changed
INSERT INTO t VALUES (5, 5), (0, 40), (4, 2);
DELETE FROM t WHERE g = 3;
UPDATE t SET x = x + 1 WHERE g = 1;
SELECT * FROM a ORDER BY 1, 2; SELECT * FROM b; SELECT * FROM c ORDER BY 1; SELECT * FROM d ORDER BY 1, 2;
SELECT * FROM e ORDER BY 1, 2; SELECT * FROM f ORDER BY 1, 2; SELECT * FROM h ORDER BY 1; SELECT * FROM i; SELECT * FROM j;
SELECT * FROM k ORDER BY 1; SELECT * FROM l ORDER BY 1, 2; SELECT * FROM m ORDER BY 1; SELECT * FROM n ORDER BY 1;
