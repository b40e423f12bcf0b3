-- plain
-- DISTINCT, FILTER, expressions over aggregates, HAVING, groups by expression, alias and position.
CREATE TABLE run(tool TEXT, at TEXT, ok INTEGER, ms INTEGER);
INSERT INTO run VALUES ('cc', '2024-01-01T10', 1, 100), ('cc', '2024-01-01T11', 0, 250), ('ld', '2024-01-01T12', 1, 50), ('cc', '2024-01-02T09', 1, 120), ('ld', '2024-01-02T10', 0, 50);
CREATE VIRTUAL TABLE daily USING lockstep(SELECT substr(at, 1, 10) AS day, tool, count(*) AS runs, sum(CASE WHEN ok = 0 THEN 1 ELSE 0 END) AS failed, round(100.0 * sum(ok) / count(*), 2) AS percent, max(ms) - min(ms) AS spread FROM run GROUP BY day, 2);
CREATE VIRTUAL TABLE tools USING lockstep(SELECT tool, count(DISTINCT ms) AS speeds, sum(DISTINCT ms) AS s, count(*) FILTER (WHERE ok) AS good, avg(ms) FILTER (WHERE ms BETWEEN 60 AND 200) AS middle FROM run GROUP BY tool HAVING count(*) > 1 AND max(ms) > 60);
SELECT * FROM daily ORDER BY day, tool;
SELECT * FROM tools ORDER BY tool;
INSERT INTO run VALUES ('ld', '2024-01-02T11', 1, 70), ('as', '2024-01-03T00', 1, 500);
UPDATE run SET ok = 1 WHERE ms = 250;
SELECT * FROM daily ORDER BY day, tool;
SELECT * FROM tools ORDER BY tool;
DELETE FROM run WHERE tool = 'cc' AND at LIKE '2024-01-01%';
SELECT * FROM daily ORDER BY day, tool;
SELECT * FROM tools ORDER BY tool;
