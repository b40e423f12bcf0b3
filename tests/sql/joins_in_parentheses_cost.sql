-- No change of a table scans another because SQLite would make all rows of a subquery in FROM.
CREATE TABLE issues(id INTEGER PRIMARY KEY, title TEXT, who INT);
CREATE TABLE tagged(issue INT, label INT, PRIMARY KEY(issue, label)) WITHOUT ROWID;
CREATE TABLE labels(label INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
CREATE TABLE people(who INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE notes(id INTEGER PRIMARY KEY, who INT, text TEXT);
CREATE VIRTUAL TABLE labelled USING lockstep(SELECT i.id, l.name FROM issues i LEFT JOIN (tagged t JOIN labels l ON l.label = t.label) ON t.issue = i.id);
CREATE VIRTUAL TABLE without USING lockstep(SELECT id FROM issues LEFT JOIN (tagged t JOIN labels l USING (label)) ON t.issue = id AND name = 'DOCS' WHERE t.issue IS NULL);
CREATE VIRTUAL TABLE stars USING lockstep(SELECT *, l.* FROM people JOIN (issues i LEFT JOIN (tagged t NATURAL JOIN labels l) ON t.issue = i.id) USING (who));
CREATE VIRTUAL TABLE named USING lockstep(SELECT p.name, x.title, x.label, t.label AS same FROM people p LEFT JOIN (issues i JOIN tagged t ON t.issue = i.id) AS x ON x.who = p.who);
CREATE VIRTUAL TABLE alone USING lockstep(SELECT q.name, (r.id) FROM (people) AS q JOIN (notes AS n) AS r ON (r.who) = q.who);
CREATE VIRTUAL TABLE filled USING lockstep(SELECT p.name, label, t.issue, l.name AS l FROM people p JOIN (tagged t FULL JOIN labels l USING (label)) ON p.who = label);
CREATE VIRTUAL TABLE first USING lockstep(SELECT label, t.issue, l.name, p.name AS who FROM (tagged t FULL JOIN labels l USING (label)) LEFT JOIN people p ON p.who = label);
CREATE VIRTUAL TABLE feed USING lockstep(SELECT p.name, kind, id FROM (SELECT 'issue' AS kind, id, who FROM issues UNION ALL SELECT 'note', id, who FROM notes WHERE text <> 'two') JOIN people p USING (who));
CREATE VIRTUAL TABLE busy USING lockstep(SELECT p.name, count(f.id) AS n, max(f.id) AS latest FROM people p LEFT JOIN (SELECT id, who FROM issues UNION ALL SELECT n.* FROM (SELECT id, who FROM notes) n) f ON f.who = p.who GROUP BY p.who);
CREATE VIRTUAL TABLE within USING lockstep(SELECT p.name, q.n FROM people p LEFT JOIN (SELECT i.who, l.name AS n FROM issues i LEFT JOIN (tagged t JOIN labels l ON l.label = t.label) ON t.issue = i.id) q ON q.who = p.who);
CREATE VIRTUAL TABLE correlated USING lockstep(SELECT p.name FROM people p WHERE NOT EXISTS (SELECT * FROM issues i JOIN (tagged t JOIN labels l ON l.label = t.label) ON t.issue = i.id WHERE i.who = p.who));

SELECT name, operator, detail FROM lockstep_views v, lockstep_plan(v.name) WHERE cost = 'per view' OR detail LIKE '%scans%';
.print each change costs
SELECT cost, count(*) FROM lockstep_views v, lockstep_plan(v.name) GROUP BY cost;
