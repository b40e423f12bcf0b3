-- plain
-- not for clients: SQLite 3.49 shows 2 for '2' where a subquery has compared it with numbers
-- An IN whose sides have unlike types compares by both, whatever the view's column is.
CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, n INT);
INSERT INTO sales(region, n) VALUES ('1', 10), ('2', 20), ('01', 40), ('north', 30), (NULL, 5), (x'31', 80);
CREATE TABLE loose(k, n INT);
INSERT INTO loose VALUES ('1', 1), (2, 2), (1, 3), ('x', 4), (x'78', 5), (NULL, 6), (1.5, 7), ('1.50', 8);
CREATE TABLE picks(any_of, text_of TEXT, int_of INT, real_of REAL);
INSERT INTO picks VALUES (1, '1', 1, 1), ('1', 'north', 2, 1.5), (2, NULL, NULL, NULL), (x'31', '01', 7, 7), (1.5, '1.50', '1.5', 0);
CREATE VIRTUAL TABLE v USING lockstep(SELECT region, sum(n) AS s FROM sales GROUP BY region);
CREATE VIRTUAL TABLE w USING lockstep(SELECT k, sum(n) AS s FROM loose GROUP BY k);
CREATE VIRTUAL TABLE i USING lockstep(SELECT n, region, min(id) AS id FROM sales GROUP BY n, region);
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT any_of FROM picks) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT text_of FROM picks) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT int_of FROM picks) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT +any_of FROM picks) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT any_of FROM picks UNION SELECT int_of FROM picks) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (1, '01', x'31', NULL) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT text_of FROM picks WHERE 0) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region NOT IN (SELECT int_of FROM picks WHERE int_of) ORDER BY 3;
SELECT 'text', quote(region), s FROM v WHERE region IN (SELECT text_of FROM picks) ORDER BY region DESC LIMIT 2;
SELECT 'any', quote(k), s FROM w WHERE k IN (SELECT any_of FROM picks) ORDER BY 3;
SELECT 'any', quote(k), s FROM w WHERE k IN (SELECT text_of FROM picks) ORDER BY 3;
SELECT 'any', quote(k), s FROM w WHERE k IN (SELECT int_of FROM picks) ORDER BY 3;
SELECT 'any', quote(k), s FROM w WHERE k IN (SELECT real_of FROM picks) ORDER BY 3;
SELECT 'any', quote(k), s FROM w WHERE k IN (1, 'x', x'78', 1.5) ORDER BY 3;
SELECT 'two', id FROM i WHERE n IN (10, 20, '40') AND region IN (SELECT int_of FROM picks) ORDER BY n DESC, region;
SELECT 'two', id FROM i WHERE n = 40 AND region IN (SELECT any_of FROM picks UNION ALL SELECT text_of FROM picks);
SELECT 'two', id FROM i WHERE n > 5 AND region IN ('01', '1') ORDER BY id;
.print rows that are pending, within a transaction and a statement
BEGIN;
INSERT INTO sales(region, n) VALUES ('1', 100), ('7', 1000), (7, 3);
SELECT quote(region), s FROM v WHERE region IN (SELECT int_of FROM picks) ORDER BY 2;
SELECT quote(region), s FROM v WHERE region IN (SELECT any_of FROM picks) ORDER BY 2;
UPDATE sales SET n = n + 1 WHERE region IN (SELECT region FROM v WHERE region IN (SELECT int_of FROM picks)) RETURNING id, n;
SELECT quote(region), s FROM v WHERE region IN (SELECT int_of FROM picks) ORDER BY 2;
ROLLBACK;
.print many values
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 40000)
  SELECT count(*), sum(s) FROM v WHERE region IN (SELECT CAST(x AS TEXT) FROM c);
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300)
  SELECT count(*), sum(s) FROM v WHERE region IN (SELECT CAST(x AS TEXT) FROM c);
SELECT p.int_of, (SELECT count(*) FROM v WHERE region IN (p.int_of, p.text_of, p.any_of)) FROM picks AS p;
