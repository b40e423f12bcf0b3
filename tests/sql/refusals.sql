-- What cannot be maintained is refused in one sentence that names the view and the reason; the last
-- line says that nothing was left behind.
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INTEGER);
CREATE TABLE u(g TEXT, y INTEGER);
CREATE TEMP TABLE fleeting(a);
CREATE TABLE taken_data(a);
SELECT count(*) FROM sqlite_schema;
.print not a SELECT
CREATE VIRTUAL TABLE v USING lockstep();
CREATE VIRTUAL TABLE v USING lockstep(DELETE FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t; SELECT x FROM t);
CREATE VIRTUAL TABLE v USING lockstep(VALUES (1));
.print names that are not there
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM nowhere);
CREATE VIRTUAL TABLE v USING lockstep(SELECT no_column FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT no_function(g) FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g COLLATE no_collation FROM t);
.print options
CREATE VIRTUAL TABLE v USING lockstep(colour=blue, SELECT g FROM t);
CREATE VIRTUAL TABLE v USING lockstep(maintain=never, SELECT g FROM t);
CREATE VIRTUAL TABLE v USING lockstep(index=(nothing), SELECT g FROM t);
.print names that are taken
CREATE VIRTUAL TABLE t USING lockstep(SELECT g FROM t);
CREATE VIRTUAL TABLE taken USING lockstep(SELECT g FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g AS lockstep FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g AS lockstep_weight FROM t);
.print what changes by itself
CREATE VIRTUAL TABLE v USING lockstep(SELECT random() AS r FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t WHERE x > CURRENT_TIMESTAMP);
CREATE VIRTUAL TABLE v USING lockstep(SELECT date('now') AS d FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT datetime() AS d FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t WHERE x = ?);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t WHERE x = :name);
.print TEMP
CREATE VIRTUAL TABLE v USING lockstep(SELECT a FROM fleeting);
CREATE VIRTUAL TABLE temp.v USING lockstep(SELECT g FROM t);
.print not maintained yet
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t LIMIT (SELECT 2));
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, rank() OVER (ORDER BY x) AS r FROM t);
CREATE VIRTUAL TABLE v USING lockstep(SELECT json_array(json_extract(g, '$')) AS j FROM t GROUP BY json_extract(g, '$'));
CREATE VIRTUAL TABLE v USING lockstep(SELECT name FROM sqlite_schema);
CREATE VIRTUAL TABLE v USING lockstep(SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t), (SELECT count(*) FROM t));
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM t NATURAL LEFT JOIN t);
.print what is Lockstep's own
CREATE TABLE odd(g, lockstep_g);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM odd);
CREATE VIRTUAL TABLE lockstep_v USING lockstep(SELECT g FROM t);
CREATE VIRTUAL TABLE w USING lockstep(SELECT g, count(*) AS n FROM t GROUP BY g);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM w_data);
CREATE VIRTUAL TABLE v USING lockstep(SELECT k FROM w_trace);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g FROM w JOIN W_STATE);
CREATE VIRTUAL TABLE v USING lockstep(SELECT seq FROM lockstep_position);
CREATE VIRTUAL TABLE v USING lockstep(SELECT x FROM lockstep_log_1);
CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t RIGHT JOIN (u JOIN (u AS a NATURAL LEFT JOIN u AS b) ON a.g = u.g) ON t.g = u.g);
ALTER TABLE w RENAME TO lockstep_w;
DROP TABLE w;
DROP TABLE odd;
SELECT count(*) FROM sqlite_schema;
