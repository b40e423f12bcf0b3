-- The first rows of a compound without an order are those that integrity-check finds, whatever the
-- collation that its columns compare by.
CREATE TABLE t(x TEXT COLLATE NOCASE, y INT);
INSERT INTO t VALUES ('b', 1), ('A', 2), ('a', 3), ('C', 4), ('B', 1);
CREATE VIRTUAL TABLE firsts USING lockstep(SELECT 'none', 'a' UNION SELECT x, x FROM t LIMIT 2);
CREATE VIRTUAL TABLE all_of USING lockstep(SELECT lower('B') AS x UNION ALL SELECT x FROM t LIMIT 3 OFFSET 1);
CREATE VIRTUAL TABLE ordered USING lockstep(SELECT y, x FROM t UNION SELECT y, 'Z' FROM t WHERE y > 3 ORDER BY y DESC LIMIT 2);
INSERT INTO t VALUES ('AA', 9), ('aB', 9), ('ab', 9);
SELECT * FROM firsts; SELECT * FROM all_of; SELECT * FROM ordered;
INSERT INTO firsts(lockstep) VALUES('integrity-check');
INSERT INTO all_of(lockstep) VALUES('integrity-check');
INSERT INTO ordered(lockstep) VALUES('integrity-check');
DELETE FROM t WHERE x = 'a' AND y = 3;
SELECT * FROM firsts; SELECT * FROM all_of; SELECT * FROM ordered;
INSERT INTO firsts(lockstep) VALUES('integrity-check');
INSERT INTO all_of(lockstep) VALUES('integrity-check');
INSERT INTO ordered(lockstep) VALUES('integrity-check');
