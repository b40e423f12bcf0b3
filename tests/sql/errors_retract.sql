-- A row for which an expression fails makes reads fail, naming it, until it is corrected. Writes go on.
CREATE TABLE doc(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO doc VALUES (1, '{"n":1}'), (2, '{"n":2}');
CREATE VIRTUAL TABLE v USING lockstep(SELECT sum(json_extract(body, '$.n')) AS s, count(*) AS n FROM doc);
CREATE VIRTUAL TABLE w USING lockstep(SELECT id, json_extract(body, '$.n') AS n FROM doc WHERE id > 1);
SELECT * FROM v;
INSERT INTO doc VALUES (3, '{"n":'), (4, '{"n":4}');
.print each view fails
SELECT * FROM v;
SELECT * FROM w;
.print other views of the table need not
CREATE VIRTUAL TABLE u USING lockstep(SELECT count(*) AS n FROM doc);
SELECT * FROM u;
.print a second bad row, and then one is corrected
INSERT INTO doc VALUES (5, 'oops');
UPDATE doc SET body = '{"n":3}' WHERE id = 3;
SELECT * FROM v;
DELETE FROM doc WHERE id = 5;
SELECT * FROM v;
SELECT * FROM w ORDER BY id;
.print a bad row that a savepoint takes back
BEGIN;
SAVEPOINT s;
UPDATE doc SET body = 'x' WHERE id = 1;
SELECT * FROM v;
ROLLBACK TO s;
SELECT * FROM v;
COMMIT;
.print a view may be created over a bad row
INSERT INTO doc VALUES (6, '[');
CREATE VIRTUAL TABLE late USING lockstep(SELECT json_extract(body, '$.n') AS n FROM doc);
SELECT * FROM late;
DELETE FROM doc WHERE id = 6;
SELECT * FROM late ORDER BY n;
.print a row that fails comes and goes before it is read, and its key is what fails
CREATE TABLE keyed(k TEXT PRIMARY KEY, x INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE by_key USING lockstep(SELECT count(*) AS n FROM keyed WHERE json_extract(k, '$.a') IS NOT NULL);
INSERT INTO keyed VALUES ('{"a":1}', 1), ('{', 2);
REPLACE INTO keyed VALUES ('{', 3);
DELETE FROM keyed WHERE x = 3;
SELECT * FROM by_key;
SELECT * FROM by_key_query;
