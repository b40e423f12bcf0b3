-- plain
-- What is compared with the one value of a subquery: a change of it touches what is equal to the
-- old value or the new, or stands between them.
CREATE TABLE emp(id INTEGER PRIMARY KEY, dept INT, salary INT, day TEXT);
CREATE TABLE settings(name TEXT PRIMARY KEY, value);
CREATE TABLE kinds(id INTEGER PRIMARY KEY, x, t TEXT, n COLLATE NOCASE);
CREATE VIRTUAL TABLE latest USING lockstep(SELECT id FROM emp WHERE day = (SELECT max(day) FROM emp));
CREATE VIRTUAL TABLE earlier USING lockstep(SELECT id FROM emp WHERE day <> (SELECT max(day) FROM emp));
CREATE VIRTUAL TABLE above USING lockstep(SELECT id FROM emp WHERE salary > (SELECT avg(salary) FROM emp));
CREATE VIRTUAL TABLE flagged USING lockstep(SELECT id, salary >= (SELECT avg(salary) FROM emp) AS above, day IS (SELECT max(day) FROM emp) AS latest, CASE WHEN NOT salary = (SELECT max(salary) FROM emp) THEN 'less' END AS most FROM emp);
CREATE VIRTUAL TABLE week USING lockstep(SELECT id FROM emp WHERE day BETWEEN date((SELECT max(day) FROM emp), '-7 days') AND (SELECT max(day) FROM emp) AND id > 0);
CREATE VIRTUAL TABLE outside USING lockstep(SELECT id FROM emp WHERE salary NOT BETWEEN (SELECT value FROM settings WHERE name = 'low') AND (SELECT value FROM settings WHERE name = 'high'));
CREATE VIRTUAL TABLE large USING lockstep(SELECT dept, sum(salary) AS s FROM emp GROUP BY dept HAVING s > (SELECT avg(t) FROM (SELECT sum(salary) AS t FROM emp GROUP BY dept)));
CREATE VIRTUAL TABLE counted USING lockstep(SELECT dept, count(*) FILTER (WHERE salary = (SELECT min(salary) FROM emp)) AS least FROM emp WHERE salary <= (SELECT value FROM settings WHERE name = 'high') GROUP BY dept);
CREATE VIRTUAL TABLE colleagues USING lockstep(SELECT e.id, o.id AS other FROM emp e LEFT JOIN emp o ON o.dept = e.dept AND o.salary = (SELECT max(salary) FROM emp) AND e.day < (SELECT max(day) FROM emp));
CREATE VIRTUAL TABLE depts USING lockstep(SELECT s.name FROM settings s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.dept = s.value AND e.salary >= (SELECT avg(salary) FROM emp)));
CREATE VIRTUAL TABLE beside USING lockstep(SELECT id FROM emp WHERE 2 * (SELECT avg(salary) FROM emp) < salary OR dept = (SELECT max(dept) FROM emp));
CREATE VIRTUAL TABLE typed USING lockstep(SELECT id FROM kinds WHERE x = (SELECT value FROM settings WHERE name = 'kind') OR t < (SELECT value FROM settings WHERE name = 'kind') OR n >= (SELECT name FROM settings WHERE value = 'k' ORDER BY name LIMIT 1));
CREATE VIEW shown AS
SELECT 'latest' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM latest ORDER BY 1)
UNION ALL SELECT 'earlier' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM earlier ORDER BY 1)
UNION ALL SELECT 'above' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM above ORDER BY 1)
UNION ALL SELECT 'flagged' AS v, group_concat(x) AS x FROM (SELECT id || ':' || ifnull(above, 'n') || latest || ifnull(most, 'n') AS x FROM flagged ORDER BY 1)
UNION ALL SELECT 'week' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM week ORDER BY 1)
UNION ALL SELECT 'outside' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM outside ORDER BY 1)
UNION ALL SELECT 'large' AS v, group_concat(x) AS x FROM (SELECT dept || ':' || s AS x FROM large ORDER BY 1)
UNION ALL SELECT 'counted' AS v, group_concat(x) AS x FROM (SELECT dept || ':' || least AS x FROM counted ORDER BY 1)
UNION ALL SELECT 'colleagues' AS v, group_concat(x) AS x FROM (SELECT id || ':' || ifnull(other, 'n') AS x FROM colleagues ORDER BY 1)
UNION ALL SELECT 'depts' AS v, group_concat(x) AS x FROM (SELECT name AS x FROM depts ORDER BY 1)
UNION ALL SELECT 'beside' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM beside ORDER BY 1)
UNION ALL SELECT 'typed' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM typed ORDER BY 1);
SELECT * FROM shown;
INSERT INTO emp VALUES (1, 1, 10, '2024-01-01'), (2, 1, 20, '2024-01-05'), (3, 2, 30, '2024-01-05'), (4, 2, NULL, NULL);
INSERT INTO kinds VALUES (1, 1, '1', 1), (2, '1', 'b', NULL), (3, 'a', 'a', 'A'), (4, x'31', NULL, 'K');
SELECT * FROM shown;
INSERT INTO settings VALUES ('low', 15), ('high', 20), ('dept', 2), ('kind', 1);
SELECT * FROM shown;
UPDATE settings SET value = value + 10 WHERE name IN ('low', 'high'); UPDATE settings SET value = '1' WHERE name = 'kind';
INSERT INTO emp VALUES (5, 1, 40, '2024-01-09'); UPDATE settings SET name = name || '2', value = 'k' WHERE name = 'dept';
SELECT * FROM shown;
UPDATE settings SET value = NULL WHERE name = 'low'; UPDATE settings SET value = 'a' WHERE name = 'kind';
UPDATE emp SET day = NULL WHERE id = 5; UPDATE emp SET dept = 3, salary = 200 WHERE id = 3;
SELECT * FROM shown;
BEGIN; UPDATE emp SET salary = '30' WHERE id = 1; UPDATE emp SET day = '2024-03-01' WHERE id = 4; SELECT * FROM shown; ROLLBACK;
UPDATE settings SET value = x'31' WHERE name = 'kind'; DELETE FROM settings WHERE name = 'high';
DELETE FROM emp WHERE id = 3; UPDATE emp SET salary = -5 WHERE id = 4;
SELECT * FROM shown;
INSERT INTO settings VALUES ('high', 0), ('z', 3), ('K', 'k'); UPDATE settings SET value = 'x' WHERE name = 'low';
DELETE FROM emp WHERE id < 4;
SELECT * FROM shown;
DELETE FROM emp; DELETE FROM settings WHERE name = 'kind';
SELECT * FROM shown;
INSERT INTO emp VALUES (9, 3, 1, '2025-01-01');
SELECT * FROM shown;
