-- plain
-- Views without aggregates: duplicates stay, DISTINCT has none.
CREATE TABLE post(id INTEGER PRIMARY KEY, list INTEGER, title TEXT, status TEXT, deleted_at TEXT);
CREATE VIRTUAL TABLE open USING lockstep(SELECT list, coalesce(title, '(untitled)') AS title, status FROM post WHERE deleted_at IS NULL AND status IN ('todo', 'doing'));
CREATE VIRTUAL TABLE lists USING lockstep(SELECT DISTINCT list, status FROM post WHERE title LIKE 'a%');
INSERT INTO post(list, title, status) VALUES (1, 'a', 'todo'), (1, 'a', 'todo'), (1, NULL, 'doing'), (2, 'Ab', 'done'), (2, 'ab', 'done');
SELECT * FROM open ORDER BY list, title;
SELECT count(*) FROM open WHERE title = 'a';
SELECT * FROM lists ORDER BY list;
DELETE FROM post WHERE id = 1;
UPDATE post SET status = 'doing' WHERE id = 4;
SELECT * FROM open ORDER BY list, title;
SELECT * FROM lists ORDER BY list, status;
UPDATE post SET deleted_at = 'now' WHERE list = 1;
SELECT * FROM open ORDER BY list, title;
SELECT * FROM lists ORDER BY list, status;
