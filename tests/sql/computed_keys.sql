-- plain
-- Rows displaced by unique indexes over expressions and generated columns: what a BEFORE trigger
-- sees as NEW is not quite the row to come.

-- A default takes its column's affinity before the expression sees it.
CREATE TABLE affine(a REAL NOT NULL ON CONFLICT REPLACE DEFAULT 1, b);
CREATE UNIQUE INDEX affine_a ON affine(lower(a));
CREATE VIRTUAL TABLE affine_v USING lockstep(SELECT a, b FROM affine);
INSERT OR REPLACE INTO affine VALUES (NULL, 'first'), (NULL, 'second'), ('1', 'third'), (2, 'other');
UPDATE OR REPLACE affine SET a = NULL WHERE b = 'other';
SELECT * FROM affine_v;

-- A comparison in an expression is made with the column's affinity.
CREATE TABLE compared(a INTEGER, b TEXT, "c d");
CREATE UNIQUE INDEX compared_a ON compared((a > '5'), "c d");
CREATE UNIQUE INDEX compared_b ON compared(CASE WHEN b = 1 THEN 'one' ELSE typeof(b) || b END);
CREATE VIRTUAL TABLE compared_v USING lockstep(SELECT a, b, "c d" FROM compared);
INSERT OR REPLACE INTO compared VALUES (10, 'x', 1), (9, 'y', 1), (3, '1', 2), (30, 1, 3);
INSERT OR REPLACE INTO compared VALUES (50, x'61', 5), (60, 'a', 6), (70, x'61', 7);
SELECT a, quote(b), "c d" FROM compared_v ORDER BY a;
UPDATE OR REPLACE compared SET a = 1 WHERE a = 9;
UPDATE OR REPLACE compared SET a = 20, "c d" = 5 WHERE a = 1;
UPDATE OR REPLACE compared SET b = x'61' WHERE a = 60;
SELECT a, quote(b), "c d" FROM compared_v ORDER BY a;
CREATE TABLE single(a);
CREATE UNIQUE INDEX single_row ON single((1));
CREATE VIRTUAL TABLE single_v USING lockstep(SELECT a FROM single);
INSERT OR REPLACE INTO single VALUES (1), (2), (3);
SELECT * FROM single_v;

-- A rowid that SQLite assigns is not known before.
CREATE TABLE numbered(id INTEGER PRIMARY KEY, a);
CREATE UNIQUE INDEX numbered_id ON numbered((id % 3));
CREATE VIRTUAL TABLE numbered_v USING lockstep(SELECT id, a FROM numbered);
INSERT OR REPLACE INTO numbered(a) VALUES (1), (2), (3), (4), (5);
INSERT OR REPLACE INTO numbered VALUES (-1, 'given');
UPDATE OR REPLACE numbered SET id = 12, a = 'moved' WHERE id = 4;
SELECT * FROM numbered_v ORDER BY id;
CREATE TABLE derived(id INTEGER PRIMARY KEY, a, "g""1" AS (id % 3 /* ) , */), h AS ("g""1" + 0) UNIQUE);
CREATE VIRTUAL TABLE derived_v USING lockstep(SELECT id, a FROM derived);
INSERT OR REPLACE INTO derived(a) VALUES (1), (2), (3), (4), (5);
UPDATE OR REPLACE derived SET id = 12, a = 'moved' WHERE id = 4;
UPDATE OR REPLACE derived SET rowid = 6, a = 'moved too' WHERE id = 5;
SELECT * FROM derived_v ORDER BY id;

-- In an UPDATE, columns that it does not set go into generated ones.
CREATE TABLE generated(a, b, g AS (typeof(a)) VIRTUAL, h AS (g || coalesce(a, '')) STORED);
CREATE UNIQUE INDEX generated_g ON generated(g) WHERE b > 1;
CREATE UNIQUE INDEX generated_h ON generated(h, b);
CREATE VIRTUAL TABLE generated_v USING lockstep(SELECT a, b, g FROM generated);
INSERT OR REPLACE INTO generated VALUES ('x', 2), ('y', 0), (1, 3), (1, 4), ('x', 0);
INSERT OR REPLACE INTO generated VALUES (1, 3), (2, 4), ('x', 1), ('z', 1);
UPDATE OR REPLACE generated SET b = 5 WHERE a = 'y';
UPDATE OR REPLACE generated SET b = 0 WHERE b = 1 AND a = 'x';
SELECT * FROM generated_v ORDER BY a, b;

-- A default that calls a function has another value when it is put in.
CREATE TABLE drawn(a NOT NULL ON CONFLICT REPLACE DEFAULT (random() % 2 = 7) UNIQUE ON CONFLICT REPLACE, b);
CREATE VIRTUAL TABLE drawn_v USING lockstep(SELECT a, b FROM drawn);
INSERT INTO drawn VALUES (NULL, 1), (NULL, 2), (NULL, 3);
SELECT * FROM drawn_v;
