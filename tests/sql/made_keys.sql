-- plain
CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, x, y INT);
CREATE TABLE u(id INTEGER PRIMARY KEY, name TEXT, x, label TEXT);
INSERT INTO t VALUES (1, 'Ann', 1, 1), (2, 'ann', 1.0, 2), (3, 'bob', '1', 3), (4, NULL, NULL, 4), (5, NULL, x'31', 5);
INSERT INTO u VALUES (1, 'ANN', 1, 'one'), (2, 'Bob', 1.0, 'real'), (3, NULL, '1', 'text'), (4, 'cy', NULL, 'null'), (5, 'ann ', x'31', 'blob');
CREATE VIRTUAL TABLE by_name USING lockstep(SELECT u.id, q.n FROM u LEFT JOIN (SELECT name, sum(y) AS n FROM t GROUP BY name) AS q ON q.name = u.name);
CREATE VIRTUAL TABLE by_name_exactly USING lockstep(SELECT u.id, q.n FROM u JOIN (SELECT name, sum(y) AS n FROM t GROUP BY name) AS q ON lower(q.name) = lower(u.name));
CREATE VIRTUAL TABLE by_x USING lockstep(SELECT u.id, q.n FROM u LEFT JOIN (SELECT x, sum(y) AS n FROM t GROUP BY x) AS q ON q.x = u.x);
CREATE VIRTUAL TABLE is_x USING lockstep(SELECT u.id, q.n FROM u JOIN (SELECT x, sum(y) AS n FROM t GROUP BY x) AS q ON q.x IS u.x);
CREATE VIRTUAL TABLE among USING lockstep(SELECT id FROM u WHERE x IN (SELECT x FROM t GROUP BY x));
CREATE VIRTUAL TABLE not_among USING lockstep(SELECT id FROM u WHERE x NOT IN (SELECT x FROM t WHERE y > 0 GROUP BY x));
CREATE VIRTUAL TABLE of_both USING lockstep(SELECT u.id, q.v FROM u JOIN (SELECT name AS v FROM t UNION SELECT label FROM u) AS q ON q.v = u.name);
CREATE VIRTUAL TABLE with_copies USING lockstep(SELECT q.name, count(*) AS n FROM u JOIN (SELECT name FROM t UNION ALL SELECT name FROM u) AS q ON q.name = u.name COLLATE NOCASE GROUP BY q.name);
.print begin
SELECT * FROM by_name ORDER BY id; SELECT * FROM by_name_exactly ORDER BY id; SELECT * FROM by_x ORDER BY id; SELECT * FROM is_x ORDER BY id, n;
SELECT * FROM among ORDER BY id; SELECT * FROM not_among ORDER BY id; SELECT id, lower(v) FROM of_both ORDER BY 1, 2; SELECT lower(name), n FROM with_copies ORDER BY 1, 2;
.print the NULLs go
DELETE FROM t WHERE name IS NULL;
SELECT * FROM by_name ORDER BY id; SELECT * FROM by_x ORDER BY id; SELECT * FROM is_x ORDER BY id, n; SELECT * FROM among ORDER BY id; SELECT * FROM not_among ORDER BY id;
.print 1 and 1.0 part
UPDATE t SET x = 2 WHERE id = 1;
UPDATE u SET x = 2.0 WHERE id = 4;
SELECT * FROM by_x ORDER BY id; SELECT * FROM is_x ORDER BY id, n; SELECT * FROM among ORDER BY id; SELECT * FROM not_among ORDER BY id;
.print a name is spelled anew, and one comes back
UPDATE t SET name = 'ANN' WHERE id = 2;
DELETE FROM t WHERE id = 3;
SELECT * FROM by_name ORDER BY id; SELECT * FROM by_name_exactly ORDER BY id; SELECT lower(name), n FROM with_copies ORDER BY 1, 2;
INSERT INTO t VALUES (9, 'BOB', 1, 30), (10, NULL, NULL, 7);
SELECT * FROM by_name ORDER BY id; SELECT * FROM by_name_exactly ORDER BY id; SELECT * FROM by_x ORDER BY id; SELECT * FROM not_among ORDER BY id; SELECT lower(name), n FROM with_copies ORDER BY 1, 2;
