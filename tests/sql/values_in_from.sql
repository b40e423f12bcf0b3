-- plain
-- A subquery of one row in FROM that is only compared: a change of it touches what stands between.
CREATE TABLE emp(id INTEGER PRIMARY KEY, dept INT, salary INT, name TEXT COLLATE NOCASE);
CREATE TABLE dept(id INTEGER PRIMARY KEY, cap, title TEXT);
CREATE VIRTUAL TABLE above USING lockstep(WITH m AS (SELECT avg(salary) AS a FROM emp) SELECT e.id FROM emp e, m WHERE e.salary > m.a);
CREATE VIRTUAL TABLE middle USING lockstep(SELECT e.id, d.title FROM emp e LEFT JOIN dept d ON d.id = e.dept JOIN (SELECT min(salary) + 5 AS lo, max(salary) - 5 AS hi FROM emp) m ON e.salary BETWEEN m.lo AND m.hi);
CREATE VIRTUAL TABLE top USING lockstep(SELECT e.id FROM (SELECT max(salary) AS s, min(name) AS n FROM emp) m CROSS JOIN emp e WHERE e.salary = m.s OR m.n = e.name);
CREATE VIRTUAL TABLE flagged USING lockstep(SELECT e.id, e.salary >= m.a AS above, CASE WHEN e.salary IS m.s THEN 't' ELSE 'f' END AS top, NOT e.salary <> m.s AS same FROM emp e, (SELECT avg(salary) AS a, max(salary) AS s FROM emp) m);
CREATE VIRTUAL TABLE per_dept USING lockstep(SELECT e.dept, count(*) AS n, sum(e.salary > 10) AS s FROM emp e, (SELECT avg(salary) AS a FROM emp) m WHERE 2 * e.salary >= m.a GROUP BY e.dept);
CREATE VIRTUAL TABLE counted USING lockstep(SELECT e.dept, sum(e.salary > m.a) AS n, m.a AS mean FROM emp e, (SELECT avg(salary) AS a FROM emp) m GROUP BY e.dept HAVING count(*) >= m.a / 100);
CREATE VIRTUAL TABLE shown USING lockstep(SELECT e.id, e.salary - m.a AS d FROM emp e JOIN (SELECT avg(salary) AS a FROM emp) m ON e.salary < m.a);
CREATE VIRTUAL TABLE capped USING lockstep(SELECT DISTINCT e.dept FROM dept d JOIN emp e ON e.dept = d.id, (SELECT total(salary) AS t FROM emp) m, (SELECT max(cap) AS c FROM dept) c WHERE d.cap < m.t AND e.salary <> c.c AND EXISTS (SELECT 1 FROM emp o WHERE o.dept = e.dept AND o.id <> e.id));
CREATE VIRTUAL TABLE nested USING lockstep(SELECT e.id FROM emp e, (SELECT avg(salary) AS a FROM emp) m WHERE EXISTS (SELECT 1 FROM emp o WHERE o.dept = e.dept AND o.salary > m.a) AND e.salary IN (m.a, 20));
CREATE VIEW lists AS
SELECT 'above' AS v, group_concat(x) AS x FROM (SELECT id AS x FROM above ORDER BY 1)
UNION ALL SELECT 'middle', group_concat(x) FROM (SELECT id || ':' || ifnull(title, '') AS x FROM middle ORDER BY 1)
UNION ALL SELECT 'top', group_concat(x) FROM (SELECT id AS x FROM top ORDER BY 1)
UNION ALL SELECT 'flagged', group_concat(x) FROM (SELECT id || ':' || ifnull(above, 'n') || top || ifnull(same, 'n') AS x FROM flagged ORDER BY 1)
UNION ALL SELECT 'per_dept', group_concat(x) FROM (SELECT ifnull(dept, '') || ':' || n || ':' || ifnull(s, '') AS x FROM per_dept ORDER BY 1)
UNION ALL SELECT 'counted', group_concat(x) FROM (SELECT ifnull(dept, '') || ':' || ifnull(n, '') || ':' || mean AS x FROM counted ORDER BY 1)
UNION ALL SELECT 'shown', group_concat(x) FROM (SELECT id || ':' || d AS x FROM shown ORDER BY 1)
UNION ALL SELECT 'capped', group_concat(x) FROM (SELECT dept AS x FROM capped ORDER BY 1)
UNION ALL SELECT 'nested', group_concat(x) FROM (SELECT id AS x FROM nested ORDER BY 1);
SELECT * FROM lists;
INSERT INTO dept VALUES (1, 50, 'one'), (2, 300, 'two'), (3, NULL, 'three');
INSERT INTO emp VALUES (1, 1, 10, 'ann'), (2, 1, 20, 'Bob'), (3, 2, 30, 'cy'), (4, 2, NULL, 'ANNA'), (5, NULL, 20, NULL);
SELECT * FROM lists;
UPDATE emp SET salary = 100 WHERE id = 3; INSERT INTO emp VALUES (6, 2, 15, 'abe'), (7, 1, 100, 'x');
SELECT * FROM lists;
UPDATE emp SET salary = salary + 200 WHERE dept = 1; UPDATE dept SET cap = cap - 45; DELETE FROM emp WHERE id = 6;
SELECT * FROM lists;
BEGIN; UPDATE emp SET salary = NULL; SELECT * FROM lists; ROLLBACK;
BEGIN; DELETE FROM emp WHERE id <> 2; SELECT * FROM lists; UPDATE emp SET salary = '20'; SELECT * FROM lists; COMMIT;
INSERT INTO emp VALUES (8, 1, 'text', 'Rob'), (9, 2, x'00', 'a'), (10, 2, 1e3, 'b'), (11, 1, 20, 'c'); UPDATE dept SET cap = 20 WHERE id = 2;
SELECT * FROM lists;
DELETE FROM emp;
SELECT * FROM lists;
INSERT INTO emp VALUES (1, 1, 20, 'z'), (2, 1, 20, 'y');
SELECT * FROM lists;
