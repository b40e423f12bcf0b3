-- plain
-- Joins in parentheses, and subqueries in FROM that are joins or compounds: each change looks at the
-- rows that it meets.
CREATE TABLE issues(id INTEGER PRIMARY KEY, title TEXT, who INT);
CREATE TABLE tagged(issue INT, label INT, PRIMARY KEY(issue, label)) WITHOUT ROWID;
CREATE TABLE labels(label INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
CREATE TABLE people(who INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE notes(id INTEGER PRIMARY KEY, who INT, text TEXT);
INSERT INTO issues VALUES (1, 'crash', 1), (2, 'slow', 2), (3, 'typo', NULL);
INSERT INTO labels VALUES (1, 'bug'), (2, 'Docs');
INSERT INTO tagged VALUES (1, 1), (3, 1), (3, 2), (2, 9);
INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
INSERT INTO notes VALUES (1, 1, 'one'), (2, 3, 'two');
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
SELECT name FROM pragma_table_info('stars');
.print -- at first
SELECT * FROM labelled ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM without ORDER BY 1; SELECT * FROM stars ORDER BY 1, 5; SELECT * FROM named ORDER BY 1, 2, 3; SELECT * FROM alone ORDER BY 1, 2; SELECT * FROM filled ORDER BY 1, 2, 3; SELECT * FROM first ORDER BY 1, 2; SELECT * FROM feed ORDER BY 1, 2, 3; SELECT * FROM busy ORDER BY 1; SELECT * FROM within ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM correlated ORDER BY 1;
.print -- partners come
INSERT INTO labels VALUES (9, 'DOCS'); INSERT INTO tagged VALUES (2, 1), (7, 2); INSERT INTO notes VALUES (3, 2, 'x'), (4, NULL, 'y'); INSERT INTO people VALUES (9, 'Di');
SELECT * FROM labelled ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM without ORDER BY 1; SELECT * FROM stars ORDER BY 1, 5; SELECT * FROM named ORDER BY 1, 2, 3; SELECT * FROM alone ORDER BY 1, 2; SELECT * FROM filled ORDER BY 1, 2, 3; SELECT * FROM first ORDER BY 1, 2; SELECT * FROM feed ORDER BY 1, 2, 3; SELECT * FROM busy ORDER BY 1; SELECT * FROM within ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM correlated ORDER BY 1;
.print -- partners go
DELETE FROM labels WHERE label = 1; UPDATE tagged SET issue = 3 WHERE issue = 2 AND label = 9; UPDATE issues SET who = 3 WHERE id = 3; DELETE FROM notes WHERE who = 1;
SELECT * FROM labelled ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM without ORDER BY 1; SELECT * FROM stars ORDER BY 1, 5; SELECT * FROM named ORDER BY 1, 2, 3; SELECT * FROM alone ORDER BY 1, 2; SELECT * FROM filled ORDER BY 1, 2, 3; SELECT * FROM first ORDER BY 1, 2; SELECT * FROM feed ORDER BY 1, 2, 3; SELECT * FROM busy ORDER BY 1; SELECT * FROM within ORDER BY 1, 2 COLLATE BINARY; SELECT * FROM correlated ORDER BY 1;
