CREATE TABLE a(id INTEGER PRIMARY KEY, j TEXT);
CREATE TABLE b(id INTEGER PRIMARY KEY, a INT, path TEXT);
INSERT INTO a VALUES (1, '{"x":1,"y":2}');
INSERT INTO b VALUES (1, 1, '$.x');
CREATE VIRTUAL TABLE v USING lockstep(SELECT b.id, json_extract(a.j, b.path) AS value FROM a JOIN b ON b.a = a.id);
SELECT * FROM v;
.print a row that can't be computed makes the view say what its query says
INSERT INTO b VALUES (2, 1, '$.y'), (3, 1, 'no path');
SELECT * FROM v;
SELECT * FROM v_query;
.print nobody sees it
UPDATE b SET a = 7 WHERE id = 3;
SELECT * FROM v;
.print it is there again, in a transaction that is rolled back
BEGIN;
UPDATE b SET a = 1 WHERE id = 3;
SELECT * FROM v;
ROLLBACK;
SELECT * FROM v;
SELECT pending, dirty FROM lockstep_views;
.print a view that can't be built is created all the same
UPDATE b SET a = 1 WHERE id = 3;
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n, sum(json_extract(a.j, b.path)) AS s FROM a JOIN b ON b.a = a.id);
SELECT * FROM w;
SELECT name, dirty FROM lockstep_views;
INSERT INTO w(lockstep) VALUES ('rebuild');
DELETE FROM b WHERE id = 3;
SELECT * FROM w;
SELECT name, dirty FROM lockstep_views;
INSERT INTO w(lockstep) VALUES ('integrity-check');
.print and one whose table fills in the same transaction
BEGIN;
INSERT INTO b VALUES (4, 1, 'no path');
SELECT * FROM w;
UPDATE b SET path = '$.x' WHERE id = 4;
SELECT * FROM w;
COMMIT;
SELECT * FROM w;
SELECT * FROM v;
-- not for clients: these are the words of SQLite 3.40, and Python drops the row before an error
