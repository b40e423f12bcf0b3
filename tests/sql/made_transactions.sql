-- plain
CREATE TABLE t(a INT, b INT);
CREATE TABLE u(id INTEGER PRIMARY KEY, v INT);
INSERT INTO t VALUES (1, 10), (1, 20), (2, 5), (NULL, 7);
INSERT INTO u VALUES (1, 100), (2, 200), (3, 300);
CREATE VIRTUAL TABLE sums USING lockstep(SELECT u.id, q.s, u.v FROM (SELECT a, sum(b) AS s FROM t GROUP BY a) AS q JOIN u ON u.id = q.a);
CREATE VIRTUAL TABLE above USING lockstep(SELECT a, sum(b) AS s FROM t GROUP BY a HAVING sum(b) > (SELECT avg(s) FROM (SELECT sum(b) AS s FROM t GROUP BY a)));
CREATE VIRTUAL TABLE twice USING lockstep(SELECT x.id, (SELECT max(s) FROM (SELECT sum(b) AS s FROM t GROUP BY a)) AS most FROM u AS x WHERE x.id IN (SELECT a FROM t GROUP BY a HAVING count(*) > 1 AND sum(b) < (SELECT sum(v) FROM u)));
.print begin
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
.print savepoints, read at each
BEGIN;
INSERT INTO t VALUES (2, 50);
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
SAVEPOINT one;
DELETE FROM t WHERE a = 1;
UPDATE u SET v = 1;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
SAVEPOINT two;
INSERT INTO t VALUES (3, 1000), (3, 1);
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
ROLLBACK TO two;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
ROLLBACK TO one;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
INSERT INTO t VALUES (3, 8);
RELEASE one;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
COMMIT;
.print after the commit, and after reopening
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
.open main.db
.load ./lockstep
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
.print changed and rolled back, read only in between
BEGIN;
DELETE FROM t;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
ROLLBACK;
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
INSERT INTO t VALUES (3, 800);
SELECT * FROM sums ORDER BY id; SELECT * FROM above ORDER BY a; SELECT * FROM twice ORDER BY id;
