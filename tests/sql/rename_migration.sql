-- The customary migration: new table, copy, drop, rename. As with any VIEW, the RENAME is refused while
-- a view names the missing table; with legacy_alter_table it passes, and the view is right after it.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER);
INSERT INTO t(g, x) VALUES ('a', 1), ('b', 2);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
SELECT * FROM v ORDER BY g;
CREATE TABLE t_new(id INTEGER PRIMARY KEY, g TEXT, x INTEGER, more TEXT);
INSERT INTO t_new(id, g, x) SELECT id, g, x FROM t;
INSERT INTO t_new(g, x) VALUES ('c', 3);
DROP TABLE t;
ALTER TABLE t_new RENAME TO t;
PRAGMA legacy_alter_table = ON;
ALTER TABLE t_new RENAME TO t;
SELECT * FROM v ORDER BY g;
INSERT INTO t(g, x) VALUES ('c', 4);
DELETE FROM t WHERE g = 'a';
SELECT * FROM v ORDER BY g;
INSERT INTO v(lockstep) VALUES ('integrity-check');
