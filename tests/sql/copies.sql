-- Copies of a database hold its views, which are right at once and go on by themselves: VACUUM INTO, backup,
-- a dump, ATTACH under another name, with changes that are stored and that are not.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT COLLATE NOCASE, x REAL);
CREATE TABLE u(k TEXT PRIMARY KEY, t INT) WITHOUT ROWID;
INSERT INTO t VALUES (1, 'a', 1.5), (2, 'b', 2), (3, 'A', 3), (4, 'c', 4);
INSERT INTO u VALUES ('p', 1), ('q', 2), ('r', 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE j USING lockstep(maintain=commit, SELECT t.id, u.k FROM t LEFT JOIN u ON u.t = t.id);
CREATE VIRTUAL TABLE l USING lockstep(SELECT x, id FROM t ORDER BY x DESC LIMIT 2);
CREATE VIEW checks AS
  SELECT 'v' AS name, (SELECT count(*) FROM (SELECT * FROM v EXCEPT SELECT * FROM v_query)) AS wrong, (SELECT count(*) FROM v) AS n
  UNION ALL SELECT 'j', (SELECT count(*) FROM (SELECT * FROM j_query EXCEPT SELECT * FROM j)), (SELECT count(*) FROM j)
  UNION ALL SELECT 'l', (SELECT count(*) FROM (SELECT * FROM l EXCEPT SELECT * FROM l_query)), (SELECT count(*) FROM l);
INSERT INTO v(lockstep) VALUES ('store');
INSERT INTO t VALUES (5, 'd', 5); INSERT INTO u VALUES ('s', 4); DELETE FROM t WHERE id = 2;
.print VACUUM
VACUUM;
SELECT * FROM checks;
.print VACUUM INTO, and the copy attached
VACUUM INTO 'into.db';
ATTACH 'into.db' AS aux;
SELECT * FROM aux.checks;
INSERT INTO aux.t VALUES (6, 'e', 6);
DELETE FROM t WHERE id = 1;
SELECT * FROM checks;
SELECT * FROM aux.checks;
SELECT * FROM aux.l;
SELECT * FROM l;
INSERT INTO aux.v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('integrity-check');
BEGIN;
UPDATE aux.t SET x = x + 1; UPDATE t SET x = x + 2;
SELECT * FROM aux.checks; SELECT * FROM checks;
SAVEPOINT s;
DELETE FROM aux.t; DELETE FROM t WHERE id > 3;
SELECT * FROM aux.checks; SELECT * FROM checks;
ROLLBACK TO s;
COMMIT;
SELECT * FROM aux.checks; SELECT * FROM checks;
DETACH aux;
.print the copy by itself
.open into.db
.load ./lockstep
SELECT * FROM checks;
INSERT INTO t VALUES (7, 'f', 7);
SELECT * FROM checks;
INSERT INTO j(lockstep) VALUES ('integrity-check');
.print backup
.backup backup.db
.open backup.db
.load ./lockstep
SELECT * FROM checks;
DELETE FROM u;
SELECT * FROM checks;
INSERT INTO l(lockstep) VALUES ('integrity-check');
.print a dump
.output dump.sql
.dump
.output stdout
.open restored.db
.load ./lockstep
.read dump.sql
.open restored.db
.load ./lockstep
SELECT * FROM checks;
INSERT INTO t VALUES (8, 'f', 8);
SELECT * FROM checks;
INSERT INTO v(lockstep) VALUES ('integrity-check');
DROP TABLE v; DROP TABLE j; DROP TABLE l;
SELECT name FROM sqlite_schema ORDER BY 1;
