-- Which of equal rows fill the last place is settled by the other columns, in the view as in the query
-- that is run in the middle of a statement; where all are equal either may be shown.
CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, x);
INSERT INTO t(name, x) VALUES('b', 1), ('a', 1.0), ('A', 1), ('c', 1), ('a', 2), ('d', 0);
CREATE VIRTUAL TABLE first USING lockstep(SELECT x, name FROM t ORDER BY x LIMIT 3);
CREATE VIRTUAL TABLE number USING lockstep(SELECT x FROM t WHERE x = 1 ORDER BY x LIMIT 1);
CREATE VIRTUAL TABLE united USING lockstep(SELECT name FROM t UNION ALL SELECT upper(name) FROM t ORDER BY 1 LIMIT 3);
SELECT * FROM first;
CREATE TABLE seen(place, x, name);
CREATE TRIGGER look AFTER UPDATE ON t BEGIN
  INSERT INTO seen SELECT (SELECT count(*) FROM seen), x, name FROM first;
END;
UPDATE t SET x = x WHERE id = 1;
SELECT x, name FROM seen ORDER BY place;
SELECT x = 1 FROM number;
SELECT lower(name) FROM united;
DELETE FROM t WHERE id = 6;
SELECT * FROM first;
SELECT x = 1 FROM number;
SELECT lower(name) FROM united;
.print sound
INSERT INTO first(lockstep) VALUES('integrity-check');
INSERT INTO number(lockstep) VALUES('integrity-check');
INSERT INTO united(lockstep) VALUES('integrity-check');
.print and damage is found
INSERT INTO first(lockstep) VALUES('store');
INSERT INTO united(lockstep) VALUES('store');
INSERT INTO number(lockstep) VALUES('store');
UPDATE t SET x = 2 WHERE x = 1;
DELETE FROM lockstep_log_1 WHERE lockstep_weight <> 2;
INSERT INTO number(lockstep) VALUES('integrity-check');
