-- A script as .dump and .recover write it, of which rows are lost on the way: the views are made anew
-- from what has come through.
CREATE TABLE "sales"(id INTEGER PRIMARY KEY, region TEXT, amount INTEGER);
CREATE TABLE manager(region TEXT, name TEXT);
INSERT INTO manager VALUES ('north', 'Ada'), ('south', 'Bob');
CREATE VIRTUAL TABLE v USING lockstep(SELECT region, count(*) AS n, sum(amount) AS s, max(amount) AS m FROM sales GROUP BY region);
CREATE VIRTUAL TABLE j USING lockstep(SELECT s.id, m.name FROM sales AS s LEFT JOIN manager AS m ON m.region = s.region);
CREATE VIRTUAL TABLE w USING lockstep(SELECT n, count(*) AS g FROM v GROUP BY n);
CREATE VIRTUAL TABLE l USING lockstep(SELECT id, amount FROM sales ORDER BY amount DESC LIMIT 2);
CREATE VIRTUAL TABLE c USING lockstep(maintain=commit, SELECT region, count(*) AS n FROM sales GROUP BY region);
INSERT INTO sales VALUES (1, 'north', 10), (2, 'north', 90), (3, 'south', 5), (4, 'west', 80);
INSERT INTO v(lockstep) VALUES ('store');
INSERT INTO j(lockstep) VALUES ('store');
SELECT * FROM l;
INSERT INTO sales VALUES (5, 'south', 70), (6, 'north', 1);
.output script.txt
.dump
.output stdout
.print what is lost: sales 2 and 5
.open recovered.db
.load ./lockstep
-- .dump creates a table with a quoted name IF NOT EXISTS.
CREATE TABLE "sales"(id INTEGER PRIMARY KEY ON CONFLICT IGNORE, region TEXT, amount INTEGER);
INSERT INTO sales VALUES (2, 'lost', 0), (5, 'lost', 0);
.read script.txt
.open recovered.db
.load ./lockstep
SELECT * FROM sales;
SELECT * FROM v ORDER BY 1;
SELECT * FROM j ORDER BY 1;
SELECT * FROM w ORDER BY 1;
SELECT * FROM l;
SELECT * FROM c ORDER BY 1;
.print and they are live
INSERT INTO sales VALUES (7, 'south', 700);
SELECT * FROM v ORDER BY 1;
SELECT * FROM w ORDER BY 1;
SELECT * FROM l;
SELECT * FROM c ORDER BY 1;
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO j(lockstep) VALUES ('integrity-check');
INSERT INTO w(lockstep) VALUES ('integrity-check');
INSERT INTO l(lockstep) VALUES ('integrity-check');
INSERT INTO c(lockstep) VALUES ('integrity-check');
