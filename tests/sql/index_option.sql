-- index=(...): a leaderboard reads its first rows only, in order.
CREATE TABLE game(id INTEGER PRIMARY KEY, player TEXT, points INT, country TEXT);
CREATE VIRTUAL TABLE board USING lockstep(index=(points DESC), index=(country, points DESC),
    SELECT player, country, sum(points) AS points FROM game GROUP BY player, country);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO game(player, points, country)
    SELECT 'p' || (i % 100), i * 37 % 101, char(97 + i % 100 % 5) FROM n;
.mode list
SELECT * FROM board ORDER BY points DESC LIMIT 3;
INSERT INTO board(lockstep) VALUES('store');
SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'board_data' AND type = 'index';
SELECT '-- an index that gives the order is not sorted';
EXPLAIN QUERY PLAN SELECT * FROM board ORDER BY points DESC LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board ORDER BY points LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board WHERE country = 'a' ORDER BY points DESC LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board WHERE country = 'a' ORDER BY country, points DESC LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board WHERE country IN ('a', 'b') ORDER BY points DESC LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board WHERE country = 'a' AND points > 300 AND points <= 330;
EXPLAIN QUERY PLAN SELECT * FROM board ORDER BY country, points LIMIT 3;
EXPLAIN QUERY PLAN SELECT * FROM board ORDER BY country DESC, points LIMIT 3;
SELECT '-- what they give, pending rows among them';
BEGIN;
INSERT INTO game(player, points, country) VALUES('new', 260, 'a'), ('p7', 55, 'c'), ('low', -5, 'b');
DELETE FROM game WHERE player = 'p12';
SELECT * FROM board ORDER BY points DESC LIMIT 5;
SELECT '--';
SELECT * FROM board ORDER BY points LIMIT 3 OFFSET 1;
SELECT '--';
SELECT * FROM board WHERE country = 'a' ORDER BY points DESC LIMIT 3;
SELECT '--';
SELECT * FROM board WHERE country IN ('a', 'b') ORDER BY points DESC, player LIMIT 4;
SELECT '--';
SELECT * FROM board WHERE country = 'a' AND points > 250 AND points <= 300 ORDER BY points;
SELECT '--';
SELECT player FROM board WHERE country = 'a' AND points IN (260, 261, 255) ORDER BY 1;
COMMIT;
SELECT * FROM board ORDER BY points DESC LIMIT 5;
INSERT INTO board(lockstep) VALUES('integrity-check');
SELECT '-- a column that is not there';
CREATE VIRTUAL TABLE v USING lockstep(index=(player, score), SELECT player FROM game);
CREATE VIRTUAL TABLE v USING lockstep(index=(lockstep_order_1), SELECT player FROM game ORDER BY id);
SELECT count(*) FROM sqlite_schema WHERE name GLOB 'v*';
SELECT '-- a numeric column is compared with a text that spells a number';
CREATE TABLE t(id INTEGER PRIMARY KEY, d DECIMAL(10,2));
INSERT INTO t(d) VALUES(1.5), (''), (2), (NULL), ('7'), (3), (9), (1), (0);
CREATE VIRTUAL TABLE numbers USING lockstep(index=(d), SELECT id, d FROM t);
SELECT id, quote(d) FROM numbers WHERE d >= '1.5' ORDER BY id;
SELECT '--';
SELECT id, quote(d) FROM numbers WHERE d < '3' ORDER BY id;
SELECT '--';
SELECT id, quote(d) FROM numbers WHERE d = '7.0' ORDER BY id;
SELECT '--';
SELECT id, quote(d) FROM numbers WHERE d IN ('9', '', 2) ORDER BY id;
SELECT '-- and what is compared with a numeric column, as numbers: they are below all texts';
CREATE TABLE u(n INTEGER);
INSERT INTO u VALUES('!');
CREATE VIRTUAL TABLE texts USING lockstep(index=(s), SELECT DISTINCT id || '' AS s FROM t);
SELECT count(*) FROM texts, u WHERE s < n;
SELECT count(*) FROM texts WHERE s < '!';
