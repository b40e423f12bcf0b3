-- plain
-- ON CONFLICT clauses of the table, and recursive_triggers both ways.
CREATE TABLE t(a TEXT PRIMARY KEY ON CONFLICT REPLACE, b INTEGER UNIQUE ON CONFLICT IGNORE, c INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 5);
CREATE VIRTUAL TABLE v USING lockstep(SELECT a, b, c FROM t WHERE c > 0);
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n, count(a) AS named, sum(c) AS s FROM t);
INSERT INTO t VALUES ('x', 1, 1), ('y', 2, NULL), (NULL, 3, 3), (NULL, 4, 4);
SELECT * FROM v ORDER BY b;
SELECT * FROM w;
INSERT INTO t VALUES ('x', 9, 9), ('z', 2, 2);
SELECT * FROM v ORDER BY b;
SELECT * FROM w;
PRAGMA recursive_triggers = 1;
INSERT INTO t VALUES ('x', 10, 10), ('y', 11, NULL);
SELECT * FROM v ORDER BY b;
SELECT * FROM w;
PRAGMA recursive_triggers = 0;
UPDATE t SET a = 'x';
SELECT * FROM v ORDER BY b;
SELECT * FROM w;
