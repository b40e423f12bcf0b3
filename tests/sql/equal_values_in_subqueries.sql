-- A subquery that is computed anew may show 1.0 where it showed 1, of values that are equal, or '1.0' where SQLite
-- has read a compound by another core's affinity: the view is made anew then, and not called damaged.
CREATE TABLE u(id INTEGER PRIMARY KEY, g INT, a, b TEXT);
CREATE TABLE o(id INTEGER PRIMARY KEY, g INT, x);
INSERT INTO u(g, a) VALUES (1, 1), (1, 1.0), (1, 2.0), (1, 2), (1, 2), (1, 2.0), (1, 1.0), (1, 1);
INSERT INTO o(g, x) VALUES (2, 1), (0, 1), (0, 2);
CREATE VIRTUAL TABLE first USING lockstep(SELECT o.id, typeof((SELECT DISTINCT u.a FROM u WHERE u.g > o.g ORDER BY 1 LIMIT 1 OFFSET 1)) AS t FROM o);
CREATE VIRTUAL TABLE merged USING lockstep(SELECT o.id, typeof((SELECT u.a FROM u WHERE u.g > o.g UNION SELECT x FROM o n WHERE n.id > o.id ORDER BY 1 LIMIT 1)) AS t FROM o);
CREATE VIRTUAL TABLE greatest USING lockstep(SELECT o.id, typeof((SELECT max(a) FROM (SELECT u.a FROM u WHERE u.g > o.g UNION ALL SELECT x FROM o n WHERE n.id > o.id))) AS t FROM o);
CREATE VIRTUAL TABLE alike USING lockstep(SELECT o.id, z.* FROM o, (SELECT 1, u.b FROM u UNION ALL SELECT u.b || '', 1.0 FROM u ORDER BY 1 DESC) z);
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
DELETE FROM u WHERE id = 1;
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
INSERT INTO u(g, a) VALUES (1, 1); DELETE FROM u WHERE id = 3;
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
DELETE FROM o WHERE id = 2;
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
DELETE FROM u WHERE id = 2;
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
DELETE FROM u WHERE a = 2; INSERT INTO u(g, a) VALUES (1, 2);
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
DELETE FROM o WHERE id = 3;
SELECT count(*) FROM first; SELECT count(*) FROM merged; SELECT count(*) FROM greatest; SELECT count(*) FROM alike;
INSERT INTO first(lockstep) VALUES('integrity-check'); INSERT INTO merged(lockstep) VALUES('integrity-check'); INSERT INTO greatest(lockstep) VALUES('integrity-check');
