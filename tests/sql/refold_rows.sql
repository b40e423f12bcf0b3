-- Aggregates that SQLite computes anew for a group, over what is compared with a row of several columns that a
-- subquery gives.
.load ./lockstep
CREATE TABLE t(z NUMERIC);
CREATE TABLE g(d, k);
INSERT INTO t VALUES (1), (2), (2);
INSERT INTO g VALUES (1, 1), (2, 3), (2, 1), (0, 1), (1, 1);
CREATE VIRTUAL TABLE equal USING lockstep(SELECT group_concat(CASE WHEN (d, k) = (SELECT max(z), count(z) FROM t) THEN d || '/' || k END) AS l FROM g);
CREATE VIRTUAL TABLE less USING lockstep(SELECT k, group_concat(CASE WHEN (d, k) < (VALUES (1, 2)) THEN d ELSE 'x' END) AS l FROM (SELECT DISTINCT d, k FROM g) GROUP BY k);
CREATE VIRTUAL TABLE between_rows USING lockstep(SELECT json_group_array(d) FILTER (WHERE (SELECT d, k) BETWEEN (SELECT min(z), min(z) FROM t) AND (SELECT max(z), min(z) FROM t)) AS l FROM (SELECT DISTINCT d, k FROM g));
CREATE VIRTUAL TABLE chosen USING lockstep(SELECT group_concat(CASE (d, k) WHEN (SELECT min(z), min(z) FROM t) THEN 'a' WHEN (SELECT max(z), min(z) FROM t) THEN 'b' ELSE d END) AS l FROM (SELECT DISTINCT d, k FROM g));
.print -- at first
SELECT * FROM equal; SELECT * FROM less ORDER BY k; SELECT * FROM between_rows; SELECT * FROM chosen;
.print -- the rows that the subqueries give are others
DELETE FROM t WHERE z = 1; INSERT INTO t VALUES (0);
SELECT * FROM equal; SELECT * FROM less ORDER BY k; SELECT * FROM between_rows; SELECT * FROM chosen;
.print -- and what is compared with them
UPDATE g SET k = 2 WHERE d = 2; DELETE FROM g WHERE d = 0; DELETE FROM t;
SELECT * FROM equal; SELECT * FROM less ORDER BY k; SELECT * FROM between_rows; SELECT * FROM chosen;
INSERT INTO equal(lockstep) VALUES ('integrity-check'); INSERT INTO less(lockstep) VALUES ('integrity-check');
INSERT INTO between_rows(lockstep) VALUES ('integrity-check'); INSERT INTO chosen(lockstep) VALUES ('integrity-check');
