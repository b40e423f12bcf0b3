-- `*` in EXISTS reads no column: none is logged for it, and each may be dropped.
CREATE TABLE t(id INTEGER PRIMARY KEY, a, b);
CREATE TABLE q(id INTEGER PRIMARY KEY, k, e, f);
CREATE VIRTUAL TABLE v USING lockstep(SELECT id FROM t WHERE EXISTS (SELECT * FROM q WHERE q.k = t.a) AND NOT EXISTS (SELECT q.*, 1 FROM q WHERE q.k = t.b));
SELECT group_concat(name) FROM pragma_table_info('lockstep_log_2');
INSERT INTO t VALUES (1, 2, 3), (2, 1, 2), (3, 2, 2); INSERT INTO q VALUES (1, 2, 3, 4);
SELECT * FROM v;
ALTER TABLE q DROP COLUMN e; ALTER TABLE q ADD COLUMN g;
INSERT INTO q VALUES (2, 3, 4, 5);
SELECT * FROM v;
CREATE VIRTUAL TABLE w USING lockstep(SELECT id FROM t WHERE EXISTS (SELECT *, count(*) FROM q WHERE q.k = t.a) AND EXISTS (SELECT DISTINCT * FROM q WHERE q.k = t.a LIMIT 1 OFFSET 1));
SELECT * FROM w;
INSERT INTO q VALUES (3, 2, 4, 5); 
SELECT * FROM w ORDER BY id;
