-- More changes than the table has rows: the state is made anew, not stepped.
CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, amount INT);
CREATE VIRTUAL TABLE totals USING lockstep(
  SELECT region, count(*) AS n, sum(amount) AS total FROM sales GROUP BY region);
INSERT INTO sales(region, amount)
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60000)
  SELECT 'r' || (i % 7), i FROM c;
DELETE FROM sales WHERE id > 10;
SELECT count(*) > 110000 AS many FROM lockstep_log_1;
SELECT count(*) AS shown FROM totals;
SELECT count(*) AS extra FROM (SELECT * FROM totals EXCEPT SELECT * FROM totals_query);
SELECT count(*) AS missing FROM (SELECT * FROM totals_query EXCEPT SELECT * FROM totals);
SELECT count(*) AS left_in_log FROM lockstep_log_1 WHERE lockstep_weight <> 2;
-- A read in a write transaction of one's own does the same, and ROLLBACK undoes it.
BEGIN;
INSERT INTO sales(region, amount)
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60000)
  SELECT 'r' || (i % 7), i FROM c;
DELETE FROM sales WHERE id > 20;
SELECT count(*) AS extra FROM (SELECT * FROM totals EXCEPT SELECT * FROM totals_query);
SELECT count(*) AS missing FROM (SELECT * FROM totals_query EXCEPT SELECT * FROM totals);
ROLLBACK;
SELECT count(*) AS extra FROM (SELECT * FROM totals EXCEPT SELECT * FROM totals_query);
SELECT count(*) AS missing FROM (SELECT * FROM totals_query EXCEPT SELECT * FROM totals);
