-- Removes Lockstep from a database, without the extension: its views and all that they store, logs,
-- triggers, and the indexes that it made on your tables. Tables, views and indexes of yours stay as they
-- are; a view of yours that reads a maintained one has nothing to read any more. While nobody else
-- uses the file:
--
--   sqlite3 -cmd '.dbconfig defensive off' my.db < remove.sql
--
-- No DROP can do it: SQLite drops no virtual table whose module it does not have, and no table whose
-- pages are damaged. So the entries of the schema go, and VACUUM leaves behind what nothing names.
PRAGMA writable_schema = ON;
BEGIN IMMEDIATE;
WITH lockstep_views(name) AS MATERIALIZED (
  SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0
  AND replace(replace(replace(replace(sql, char(10), ' '), char(13), ' '), char(9), ' '), '"', ' ')
    LIKE 'CREATE VIRTUAL TABLE%USING%lockstep%(%'
  AND (name || '_state' COLLATE NOCASE IN (SELECT name FROM sqlite_schema)
    OR name || '_query' COLLATE NOCASE IN (SELECT name FROM sqlite_schema))
), lockstep_names(name) AS MATERIALIZED (
  SELECT name FROM lockstep_views
  UNION ALL SELECT name || suffix FROM lockstep_views
    JOIN (SELECT '_query' AS suffix UNION ALL SELECT '_data' UNION ALL SELECT '_trace'
      UNION ALL SELECT '_state')
  UNION ALL SELECT name FROM sqlite_schema WHERE type = 'table'
    AND (name IN ('lockstep_position', 'lockstep_index')
      OR name GLOB 'lockstep_log_[0-9]*' OR name GLOB 'lockstep_damaged_[0-9]*')
)
DELETE FROM sqlite_schema WHERE tbl_name COLLATE NOCASE IN (SELECT name FROM lockstep_names)
  OR type = 'trigger' AND name GLOB 'lockstep_log_[0-9]*' AND sql GLOB '*INSERT INTO lockstep_[ls][oi][gn]*'
  OR type = 'index' AND sql GLOB 'CREATE INDEX lockstep_index_[0-9]* ON "*';
COMMIT;
PRAGMA writable_schema = RESET;
VACUUM;
