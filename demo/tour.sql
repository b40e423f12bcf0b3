-- Live views over the packages and their dependencies
CREATE VIRTUAL TABLE by_section USING lockstep(
  SELECT section, count(*) AS packages, sum(installed_size) AS kib, avg(installed_size) AS mean,
         min(installed_size) AS least, max(installed_size) AS most
  FROM package GROUP BY section
);
CREATE VIRTUAL TABLE large_teams USING lockstep(
  SELECT maintainer, count(*) AS packages, count(DISTINCT source) AS sources
  FROM package GROUP BY maintainer HAVING count(*) >= 5
);
CREATE VIRTUAL TABLE needed USING lockstep(
  SELECT target, count(*) AS mentions, count(DISTINCT package) AS packages
  FROM dependency WHERE kind IN ('Depends', 'Pre-Depends')
  GROUP BY target HAVING count(DISTINCT package) >= 20
);
CREATE VIRTUAL TABLE kinds USING lockstep(
  SELECT DISTINCT section, priority FROM package
);
CREATE VIRTUAL TABLE giants USING lockstep(
  SELECT name, version, section, installed_size / 1024 AS mib FROM package WHERE installed_size > 100000
);
CREATE VIRTUAL TABLE everything USING lockstep(
  SELECT count(*) AS packages, total(installed_size) AS kib,
         count(*) FILTER (WHERE architecture = 'all') AS portable
  FROM package
);

-- INSERT: a package comes, with two dependencies
INSERT INTO package(name, version, architecture, section, priority, installed_size, maintainer, source)
  VALUES ('lockstep', '0.1.0', 'amd64', 'database', 'optional', 1600, 'You <you@example.org>', 'lockstep');
INSERT INTO dependency(package, kind, relation, alternative, target)
  SELECT id, 'Depends', 1, 1, 'libc6' FROM package WHERE name = 'lockstep'
  UNION ALL SELECT id, 'Depends', 2, 1, 'libsqlite3-0' FROM package WHERE name = 'lockstep';

-- UPDATE: it grows until it counts among the giants
UPDATE package SET installed_size = 250000 WHERE name = 'lockstep';

-- REPLACE: the old row goes without any DELETE trigger firing, and its dependencies go with it
REPLACE INTO package(name, version, architecture, section, priority, installed_size, maintainer, source)
  VALUES ('lockstep', '0.1.0', 'amd64', 'libs', 'optional', 900, 'You <you@example.org>', 'lockstep');

-- UPDATE of many rows: every package in section libs grows by 1 KiB
UPDATE package SET installed_size = installed_size + 1 WHERE section = 'libs';

-- DELETE: the packages of section perl go, a foreign key takes their dependencies
DELETE FROM package WHERE section = 'perl';

-- An INSERT that fails at its second row leaves nothing behind
INSERT INTO package(name, version, architecture, section, installed_size)
  VALUES ('half', '1', 'all', 'libs', 77), ('half', '1', 'all', 'libs', 88);

-- Inside a transaction: a savepoint, then half of all packages change their section
BEGIN;
INSERT INTO package(name, version, architecture, section, installed_size)
  VALUES ('early', '1', 'all', 'libs', 5);
SAVEPOINT moved;
UPDATE package SET section = 'moved' WHERE id % 2 = 0;

-- ROLLBACK TO: the move is undone, the package from before the savepoint is still there
ROLLBACK TO moved;

-- ROLLBACK: and that one goes too
ROLLBACK;

-- 1,000 packages come in one transaction
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO package(name, version, architecture, section, priority, installed_size, maintainer, source)
  SELECT 'made-' || i, '1.' || i, 'all', 'section-' || (i % 10), 'optional', i, 'Team ' || (i % 7),
         'made-' || (i / 3)
  FROM n;
COMMIT;
