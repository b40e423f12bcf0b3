-- plain
-- Columns of a subquery in FROM that have one name are told apart as SQLite does it.
CREATE TABLE t(a, e);
INSERT INTO t VALUES (1, NULL), (2, 1.875), ('x', 'Y');
CREATE VIEW p AS SELECT a, e AS a, 1 AS "a:1" FROM t;
CREATE VIRTUAL TABLE twice USING lockstep(SELECT * FROM (SELECT a, e AS a FROM t));
CREATE VIRTUAL TABLE joined USING lockstep(SELECT * FROM (SELECT * FROM t JOIN t AS u USING (a)) JOIN t AS w USING (a));
CREATE VIRTUAL TABLE numbered USING lockstep(SELECT "a:1", "a:3" FROM (SELECT a, e AS a, 1 AS "a:1", a COLLATE NOCASE, t.a || '!' AS a FROM t));
CREATE VIRTUAL TABLE grouped USING lockstep(SELECT * FROM (SELECT e, count(*) AS e FROM t GROUP BY 1) WHERE "e:1" > 0);
CREATE VIRTUAL TABLE of_plain USING lockstep(WITH z(m, n, o) AS (SELECT * FROM p) SELECT z.*, p.* FROM z JOIN p ON p.a = m);
CREATE VIRTUAL TABLE both USING lockstep(SELECT * FROM (SELECT * FROM t AS x JOIN t AS y UNION ALL SELECT *, 1, 2 FROM t) WHERE "a:1" = 1);
CREATE VIRTUAL TABLE collated USING lockstep(SELECT a, column2 FROM (SELECT a COLLATE NOCASE, e AS true FROM t));
CREATE VIRTUAL TABLE six USING lockstep(SELECT a FROM (SELECT a, e AS a, a, a, a, a FROM t));
INSERT INTO t VALUES (3, 4), ('x', 'Y');
.headers on
SELECT * FROM twice ORDER BY 1; SELECT * FROM joined ORDER BY 1; SELECT * FROM numbered ORDER BY 1; SELECT * FROM grouped ORDER BY 1; SELECT * FROM of_plain ORDER BY 1; SELECT * FROM both ORDER BY 1, 2, 4; SELECT * FROM collated ORDER BY 1; SELECT * FROM six ORDER BY 1;
DELETE FROM t WHERE a = 2;
SELECT * FROM twice ORDER BY 1; SELECT * FROM joined ORDER BY 1; SELECT * FROM numbered ORDER BY 1; SELECT * FROM grouped ORDER BY 1; SELECT * FROM of_plain ORDER BY 1; SELECT * FROM both ORDER BY 1, 2, 4; SELECT * FROM collated ORDER BY 1; SELECT * FROM six ORDER BY 1;
