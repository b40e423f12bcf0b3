-- Stored rows and stored state that were damaged by hand: reads say so and name the view, 'rebuild'
-- mends it, DROP TABLE works in any state, and nothing of the base table is lost.
CREATE TABLE u(y INTEGER);
INSERT INTO u VALUES (7);
CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n FROM u);
CREATE VIRTUAL TABLE g USING lockstep(SELECT y, count(*) AS n FROM u GROUP BY y);
INSERT INTO u VALUES (8), (9);
DELETE FROM w_data;
SELECT * FROM w;
INSERT INTO w(lockstep) VALUES ('rebuild');
SELECT * FROM w;
DROP TABLE w_data;
SELECT * FROM w;
INSERT INTO w(lockstep) VALUES ('rebuild');
SELECT * FROM w;
DROP TABLE w;
.print weights that no view has
UPDATE g_data SET lockstep_weight = 9e18 WHERE y = 7;
SELECT count(*) FROM g;
UPDATE u SET y = 7 WHERE y = 8;
SELECT * FROM g;
INSERT INTO g(lockstep) VALUES ('rebuild');
UPDATE g_data SET lockstep_weight = 'many' WHERE y = 7;
SELECT * FROM g WHERE y = 7;
INSERT INTO g(lockstep) VALUES ('rebuild');
SELECT * FROM g;
.print a trace and a state that are gone
DELETE FROM g_state;
SELECT * FROM g;
INSERT INTO g(lockstep) VALUES ('rebuild');
SELECT * FROM g;
DROP TABLE g_trace;
INSERT INTO u VALUES (8);
SELECT * FROM g;
INSERT INTO g(lockstep) VALUES ('rebuild');
SELECT * FROM g;
DROP TABLE g;
SELECT name FROM sqlite_schema ORDER BY 1;
SELECT count(*) FROM u;
