-- plain
-- A column of a compound has no affinity where its members' differ.
CREATE TABLE t(a TEXT, b INT);
CREATE VIEW p AS SELECT a AS c FROM t UNION SELECT b FROM t;
CREATE VIRTUAL TABLE v USING lockstep(SELECT c, typeof(c), (SELECT a FROM t UNION SELECT b FROM t ORDER BY 1 LIMIT 1) AS d FROM p);
INSERT INTO t VALUES('1', 1), ('x', 2);
SELECT c, typeof(c), d, typeof(d) FROM v ORDER BY 2, 1;
DELETE FROM t WHERE a = 'x';
SELECT c, typeof(c), d, typeof(d) FROM v ORDER BY 2, 1;
-- Types that are called differently and mean the same agree.
CREATE TABLE n(i INTEGER, j INT);
CREATE VIRTUAL TABLE w USING lockstep(SELECT i AS c FROM n GROUP BY i UNION ALL SELECT j FROM n);
INSERT INTO n VALUES(1, 2);
SELECT c FROM w WHERE c IN (NULL, '01');
SELECT c FROM w WHERE c = '02';
