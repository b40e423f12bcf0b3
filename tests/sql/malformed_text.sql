-- In a UTF-16 database, half of a surrogate pair: views of one table say so, and which row it is;
-- joins are answered by their query.
PRAGMA encoding = 'UTF-16le';
CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT);
CREATE TABLE u(k TEXT PRIMARY KEY, name TEXT);
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (3, char(0x1f600), 3);
INSERT INTO u VALUES ('a', 'ann'), ('b', 'bob');
CREATE VIRTUAL TABLE g USING lockstep(SELECT k, sum(x) AS s FROM t GROUP BY k);
CREATE VIRTUAL TABLE f USING lockstep(SELECT id, x FROM t WHERE k > 'a');
CREATE VIRTUAL TABLE n USING lockstep(SELECT name FROM u);
CREATE VIRTUAL TABLE j USING lockstep(SELECT t.id, u.name FROM t LEFT JOIN u ON u.k = t.k);
CREATE VIRTUAL TABLE q USING lockstep(SELECT id, k FROM t WHERE k NOT IN (SELECT k FROM u));
.print a lone half, in an update
UPDATE t SET k = CAST(x'3dd86100' AS TEXT) WHERE id = 2;
SELECT * FROM g; SELECT * FROM f;
SELECT * FROM j ORDER BY id; SELECT id, hex(k) FROM q ORDER BY id;
.print a second half; the halves in the wrong order; one at the end; in a key
UPDATE t SET k = CAST(x'00de' AS TEXT) WHERE id = 2;
SELECT * FROM g;
UPDATE t SET k = CAST(x'00de3dd8' AS TEXT) WHERE id = 2;
SELECT * FROM g;
INSERT INTO t VALUES (4, CAST(x'61003dd8' AS TEXT), 4);
UPDATE t SET k = 'b' WHERE id = 2;
SELECT * FROM g;
INSERT INTO u VALUES (CAST(x'3dd8' AS TEXT), 'none');
SELECT * FROM n; SELECT * FROM j ORDER BY id;
SELECT id, hex(k) FROM q ORDER BY id;
.print mended
DELETE FROM t WHERE id = 4; DELETE FROM u WHERE name = 'none';
SELECT * FROM g ORDER BY k; SELECT * FROM f ORDER BY id; SELECT * FROM j ORDER BY id;
SELECT id, hex(k) FROM q ORDER BY id;
INSERT INTO g(lockstep) VALUES ('integrity-check'); INSERT INTO j(lockstep) VALUES ('integrity-check');
.print views that are made while it is there
INSERT INTO t VALUES (5, CAST(x'3dd8' AS TEXT), 5);
CREATE VIRTUAL TABLE late USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k);
CREATE VIRTUAL TABLE late_j USING lockstep(SELECT t.id, t.k, u.name FROM t JOIN u ON u.k >= t.k);
SELECT * FROM late; SELECT id, name FROM late_j ORDER BY 1, 2;
DELETE FROM t WHERE id = 5;
SELECT count(*), sum(n) FROM late; SELECT id, name FROM late_j ORDER BY 1, 2;
.print a key that can't be read
CREATE TABLE w(k TEXT PRIMARY KEY, x INT) WITHOUT ROWID;
CREATE VIRTUAL TABLE v USING lockstep(SELECT x, count(*) n FROM w GROUP BY x);
CREATE VIRTUAL TABLE s USING lockstep(SELECT k, x FROM w);
CREATE VIRTUAL TABLE jw USING lockstep(SELECT a.x, b.k FROM w a LEFT JOIN w b ON a.x=b.x);
INSERT INTO w VALUES(CAST(x'3dd8' AS TEXT), 1),('b',2);
SELECT * FROM v;
SELECT x, hex(k) FROM jw;
SELECT * FROM s;
REPLACE INTO w VALUES(CAST(x'3dd8' AS TEXT), 3);
.print replaced
SELECT * FROM v;
SELECT x, hex(k) FROM jw;
SELECT * FROM s;
DELETE FROM w WHERE x=3;
.print gone
SELECT * FROM v;
SELECT x, hex(k) FROM jw;
SELECT * FROM s;

-- What is computed of a group may be malformed, too: the group fails, and heals.
CREATE TABLE pieces(g, half BLOB);
CREATE VIRTUAL TABLE texts USING lockstep(SELECT g, CAST(max(half) AS TEXT) AS text FROM pieces GROUP BY g);
BEGIN;
INSERT INTO pieces VALUES(1, x'4100'), (2, x'00d84100');
SELECT g, text FROM texts;
DELETE FROM pieces WHERE g = 2;
COMMIT;
SELECT g, text FROM texts;
