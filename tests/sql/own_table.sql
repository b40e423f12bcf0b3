-- Statements that write a view's table and read the view for each row: each notes what it read, and what
-- the query would have given there.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INT, j TEXT, u INT UNIQUE, seen, truth);
WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 60)
INSERT INTO t(id, g, x, j, u) SELECT i, 'g' || (i % 4), i, '{"a":' || i || '}', i * 10 FROM i;
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE even USING lockstep(SELECT g, sum(x) AS s FROM t WHERE x % 2 = 0 AND g <> 'g3' GROUP BY g);
CREATE VIRTUAL TABLE parsed USING lockstep(SELECT g, sum(j ->> 'a') AS s FROM t WHERE j IS NOT NULL GROUP BY g);
CREATE VIRTUAL TABLE highest USING lockstep(SELECT id, x FROM t ORDER BY x DESC, id LIMIT 3);
CREATE VIEW wrong AS SELECT count(*) AS wrong FROM t WHERE seen IS NOT truth;

UPDATE t SET x = x + 1, seen = (SELECT s FROM v WHERE v.g = t.g),
  truth = (SELECT sum(x) FROM t AS o WHERE o.g = t.g);
SELECT * FROM wrong;
UPDATE t SET x = x + 1, seen = (SELECT s FROM even WHERE even.g = t.g),
  truth = (SELECT sum(x) FROM t AS o WHERE x % 2 = 0 AND g <> 'g3' AND o.g = t.g);
SELECT * FROM wrong;
UPDATE t SET j = json_set(j, '$.a', id * 7 % 11), seen = (SELECT s FROM parsed WHERE parsed.g = t.g),
  truth = (SELECT sum(j ->> 'a') FROM t AS o WHERE o.g = t.g);
SELECT * FROM wrong;
UPDATE t SET x = id * 7 % 61, seen = (SELECT group_concat(x) FROM highest),
  truth = (SELECT group_concat(x) FROM (SELECT x FROM t AS o ORDER BY x DESC, id LIMIT 3));
SELECT * FROM wrong;

-- What is displaced without a trigger, and is read again.
REPLACE INTO t(id, g, x, u, seen, truth) SELECT id, g, x + 100, (id + 1) % 60 * 10, (SELECT s FROM v WHERE v.g = o.g),
  (SELECT sum(x) FROM t WHERE t.g = o.g) FROM t AS o WHERE id % 3 = 0 ORDER BY id;
SELECT * FROM wrong;
SELECT (SELECT count(*) FROM t) AS t, (SELECT sum(n) FROM v) AS v, (SELECT sum(s) FROM v) = (SELECT sum(x) FROM t) AS same;

-- More rows between two reads than are read beforehand, and none that counts.
CREATE TABLE steps(id INTEGER PRIMARY KEY, seen, truth);
CREATE TRIGGER many AFTER INSERT ON steps BEGIN
  UPDATE t SET x = x + 1, j = NULL WHERE new.id % 3 = 0;
  UPDATE t SET x = x + 2 WHERE new.id % 3 = 1 AND id % 40 = 1;
  UPDATE steps SET seen = (SELECT sum(s) FROM v) || ' ' || (SELECT total(s) FROM even) || ' ' || (SELECT count(*) FROM parsed),
    truth = (SELECT sum(x) FROM t) || ' ' || (SELECT total(x) FROM t WHERE x % 2 = 0 AND g <> 'g3') || ' ' ||
      (SELECT count(DISTINCT g) FROM t WHERE j IS NOT NULL) WHERE id = new.id; END;
WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 20)
INSERT INTO steps(id) SELECT i FROM i;
SELECT count(*) AS steps, sum(seen IS NOT truth) AS wrong FROM steps;

-- A row that fails the read fails the statement, and all is as it was.
UPDATE t SET j = '{"a":1}' WHERE id < 9;
UPDATE t SET j = iif(id = 5, '{', j), seen = (SELECT s FROM parsed WHERE parsed.g = t.g), truth = 1;
SELECT * FROM wrong;
SELECT * FROM parsed ORDER BY g;
SELECT count(*) AS differences FROM (SELECT * FROM v EXCEPT SELECT * FROM v_query);
INSERT INTO v(lockstep) VALUES('integrity-check');
INSERT INTO even(lockstep) VALUES('integrity-check');
INSERT INTO parsed(lockstep) VALUES('integrity-check');
INSERT INTO highest(lockstep) VALUES('integrity-check');
