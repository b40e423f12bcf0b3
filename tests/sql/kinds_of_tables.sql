-- plain
-- STRICT, WITHOUT ROWID, generated columns, odd names, AUTOINCREMENT, no key, row -1.
CREATE TABLE "odd ""table"""("the key" INTEGER PRIMARY KEY AUTOINCREMENT, "select" ANY, up TEXT GENERATED ALWAYS AS (upper("select")) VIRTUAL, "len'gth" INTEGER AS (length("select")) STORED) STRICT;
CREATE VIRTUAL TABLE "odd view" USING lockstep(SELECT up AS "group", count(*) AS "n %", sum("len'gth") FROM "odd ""table""" GROUP BY up);
INSERT INTO "odd ""table"""("select") VALUES ('a'), ('A'), ('bb'), (12), (NULL);
SELECT * FROM "odd view" ORDER BY 1;
UPDATE "odd ""table""" SET "select" = 'bb' WHERE "the key" = 1;
SELECT * FROM "odd view" ORDER BY 1;
CREATE TABLE pair(a TEXT, b INTEGER, c, PRIMARY KEY(a COLLATE NOCASE, b DESC)) WITHOUT ROWID;
CREATE VIRTUAL TABLE pairs USING lockstep(SELECT a, max(b) AS top, count(c) AS n FROM pair GROUP BY a);
INSERT INTO pair VALUES ('x', 1, 1), ('X', 2, NULL), ('y', 1, 2);
REPLACE INTO pair VALUES ('Y', 1, NULL);
SELECT * FROM pairs ORDER BY 1;
UPDATE OR REPLACE pair SET b = 3;
SELECT * FROM pairs ORDER BY 1;
CREATE TABLE heap(x, y);
CREATE VIRTUAL TABLE heaps USING lockstep(SELECT x, y FROM heap WHERE x IS NOT y);
INSERT INTO heap VALUES (1, 2), (1, 2), (NULL, 1), (3, 3);
UPDATE heap SET rowid = rowid + 10 WHERE x = 1;
DELETE FROM heap WHERE rowid = 11;
SELECT * FROM heaps ORDER BY 1;
CREATE TABLE minus(id INTEGER PRIMARY KEY, x);
CREATE VIRTUAL TABLE below USING lockstep(SELECT id, x FROM minus);
INSERT INTO minus VALUES (-1, 'minus one'), (NULL, 'auto');
SELECT * FROM below ORDER BY id;
REPLACE INTO minus VALUES (-1, 'again');
SELECT * FROM below ORDER BY id;
