-- An aggregate whose columns are all from around its subquery is one of the SELECT around.
CREATE TABLE t(g, x);
CREATE TABLE u(id, name);
INSERT INTO t VALUES (1, 5), (1, 7), (2, 1);
INSERT INTO u VALUES (1, 'one'), (7, 'seven');
CREATE VIRTUAL TABLE a USING lockstep(SELECT (SELECT max(t.x)) AS n, g FROM t);
CREATE VIRTUAL TABLE b USING lockstep(SELECT g FROM t GROUP BY g HAVING (SELECT count(*) FROM u WHERE u.id < sum(t.x)) > 1);
CREATE VIRTUAL TABLE c USING lockstep(SELECT g, (SELECT count(t.x) FILTER (WHERE t.x > 5) FROM u) AS n FROM t);
-- Of columns of both it is one of the subquery; and so the way out, in a subquery in FROM.
CREATE VIRTUAL TABLE d USING lockstep(SELECT g, (SELECT max(t.x + u.id) FROM u) AS n FROM t);
CREATE VIRTUAL TABLE e USING lockstep(SELECT g, (SELECT name FROM u WHERE id = m) AS name FROM (SELECT g, max(x) AS m FROM t GROUP BY g));
INSERT INTO t VALUES (2, 7), (3, 0);
SELECT * FROM d ORDER BY g, n;
SELECT * FROM e ORDER BY g;
SELECT * FROM d EXCEPT SELECT * FROM d_query; SELECT * FROM d_query EXCEPT SELECT * FROM d;
SELECT * FROM e EXCEPT SELECT * FROM e_query; SELECT * FROM e_query EXCEPT SELECT * FROM e;
