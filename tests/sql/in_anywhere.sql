-- plain
-- IN and NOT IN as values, beside OR, in ON, HAVING and within aggregates, of rows too, with NULLs.
CREATE TABLE o(id INTEGER PRIMARY KEY, k INT, r INT);
CREATE TABLE t(id INTEGER PRIMARY KEY, k INT, x INT, o INT);
CREATE TABLE u(id INTEGER PRIMARY KEY, k INT NOT NULL, y INT);
INSERT INTO o VALUES (1, 1, 1), (2, 2, 2), (3, NULL, 3), (4, 4, NULL), (5, 5, 5);
CREATE VIRTUAL TABLE shown USING lockstep(SELECT id, k IN (SELECT k FROM t) AS a, k NOT IN (SELECT k FROM t WHERE x > 1) AS b, id IN (SELECT k FROM u) AS c FROM o);
CREATE VIRTUAL TABLE either USING lockstep(SELECT id FROM o WHERE r > 4 OR k IN (SELECT k FROM t) OR k IN (SELECT y FROM u));
CREATE VIRTUAL TABLE neither USING lockstep(SELECT id FROM o WHERE r > 4 OR k NOT IN (SELECT k FROM t));
CREATE VIRTUAL TABLE negated USING lockstep(SELECT id FROM o WHERE NOT (k IN (SELECT k FROM t)));
CREATE VIRTUAL TABLE within USING lockstep(SELECT r % 2 AS g, count(*) FILTER (WHERE id IN (SELECT o FROM t)) AS n, sum(k NOT IN (SELECT k FROM u)) AS m FROM o GROUP BY r % 2);
CREATE VIRTUAL TABLE having_in USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k HAVING k IN (SELECT k FROM o));
CREATE VIRTUAL TABLE having_not USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k HAVING k NOT IN (SELECT k FROM o WHERE r > 1));
CREATE VIRTUAL TABLE joined USING lockstep(SELECT o.id, t.x FROM o JOIN t ON t.k = o.k AND t.o IN (SELECT id FROM u));
CREATE VIRTUAL TABLE left_joined USING lockstep(SELECT o.id, t.x FROM o LEFT JOIN t ON t.k = o.k AND o.r NOT IN (SELECT y FROM u));
CREATE VIRTUAL TABLE row_values USING lockstep(SELECT id, (k, r) IN (SELECT k, x FROM t) AS a, (r, k) NOT IN (SELECT x, k FROM t) AS b FROM o);
CREATE VIRTUAL TABLE no_rows USING lockstep(SELECT id FROM o WHERE (k, r) NOT IN (SELECT k, x FROM t WHERE o > 1));
CREATE VIRTUAL TABLE or_rows USING lockstep(SELECT id FROM o WHERE r = 5 OR (k, r) IN (SELECT k, x FROM t));
CREATE VIRTUAL TABLE over_null USING lockstep(SELECT t.k, (SELECT count(*) FROM u WHERE u.k = t.k) AS n FROM o LEFT JOIN t ON t.k = o.k GROUP BY t.k);
.nullvalue -
.print -- of nothing
SELECT * FROM shown ORDER BY id; SELECT * FROM either ORDER BY id; SELECT * FROM neither ORDER BY id; SELECT * FROM negated ORDER BY id;
SELECT * FROM within ORDER BY g; SELECT * FROM row_values ORDER BY id; SELECT * FROM no_rows ORDER BY id; SELECT * FROM or_rows ORDER BY id;
.print -- of some
INSERT INTO t VALUES (1, 1, 1, 1), (2, 2, 5, 3), (3, 5, 5, 2); INSERT INTO u VALUES (1, 2, 4), (2, 5, 1);
SELECT * FROM shown ORDER BY id; SELECT * FROM either ORDER BY id; SELECT * FROM neither ORDER BY id; SELECT * FROM negated ORDER BY id;
SELECT * FROM within ORDER BY g; SELECT * FROM having_in ORDER BY k; SELECT * FROM having_not ORDER BY k; SELECT * FROM joined ORDER BY 1, 2;
SELECT * FROM left_joined ORDER BY 1, 2; SELECT * FROM row_values ORDER BY id; SELECT * FROM no_rows ORDER BY id; SELECT * FROM or_rows ORDER BY id; SELECT * FROM over_null ORDER BY 1;
.print -- with NULLs
INSERT INTO t VALUES (4, NULL, 2, 2), (5, 4, NULL, 4); INSERT INTO u VALUES (3, 1, NULL); UPDATE o SET r = 4 WHERE id = 5;
SELECT * FROM shown ORDER BY id; SELECT * FROM either ORDER BY id; SELECT * FROM neither ORDER BY id; SELECT * FROM negated ORDER BY id;
SELECT * FROM within ORDER BY g; SELECT * FROM having_in ORDER BY k; SELECT * FROM having_not ORDER BY k; SELECT * FROM joined ORDER BY 1, 2;
SELECT * FROM left_joined ORDER BY 1, 2; SELECT * FROM row_values ORDER BY id; SELECT * FROM no_rows ORDER BY id; SELECT * FROM or_rows ORDER BY id; SELECT * FROM over_null ORDER BY 1;
.print -- without them
DELETE FROM t WHERE k IS NULL OR x IS NULL; DELETE FROM u WHERE y IS NULL; UPDATE o SET k = 2 WHERE k IS NULL; DELETE FROM t WHERE id = 1;
SELECT * FROM shown ORDER BY id; SELECT * FROM either ORDER BY id; SELECT * FROM neither ORDER BY id; SELECT * FROM negated ORDER BY id;
SELECT * FROM within ORDER BY g; SELECT * FROM having_in ORDER BY k; SELECT * FROM having_not ORDER BY k; SELECT * FROM joined ORDER BY 1, 2;
SELECT * FROM left_joined ORDER BY 1, 2; SELECT * FROM row_values ORDER BY id; SELECT * FROM no_rows ORDER BY id; SELECT * FROM or_rows ORDER BY id; SELECT * FROM over_null ORDER BY 1;
