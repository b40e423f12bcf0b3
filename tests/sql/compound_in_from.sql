-- plain
-- A column of a compound has no affinity where its members' differ.
CREATE TABLE t(a TEXT, b INT);
CREATE VIEW p AS SELECT a AS c FROM t UNION SELECT b FROM t;
CREATE VIRTUAL TABLE v USING lockstep(SELECT c, typeof(c), (SELECT a FROM t UNION SELECT b FROM t ORDER BY 1 LIMIT 1) AS d FROM p);
INSERT INTO t VALUES('1', 1), ('x', 2);
SELECT c, typeof(c), d, typeof(d) FROM v ORDER BY 2, 1;
DELETE FROM t WHERE a = 'x';
SELECT c, typeof(c), d, typeof(d) FROM v ORDER BY 2, 1;
