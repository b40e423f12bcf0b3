-- Types and defaults are what somebody wrote: they are data, and stay what they are.
CREATE TABLE bystander(x);
CREATE TABLE t(
  a "INT); DROP TABLE bystander; --", b [my, type], c "x COLLATE nobody", d "a""b", e DECIMAL(10, 2),
  f 'PRIMARY KEY', g DOUBLE PRECISION, h VARCHAR(7)
);
CREATE TABLE u(
  id INTEGER PRIMARY KEY, k TEXT NOT NULL DEFAULT new UNIQUE ON CONFLICT REPLACE, l NOT NULL DEFAULT "a b",
  m NOT NULL DEFAULT [c'd], n NOT NULL DEFAULT true, o NOT NULL DEFAULT -3, x, UNIQUE(l, m, n, o) ON CONFLICT REPLACE
);
CREATE VIRTUAL TABLE all_t USING lockstep(SELECT a, b, c, d, e, f, g, h FROM t);
CREATE VIRTUAL TABLE groups USING lockstep(SELECT c, b, count(*) AS n, max(a) AS a FROM t GROUP BY c, b);
CREATE VIRTUAL TABLE pairs USING lockstep(SELECT x.a, y.c FROM t AS x LEFT JOIN t AS y ON y.d = x.d AND y.f = x.f);
CREATE VIRTUAL TABLE all_u USING lockstep(SELECT id, k, l, m, n, o, x FROM u);
INSERT INTO t VALUES (1, '2', 3, '4', 5, '6', 7, 8), ('9', 2, '3', 4, '5', 6, 7, 8);
SELECT * FROM all_t; SELECT * FROM groups; SELECT * FROM pairs ORDER BY a, c;
SELECT name, type FROM pragma_table_info('all_t');
SELECT count(*) FROM bystander;
.print missing tables are made again
DROP TABLE all_t_data; DROP TABLE groups_state;
INSERT INTO t(a, c) VALUES (10, '3');
SELECT a, c FROM all_t; SELECT * FROM groups;
INSERT INTO all_t(lockstep) VALUES ('integrity-check'); INSERT INTO groups(lockstep) VALUES ('integrity-check');
.print a default displaces
INSERT OR REPLACE INTO u(x) VALUES (1); SELECT * FROM all_u;
INSERT OR REPLACE INTO u(k, l, m, n, o, x) VALUES (NULL, NULL, NULL, NULL, NULL, 2); SELECT * FROM all_u;
INSERT OR REPLACE INTO u(k, x) VALUES ('other', 3); SELECT * FROM all_u;
INSERT INTO all_u(lockstep) VALUES ('integrity-check');
