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
-- In ON, with a subquery that names the table it is joined to.
CREATE VIRTUAL TABLE in_on USING lockstep(SELECT d.id, e.id AS other FROM dim d LEFT JOIN dim e ON e.k = d.k AND d.id NOT IN (SELECT f.g FROM fact f JOIN dim g ON g.id = f.g AND e.id = f.x));
INSERT INTO fact VALUES (2, 2), (NULL, 1);
SELECT * FROM in_on ORDER BY 1, 2;
DELETE FROM fact WHERE g = 2;
SELECT * FROM in_on ORDER BY 1, 2;
-- What the left side is compared as is for the subquery's column to say.
PRAGMA automatic_index = OFF;
CREATE VIRTUAL TABLE typed USING lockstep(SELECT id FROM dim WHERE substr(id, 1, 1) NOT IN (SELECT d.id FROM dim d JOIN fact f ON f.g = d.id));
SELECT * FROM typed ORDER BY id;
INSERT INTO fact VALUES (1, 1);
SELECT * FROM typed ORDER BY id;
