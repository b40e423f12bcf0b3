-- plain
-- RIGHT and FULL joins, on either side of which rows come, find each other and go.
CREATE TABLE a(id INTEGER PRIMARY KEY, k INT, x INT);
CREATE TABLE b(id INTEGER PRIMARY KEY, k INT, y TEXT);
CREATE TABLE c(id INTEGER PRIMARY KEY, k INT, z INT);
INSERT INTO a VALUES (1, 1, 10), (2, 2, 20), (3, NULL, 30), (4, 2, 40);
INSERT INTO b VALUES (1, 2, 'two'), (2, 3, 'three'), (3, NULL, 'none');
INSERT INTO c VALUES (1, 1, 100), (2, 3, 300), (3, 5, 500);
CREATE VIRTUAL TABLE r USING lockstep(SELECT a.*, b.y FROM a RIGHT JOIN b ON a.k = b.k AND a.x > 15);
CREATE VIRTUAL TABLE f USING lockstep(SELECT k, x, y FROM a FULL JOIN b USING (k));
CREATE VIRTUAL TABLE n USING lockstep(SELECT k, count(*) AS n, sum(x) AS x, max(y) AS y FROM a NATURAL FULL JOIN (SELECT k, y FROM b) GROUP BY k);
CREATE VIRTUAL TABLE three USING lockstep(SELECT coalesce(a.k, b.k, c.k) AS k, x, y, z FROM a FULL JOIN b ON a.k = b.k FULL JOIN c ON coalesce(a.k, b.k) = c.k);
CREATE VIRTUAL TABLE chain USING lockstep(SELECT a.x, b.y, c.z FROM a LEFT JOIN b ON a.k = b.k RIGHT JOIN c ON b.k = c.k WHERE z > 100);
CREATE VIRTUAL TABLE filled USING lockstep(SELECT DISTINCT y, z FROM b FULL JOIN c USING (k) WHERE z IS NULL OR y IS NULL);
CREATE VIRTUAL TABLE made USING lockstep(SELECT c.id, s.n FROM c JOIN (SELECT coalesce(a.k, b.k) AS k, count(*) AS n FROM a FULL JOIN b ON a.k = b.k GROUP BY 1) s ON s.k = c.k);
CREATE VIEW pairs AS SELECT a.id AS a, b.id AS b FROM a FULL JOIN b ON a.k = b.k;
CREATE VIRTUAL TABLE over USING lockstep(SELECT c.z, p.a, p.b FROM c LEFT JOIN pairs p ON p.a = c.id);
CREATE VIRTUAL TABLE or_else USING lockstep(SELECT a.x, b.y FROM a FULL JOIN b ON a.k = b.k OR a.x = b.id);
.print -- at first
SELECT * FROM r ORDER BY 1, 4; SELECT * FROM f ORDER BY 1, 2, 3; SELECT * FROM n ORDER BY 1;
SELECT * FROM three ORDER BY 1, 2, 3, 4; SELECT * FROM chain ORDER BY 3; SELECT * FROM filled ORDER BY 1, 2;
SELECT * FROM made ORDER BY 1; SELECT * FROM over ORDER BY 1, 2, 3; SELECT * FROM or_else ORDER BY 1, 2;
.print -- partners come
INSERT INTO a VALUES (5, 3, 50); INSERT INTO b VALUES (4, 1, 'one'); INSERT INTO c VALUES (4, 2, 200);
SELECT * FROM r ORDER BY 1, 4; SELECT * FROM f ORDER BY 1, 2, 3; SELECT * FROM n ORDER BY 1;
SELECT * FROM three ORDER BY 1, 2, 3, 4; SELECT * FROM chain ORDER BY 3, 1; SELECT * FROM filled ORDER BY 1, 2;
SELECT * FROM made ORDER BY 1; SELECT * FROM over ORDER BY 1, 2, 3; SELECT * FROM or_else ORDER BY 1, 2;
.print -- partners go
DELETE FROM a WHERE k = 2; UPDATE b SET k = 5 WHERE k = 3; UPDATE c SET k = NULL WHERE id = 1;
SELECT * FROM r ORDER BY 1, 4; SELECT * FROM f ORDER BY 1, 2, 3; SELECT * FROM n ORDER BY 1;
SELECT * FROM three ORDER BY 1, 2, 3, 4; SELECT * FROM chain ORDER BY 3; SELECT * FROM filled ORDER BY 1, 2;
SELECT * FROM made ORDER BY 1; SELECT * FROM over ORDER BY 1, 2, 3; SELECT * FROM or_else ORDER BY 1, 2;
.print -- all of one side
DELETE FROM b;
SELECT * FROM r; SELECT * FROM f ORDER BY 1, 2; SELECT * FROM three ORDER BY 1, 2, 4; SELECT * FROM over ORDER BY 1, 2;
-- What is not looked at below an OR, a coalesce() or an aggregate is not what a left join needs.
CREATE TABLE o(k INT);
INSERT INTO o VALUES (7), (1);
CREATE VIRTUAL TABLE other USING lockstep(SELECT k FROM o WHERE EXISTS (SELECT 1 FROM a LEFT JOIN b ON b.id = a.id WHERE coalesce(b.k, 7) = o.k));
CREATE VIRTUAL TABLE not_in USING lockstep(SELECT a.id, b.id AS b FROM a LEFT JOIN b ON a.k = b.k WHERE b.id NOT IN (SELECT z FROM c WHERE k > 3));
.print -- a left join in a subquery
SELECT * FROM other ORDER BY 1; SELECT * FROM not_in ORDER BY 1;
INSERT INTO b VALUES (1, 1, 'one'), (5, 3, 'three'), (3, 9, 'nine');
SELECT * FROM other ORDER BY 1; SELECT * FROM not_in ORDER BY 1;
DELETE FROM c; UPDATE b SET k = NULL WHERE id = 1;
SELECT * FROM other ORDER BY 1; SELECT * FROM not_in ORDER BY 1;
-- What a part of such a join never reads may have a list, or a bare column.
CREATE TABLE d(k INT, name TEXT);
CREATE VIRTUAL TABLE lists USING lockstep(SELECT a.k, group_concat(d.name) AS l FROM a LEFT JOIN d ON d.k = a.k GROUP BY a.k);
CREATE VIRTUAL TABLE behind USING lockstep(SELECT c.z, a.l FROM lists a JOIN o ON o.k > a.k RIGHT JOIN c ON c.k = a.k);
INSERT INTO c VALUES (6, 1, 6), (7, 3, 7);
.print -- lists before a right join
SELECT * FROM behind ORDER BY 1;
INSERT INTO d VALUES (1, 'un'), (3, 'trois');
SELECT * FROM behind ORDER BY 1;
DELETE FROM d WHERE k = 1; DELETE FROM o WHERE k = 7;
SELECT * FROM behind ORDER BY 1;
