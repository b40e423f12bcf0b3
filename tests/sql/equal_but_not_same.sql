-- 'a' and 'A' are equal under NOCASE, and 1 and 1.0 are: a subquery that is computed anew for each change
-- must give what it gave, and integrity-check knows of several right answers.
CREATE TABLE t(id INTEGER PRIMARY KEY, y INT);
CREATE TABLE u(id INTEGER PRIMARY KEY, x TEXT COLLATE NOCASE, z INT, w);
CREATE INDEX by_z ON u(z);
CREATE VIRTUAL TABLE greatest USING lockstep(SELECT y, (SELECT max(u.x) FROM u WHERE u.z >= t.y) AS x FROM t);
CREATE VIRTUAL TABLE least USING lockstep(SELECT y, (SELECT min(u.w) FROM u WHERE u.z >= t.y) AS w FROM t);
CREATE VIRTUAL TABLE first USING lockstep(SELECT y, (SELECT DISTINCT u.w FROM u WHERE u.z >= t.y ORDER BY 1 LIMIT 1) AS w FROM t);
CREATE VIRTUAL TABLE of_equal USING lockstep(SELECT y, (SELECT max(u.x) FROM u WHERE u.z = t.y) AS x FROM t);
CREATE VIRTUAL TABLE looked_up USING lockstep(SELECT y, m FROM t JOIN (SELECT z, max(w) AS m FROM u GROUP BY z) q ON q.z = t.y);
INSERT INTO u VALUES (7, 'a', 1, 1.0); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
INSERT INTO t(y) VALUES (1); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
INSERT INTO u VALUES (2, 'A', 2, 1.0); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
UPDATE u SET x = 'A', w = 2 WHERE z = 1; SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
SELECT * FROM greatest; SELECT * FROM least; SELECT * FROM first; SELECT * FROM of_equal; SELECT * FROM looked_up;
INSERT INTO greatest(lockstep) VALUES('integrity-check'); INSERT INTO least(lockstep) VALUES('integrity-check'); INSERT INTO first(lockstep) VALUES('integrity-check'); INSERT INTO of_equal(lockstep) VALUES('integrity-check'); INSERT INTO looked_up(lockstep) VALUES('integrity-check');
DELETE FROM u; DELETE FROM t;
INSERT INTO u VALUES (9, 'A', 2, 2); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
INSERT INTO t(y) VALUES (1); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
REPLACE INTO u VALUES (4, 'a', 1, 2.0); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
REPLACE INTO u VALUES (4, 'a', 1, 1); SELECT count(*) FROM greatest, least, first, of_equal, looked_up;
SELECT * FROM greatest; SELECT * FROM least; SELECT * FROM first; SELECT * FROM of_equal; SELECT * FROM looked_up;
INSERT INTO greatest(lockstep) VALUES('integrity-check'); INSERT INTO least(lockstep) VALUES('integrity-check'); INSERT INTO first(lockstep) VALUES('integrity-check'); INSERT INTO of_equal(lockstep) VALUES('integrity-check'); INSERT INTO looked_up(lockstep) VALUES('integrity-check');
