-- plain
-- The latest of each by a join whose key a subquery gives; and left joins with a subquery in ON.
CREATE TABLE o(id INTEGER PRIMARY KEY, k TEXT, n INT);
CREATE TABLE x(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, d INT, code TEXT);
CREATE VIRTUAL TABLE latest USING lockstep(SELECT o.id, t.d, t.id AS x FROM o JOIN x t ON t.id = (SELECT x.id FROM x WHERE x.k = o.k ORDER BY x.d DESC, x.id LIMIT 1));
CREATE VIRTUAL TABLE maybe USING lockstep(SELECT o.id, t.d, t.id AS x FROM o LEFT JOIN x t ON t.id = (SELECT x.id FROM x WHERE x.k = o.k ORDER BY x.d DESC, x.id LIMIT 1));
CREATE VIRTUAL TABLE before USING lockstep(SELECT o.id, t.d FROM o LEFT JOIN x t ON (SELECT y.id FROM x y WHERE y.d <= o.n ORDER BY y.d DESC, y.id LIMIT 1) = t.id WHERE o.id < 50);
CREATE VIRTUAL TABLE by_code USING lockstep(SELECT o.id, t.id AS x FROM x t JOIN o ON o.n > 0 WHERE (SELECT y.code FROM x y WHERE y.k = o.k AND y.d > 0 ORDER BY y.d, y.code LIMIT 1) = t.code COLLATE NOCASE);
CREATE VIRTUAL TABLE fresh USING lockstep(SELECT o.id, t.id AS x FROM o LEFT JOIN x t ON t.k = o.k AND t.id NOT IN (SELECT y.d FROM x y) AND EXISTS (SELECT 1 FROM x z WHERE z.d >= t.d AND z.id <> t.id));
INSERT INTO o VALUES (1, 'a', 3), (2, 'A', 9), (3, 'b', 0), (4, NULL, 5), (5, 'c', 100);
INSERT INTO x VALUES (1, 'a', 1, 'p'), (2, 'A', 5, 'P'), (3, 'B', 2, 'q'), (4, NULL, 7, 'r');
SELECT * FROM latest ORDER BY 1; SELECT * FROM maybe ORDER BY 1; SELECT * FROM before ORDER BY 1; SELECT * FROM by_code ORDER BY 1, 2; SELECT * FROM fresh ORDER BY 1, 2;
INSERT INTO x VALUES (5, 'a', 9, 'p'), (6, 'c', 2, 'Q'); UPDATE x SET d = 0 WHERE id = 2;
SELECT * FROM latest ORDER BY 1; SELECT * FROM maybe ORDER BY 1; SELECT * FROM before ORDER BY 1; SELECT * FROM by_code ORDER BY 1, 2; SELECT * FROM fresh ORDER BY 1, 2;
UPDATE x SET id = 20 WHERE id = 5; UPDATE o SET k = 'c' WHERE id = 2; UPDATE x SET d = NULL WHERE id = 3;
SELECT * FROM latest ORDER BY 1; SELECT * FROM maybe ORDER BY 1; SELECT * FROM before ORDER BY 1; SELECT * FROM by_code ORDER BY 1, 2; SELECT * FROM fresh ORDER BY 1, 2;
DELETE FROM x WHERE id IN (1, 20); INSERT INTO o VALUES (6, 'b', 1); UPDATE x SET code = 'R', d = 6 WHERE id = 6;
SELECT * FROM latest ORDER BY 1; SELECT * FROM maybe ORDER BY 1; SELECT * FROM before ORDER BY 1; SELECT * FROM by_code ORDER BY 1, 2; SELECT * FROM fresh ORDER BY 1, 2;
BEGIN; DELETE FROM x; SELECT count(*) FROM latest; SELECT * FROM maybe ORDER BY 1; SELECT * FROM fresh ORDER BY 1, 2; ROLLBACK;
SELECT * FROM maybe ORDER BY 1; SELECT * FROM fresh ORDER BY 1, 2;
