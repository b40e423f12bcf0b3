-- plain
-- WHERE of a subquery after IN names a result column of its own, though the table around has a
-- column of that name.
CREATE TABLE t(a INT, k INT);
CREATE TABLE u(id INTEGER PRIMARY KEY, v INT);
INSERT INTO t VALUES (1, 0), (2, 5);
INSERT INTO u VALUES (1, 1), (2, 2);
CREATE VIRTUAL TABLE w USING lockstep(SELECT a, k FROM t WHERE a IN (SELECT v AS k FROM u WHERE k > 1));
CREATE VIRTUAL TABLE n USING lockstep(SELECT a FROM t WHERE a NOT IN (SELECT v AS k FROM u WHERE k > 1));
SELECT * FROM w ORDER BY a, k; SELECT * FROM n ORDER BY a;
INSERT INTO t VALUES (1, 9), (2, 0);
SELECT * FROM w ORDER BY a, k; SELECT * FROM n ORDER BY a;
UPDATE u SET v = 3 WHERE id = 2;
SELECT * FROM w ORDER BY a, k; SELECT * FROM n ORDER BY a;
