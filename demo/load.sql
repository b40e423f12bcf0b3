-- Fills the demonstration's database from the two files that packages.awk writes; run by
-- quickstart in the sqlite3 shell, in the folder that holds them.
.bail on
CREATE TABLE package(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  architecture TEXT NOT NULL,
  section TEXT,
  priority TEXT,
  essential TEXT,
  multi_arch TEXT,
  installed_size INTEGER, -- KiB
  maintainer TEXT,
  source TEXT,
  homepage TEXT,
  status TEXT,            -- NULL in apt's lists
  summary TEXT,
  UNIQUE(name, version, architecture)
);
CREATE TABLE dependency(
  id INTEGER PRIMARY KEY,
  package INTEGER NOT NULL REFERENCES package(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  relation INTEGER NOT NULL,    -- its place in the field
  alternative INTEGER NOT NULL, -- its place among the alternatives, a | b
  target TEXT NOT NULL,
  op TEXT,
  version TEXT
);

CREATE TEMP TABLE p(id, name, version, architecture, section, priority, essential, multi_arch,
  installed_size, maintainer, source, homepage, status, summary);
CREATE TEMP TABLE d(package, kind, relation, alternative, target, op, version);
.mode ascii
.import packages.txt p
.import dependencies.txt d

BEGIN;
INSERT OR IGNORE INTO package
  SELECT id, name, version, architecture, nullif(section, ''), nullif(priority, ''),
         nullif(essential, ''), nullif(multi_arch, ''), nullif(installed_size, ''),
         nullif(maintainer, ''), nullif(source, ''), nullif(homepage, ''), nullif(status, ''),
         nullif(summary, '')
  FROM p;
INSERT INTO dependency(package, kind, relation, alternative, target, op, version)
  SELECT package, kind, relation, alternative, target, nullif(op, ''), nullif(version, '')
  FROM d WHERE package IN (SELECT id FROM package);
COMMIT;
CREATE INDEX dependency_package ON dependency(package);
CREATE INDEX package_section ON package(section);
.mode list
SELECT 'Loaded ' || (SELECT count(*) FROM package) || ' packages and ' ||
       (SELECT count(*) FROM dependency) || ' dependencies.';
