-- plain
-- Views over TEMP tables, and TEMP tables that hide tables of the main database from statements, not
-- from its views.
CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);
CREATE TABLE u(k TEXT, name TEXT);
INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20);
INSERT INTO u VALUES ('a', 'ann'), ('b', 'bob');
CREATE VIRTUAL TABLE main.s USING lockstep(SELECT k, count(*) AS n, sum(x) AS total FROM t GROUP BY k);
CREATE VIRTUAL TABLE main.j USING lockstep(SELECT t.id, u.name, (SELECT max(o.name) FROM u AS o WHERE o.k = t.k) AS c FROM t LEFT JOIN u ON u.k = t.k);
CREATE TEMP TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);
CREATE TEMP TABLE u(k TEXT, name TEXT, more TEXT);
INSERT INTO t VALUES (1, 'temp', 1), (7, 'a', 2);
INSERT INTO u VALUES ('temp', 'hidden', '-');
REPLACE INTO main.t VALUES (3, 'b', 10), (4, 'c', 40);
UPDATE main.u SET name = 'bea' WHERE k = 'b';
SELECT * FROM s ORDER BY 1; SELECT * FROM j ORDER BY 1;
CREATE VIRTUAL TABLE temp.s USING lockstep(SELECT k, count(*) AS n, sum(x) AS total FROM t GROUP BY k);
CREATE VIRTUAL TABLE temp.j USING lockstep(SELECT t.id, u.name, u.more FROM t LEFT JOIN u ON u.k = t.k);
CREATE VIRTUAL TABLE temp.top USING lockstep(SELECT id, x FROM t ORDER BY x DESC LIMIT 2);
REPLACE INTO t VALUES (8, 'temp', 1), (9, 'd', 3);
SELECT * FROM s ORDER BY 1; SELECT * FROM j ORDER BY 1; SELECT * FROM top;
SELECT * FROM main.s ORDER BY 1; SELECT * FROM main.j ORDER BY 1;
BEGIN;
DELETE FROM t WHERE k = 'd';
SAVEPOINT one;
UPDATE t SET k = 'temp';
INSERT INTO u VALUES ('temp', 'second', '+');
DELETE FROM main.u;
SELECT * FROM s ORDER BY 1; SELECT * FROM j ORDER BY 1, 2; SELECT * FROM top;
ROLLBACK TO one;
SELECT * FROM s ORDER BY 1; SELECT * FROM j ORDER BY 1; SELECT * FROM main.j ORDER BY 1;
COMMIT;
CREATE TRIGGER skipping AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;
INSERT INTO t VALUES (20, 'skipped', 20);
SELECT * FROM s ORDER BY 1; SELECT * FROM j ORDER BY 1; SELECT * FROM top;
DELETE FROM t; DELETE FROM main.t WHERE id = 4;
SELECT count(*) FROM s; SELECT count(*) FROM j; SELECT count(*) FROM top; SELECT * FROM main.s ORDER BY 1;
