-- plain
-- JSON that holds an infinity is none that json() would read, and is put into other JSON all the same.
CREATE TABLE t(k INT, x REAL);
INSERT INTO t VALUES (1, 9e999);
CREATE VIRTUAL TABLE v USING lockstep(SELECT k, json_object('n', count(*), 'of', json_group_array(x)) AS j FROM t GROUP BY k);
CREATE VIRTUAL TABLE w USING lockstep(SELECT a.k, json_array(1, (SELECT json_group_array(b.x) FROM t AS b WHERE b.k = a.k)) AS j FROM t AS a);
SELECT * FROM v ORDER BY 1; SELECT * FROM w ORDER BY 1;
INSERT INTO t VALUES (2, -9e999), (3, 2);
SELECT * FROM v ORDER BY 1; SELECT * FROM w ORDER BY 1;
UPDATE t SET x = -x;
SELECT * FROM v ORDER BY 1; SELECT * FROM w ORDER BY 1;
