-- plain
-- Rows that foreign keys delete and change reach the views.
PRAGMA foreign_keys = ON;
CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE, x INTEGER);
CREATE TABLE note(id INTEGER PRIMARY KEY, child INTEGER REFERENCES child ON DELETE SET NULL, txt TEXT);
CREATE VIRTUAL TABLE v USING lockstep(SELECT parent, count(*) AS n, sum(x) AS s FROM child GROUP BY parent);
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(child) AS attached, count(*) AS notes FROM note);
INSERT INTO parent VALUES (1, 'a'), (2, 'b');
INSERT INTO child VALUES (10, 1, 1), (11, 1, 2), (12, 2, 3);
INSERT INTO note VALUES (1, 10, 'p'), (2, 12, 'q'), (3, NULL, 'r');
SELECT * FROM v ORDER BY parent;
SELECT * FROM w;
DELETE FROM parent WHERE id = 1;
SELECT * FROM v ORDER BY parent;
SELECT * FROM w;
UPDATE parent SET id = 7;
SELECT * FROM v ORDER BY parent;
INSERT INTO child VALUES (13, 99, 1);
SELECT * FROM v ORDER BY parent;
REPLACE INTO parent VALUES (7, 'c');
SELECT * FROM v ORDER BY parent;
SELECT * FROM w;
