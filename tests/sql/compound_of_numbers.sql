-- plain
-- A column of a compound is compared as numbers where each of its cores' is, be it INT or REAL.
CREATE TABLE t(id INTEGER PRIMARY KEY, k REAL, a NUMERIC, i INT);
INSERT INTO t VALUES (1, 1.5, 1, 2), (2, 2, 'x', 7);
CREATE VIRTUAL TABLE v USING lockstep(SELECT a AS c FROM t UNION ALL SELECT i FROM t);
CREATE VIRTUAL TABLE w USING lockstep(SELECT a AS c FROM t UNION ALL SELECT k FROM t);
SELECT c FROM v WHERE c IN (' 1', '7 ') ORDER BY c;
SELECT c FROM w WHERE c = '1' ORDER BY c;
UPDATE t SET i = 1 WHERE id = 2;
SELECT c FROM v WHERE c IN (' 1', '7 ') ORDER BY c;
