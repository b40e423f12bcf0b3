CREATE TABLE u(id INTEGER PRIMARY KEY);
INSERT INTO u VALUES (1), (2), (3);
CREATE TABLE j(k INT, doc TEXT, n INT);
INSERT INTO j VALUES (1, '{"n": 3}', 1), (2, '{"n": 4}', 2);
.print a row that can't be computed before the groups
CREATE VIRTUAL TABLE docs USING lockstep(SELECT u.id, q.n FROM u JOIN (SELECT k, sum(json_extract(doc, '$.n')) AS n FROM j GROUP BY k) AS q ON q.k = u.id);
SELECT * FROM docs ORDER BY id;
INSERT INTO j VALUES (3, 'no JSON', 3);
SELECT * FROM docs ORDER BY id;
UPDATE j SET doc = '{"n": 5}' WHERE k = 3;
SELECT * FROM docs ORDER BY id;
.print behind them
CREATE VIRTUAL TABLE paths USING lockstep(SELECT u.id, q.n FROM u JOIN (SELECT k, abs(sum(n)) AS n FROM j GROUP BY k) AS q ON q.k = u.id);
SELECT * FROM paths ORDER BY id;
INSERT INTO j VALUES (2, '{}', -9223372036854775808), (2, '{}', -2);
SELECT * FROM paths ORDER BY id;
SELECT * FROM docs ORDER BY id;
UPDATE j SET n = 20 WHERE n = -2;
SELECT * FROM paths ORDER BY id;
DELETE FROM j WHERE n < 0;
SELECT * FROM paths ORDER BY id;
.print in the join that reads them
CREATE VIRTUAL TABLE joined USING lockstep(SELECT u.id, json_extract(q.doc, '$.n') AS n FROM u JOIN (SELECT k, max(doc) AS doc FROM j GROUP BY k) AS q ON q.k = u.id);
SELECT * FROM joined ORDER BY id;
INSERT INTO j VALUES (1, '{"n', 0), (1, '~', 0);
SELECT * FROM joined ORDER BY id;
DELETE FROM j WHERE doc = '~';
SELECT * FROM joined ORDER BY id;
DELETE FROM j WHERE doc = '{"n';
SELECT * FROM joined ORDER BY id;
.print made anew while it fails
INSERT INTO j VALUES (1, '~', 0);
INSERT INTO joined(lockstep) VALUES ('rebuild');
SELECT * FROM joined ORDER BY id;
DELETE FROM j WHERE doc = '~';
SELECT * FROM joined ORDER BY id;
INSERT INTO joined(lockstep) VALUES ('integrity-check');
INSERT INTO paths(lockstep) VALUES ('integrity-check');
.print where the query does without what fails
DELETE FROM j; DELETE FROM u;
CREATE VIRTUAL TABLE needless USING lockstep(SELECT u.id, q.n FROM u JOIN (SELECT k, sum(n) AS n FROM j GROUP BY k) AS q ON q.k > 1);
INSERT INTO j VALUES (1, '{}', 9223372036854775807), (1, '{}', 1), (2, '{}', 3);
SELECT * FROM needless_query;
SELECT * FROM needless;
INSERT INTO u VALUES (2);
SELECT * FROM needless_query;
SELECT * FROM needless;
DELETE FROM j WHERE k = 1;
SELECT * FROM needless;
