-- ALTER TABLE under a view: each pair of lines is the view and its query.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER);
INSERT INTO t(g, x) VALUES ('a', 1), ('b', 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
ALTER TABLE t ADD COLUMN more TEXT DEFAULT 'm';
INSERT INTO t(g, x) VALUES ('a', 10);
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
ALTER TABLE t RENAME COLUMN x TO amount;
INSERT INTO t(g, amount) VALUES ('c', 100);
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
ALTER TABLE t RENAME TO renamed;
DELETE FROM renamed WHERE g = 'b';
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
CREATE UNIQUE INDEX by_amount ON renamed(amount);
REPLACE INTO renamed(g, amount) VALUES ('d', 100);
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
ALTER TABLE renamed DROP COLUMN more;
ALTER TABLE renamed DROP COLUMN amount;
UPDATE renamed SET amount = amount + 1;
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
.open main.db
.load ./lockstep
SELECT group_concat(g || s) FROM (SELECT * FROM v ORDER BY g);
SELECT group_concat(g || s) FROM (SELECT * FROM v_query ORDER BY g);
ALTER TABLE v RENAME TO w;
INSERT INTO renamed(g, amount) VALUES ('e', 5);
SELECT group_concat(g || s) FROM (SELECT * FROM w ORDER BY g);
