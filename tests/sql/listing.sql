-- lockstep_views says what there is and how much is pending.
CREATE TABLE t(g TEXT, x INTEGER);
CREATE VIRTUAL TABLE v USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE w USING lockstep(maintain=commit, SELECT g FROM t);
SELECT name FROM pragma_table_xinfo('lockstep_views') WHERE hidden = 0;
SELECT * FROM lockstep_views ORDER BY 1;
DROP TABLE w;
INSERT INTO t VALUES ('a', 1), ('b', 2);
SELECT * FROM lockstep_views ORDER BY 1;
INSERT INTO v(lockstep) VALUES ('store');
SELECT * FROM lockstep_views ORDER BY 1;
DROP TABLE v;
SELECT count(*) FROM lockstep_views;
