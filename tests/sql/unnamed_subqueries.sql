-- plain
-- Subqueries in FROM that have no name: on either side of a join of every kind, and within one another.
CREATE TABLE note(id INTEGER PRIMARY KEY, list INT);
CREATE TABLE item(note INT, size INT);
INSERT INTO note VALUES (1, 10), (2, 10), (3, NULL);
INSERT INTO item VALUES (1, 5), (1, 6), (3, 7), (NULL, 8);
CREATE VIRTUAL TABLE counted USING lockstep(SELECT id, coalesce(n, 0) AS n, total FROM note LEFT JOIN (SELECT note, count(*) AS n, sum(size) AS total FROM item GROUP BY note) ON note = id);
CREATE VIRTUAL TABLE filtered USING lockstep(SELECT id, size FROM note LEFT JOIN (SELECT note, size FROM item WHERE size > 5) ON note = id);
CREATE VIRTUAL TABLE nested USING lockstep(SELECT id, most FROM (SELECT * FROM (SELECT id, list FROM note)) LEFT JOIN (SELECT note, most FROM (SELECT note, max(size) AS most FROM item GROUP BY note)) ON note = id);
CREATE VIRTUAL TABLE outer_join USING lockstep(SELECT id, note, n FROM (SELECT DISTINCT id FROM note) FULL JOIN (SELECT note, count(*) AS n FROM item GROUP BY note) ON note = id);
CREATE VIRTUAL TABLE inner_join USING lockstep(SELECT id, n FROM (SELECT id FROM note UNION SELECT list FROM note) JOIN (SELECT note AS id, count(*) AS n FROM item GROUP BY note) USING (id));
SELECT * FROM counted ORDER BY 1; SELECT * FROM filtered ORDER BY 1, 2; SELECT * FROM nested ORDER BY 1; SELECT * FROM outer_join ORDER BY 1, 2; SELECT * FROM inner_join ORDER BY 1;
UPDATE item SET note = 2 WHERE size = 6; INSERT INTO item VALUES (10, 1), (4, 2); INSERT INTO note VALUES (4, 10);
SELECT * FROM counted ORDER BY 1; SELECT * FROM filtered ORDER BY 1, 2; SELECT * FROM nested ORDER BY 1; SELECT * FROM outer_join ORDER BY 1, 2; SELECT * FROM inner_join ORDER BY 1;
DELETE FROM item WHERE note < 4; DELETE FROM note WHERE id = 1;
SELECT * FROM counted ORDER BY 1; SELECT * FROM filtered ORDER BY 1, 2; SELECT * FROM nested ORDER BY 1; SELECT * FROM outer_join ORDER BY 1, 2; SELECT * FROM inner_join ORDER BY 1;
