-- plain
-- The quick start of the README.
CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, amount INTEGER);
INSERT INTO sales(region, amount) VALUES ('north', 5), ('south', 7);
CREATE VIRTUAL TABLE by_region USING lockstep(SELECT region, count(*) AS n, sum(amount) AS total FROM sales GROUP BY region);
INSERT INTO sales(region, amount) VALUES ('north', 10);
SELECT * FROM by_region WHERE region = 'north';
BEGIN;
UPDATE sales SET amount = amount + 1 WHERE region = 'south';
DELETE FROM sales WHERE amount = 5;
.print inside the transaction
SELECT * FROM by_region ORDER BY region;
ROLLBACK;
.print after ROLLBACK
SELECT * FROM by_region ORDER BY region;
