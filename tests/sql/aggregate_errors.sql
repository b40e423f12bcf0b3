-- An aggregate that fails on a group's values makes reads of the view fail with its message, until
-- the values are corrected; writes go on.
CREATE TABLE t(g TEXT, k TEXT, v);
INSERT INTO t VALUES ('a', 'x', 1), ('a', 'y', 2), ('b', 'z', 'text');
CREATE VIRTUAL TABLE doc USING lockstep(SELECT g, json_group_object(k, v) AS o, count(*) AS n FROM t GROUP BY g);
SELECT * FROM doc ORDER BY g;
INSERT INTO t VALUES ('b', 'blob', x'00');
SELECT * FROM doc ORDER BY g;
INSERT INTO t VALUES ('c', 'later', 3);
DELETE FROM t WHERE k = 'blob';
SELECT * FROM doc ORDER BY g;
.print created over such values
INSERT INTO t VALUES ('d', 'blob', x'01');
CREATE VIRTUAL TABLE late USING lockstep(SELECT json_group_array(v) AS j, json_array(json_group_array(v)) AS jj FROM t);
SELECT * FROM late;
UPDATE t SET v = 9 WHERE k = 'blob';
SELECT * FROM late;
SELECT * FROM doc ORDER BY g;
-- not for clients: what is an error here is none in SQLite 3.49
