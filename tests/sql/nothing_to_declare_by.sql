-- A view of which neither its query nor its rows nor its state tell the columns any more is told by what
-- CREATE was given: it can be asked, says what is missing, and is made anew.
CREATE TABLE t(g, x);
INSERT INTO t VALUES ('a', 1), ('b', 2);
CREATE VIRTUAL TABLE v USING lockstep(index=(n), SELECT g, count(*) AS n FROM t GROUP BY g);
DROP VIEW v_query;
DELETE FROM v_state;
DROP TABLE v_data;
INSERT INTO t VALUES ('a', 3);
SELECT * FROM v;
SELECT n FROM v WHERE g = 'a';
INSERT INTO v(lockstep) VALUES ('rebuild');
SELECT * FROM v ORDER BY g;
SELECT n FROM v WHERE g = 'a';
INSERT INTO v(lockstep) VALUES ('integrity-check');
.print and where SQLite does not read that any more
DROP VIEW v_query;
DELETE FROM v_state;
DROP TABLE v_data;
ALTER TABLE t RENAME COLUMN g TO h;
SELECT * FROM v;
INSERT INTO v(lockstep) VALUES ('rebuild');
ALTER TABLE t RENAME COLUMN h TO g;
INSERT INTO v(lockstep) VALUES ('rebuild');
SELECT * FROM v ORDER BY g;
DROP TABLE v;
SELECT name FROM sqlite_schema;
