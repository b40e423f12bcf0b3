-- A view has the column names, types, affinity and collation that the plain view of the same query
-- has; each pair of lines is the view and v_query.
CREATE TABLE t(a INTEGER, b TEXT COLLATE NOCASE, c VARCHAR(10), d, e REAL, "f g" NUMERIC);
CREATE VIRTUAL TABLE v USING lockstep(SELECT a, b, c, d, e, "f g", a + 1, count(*) AS n, max(b) AS top, b || '' AS joined FROM t GROUP BY a, b, c, d, e, "f g");
SELECT group_concat(name, ' ') FROM pragma_table_xinfo('v') WHERE hidden = 0;
SELECT group_concat(name, ' ') FROM pragma_table_xinfo('v_query') WHERE hidden = 0;
SELECT name, type FROM pragma_table_xinfo('v') WHERE hidden = 0 EXCEPT SELECT name, type FROM pragma_table_xinfo('v_query');
INSERT INTO t VALUES (1, 'Abc', '12', 3, 4, '5'), (2, 'xyz', 7, '8', '9', 'ten');
SELECT 'view ', count(*) FROM v WHERE b = 'ABC';
SELECT 'query', count(*) FROM v_query WHERE b = 'ABC';
SELECT 'view ', count(*) FROM v WHERE a = '1' OR c = 7;
SELECT 'query', count(*) FROM v_query WHERE a = '1' OR c = 7;
SELECT 'view ', count(*) FROM v WHERE d = '3' OR d = 8;
SELECT 'query', count(*) FROM v_query WHERE d = '3' OR d = 8;
SELECT 'view ', count(*) FROM v WHERE e = '4' OR "f g" = '5';
SELECT 'query', count(*) FROM v_query WHERE e = '4' OR "f g" = '5';
SELECT 'view ', count(*) FROM v WHERE n = '1' OR top = 'ABC';
SELECT 'query', count(*) FROM v_query WHERE n = '1' OR top = 'ABC';
SELECT 'view ', count(*) FROM v WHERE joined = 'ABC';
SELECT 'query', count(*) FROM v_query WHERE joined = 'ABC';
SELECT 'view ', group_concat(b) FROM (SELECT b FROM v ORDER BY b DESC);
SELECT 'query', group_concat(b) FROM (SELECT b FROM v_query ORDER BY b DESC);
SELECT v.b FROM v JOIN v_query AS q ON v.a = q.a AND v.b = q.b AND v.c = q.c AND v.d = q.d AND v.e = q.e AND v."f g" = q."f g" ORDER BY 1;
