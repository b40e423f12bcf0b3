-- PRAGMA case_sensitive_like is a connection's own: a view with LIKE, the function or the operator, is as its
-- query is there, on this connection and on the next, within a transaction too.
CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT);
INSERT INTO t VALUES (1, 'Abc'), (2, 'abd'), (3, 'xyz');
CREATE VIRTUAL TABLE v USING lockstep(SELECT id, s FROM t WHERE s LIKE 'ab%');
CREATE VIRTUAL TABLE f USING lockstep(SELECT count(*) AS n FROM t WHERE like('AB%', s));
CREATE VIRTUAL TABLE o USING lockstep(SELECT count(*) AS n FROM t);
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
PRAGMA case_sensitive_like = ON;
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
INSERT INTO t VALUES (4, 'ABe');
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
BEGIN;
DELETE FROM t WHERE id = 1;
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
PRAGMA case_sensitive_like = OFF;
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
ROLLBACK;
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
INSERT INTO v(lockstep) VALUES ('integrity-check');
PRAGMA case_sensitive_like = ON;
INSERT INTO v(lockstep) VALUES ('integrity-check');
INSERT INTO v(lockstep) VALUES ('store');
.open main.db
.load ./lockstep
SELECT * FROM v ORDER BY id; SELECT * FROM f; SELECT * FROM o;
