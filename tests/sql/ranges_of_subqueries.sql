-- plain
-- Subqueries that compare with the row around by < and the like: what a change touches is a range.
CREATE TABLE rates(id INTEGER PRIMARY KEY, cur TEXT COLLATE NOCASE, day TEXT, rate REAL);
CREATE TABLE orders(id INTEGER PRIMARY KEY, cur TEXT, day TEXT, amount INT);
CREATE VIRTUAL TABLE as_of USING lockstep(SELECT o.id, (SELECT r.rate FROM rates r WHERE r.cur = o.cur AND r.day <= o.day ORDER BY r.day DESC LIMIT 1) * amount AS value FROM orders o);
CREATE VIRTUAL TABLE as_of_any USING lockstep(SELECT o.id, (SELECT r.cur FROM rates r WHERE r.day <= o.day ORDER BY r.day DESC, r.id LIMIT 1) AS cur FROM orders o);
CREATE VIRTUAL TABLE earlier USING lockstep(SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM rates r WHERE r.cur = o.cur AND r.day BETWEEN '2024-01-02' AND o.day));
INSERT INTO orders VALUES (1, 'usd', '2024-01-02', 10), (2, 'USD', '2024-01-05', 20), (3, 'eur', '2024-01-03', 30), (4, 'eur', NULL, 40), (5, NULL, '2024-01-04', 50);
INSERT INTO rates VALUES (1, 'USD', '2024-01-01', 1.5), (2, 'usd', '2024-01-04', 1.75), (3, 'EUR', '2024-01-03', 2.0);
SELECT * FROM as_of ORDER BY id; SELECT * FROM as_of_any ORDER BY id; SELECT * FROM earlier ORDER BY id;
UPDATE rates SET day = '2024-01-06' WHERE id = 2; INSERT INTO rates VALUES (4, 'usd', '2024-01-02', 1.25), (5, 'usd', NULL, 9);
SELECT * FROM as_of ORDER BY id; SELECT * FROM as_of_any ORDER BY id; SELECT * FROM earlier ORDER BY id;
DELETE FROM rates WHERE id IN (1, 4); UPDATE orders SET day = '2024-02-01' WHERE id = 4;
SELECT * FROM as_of ORDER BY id; SELECT * FROM as_of_any ORDER BY id; SELECT * FROM earlier ORDER BY id;
BEGIN; DELETE FROM rates; SELECT * FROM as_of_any ORDER BY id; ROLLBACK;
SELECT * FROM as_of_any ORDER BY id;
-- Ranks, by one column and by two, and by what is no column.
CREATE TABLE t(id INTEGER PRIMARY KEY, grp INT, score);
CREATE VIRTUAL TABLE rank USING lockstep(SELECT a.id, (SELECT count(*) FROM t b WHERE b.score > a.score) AS above FROM t a);
CREATE VIRTUAL TABLE in_group USING lockstep(SELECT a.id, a.grp FROM t a WHERE (SELECT count(*) FROM t b WHERE b.grp = a.grp AND (b.score, b.id) > (a.score, a.id)) < 2);
CREATE VIRTUAL TABLE near USING lockstep(SELECT a.id, (SELECT sum(b.id) FROM t b WHERE b.id + 1 > a.id AND b.id - 1 <= a.id) AS ids FROM t a);
INSERT INTO t VALUES (1, 1, 5), (2, 1, 5.5), (3, 1, '5'), (4, 2, 'b'), (5, 2, NULL), (6, 2, x'05'), (7, 1, -1), (8, 2, 'B');
SELECT * FROM rank ORDER BY id; SELECT * FROM in_group ORDER BY id; SELECT * FROM near ORDER BY id;
UPDATE t SET score = 6 WHERE id IN (3, 7); INSERT INTO t VALUES (9, 2, '');
SELECT * FROM rank ORDER BY id; SELECT * FROM in_group ORDER BY id; SELECT * FROM near ORDER BY id;
DELETE FROM t WHERE id IN (2, 4, 6); UPDATE t SET score = 0, id = 2 WHERE id = 5;
SELECT * FROM rank ORDER BY id; SELECT * FROM in_group ORDER BY id; SELECT * FROM near ORDER BY id;
-- Numbers and text, where the least as it is need not be the least as it compares.
CREATE TABLE n(id INTEGER PRIMARY KEY, i INT);
CREATE TABLE s(id INTEGER PRIMARY KEY, x TEXT);
CREATE VIRTUAL TABLE mixed USING lockstep(SELECT n.id, (SELECT count(*) FROM s WHERE s.x < n.i) AS less FROM n);
CREATE VIRTUAL TABLE mixed_back USING lockstep(SELECT s.id, (SELECT count(*) FROM n WHERE n.i > s.x) AS more, (SELECT count(*) FROM n WHERE n.i + 1 > s.x) AS as_text FROM s);
INSERT INTO n VALUES (1, 9), (2, 50), (3, 100), (4, 'x'); INSERT INTO s VALUES (1, '10'), (2, '9'), (3, 'a');
SELECT * FROM mixed ORDER BY id; SELECT * FROM mixed_back ORDER BY id;
INSERT INTO s VALUES (4, '60'), (5, '200'), (6, ' 7'), (7, 'y'); UPDATE n SET i = 8 WHERE id = 2;
SELECT * FROM mixed ORDER BY id; SELECT * FROM mixed_back ORDER BY id;
DELETE FROM s WHERE id IN (1, 6); DELETE FROM n WHERE id = 3; UPDATE n SET i = '0x' WHERE id = 1;
SELECT * FROM mixed ORDER BY id; SELECT * FROM mixed_back ORDER BY id;
-- A left join on a range, and one within a subquery.
CREATE VIRTUAL TABLE spans USING lockstep(SELECT a.id, b.id AS later FROM n a LEFT JOIN n b ON b.i > a.i AND b.id < 10);
CREATE VIRTUAL TABLE deep USING lockstep(SELECT a.id FROM n a WHERE EXISTS (SELECT 1 FROM s LEFT JOIN n b ON b.id = s.id WHERE coalesce(b.i, 0) >= a.i AND EXISTS (SELECT 1 FROM n c WHERE c.id < s.id AND c.i <> a.i)));
SELECT * FROM spans ORDER BY 1, 2; SELECT * FROM deep ORDER BY 1;
INSERT INTO n VALUES (5, 70), (6, 3), (12, 90); UPDATE n SET i = 75 WHERE id = 2;
SELECT * FROM spans ORDER BY 1, 2; SELECT * FROM deep ORDER BY 1;
DELETE FROM n WHERE i > 72;
SELECT * FROM spans ORDER BY 1, 2; SELECT * FROM deep ORDER BY 1;
DELETE FROM s WHERE id <> 4;
SELECT * FROM deep ORDER BY 1;
-- Division: who supplies every red part.
CREATE TABLE supplier(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE part(id INTEGER PRIMARY KEY, color TEXT);
CREATE TABLE supplies(sid INT, pid INT, PRIMARY KEY(sid, pid));
CREATE VIRTUAL TABLE all_red USING lockstep(SELECT s.id, s.name FROM supplier s WHERE NOT EXISTS (SELECT 1 FROM part p WHERE p.color = 'red' AND NOT EXISTS (SELECT 1 FROM supplies u WHERE u.sid = s.id AND u.pid = p.id)));
INSERT INTO supplier VALUES (1, 'a'), (2, 'b'), (3, 'c');
SELECT * FROM all_red ORDER BY id;
INSERT INTO part VALUES (1, 'red'), (2, 'red'), (3, 'blue'); INSERT INTO supplies VALUES (1, 1), (1, 2), (2, 1), (2, 3);
SELECT * FROM all_red ORDER BY id;
INSERT INTO supplies VALUES (2, 2); DELETE FROM supplies WHERE sid = 1 AND pid = 2;
SELECT * FROM all_red ORDER BY id;
UPDATE part SET color = 'blue' WHERE id = 2;
SELECT * FROM all_red ORDER BY id;
UPDATE supplies SET sid = 3 WHERE sid = 2; DELETE FROM part WHERE id = 1;
SELECT * FROM all_red ORDER BY id;
-- What compares equal is not the same: a change of it shows.
CREATE TABLE m(id INTEGER PRIMARY KEY, at INT, v COLLATE NOCASE);
CREATE VIRTUAL TABLE shown USING lockstep(SELECT a.id, (SELECT b.v FROM m b WHERE b.at < a.at ORDER BY b.at DESC, b.id LIMIT 1) AS before, (SELECT count(b.v) FROM m b WHERE b.at > a.at) AS above, EXISTS (SELECT 1 FROM m b WHERE b.at > a.at AND b.v > 'a') AS any_above FROM m a);
INSERT INTO m VALUES (1, 1, 'b'), (2, 2, 1), (3, 3, NULL), (4, 4, x'62'), (5, 5, 'c');
SELECT id, quote(before), above, any_above FROM shown ORDER BY id;
UPDATE m SET v = 'B' WHERE id = 1; UPDATE m SET v = 1.0 WHERE id = 2; UPDATE m SET at = 6 WHERE id = 4; UPDATE m SET v = 'C' WHERE id = 5;
SELECT id, quote(before), above, any_above FROM shown ORDER BY id;
UPDATE m SET v = 0 WHERE id = 3; UPDATE m SET at = at + 1 WHERE id > 3; UPDATE m SET v = NULL WHERE id = 5;
SELECT id, quote(before), above, any_above FROM shown ORDER BY id;
UPDATE m SET id = 9 WHERE id = 2; UPDATE m SET v = 'b' WHERE id = 4; DELETE FROM m WHERE id = 5;
SELECT id, quote(before), above, any_above FROM shown ORDER BY id;
-- A rank in which ties are broken: by OR.
CREATE VIRTUAL TABLE placed USING lockstep(SELECT a.id, (SELECT count(*) FROM t b WHERE b.score > a.score OR (a.score = b.score AND b.id < a.id)) + 1 AS place FROM t a);
CREATE VIRTUAL TABLE podium USING lockstep(SELECT a.id FROM t a WHERE 2 > (SELECT count(*) FROM t b WHERE (b.score = a.score AND (b.grp < a.grp OR b.grp = a.grp AND b.id < a.id)) OR b.score > a.score));
SELECT * FROM placed ORDER BY id; SELECT * FROM podium ORDER BY id;
UPDATE t SET score = 6 WHERE id = 1; INSERT INTO t VALUES (10, 3, 6), (11, 3, 6.0), (12, 1, NULL);
SELECT * FROM placed ORDER BY id; SELECT * FROM podium ORDER BY id;
UPDATE t SET id = 13 WHERE id = 3; UPDATE t SET score = 7 WHERE id = 11; UPDATE t SET grp = 0 WHERE id = 10;
SELECT * FROM placed ORDER BY id; SELECT * FROM podium ORDER BY id;
DELETE FROM t WHERE score > 5 AND id < 13;
SELECT * FROM placed ORDER BY id; SELECT * FROM podium ORDER BY id;
-- The nearest, where of two that changed together one has nothing before it, and is of nobody's key.
CREATE TABLE stop(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, at INT, name TEXT);
CREATE TABLE rider(id INTEGER PRIMARY KEY, k TEXT, at INT);
CREATE VIRTUAL TABLE next_stop USING lockstep(SELECT a.id, (SELECT x.name FROM stop x WHERE x.at > a.at AND a.k = x.k COLLATE NOCASE ORDER BY x.at, x.id LIMIT 1) AS name FROM rider a);
CREATE VIRTUAL TABLE last_stop USING lockstep(SELECT a.id, (SELECT x.name FROM stop x WHERE x.at <= a.at AND x.k = a.k AND x.name <> 'closed' ORDER BY x.at DESC, x.id) AS name FROM rider a);
INSERT INTO rider VALUES (1, 'a', 5), (2, 'A', 20), (3, 'b', 5), (4, 'b', NULL);
INSERT INTO stop VALUES (1, 'a', 10, 'x'), (2, 'A', 2, 'y'), (3, 'b', 4, 'z'), (4, 'b', 6, 'w');
SELECT * FROM next_stop ORDER BY id; SELECT * FROM last_stop ORDER BY id;
INSERT INTO stop VALUES (5, 'c', 1, 'far'), (6, 'a', 8, 'new');
SELECT * FROM next_stop ORDER BY id; SELECT * FROM last_stop ORDER BY id;
UPDATE stop SET at = 3 WHERE id = 6; UPDATE stop SET name = 'closed' WHERE id = 3; INSERT INTO stop VALUES (7, 'b', 1, 'v');
SELECT * FROM next_stop ORDER BY id; SELECT * FROM last_stop ORDER BY id;
DELETE FROM stop WHERE id IN (1, 4); UPDATE stop SET at = 30 WHERE id = 2;
SELECT * FROM next_stop ORDER BY id; SELECT * FROM last_stop ORDER BY id;
