-- plain
-- NOT IN, with NULLs on either side.
CREATE TABLE dim(id INTEGER PRIMARY KEY, k INT, name TEXT);
CREATE TABLE fact(g INT, x INT);
CREATE INDEX fact_g ON fact(g);
INSERT INTO dim VALUES (1, 1, 'a'), (2, 2, 'b'), (3, NULL, 'c');
CREATE VIRTUAL TABLE by_id USING lockstep(SELECT id, name FROM dim WHERE id NOT IN (SELECT g FROM fact WHERE x < 10));
CREATE VIRTUAL TABLE by_k USING lockstep(SELECT id, k NOT IN (SELECT g FROM fact) AS missing FROM dim WHERE k NOT IN (SELECT g FROM fact WHERE x > 3) OR id = 2);
SELECT * FROM by_id ORDER BY id; SELECT * FROM by_k ORDER BY id;
INSERT INTO fact VALUES (1, 5), (2, 50);
SELECT * FROM by_id ORDER BY id; SELECT * FROM by_k ORDER BY id;
INSERT INTO fact VALUES (NULL, 5);
SELECT count(*) FROM by_id; SELECT * FROM by_k ORDER BY id;
UPDATE fact SET x = 20 WHERE g IS NULL;
SELECT * FROM by_id ORDER BY id; SELECT * FROM by_k ORDER BY id;
UPDATE dim SET k = NULL WHERE id = 1; DELETE FROM fact WHERE g IS NULL;
SELECT * FROM by_id ORDER BY id; SELECT * FROM by_k ORDER BY id;
DELETE FROM fact;
SELECT * FROM by_id ORDER BY id; SELECT * FROM by_k ORDER BY id;
