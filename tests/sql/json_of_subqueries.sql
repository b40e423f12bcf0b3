-- plain
-- JSON that a subquery makes stays JSON where it is taken as such.
CREATE TABLE o(id INTEGER PRIMARY KEY, k INT, tags TEXT);
CREATE TABLE t(id INTEGER PRIMARY KEY, k INT, x);
INSERT INTO o VALUES (1, 1, '["a", "b"]'), (2, 2, '[]'), (3, NULL, NULL);
INSERT INTO t VALUES (1, 1, 10), (2, 2, 'two');
CREATE VIRTUAL TABLE lists USING lockstep(SELECT id, (SELECT json_group_array(x) FROM t WHERE t.k = o.k) AS list FROM o);
CREATE VIRTUAL TABLE objects USING lockstep(SELECT json_object('id', id, 'list', (SELECT json_group_array(json_object('x', x)) FROM t WHERE t.k = o.k), 'n', (SELECT count(*) FROM t WHERE t.k = o.k)) AS object FROM o);
CREATE VIRTUAL TABLE named USING lockstep(SELECT id, json_array((SELECT json_group_object(id, x) FROM t WHERE t.k = o.k)) AS named FROM o);
CREATE VIRTUAL TABLE least USING lockstep(SELECT id, coalesce((SELECT json_group_array(x) FROM t WHERE t.k = o.k AND t.id > 1), 'none') AS list FROM o);
CREATE VIRTUAL TABLE whole USING lockstep(SELECT id, json_object('all', (SELECT json_group_array(k) FROM t WHERE k = 1)) AS whole FROM o);
CREATE VIRTUAL TABLE of_tags USING lockstep(SELECT id, (SELECT group_concat(upper(value), '+') FROM json_each(o.tags)) AS tags, json_object('tags', (SELECT json_group_array(value || '!') FROM json_each(o.tags))) AS object FROM o);
.nullvalue -
SELECT * FROM lists ORDER BY 1; SELECT * FROM objects ORDER BY 1; SELECT * FROM named ORDER BY 1; SELECT * FROM least ORDER BY 1;
SELECT * FROM whole ORDER BY 1; SELECT * FROM of_tags ORDER BY 1;
UPDATE t SET x = NULL WHERE id = 1; DELETE FROM t WHERE id = 2; UPDATE o SET tags = '["c"]' WHERE id = 2; UPDATE o SET k = 1 WHERE id = 3;
SELECT * FROM lists ORDER BY 1; SELECT * FROM objects ORDER BY 1; SELECT * FROM named ORDER BY 1; SELECT * FROM least ORDER BY 1;
SELECT * FROM whole ORDER BY 1; SELECT * FROM of_tags ORDER BY 1;
DELETE FROM t; INSERT INTO t VALUES (7, 1, 'a "quoted" one'), (8, 2, 2.5);
SELECT * FROM lists ORDER BY 1; SELECT * FROM objects ORDER BY 1; SELECT * FROM named ORDER BY 1; SELECT * FROM least ORDER BY 1;
SELECT * FROM whole ORDER BY 1; SELECT * FROM of_tags ORDER BY 1;
