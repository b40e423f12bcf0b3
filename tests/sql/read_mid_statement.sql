-- plain
-- Views read in the middle of a statement that writes their table.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
INSERT INTO t(g, x) VALUES ('a', 1), ('a', 2), ('b', 3);
INSERT INTO t(g, x) SELECT g || g, s FROM v ORDER BY g;
SELECT * FROM v ORDER BY g;
UPDATE t SET x = x + (SELECT n FROM v WHERE v.g = t.g);
SELECT * FROM v ORDER BY g;
INSERT INTO t(g, x) VALUES ('c', 1), ('c', 2) RETURNING (SELECT count(*) FROM v), (SELECT s FROM v WHERE g = 'c');
DELETE FROM t WHERE x < (SELECT max(s) FROM v WHERE g <> t.g) RETURNING id, (SELECT count(*) FROM v);
SELECT * FROM v ORDER BY g;
CREATE TABLE seen(n);
CREATE TRIGGER watch AFTER INSERT ON t BEGIN INSERT INTO seen SELECT sum(n) FROM v; END;
INSERT INTO t(g, x) VALUES ('d', 1), ('e', 2);
SELECT * FROM seen;
SELECT * FROM v ORDER BY g;
