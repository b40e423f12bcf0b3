-- plain
-- A column that is neither grouped nor inside an aggregate comes from one row of its group: the one
-- that has the minimum or maximum where the SELECT has one, also after that row is gone.
CREATE TABLE reading(id INTEGER PRIMARY KEY, sensor TEXT, ts INTEGER, value REAL, unit TEXT);
INSERT INTO reading(sensor, ts, value, unit) VALUES
  ('attic', 1, 20.5, 'C'), ('attic', 3, 22.5, 'C'), ('attic', 2, 70.0, 'F'), ('cellar', 5, 9.0, 'C');
CREATE VIRTUAL TABLE latest USING lockstep(SELECT sensor, max(ts) AS ts, value, unit FROM reading GROUP BY sensor);
CREATE VIRTUAL TABLE coldest USING lockstep(SELECT min(value) FILTER (WHERE unit = 'C') AS low, sensor, ts, value || unit AS shown FROM reading);
CREATE VIRTUAL TABLE warm USING lockstep(SELECT sensor, max(value), ts FROM reading GROUP BY sensor HAVING ts > 2 AND unit = 'C');
CREATE VIRTUAL TABLE named USING lockstep(SELECT upper(sensor) AS name, sensor, count(*) AS n FROM reading GROUP BY name);
CREATE VIRTUAL TABLE first_by_order USING lockstep(SELECT sensor, id, ts FROM reading GROUP BY sensor ORDER BY min(ts));
SELECT * FROM latest ORDER BY sensor;
SELECT * FROM coldest;
SELECT * FROM warm ORDER BY sensor;
SELECT * FROM named ORDER BY name;
SELECT sensor, ts FROM first_by_order ORDER BY sensor;
.print the latest goes, another comes
DELETE FROM reading WHERE ts = 3;
SELECT * FROM latest ORDER BY sensor;
INSERT INTO reading(sensor, ts, value, unit) VALUES ('cellar', 6, 8.0, 'C'), ('roof', NULL, -4.5, 'C');
SELECT * FROM latest ORDER BY sensor;
SELECT * FROM coldest;
SELECT * FROM warm ORDER BY sensor;
.print a value that is shown changes, and the time that chose it
UPDATE reading SET value = 8.25 WHERE ts = 6;
SELECT * FROM latest WHERE sensor = 'cellar';
UPDATE reading SET ts = 4 WHERE ts = 6;
SELECT * FROM latest WHERE sensor = 'cellar';
.print inside a transaction that is rolled back
BEGIN;
UPDATE reading SET ts = ts + 100 WHERE value = 70.0;
DELETE FROM reading WHERE unit = 'C' AND sensor <> 'roof';
SELECT * FROM latest ORDER BY sensor;
SELECT * FROM coldest;
ROLLBACK;
SELECT * FROM latest ORDER BY sensor;
SELECT * FROM coldest;
.print a NULL is no minimum while there is something else
INSERT INTO reading(sensor, ts, value, unit) VALUES ('roof', 7, NULL, 'C');
SELECT * FROM latest WHERE sensor = 'roof';
SELECT * FROM coldest;
.print nothing
DELETE FROM reading;
SELECT * FROM latest;
SELECT * FROM coldest;
SELECT * FROM named;
