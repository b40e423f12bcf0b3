-- plain
-- not for clients: from SQLite 3.41 on this depends on the types of all cores
-- A column of a subquery in a compound in FROM stands for an expression that has no affinity.
CREATE TABLE t(amount TEXT, new INTEGER, weight REAL);
CREATE VIRTUAL TABLE once USING lockstep(SELECT t.amount FROM t WHERE t.amount > (SELECT max(c) FROM (SELECT new + 1 AS c FROM t)) OR t.amount IN (SELECT c FROM (SELECT c FROM (SELECT new + 1 AS c FROM t) UNION SELECT weight FROM t)));
INSERT INTO t VALUES ('1', 1, -2.75);
SELECT * FROM once ORDER BY 1;
INSERT INTO t VALUES ('01', 3, 1.0), ('10', 2, 9), ('4', 9, 11);
SELECT * FROM once ORDER BY 1;
UPDATE t SET weight = weight + 10, new = new * 10; DELETE FROM t WHERE amount = '4';
SELECT * FROM once ORDER BY 1;
