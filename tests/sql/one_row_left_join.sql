-- plain
-- A subquery of one row on the left of a left join: where its value changes, rows without a match come and go.
CREATE TABLE x(s); CREATE TABLE u(k, a); CREATE TABLE t(k); CREATE TABLE w(j, b);
INSERT INTO t VALUES (1), (2); INSERT INTO x VALUES (NULL); INSERT INTO w VALUES (1, 'w');
CREATE VIRTUAL TABLE equal USING lockstep(SELECT u.a FROM (SELECT sum(s) AS m FROM x) AS o LEFT JOIN u ON u.k = o.m);
CREATE VIRTUAL TABLE grouped USING lockstep(SELECT u.a, count(*) AS n FROM (SELECT sum(s) AS m FROM x) AS o LEFT JOIN u ON u.k = o.m GROUP BY u.a);
CREATE VIRTUAL TABLE above USING lockstep(SELECT t.k, u.a FROM t, (SELECT max(s) AS m FROM x) AS o LEFT JOIN u ON u.k > o.m AND u.k <> t.k);
CREATE VIRTUAL TABLE of_left USING lockstep(SELECT t.k, u.a FROM t, (SELECT max(s) AS m FROM x) AS o LEFT JOIN u ON t.k >= o.m AND u.k >= t.k);
CREATE VIRTUAL TABLE same_name USING lockstep(SELECT u.a FROM (SELECT sum(s) AS k FROM x) AS o LEFT JOIN u USING (k));
CREATE VIRTUAL TABLE two USING lockstep(SELECT u.a, w.b FROM (SELECT max(s) AS m FROM x) AS o LEFT JOIN u ON u.k = o.m LEFT JOIN w ON w.j = u.k AND w.j <= o.m);
CREATE VIRTUAL TABLE behind USING lockstep(SELECT u.a FROM u LEFT JOIN (SELECT max(s) AS m FROM x) AS o ON u.k < o.m);
CREATE VIEW all_rows AS
SELECT 1 AS view, a, 0 AS n FROM equal UNION ALL SELECT 2, a, n FROM grouped UNION ALL SELECT 3, a, k FROM above UNION ALL
SELECT 4, a, k FROM of_left UNION ALL SELECT 5, a, 0 FROM same_name UNION ALL SELECT 6, a, b FROM two UNION ALL SELECT 7, a, 0 FROM behind;

SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
INSERT INTO u VALUES (1, 'a'), (1, 'b'), (3, 'c'); UPDATE x SET s = 1;
SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
UPDATE x SET s = 5; DELETE FROM u WHERE a = 'a';
SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
UPDATE x SET s = 3;
SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
DELETE FROM x; DELETE FROM u;
SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
INSERT INTO x VALUES (2); INSERT INTO u VALUES (2, 'd');
SELECT view, count(*), count(a), group_concat(a || n, ' ') FROM (SELECT * FROM all_rows ORDER BY view, a, n) GROUP BY view;
