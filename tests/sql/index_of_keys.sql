-- An index over columns that those of the groups begin with is there already.
CREATE TABLE sales(region TEXT, kind TEXT, amount INT);
INSERT INTO sales VALUES ('north', 'a', 1), ('north', 'b', 2), ('south', 'a', 3);
CREATE VIRTUAL TABLE by_both USING lockstep(
  index=(region), index=(region, kind), index=(region DESC), index=(kind), index=(n),
  SELECT region, kind, count(*) AS n FROM sales GROUP BY region, kind
);
SELECT sql FROM sqlite_schema WHERE tbl_name = 'by_both_data' AND type = 'index' ORDER BY rowid;
CREATE VIRTUAL TABLE every_sale USING lockstep(index=(region), SELECT region, amount FROM sales);
SELECT sql FROM sqlite_schema WHERE tbl_name = 'every_sale_data' AND type = 'index';
SELECT * FROM by_both WHERE region = 'north' ORDER BY region, kind;
DELETE FROM sales WHERE kind = 'a';
SELECT * FROM by_both WHERE region = 'north';
DROP TABLE by_both;
DROP TABLE every_sale;
SELECT name FROM sqlite_schema;
