-- plain
-- Columns that are called true and false: without quotes such a name is a column before it is a value.
CREATE TABLE t(a INTEGER PRIMARY KEY, "false");
CREATE TABLE u(x, y, "true" TEXT, "false");
INSERT INTO t VALUES (1, 5), (2, 1), (3, NULL);
INSERT INTO u VALUES (1, NULL, 7, 1), (NULL, 2, 8, 0);
CREATE VIRTUAL TABLE listed USING lockstep(SELECT a, (SELECT group_concat("true" || "False") FROM u WHERE u.x = t.a AND y IS NULL) AS list FROM t);
CREATE VIRTUAL TABLE greatest USING lockstep(SELECT a, (SELECT "True" || max("true") FROM u WHERE x = a) AS m FROM t);
CREATE VIRTUAL TABLE at_least USING lockstep(SELECT a FROM t WHERE "false" >= (SELECT min("false") FROM u));
CREATE VIRTUAL TABLE within USING lockstep(SELECT a, (SELECT min("true" || (SELECT max(w."false" + u."true") FROM t AS w WHERE w.a <> u."false")) FROM u WHERE x = a) AS m FROM t);
CREATE VIRTUAL TABLE never USING lockstep(SELECT a, x FROM t JOIN u WHERE a IN () AND (SELECT count(*) FROM u AS z WHERE z.x = a));
CREATE VIRTUAL TABLE always USING lockstep(SELECT a, x, y NOT IN () AS n, "true" IN () AS o FROM t LEFT JOIN u ON a = x AND y NOT IN ());
CREATE VIRTUAL TABLE pairs USING lockstep(SELECT a, (a, a) IN (SELECT x, y FROM u WHERE "true" > 1) AS p, (a, "false") NOT IN (SELECT x, y FROM u) AS q FROM t);
INSERT INTO u VALUES (2, NULL, 9, 0), (2, 2, 3, 1), (3, 4, 5, NULL);
INSERT INTO t VALUES (4, 0);
SELECT * FROM listed ORDER BY a; SELECT * FROM greatest ORDER BY a; SELECT * FROM at_least ORDER BY a; SELECT * FROM within ORDER BY a;
SELECT * FROM never; SELECT * FROM always ORDER BY a, x, n; SELECT * FROM pairs ORDER BY a;
UPDATE u SET "true" = "true" + 1, "false" = 1 - "false";
UPDATE t SET "false" = 0 WHERE a = 1;
DELETE FROM u WHERE x = 2 AND y = 2;
SELECT * FROM listed ORDER BY a; SELECT * FROM greatest ORDER BY a; SELECT * FROM at_least ORDER BY a; SELECT * FROM within ORDER BY a;
SELECT * FROM never; SELECT * FROM always ORDER BY a, x, n; SELECT * FROM pairs ORDER BY a;
