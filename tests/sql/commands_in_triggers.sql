-- A command in a trigger, in the middle of the statement that fires it, changes nothing before that
-- is over.
CREATE TABLE t(g INTEGER, x INTEGER UNIQUE);
INSERT INTO t VALUES (1, 1), (2, 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n FROM t GROUP BY g);
SELECT * FROM v ORDER BY g;
.print store
CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO v(lockstep) VALUES ('store'); END;
INSERT INTO t VALUES (4, 3);
SELECT * FROM v ORDER BY g;
REPLACE INTO t VALUES (4, 1), (3, 5);
SELECT g, n FROM v_data ORDER BY g;
SELECT * FROM v ORDER BY g;
DROP TRIGGER tr;
.print rebuild
CREATE TRIGGER tr BEFORE INSERT ON t BEGIN INSERT INTO v(lockstep) VALUES ('rebuild'); END;
REPLACE INTO t VALUES (5, 2), (5, 5), (6, 6);
SELECT * FROM v ORDER BY g;
DROP TRIGGER tr;
.print integrity-check
CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO v(lockstep) VALUES ('integrity-check'); END;
UPDATE t SET g = 7;
SELECT * FROM v ORDER BY g;
UPDATE t SET g = 7;
SELECT * FROM v ORDER BY g;
.print another table's trigger
CREATE TABLE o(a);
CREATE TRIGGER other AFTER INSERT ON o BEGIN INSERT INTO v(lockstep) VALUES ('no such command'); END;
INSERT INTO o VALUES (1);
INSERT INTO v(lockstep) VALUES ('integrity-check');
