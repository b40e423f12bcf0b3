-- The rows of a table that show its INTEGER PRIMARY KEY are found by it: whatever the key, however it changes.
CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, x INT);
INSERT INTO t VALUES (0, 'zero', 0), (1, 'one', 1), (-1, 'minus', 2), (9223372036854775807, 'greatest', 3),
  (-9223372036854775808, 'least', 4), (5, NULL, NULL), (4294967296, 'far', 6);
CREATE VIRTUAL TABLE v USING lockstep(index=(id), SELECT x * 2 AS y, id, a FROM t WHERE x IS NOT 6);
CREATE VIRTUAL TABLE twice USING lockstep(SELECT id, id AS again, rowid AS row FROM t);
CREATE VIRTUAL TABLE few USING lockstep(SELECT id, a FROM t ORDER BY x DESC LIMIT 3);
SELECT * FROM v ORDER BY id; SELECT * FROM few;
SELECT lockstep_row FROM v_data WHERE id BETWEEN 0 AND 5 ORDER BY id;
.print by key, in other types, and by none
SELECT y, typeof(id) FROM v WHERE id = 1; SELECT y FROM v WHERE id = '1'; SELECT y FROM v WHERE id = 1.0;
SELECT y FROM v WHERE id = 1.5; SELECT y FROM v WHERE id = 'one'; SELECT y FROM v WHERE id IS NULL;
SELECT y FROM v WHERE id = x'31'; SELECT y FROM v WHERE id = 9223372036854775807; SELECT y FROM v WHERE id = -1;
SELECT a FROM v WHERE id > 0 ORDER BY id DESC; SELECT a FROM v WHERE id IN (0, -1, 7, 4294967296) ORDER BY id;
.print keys that move
UPDATE t SET id = id + 10 WHERE id BETWEEN 0 AND 100; SELECT * FROM v ORDER BY id;
UPDATE t SET id = -id WHERE id BETWEEN 0 AND 100; SELECT * FROM v ORDER BY id;
UPDATE OR REPLACE t SET id = -10 WHERE id = -11; SELECT * FROM v ORDER BY id;
REPLACE INTO t VALUES (-10, 'again', 7), (-1, 'once more', 6), (4294967296, 'near', 8); SELECT * FROM v ORDER BY id;
INSERT INTO t VALUES (-10, 'upsert', 0) ON CONFLICT(id) DO UPDATE SET x = excluded.x, a = excluded.a;
SELECT * FROM v ORDER BY id; SELECT * FROM twice ORDER BY id; SELECT * FROM few;
INSERT INTO v(lockstep) VALUES ('store'); INSERT INTO twice(lockstep) VALUES ('store');
.print taken back
BEGIN; DELETE FROM t WHERE id < 0; INSERT INTO t VALUES (-10, 'new', 9), (2, 'two', 2); SAVEPOINT s;
UPDATE t SET id = 3 WHERE id = 2; SELECT * FROM v ORDER BY id; ROLLBACK TO s; SELECT * FROM v ORDER BY id; ROLLBACK;
SELECT * FROM v ORDER BY id;
.print in the middle of a statement
UPDATE t SET x = ifnull((SELECT y FROM v WHERE v.id = t.id), 0) + 1; SELECT * FROM v ORDER BY id;
UPDATE t SET a = (SELECT count(*) FROM v) || a, id = id + 1 WHERE id = -10; SELECT * FROM v ORDER BY id;
INSERT INTO v(lockstep) VALUES ('integrity-check'); INSERT INTO twice(lockstep) VALUES ('integrity-check');
INSERT INTO few(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('rebuild'); INSERT INTO v(lockstep) VALUES ('integrity-check'); SELECT * FROM v ORDER BY id;
.print read ahead, and behind
CREATE TABLE numbers(id INTEGER PRIMARY KEY, x INT);
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000) INSERT INTO numbers SELECT i * 3 / 2, i % 7 FROM c;
CREATE VIRTUAL TABLE some USING lockstep(index=(id), SELECT id, x FROM numbers WHERE x <> 3);
UPDATE numbers SET x = (x + ifnull((SELECT some.x FROM some WHERE some.id = numbers.id + 1), 0)) % 9;
SELECT count(*), sum(x), sum(id * x) FROM some; SELECT count(*), sum(x), sum(id * x) FROM some_query;
INSERT INTO some(lockstep) VALUES ('store'); DELETE FROM numbers WHERE id BETWEEN 100 AND 120;
UPDATE numbers SET x = 8 - x WHERE id BETWEEN 90 AND 4000; INSERT INTO numbers SELECT id, 5 FROM (SELECT 110 AS id UNION SELECT 111);
WITH RECURSIVE c(i) AS (SELECT 85 UNION ALL SELECT i + 1 FROM c WHERE i < 130)
  SELECT count((SELECT x FROM some WHERE id = i)), sum((SELECT x FROM some WHERE id = i)), count((SELECT x FROM some_query WHERE id = i)) FROM c;
INSERT INTO some(lockstep) VALUES ('integrity-check');
SELECT lockstep_ahead(), lockstep_ahead(1), lockstep_ahead(NULL, 2, 3, 4, 5, 6);
