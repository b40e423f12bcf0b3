-- An error of a row holds its key alone: what ALTER, VACUUM or an index changes before the row is corrected does not stay behind.
CREATE TABLE doc(id INTEGER PRIMARY KEY, body TEXT);
CREATE VIRTUAL TABLE v USING lockstep(SELECT json_extract(body, '$.n') AS n FROM doc);
INSERT INTO doc VALUES (1, '{"n":1}'), (2, 'oops');
INSERT INTO v(lockstep) VALUES ('store');
SELECT * FROM v;
.print the table and its key get other names
ALTER TABLE doc RENAME TO letter;
SELECT * FROM v;
ALTER TABLE letter RENAME id TO number;
SELECT * FROM v;
UPDATE letter SET body = '{"n":2}' WHERE number = 2;
SELECT * FROM v ORDER BY n;
.print the same in one transaction
BEGIN;
INSERT INTO letter VALUES (3, '[');
SELECT * FROM v;
ALTER TABLE letter RENAME TO doc;
DELETE FROM doc WHERE number = 3;
SELECT * FROM v ORDER BY n;
COMMIT;
.print a row gets another rowid
CREATE TABLE keyless(body TEXT);
CREATE VIRTUAL TABLE w USING lockstep(SELECT json_extract(body, '$.n') AS n FROM keyless);
INSERT INTO keyless VALUES ('{"n":1}'), ('{"n":2}'), ('oops');
SELECT * FROM w;
INSERT INTO w(lockstep) VALUES ('store');
DELETE FROM keyless WHERE rowid < 3;
VACUUM;
SELECT * FROM w;
INSERT INTO keyless VALUES ('{"n":3}');
DELETE FROM keyless WHERE body = 'oops';
SELECT * FROM w;
.print a key in other letters, which the table takes for the same
CREATE TABLE named(name TEXT COLLATE NOCASE PRIMARY KEY, body TEXT) WITHOUT ROWID;
CREATE VIRTUAL TABLE x USING lockstep(SELECT json_extract(body, '$.n') AS n FROM named);
INSERT INTO named VALUES ('a', '{"n":1}');
SELECT * FROM x;
INSERT OR REPLACE INTO named VALUES ('A', 'oops');
SELECT * FROM x;
DELETE FROM named;
SELECT * FROM x;
INSERT INTO named VALUES ('b', 'oops');
UPDATE named SET name = 'B';
SELECT * FROM x;
INSERT OR REPLACE INTO named VALUES ('b', '{"n":4}');
SELECT * FROM x;
.print another key names the rows of a table
CREATE TABLE two(z TEXT NOT NULL UNIQUE, a TEXT NOT NULL, body TEXT);
CREATE VIRTUAL TABLE y USING lockstep(SELECT z, a, json_extract(body, '$.n') AS n FROM two);
INSERT INTO two VALUES ('z1', 'a1', 'oops');
SELECT * FROM y;
CREATE UNIQUE INDEX a ON two(a);
SELECT * FROM y;
DELETE FROM two WHERE z = 'z1';
SELECT * FROM y;
INSERT INTO two VALUES ('z2', 'a2', 'oops');
SELECT * FROM y;
DROP INDEX a;
UPDATE two SET body = '{"n":5}';
SELECT * FROM y;
.print a group of which an expression fails
CREATE TABLE part(k TEXT, body TEXT);
CREATE VIRTUAL TABLE g USING lockstep(SELECT k, json_extract(min(body), '$.n') AS n FROM part GROUP BY k);
INSERT INTO part VALUES ('p', 'oops');
SELECT * FROM g;
ALTER TABLE part RENAME TO piece;
ALTER TABLE piece RENAME body TO content;
DELETE FROM piece;
SELECT * FROM g;
