-- A key of groups IN a subquery of groups, or of what * stands for: as a condition and as a value.
.load ./lockstep
CREATE TABLE o(a TEXT, d INT);
CREATE TABLE x(u TEXT);
CREATE VIEW w AS SELECT * FROM x WHERE u > '';
INSERT INTO o VALUES ('1', 1), ('2', 2), ('1', 3), ('x', 1), (NULL, 4);
INSERT INTO x VALUES ('a'), ('b'), ('b');
CREATE VIRTUAL TABLE counted USING lockstep(SELECT a, count(*) AS n FROM o GROUP BY a HAVING a IN (SELECT count(*) FROM x GROUP BY u));
CREATE VIRTUAL TABLE told USING lockstep(SELECT a, a NOT IN (SELECT u FROM (SELECT * FROM x)) AS t FROM o GROUP BY a);
CREATE VIRTUAL TABLE merged USING lockstep(SELECT a, sum(d) AS d FROM o GROUP BY a HAVING count(*) > 0 AND a NOT IN (SELECT u FROM x UNION SELECT '2'));
CREATE VIRTUAL TABLE viewed USING lockstep(SELECT a, max(d) AS d FROM o GROUP BY a HAVING a IN (SELECT u FROM w) OR count(*) > 1);
.nullvalue NULL
.print -- at first
SELECT * FROM counted ORDER BY a; SELECT * FROM told ORDER BY a; SELECT * FROM merged ORDER BY a; SELECT * FROM viewed ORDER BY a;
.print -- more
INSERT INTO x VALUES ('a'), ('x');
SELECT * FROM counted ORDER BY a; SELECT * FROM told ORDER BY a; SELECT * FROM merged ORDER BY a; SELECT * FROM viewed ORDER BY a;
.print -- fewer, and a NULL
DELETE FROM x WHERE u <> 'x'; INSERT INTO x VALUES (NULL); DELETE FROM o WHERE d = 3;
SELECT * FROM counted ORDER BY a; SELECT * FROM told ORDER BY a; SELECT * FROM merged ORDER BY a; SELECT * FROM viewed ORDER BY a;
.print -- none
DELETE FROM x;
SELECT * FROM counted ORDER BY a; SELECT * FROM told ORDER BY a; SELECT * FROM merged ORDER BY a; SELECT * FROM viewed ORDER BY a;
