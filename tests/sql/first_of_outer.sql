-- plain
-- What a subquery's first row shows may name what is around it, which ORDER BY can't.
CREATE TABLE u(id INTEGER PRIMARY KEY, g INT, a, b TEXT);
CREATE TABLE o(id INTEGER PRIMARY KEY, g INT, x);
INSERT INTO u(g, a, b) VALUES (1, 5, 'p'), (2, 6, 'q'), (3, 7, 'r');
INSERT INTO o(g, x) VALUES (1, 'k'), (2, 2.5), (4, 3);
CREATE VIRTUAL TABLE v USING lockstep(SELECT o.id, (SELECT o.x FROM u WHERE u.g < o.g ORDER BY 1 DESC LIMIT 1) AS z, (SELECT x + u.a FROM u WHERE u.g < o.g ORDER BY u.g DESC LIMIT 1) AS y FROM o);
CREATE VIRTUAL TABLE w USING lockstep(SELECT id, (SELECT b || x FROM u WHERE u.g <= o.g LIMIT 1 OFFSET 1) AS z, (SELECT count(*) FROM (SELECT o.x FROM u WHERE u.g < o.g ORDER BY 1 LIMIT 2)) AS n FROM o);
SELECT * FROM v ORDER BY id; SELECT id, z IS NULL, n FROM w ORDER BY id;
DELETE FROM u WHERE id = 1; UPDATE o SET x = 1 WHERE id = 2; INSERT INTO o(g, x) VALUES (9, NULL);
SELECT * FROM v ORDER BY id; SELECT id, z IS NULL, n FROM w ORDER BY id;
