-- plain
-- An aggregate such as group_concat takes its rows in the order of the one subquery in FROM.
CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x TEXT COLLATE NOCASE, y REAL);
CREATE TABLE names(k TEXT PRIMARY KEY, name TEXT);
INSERT INTO names VALUES ('a', 'Ann'), ('b', 'Bob');
INSERT INTO t(k, x, y) VALUES ('a', 'p', 3), ('b', 'q', 9), ('a', 'R', 1), ('a', 's', 2), ('b', 'U', NULL), ('a', 'B', 8);
CREATE VIEW in_order AS SELECT k, x FROM t ORDER BY y DESC;
CREATE VIRTUAL TABLE grouped USING lockstep(SELECT k, group_concat(x, ',') AS l FROM (SELECT * FROM t ORDER BY y) GROUP BY k);
CREATE VIRTUAL TABLE hidden USING lockstep(SELECT group_concat(x, ',') AS l FROM (SELECT x FROM t ORDER BY y DESC NULLS FIRST, id));
CREATE VIRTUAL TABLE computed USING lockstep(SELECT k, group_concat(z, '') AS l FROM (SELECT k, lower(x) AS z FROM t ORDER BY abs(y - 3) NULLS LAST, 2 DESC) WHERE z <> 'q' GROUP BY k);
CREATE VIRTUAL TABLE nocase USING lockstep(SELECT json_group_array(x) AS l, count(*) AS n FROM (SELECT x FROM t ORDER BY x DESC));
CREATE VIRTUAL TABLE bytes USING lockstep(SELECT group_concat(x) AS l FROM (SELECT x FROM t ORDER BY x COLLATE BINARY));
CREATE VIRTUAL TABLE joined USING lockstep(SELECT name, group_concat(x, ' ') AS l FROM (SELECT name, x FROM t JOIN names USING (k) ORDER BY t.y, t.id) GROUP BY name);
CREATE VIRTUAL TABLE by_count USING lockstep(SELECT group_concat(k || n) AS l FROM (SELECT k, count(*) AS n FROM t GROUP BY k ORDER BY count(*) DESC, k));
CREATE VIRTUAL TABLE by_sum USING lockstep(WITH s AS (SELECT k FROM t GROUP BY k ORDER BY sum(y) DESC) SELECT group_concat(k) AS l FROM s);
CREATE VIRTUAL TABLE of_view USING lockstep(SELECT k, group_concat(x) AS l FROM in_order GROUP BY k);
CREATE VIRTUAL TABLE firsts USING lockstep(SELECT group_concat(x) AS l FROM (SELECT x FROM t ORDER BY y DESC LIMIT 3));
CREATE VIRTUAL TABLE of_both USING lockstep(SELECT group_concat(x) AS l FROM (SELECT x FROM t UNION SELECT name FROM names ORDER BY 1 DESC));
CREATE VIRTUAL TABLE once USING lockstep(SELECT group_concat(DISTINCT k) AS l, sum(y) AS s FROM (SELECT k, y FROM t ORDER BY x DESC));
CREATE VIRTUAL TABLE scalar USING lockstep(SELECT name, (SELECT group_concat(x) FROM (SELECT x FROM t ORDER BY y)) AS l, (SELECT group_concat(x) FROM (SELECT x FROM t WHERE t.k = names.k ORDER BY y)) AS own FROM names);
.print -- at first
SELECT * FROM grouped ORDER BY 1; SELECT * FROM hidden; SELECT * FROM computed ORDER BY 1; SELECT * FROM nocase; SELECT * FROM bytes; SELECT * FROM joined ORDER BY 1; SELECT * FROM by_count; SELECT * FROM by_sum; SELECT * FROM of_view ORDER BY 1; SELECT * FROM firsts; SELECT * FROM of_both; SELECT * FROM once; SELECT * FROM scalar ORDER BY 1;
.print -- later
UPDATE t SET y = 10 - y; INSERT INTO t(k, x, y) VALUES ('a', 'm', 4.5), ('b', 'C', 0), ('b', 'd', 77); DELETE FROM t WHERE x = 's';
SELECT * FROM grouped ORDER BY 1; SELECT * FROM hidden; SELECT * FROM computed ORDER BY 1; SELECT * FROM nocase; SELECT * FROM bytes; SELECT * FROM joined ORDER BY 1; SELECT * FROM by_count; SELECT * FROM by_sum; SELECT * FROM of_view ORDER BY 1; SELECT * FROM firsts; SELECT * FROM of_both; SELECT * FROM once; SELECT * FROM scalar ORDER BY 1;
