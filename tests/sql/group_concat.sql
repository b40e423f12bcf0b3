-- plain
-- Aggregates that SQLite itself computes anew where their arguments change: lists, JSON. Their order
-- is not fixed, so it is made so where they are shown.
CREATE TABLE note(id INTEGER PRIMARY KEY, author TEXT, tag TEXT COLLATE NOCASE, stars INTEGER, meta TEXT);
INSERT INTO note(author, tag, stars, meta) VALUES
  ('ann', 'red', 1, '{"a": 1}'), ('ann', 'Red', 2, '[2]'), ('ann', 'blue', 3, NULL), ('bob', 'green', 4, '4'),
  ('cy', NULL, NULL, NULL);
CREATE VIRTUAL TABLE tags USING lockstep(SELECT author, json_group_array(tag) AS all_tags, json_group_array(DISTINCT tag) AS tags, json_group_array(tag) FILTER (WHERE stars > 1) AS good, group_concat(stars, '+') AS stars FROM note GROUP BY author);
CREATE VIRTUAL TABLE metas USING lockstep(SELECT author, json_object('who', author, 'metas', json_group_array(json(meta))) AS doc, json_group_object(id, json(meta)) AS by_id FROM note GROUP BY author);
CREATE VIRTUAL TABLE total USING lockstep(SELECT group_concat(stars) AS l, json_group_array(stars) AS j, length(group_concat(tag, '')) AS n, json_array_length(json_group_array(id)) AS ids FROM note);
CREATE VIEW shown AS SELECT author,
  (SELECT group_concat(value, ' ') FROM (SELECT lower(value) AS value FROM json_each(all_tags) ORDER BY 1)) AS all_tags,
  (SELECT group_concat(value, ' ') FROM (SELECT lower(value) AS value FROM json_each(tags) ORDER BY 1)) AS tags,
  (SELECT group_concat(value, ' ') FROM (SELECT lower(value) AS value FROM json_each(good) ORDER BY 1)) AS good,
  length(stars) AS n FROM tags;
CREATE VIEW shown_metas AS SELECT author, json_extract(doc, '$.who') AS who,
  (SELECT group_concat(type || ' ' || coalesce(value, '-')) FROM (SELECT * FROM json_each(doc, '$.metas') ORDER BY type, value)) AS metas,
  (SELECT group_concat(key || ' ' || type) FROM (SELECT * FROM json_each(by_id) ORDER BY key)) AS by_id FROM metas;
SELECT * FROM shown ORDER BY author;
SELECT * FROM shown_metas ORDER BY author;
SELECT length(l), length(j), n, ids FROM total;
.print changes
UPDATE note SET tag = 'black' WHERE stars = 3;
DELETE FROM note WHERE author = 'bob';
INSERT INTO note(author, tag, stars, meta) VALUES ('cy', 'red', 5, '"x"'), ('cy', 'red', 5, '"x"'), ('dee', '', 0, '{}');
SELECT * FROM shown ORDER BY author;
SELECT * FROM shown_metas ORDER BY author;
SELECT length(l), length(j), n, ids FROM total;
.print one of two equal rows goes
DELETE FROM note WHERE id = (SELECT max(id) FROM note WHERE tag = 'red');
SELECT * FROM shown WHERE author = 'cy';
.print undone
BEGIN;
DELETE FROM note WHERE author <> 'ann';
SELECT * FROM shown ORDER BY author;
ROLLBACK;
SELECT * FROM shown ORDER BY author;
.print an error of the data lasts until it is corrected
UPDATE note SET meta = '{broken' WHERE id = 1;
SELECT * FROM shown ORDER BY author;
UPDATE note SET meta = '{"mended": true}' WHERE id = 1;
SELECT * FROM shown_metas ORDER BY author;
.print nothing
DELETE FROM note;
SELECT * FROM tags;
SELECT l, j, n, ids FROM total;

-- Columns of SELECT * go by other names.
PRAGMA short_column_names = OFF;
PRAGMA full_column_names = ON;
CREATE TABLE named(g, x);
CREATE VIRTUAL TABLE lists USING lockstep(SELECT g, group_concat(x, '-') AS list FROM named GROUP BY g);
INSERT INTO named VALUES(1, 'a'), (1, 'b'), (2, 'c');
SELECT g, list FROM lists;
