-- plain
-- The user's own triggers: older and newer than the view, changing rows before us, ignoring after.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER, mtime INTEGER DEFAULT 0);
CREATE TABLE log(what TEXT);
CREATE TRIGGER older AFTER UPDATE ON t WHEN new.mtime = old.mtime BEGIN UPDATE t SET mtime = mtime + 1 WHERE id = new.id; END;
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s, max(mtime) AS m FROM t GROUP BY g);
CREATE TRIGGER newer AFTER INSERT ON t BEGIN INSERT INTO log SELECT group_concat(g) FROM t; UPDATE t SET x = x + 1 WHERE id = new.id; END;
INSERT INTO t(g, x) VALUES ('a', 1), ('b', 2);
SELECT * FROM v ORDER BY g;
UPDATE t SET g = 'c' WHERE x = 2;
SELECT * FROM v ORDER BY g;
CREATE TRIGGER early BEFORE UPDATE ON t WHEN new.x = 100 BEGIN UPDATE t SET g = 'changed' WHERE id = old.id; END;
UPDATE t SET x = 100 WHERE g = 'b';
SELECT * FROM v ORDER BY g;
CREATE TRIGGER silent AFTER INSERT ON t WHEN new.x = 7 BEGIN SELECT raise(IGNORE); END;
INSERT INTO t(g, x) VALUES ('i', 7), ('j', 8);
SELECT * FROM v ORDER BY g;
CREATE TRIGGER never BEFORE DELETE ON t WHEN old.g = 'i' BEGIN SELECT raise(FAIL, 'kept'); END;
DELETE FROM t;
SELECT * FROM v ORDER BY g;
DROP TRIGGER never;
DELETE FROM t WHERE g = 'i';
SELECT * FROM v ORDER BY g;
SELECT count(*) FROM log;
