-- The values of a compound are those that its cores give: an integer in a column that its first core has
-- as REAL stays one, whether it was stored, or the query is run in the middle of a statement, or it is
-- compared with the query.
CREATE TABLE t(id INTEGER PRIMARY KEY, r REAL, n INT);
INSERT INTO t VALUES (1, 10, 2), (2, 2.5, 9223372036854775807);
SELECT 'money' AS kind, r FROM t UNION ALL SELECT 'pieces', n FROM t ORDER BY 1, 2;
CREATE VIRTUAL TABLE v USING lockstep(SELECT 'money' AS kind, r FROM t UNION ALL SELECT 'pieces', n FROM t);
SELECT * FROM v ORDER BY 1, 2;
INSERT INTO v(lockstep) VALUES('integrity-check');
INSERT INTO t VALUES (3, 1, 4) ON CONFLICT DO UPDATE SET n = 4 RETURNING (SELECT group_concat(quote(r), ' ') FROM v WHERE kind = 'pieces'), (SELECT group_concat(quote(r), ' ') FROM (SELECT r FROM v ORDER BY r DESC));
SELECT kind, typeof(r), count(*) FROM v GROUP BY 1, 2;
INSERT INTO v(lockstep) VALUES('integrity-check');
