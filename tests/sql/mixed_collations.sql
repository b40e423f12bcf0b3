-- A column that is compared under its own collation and under another: an index of the other would have
-- SQLite find too few rows, in the view and in the query.
PRAGMA automatic_index = OFF;
CREATE TABLE t(k TEXT COLLATE RTRIM, x, y);
CREATE TABLE g(c, d);
INSERT INTO t VALUES ('a ', 1, 2);
CREATE VIRTUAL TABLE v USING lockstep(
  SELECT a.k FROM t AS a JOIN t AS b USING (k) LEFT JOIN g ON g.c = a.k);
INSERT INTO t VALUES ('a', 1, 2);
SELECT quote(k) FROM v ORDER BY 1;
INSERT INTO g VALUES ('a ', 1);
SELECT quote(k) FROM v ORDER BY 1;
SELECT count(*) FROM g CROSS JOIN t AS b CROSS JOIN t AS a WHERE a.k = b.k AND g.c = a.k;
SELECT sql FROM sqlite_schema WHERE name GLOB 'lockstep_index_[0-9]*';
CREATE TABLE n(k TEXT COLLATE NOCASE);
INSERT INTO n VALUES ('x'), ('X');
CREATE VIRTUAL TABLE w USING lockstep(SELECT a.k, b.k AS k2, d FROM n AS a JOIN n AS b ON a.k = b.k JOIN g ON g.c = a.k);
INSERT INTO g VALUES ('x', 2);
SELECT * FROM w ORDER BY 1, 2 COLLATE BINARY;
UPDATE n SET k = 'y' WHERE k = 'X' COLLATE BINARY;
SELECT * FROM w ORDER BY 1, 2 COLLATE BINARY;
INSERT INTO n VALUES ('X');
SELECT * FROM w ORDER BY 1, 2 COLLATE BINARY;
INSERT INTO w(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('integrity-check');
