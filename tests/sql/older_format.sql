-- A view that an older version has stored, without checksums, is made anew by the first read that may write, and
-- read by its query before; it can be renamed and dropped as it is.
CREATE TABLE t(g TEXT COLLATE NOCASE, x DECIMAL(10,2));
INSERT INTO t VALUES ('a', 1), ('b', 2), ('A', 3);
CREATE VIRTUAL TABLE v USING lockstep(index=(s), SELECT g, sum(x) AS s FROM t GROUP BY g);
CREATE VIRTUAL TABLE w USING lockstep(maintain=commit, SELECT DISTINCT x FROM t);
CREATE VIRTUAL TABLE z USING lockstep(SELECT x FROM t ORDER BY x LIMIT 1);
.print made older
UPDATE v_state SET format = 4; UPDATE w_state SET format = 4; UPDATE z_state SET format = 4;
ALTER TABLE v_state DROP COLUMN level; ALTER TABLE v_state DROP COLUMN n_rows; ALTER TABLE v_state DROP COLUMN n_cells; ALTER TABLE v_state DROP COLUMN checksum;
ALTER TABLE w_state DROP COLUMN level; ALTER TABLE w_state DROP COLUMN n_rows; ALTER TABLE w_state DROP COLUMN n_cells; ALTER TABLE w_state DROP COLUMN checksum;
ALTER TABLE z_state DROP COLUMN level; ALTER TABLE z_state DROP COLUMN n_rows; ALTER TABLE z_state DROP COLUMN n_cells; ALTER TABLE z_state DROP COLUMN checksum;
ALTER TABLE v_data DROP COLUMN lockstep_checksum; ALTER TABLE w_data DROP COLUMN lockstep_checksum; ALTER TABLE z_data DROP COLUMN lockstep_checksum;
UPDATE v_trace SET v = substr(v, 1, length(v) - 4); UPDATE w_trace SET v = substr(v, 1, length(v) - 4);
ALTER TABLE lockstep_position DROP COLUMN checksum;
.open main.db
.load ./lockstep
INSERT INTO t VALUES ('c', 4);
SELECT name, maintain, rows, pending, dirty FROM lockstep_views;
.print read in a transaction, which does not become one that writes
BEGIN;
SELECT * FROM v WHERE s >= 2 ORDER BY g;
SELECT * FROM w WHERE x = '3';
COMMIT;
SELECT name, dirty FROM lockstep_views;
.print renamed, dropped, made anew
ALTER TABLE v RENAME TO u;
DROP TABLE z;
SELECT * FROM u ORDER BY g;
SELECT * FROM w WHERE x = '3';
SELECT name, maintain, rows, dirty FROM lockstep_views;
INSERT INTO t VALUES ('b', 8);
SELECT * FROM u WHERE s = 10;
INSERT INTO u(lockstep) VALUES ('integrity-check');
INSERT INTO w(lockstep) VALUES ('integrity-check');
.print and a newer one
UPDATE u_state SET format = 99;
SELECT * FROM u ORDER BY g;
SELECT format < 99 FROM u_state;
DROP TABLE u; DROP TABLE w;
SELECT name FROM sqlite_schema ORDER BY 1;
