-- plain
-- ORDER BY of a compound repeats a result of any of its SELECTs.
CREATE TABLE t(a INT, b TEXT);
CREATE TABLE u(id INT, v TEXT);
INSERT INTO t VALUES (3, 'b'), (1, 'C'); INSERT INTO u VALUES (5, 'a'), (1, 'D');
CREATE VIRTUAL TABLE first USING lockstep(SELECT a + 1, b FROM t UNION SELECT id, v FROM u ORDER BY a + 1 DESC, 2);
CREATE VIRTUAL TABLE second USING lockstep(SELECT a, b FROM t UNION ALL SELECT id * 2, lower(v) FROM u ORDER BY lower(v), u.id * 2);
CREATE VIRTUAL TABLE collated USING lockstep(SELECT upper(b) AS s FROM t UNION SELECT v FROM u ORDER BY upper(b) COLLATE NOCASE DESC LIMIT 3);
CREATE VIRTUAL TABLE cased USING lockstep(SELECT CASE WHEN a > 2 THEN b ELSE '-' END AS c FROM t EXCEPT SELECT v FROM u ORDER BY CASE WHEN a > 2 THEN b ELSE '-' END);
SELECT * FROM first; SELECT * FROM second; SELECT * FROM collated; SELECT * FROM cased;
INSERT INTO t VALUES (7, 'a'), (9, 'e'); DELETE FROM u WHERE id = 1; UPDATE t SET b = 'z' WHERE a = 1;
SELECT * FROM first; SELECT * FROM second; SELECT * FROM collated; SELECT * FROM cased;
