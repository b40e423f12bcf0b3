-- RENAME COLUMN below a view that another one reads: a view keeps the names that it was created with.
CREATE TABLE t(g INT, x INT);
CREATE TABLE u(g INT, y INT);
INSERT INTO t VALUES (1, 10), (1, 20), (2, 30);
INSERT INTO u VALUES (1, 7), (2, 8);
CREATE VIRTUAL TABLE a USING lockstep(SELECT g, x, x + 1, x FROM t);
CREATE VIRTUAL TABLE every USING lockstep(SELECT * FROM t);
CREATE VIRTUAL TABLE few USING lockstep(SELECT g, x FROM t ORDER BY x DESC LIMIT 2);
CREATE VIRTUAL TABLE groups USING lockstep(SELECT g, sum(x) FROM t GROUP BY g);
CREATE VIRTUAL TABLE both USING lockstep(SELECT g, x FROM t UNION ALL SELECT g, y FROM u ORDER BY x, g LIMIT 4);
CREATE VIEW p AS SELECT every.g, x FROM every;
CREATE VIRTUAL TABLE of_a USING lockstep(SELECT A.G, max(x) AS m, sum("x + 1") AS n, max("x:1") AS o FROM a GROUP BY a.g);
CREATE VIRTUAL TABLE of_every USING lockstep(SELECT * FROM every NATURAL JOIN u);
CREATE VIRTUAL TABLE of_few USING lockstep(SELECT u.y, few.x FROM u LEFT JOIN few USING(g));
CREATE VIRTUAL TABLE of_groups USING lockstep(SELECT count(*) AS n, max("sum(x)") AS m FROM groups WHERE g IN (SELECT g FROM every));
CREATE VIRTUAL TABLE of_both USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM both GROUP BY g);
CREATE VIRTUAL TABLE of_p USING lockstep(SELECT g, x FROM p WHERE x > 10);
CREATE VIRTUAL TABLE of_of_a USING lockstep(SELECT g, m + 1 FROM of_a);
CREATE VIRTUAL TABLE third USING lockstep(SELECT sum("m + 1") AS s, count(g) AS n FROM of_of_a);
-- What a view gives, what its query gives, and whether it is right when it is made anew.
CREATE VIEW all_of AS SELECT 1 AS i, 'of_a' AS v, G || ' ' || m || ' ' || n || ' ' || o AS r FROM of_a
  UNION ALL SELECT 2, 'of_every', g || ' ' || x || ' ' || y FROM of_every
  UNION ALL SELECT 3, 'of_few', y || ' ' || ifnull(x, '') FROM of_few
  UNION ALL SELECT 4, 'of_groups', n || ' ' || m FROM of_groups
  UNION ALL SELECT 5, 'of_both', g || ' ' || n || ' ' || s FROM of_both
  UNION ALL SELECT 6, 'of_p', g || ' ' || x FROM of_p
  UNION ALL SELECT 7, 'third', s || ' ' || n FROM third;
CREATE VIEW all_queried AS SELECT 1 AS i, 'of_a' AS v, G || ' ' || m || ' ' || n || ' ' || o AS r FROM of_a_query
  UNION ALL SELECT 2, 'of_every', g || ' ' || x || ' ' || y FROM of_every_query
  UNION ALL SELECT 3, 'of_few', y || ' ' || ifnull(x, '') FROM of_few_query
  UNION ALL SELECT 4, 'of_groups', n || ' ' || m FROM of_groups_query
  UNION ALL SELECT 5, 'of_both', g || ' ' || n || ' ' || s FROM of_both_query
  UNION ALL SELECT 6, 'of_p', g || ' ' || x FROM of_p_query
  UNION ALL SELECT 7, 'third', s || ' ' || n FROM third_query;
.print created
SELECT v, r FROM all_of ORDER BY i, r;
ALTER TABLE t RENAME COLUMN g TO gg;
.print renamed
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
ALTER TABLE t RENAME COLUMN x TO g;
ALTER TABLE t RENAME COLUMN gg TO x;
.print swapped
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
INSERT INTO t(x, g) VALUES (2, 40), (3, 5);
DELETE FROM t WHERE g = 10;
UPDATE u SET y = 9 WHERE g = 2;
.print changed
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
.open main.db
.load ./lockstep
INSERT INTO t(x, g) VALUES (2, 1), (1, 50);
.print opened again
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
INSERT INTO of_a(lockstep) VALUES ('integrity-check');
INSERT INTO of_every(lockstep) VALUES ('integrity-check');
INSERT INTO of_few(lockstep) VALUES ('integrity-check');
INSERT INTO of_groups(lockstep) VALUES ('integrity-check');
INSERT INTO of_both(lockstep) VALUES ('integrity-check');
INSERT INTO of_p(lockstep) VALUES ('integrity-check');
INSERT INTO third(lockstep) VALUES ('integrity-check');
INSERT INTO third(lockstep) VALUES ('rebuild');
.print created after
DROP TABLE of_p;
CREATE VIRTUAL TABLE of_p USING lockstep(SELECT g, x FROM p WHERE x > 10);
CREATE VIRTUAL TABLE of_none USING lockstep(SELECT gg FROM a);
SELECT v, r FROM all_of ORDER BY i, r;
.print views renamed
ALTER TABLE a RENAME TO aa;
ALTER TABLE every RENAME TO "all";
INSERT INTO t(x, g) VALUES (7, 1), (7, 60);
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
.print renamed back
ALTER TABLE t RENAME COLUMN x TO gg;
ALTER TABLE t RENAME COLUMN g TO x;
ALTER TABLE t RENAME COLUMN gg TO g;
INSERT INTO t VALUES (8, 11);
SELECT v, r FROM all_of ORDER BY i, r;
SELECT 'differs', * FROM (SELECT * FROM all_of EXCEPT SELECT * FROM all_queried);
