-- plain
-- A column of a subquery within another stands for an expression that has no affinity: beside TEXT
-- it compares as text, also where what the outer one gives is kept by itself.
CREATE TABLE t(amount TEXT, new INTEGER, weight REAL, sel TEXT);
CREATE VIRTUAL TABLE joined USING lockstep(SELECT a0.* FROM t AS a0 JOIN ((SELECT a1.amount AS c0, (a1.weight + 1) AS c2 FROM t AS a1 WHERE a1.sel IS NOT NULL) AS a2 LEFT JOIN ((SELECT weight AS c0, amount IS NULL AS c2, sel AS c3 FROM t) AS a3 JOIN t AS a4 ON a4.weight = a3.c3 OR a3.c2 IS NOT NULL) ON a4.new = a2.c0 AND a3.c2 NOT IN (SELECT (a5.sel + 1) FROM t AS a5)) ON a2.c2 < a0.amount);
CREATE VIRTUAL TABLE made USING lockstep(SELECT t.amount, q.c FROM (SELECT DISTINCT c FROM (SELECT weight + 1 AS c FROM t)) AS q JOIN t ON q.c < t.amount);
CREATE VIRTUAL TABLE once USING lockstep(SELECT t.amount FROM t WHERE t.amount > (SELECT max(c) FROM (SELECT new + 1 AS c FROM t)) OR t.amount IN (SELECT c FROM (SELECT DISTINCT c FROM (SELECT new + 1 AS c FROM t))));
CREATE VIRTUAL TABLE grouped USING lockstep(SELECT q.c, q.c < CAST(max(amount) AS TEXT) AS less FROM (SELECT c, amount FROM (SELECT weight + 1 AS c, amount FROM t)) AS q GROUP BY q.c);
INSERT INTO t VALUES ('1', 1, -2.75, 'x');
SELECT * FROM joined; SELECT * FROM made ORDER BY 1, 2; SELECT * FROM once ORDER BY 1; SELECT * FROM grouped ORDER BY 1;
INSERT INTO t VALUES ('01', 3, 1.0, 'a '), ('10', 2, 9, NULL), ('4', 9, 11, 'y');
SELECT * FROM joined ORDER BY 1, 2; SELECT * FROM made ORDER BY 1, 2; SELECT * FROM once ORDER BY 1; SELECT * FROM grouped ORDER BY 1;
UPDATE t SET weight = weight + 10, new = new * 10; DELETE FROM t WHERE amount = '4';
SELECT * FROM joined ORDER BY 1, 2; SELECT * FROM made ORDER BY 1, 2; SELECT * FROM once ORDER BY 1; SELECT * FROM grouped ORDER BY 1;
