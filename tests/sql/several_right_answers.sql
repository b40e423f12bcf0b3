-- Where a query has several right answers, integrity-check looks past which of them is shown, and
-- at everything else.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER, n TEXT);
INSERT INTO t VALUES (1, 'a', 7, 'z'), (2, 'a', 7, 'y'), (3, 'a', 5, 'x'), (4, 'b', 1, 'w'), (5, 'b', 2, 'v');
CREATE VIRTUAL TABLE lists USING lockstep(SELECT g, group_concat(n) AS l, json_group_array(n) AS j, count(*) AS c FROM t GROUP BY g);
CREATE VIRTUAL TABLE any_row USING lockstep(SELECT g, id, n, count(*) AS c FROM t GROUP BY g);
CREATE VIRTUAL TABLE top USING lockstep(SELECT g, max(x) AS x, n FROM t GROUP BY g);
CREATE VIRTUAL TABLE some USING lockstep(SELECT g, max(x) AS x, id FROM t GROUP BY g HAVING n = 'y');
SELECT * FROM lists ORDER BY g;
INSERT INTO lists(lockstep) VALUES ('integrity-check');
INSERT INTO any_row(lockstep) VALUES ('integrity-check');
INSERT INTO top(lockstep) VALUES ('integrity-check');
INSERT INTO some(lockstep) VALUES ('integrity-check');
.print all bare columns of a row come from one row that is there
SELECT count(*), sum(EXISTS (SELECT 1 FROM t WHERE t.g IS v.g AND t.id IS v.id AND t.n IS v.n)) FROM any_row v;
DELETE FROM t WHERE id IN (SELECT id FROM any_row);
SELECT count(*), sum(EXISTS (SELECT 1 FROM t WHERE t.g IS v.g AND t.id IS v.id AND t.n IS v.n)) FROM any_row v;
SELECT count(*), sum(EXISTS (SELECT 1 FROM t WHERE t.g IS v.g AND t.x IS v.x AND t.n IS v.n)) FROM top v;
INSERT INTO lists(lockstep) VALUES ('integrity-check');
INSERT INTO any_row(lockstep) VALUES ('integrity-check');
INSERT INTO top(lockstep) VALUES ('integrity-check');
.print a list whose members the query now gives in another order, then one with another member
DROP TABLE any_row; DROP TABLE top; DROP TABLE some;
INSERT INTO lists(lockstep) VALUES ('store');
SELECT g, j FROM lists ORDER BY g;
UPDATE t SET id = 10 - id;
DELETE FROM lockstep_log_2 WHERE lockstep_weight <> 2;
SELECT g, l, j FROM lists_query ORDER BY g;
SELECT g, l, j FROM lists ORDER BY g;
INSERT INTO lists(lockstep) VALUES ('integrity-check');
UPDATE t SET n = 'q' WHERE n = 'x';
DELETE FROM lockstep_log_2 WHERE lockstep_weight <> 2;
INSERT INTO lists(lockstep) VALUES ('integrity-check');
INSERT INTO lists(lockstep) VALUES ('rebuild');
INSERT INTO lists(lockstep) VALUES ('integrity-check');
.print members that are equal under a collation
CREATE TABLE padded(s TEXT COLLATE RTRIM, c TEXT COLLATE NOCASE);
INSERT INTO padded VALUES ('x ', 'b'), ('x', 'B');
CREATE VIRTUAL TABLE p USING lockstep(SELECT s, max(s) AS m, max(c) AS c FROM padded GROUP BY s);
INSERT INTO padded VALUES ('x  ', 'B');
DELETE FROM padded WHERE rowid = 1;
INSERT INTO p(lockstep) VALUES ('integrity-check');
SELECT rtrim(s), rtrim(m), upper(c) FROM p;
.print 4 and 4.0 are equal, and either may be the maximum of a group that a join reads
CREATE TABLE m(g INT, x);
INSERT INTO m VALUES (1, 4.0), (1, 4), (2, 4), (2, 4.0);
CREATE VIRTUAL TABLE most USING lockstep(SELECT m.g, y FROM m JOIN (SELECT g, max(x) AS y FROM m GROUP BY g) USING (g));
CREATE VIRTUAL TABLE looked_up USING lockstep(SELECT g, (SELECT max(x) FROM m AS o WHERE o.g = m.g) AS y FROM m);
INSERT INTO most(lockstep) VALUES ('integrity-check');
INSERT INTO looked_up(lockstep) VALUES ('integrity-check');
INSERT INTO m VALUES (1, 4), (2, 5.0), (2, 5);
INSERT INTO most(lockstep) VALUES ('integrity-check');
INSERT INTO looked_up(lockstep) VALUES ('integrity-check');
