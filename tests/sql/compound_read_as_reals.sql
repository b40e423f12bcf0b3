-- plain
-- Read as a subquery, a compound whose first core has a REAL column gives reals for integers of others.
CREATE TABLE t(id INTEGER PRIMARY KEY, r REAL, n INT);
INSERT INTO t VALUES (1, 10, 2), (2, 2, 3), (3, NULL, 10);
CREATE VIRTUAL TABLE u USING lockstep(SELECT r, typeof(r) AS type, r / 4 AS quarter FROM (SELECT r FROM t UNION SELECT n FROM t));
CREATE VIRTUAL TABLE e USING lockstep(SELECT r, typeof(r) AS type FROM (SELECT r FROM t UNION SELECT n FROM t EXCEPT SELECT id FROM t));
CREATE VIRTUAL TABLE l USING lockstep(SELECT x.r, typeof(x.r) AS type, n FROM (SELECT r FROM t UNION ALL SELECT n FROM t ORDER BY 1 DESC LIMIT 3) x LEFT JOIN t ON n = x.r);
SELECT * FROM u ORDER BY r; SELECT * FROM e ORDER BY r; SELECT * FROM l ORDER BY r;
INSERT INTO t VALUES (4, NULL, 7); UPDATE t SET n = 11 WHERE id = 3; DELETE FROM t WHERE id = 1;
SELECT * FROM u ORDER BY r; SELECT * FROM e ORDER BY r; SELECT * FROM l ORDER BY r;
-- not for clients: from SQLite 3.41 on this depends on the types of all cores
-- Also where SQLite looks the rows up in an index that it makes of them.
CREATE TABLE s(n INT); INSERT INTO s VALUES (3), (7), (8);
CREATE VIRTUAL TABLE j USING lockstep(SELECT n, typeof(r) AS type FROM s LEFT JOIN (SELECT r FROM t UNION SELECT n FROM t) x ON s.n = x.r);
SELECT * FROM j ORDER BY n;
INSERT INTO t VALUES (5, NULL, 8);
SELECT * FROM j ORDER BY n;
