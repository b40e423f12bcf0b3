-- plain
-- Which member stands for a group is free: so only what does not depend on it is shown.
CREATE TABLE t(name TEXT COLLATE NOCASE, code, note TEXT COLLATE RTRIM, x INTEGER);
INSERT INTO t VALUES ('Ann', 1, 'n', 1), ('ANN', 1.0, 'n  ', 2), (NULL, '1', NULL, 4), (NULL, x'31', NULL, 8);
CREATE VIRTUAL TABLE by_name USING lockstep(SELECT name, count(*) AS n, sum(x) AS s FROM t GROUP BY name);
CREATE VIRTUAL TABLE by_code USING lockstep(SELECT code, count(*) AS n, sum(x) AS s FROM t GROUP BY code);
CREATE VIRTUAL TABLE by_note USING lockstep(SELECT note, count(*) AS n, sum(x) AS s FROM t GROUP BY note);
CREATE VIRTUAL TABLE names USING lockstep(SELECT DISTINCT name FROM t);
SELECT lower(name), n, s FROM by_name ORDER BY 1;
SELECT CASE typeof(code) WHEN 'real' THEN 'number' WHEN 'integer' THEN 'number' ELSE typeof(code) END, n, s FROM by_code ORDER BY 1;
SELECT rtrim(note), n, s FROM by_note ORDER BY 1;
SELECT lower(name) FROM names ORDER BY 1;
INSERT INTO t VALUES ('aNN', 1, 'n ', 16), ('bob', 0, 'm', 32);
DELETE FROM t WHERE x = 1;
SELECT lower(name), n, s FROM by_name ORDER BY 1;
SELECT n, s FROM by_name WHERE name = 'BOB';
SELECT n, s FROM by_code WHERE code = 1;
SELECT n, s FROM by_code WHERE code = '1';
SELECT n, s FROM by_note WHERE note = 'n';
SELECT n, s FROM by_name WHERE name IS NULL;
DELETE FROM t WHERE name = 'ann' COLLATE BINARY OR x IN (2, 16);
SELECT lower(name), n, s FROM by_name ORDER BY 1;
SELECT count(*) FROM names;
