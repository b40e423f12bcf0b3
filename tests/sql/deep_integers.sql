-- A query that stands in a WITH, nested deeply, and gives integers beside reals, which SQLite would
-- make reals where it reads it as a subquery.
CREATE TABLE r(a INTEGER, x REAL);
INSERT INTO r VALUES (1, 2.5), (2, 3);
CREATE VIRTUAL TABLE i2 USING lockstep(SELECT a, x FROM r WHERE x > 0 UNION ALL SELECT y, y FROM (SELECT a AS y FROM r WHERE ((((((((a > 0))))))))));
UPDATE r SET a = 7 WHERE a = 2 RETURNING (SELECT group_concat(x) FROM (SELECT x FROM i2 WHERE a > 1 ORDER BY x));
SELECT a, x, typeof(x) FROM i2 ORDER BY 1, 2;
INSERT INTO i2(lockstep) VALUES('integrity-check');
