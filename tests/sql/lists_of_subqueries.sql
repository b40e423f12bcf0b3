-- group_concat() and its like, and bare columns, in subqueries that name what is around them: their
-- rows come in one order, so that what a change takes back is what was there.
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE notes(id INTEGER PRIMARY KEY, who INT, day INT, text TEXT, mark);
CREATE TABLE votes(note INT, by INT);
INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
INSERT INTO notes VALUES (1, 1, 5, 'b', 1), (2, 1, 4, 'a', 1.0), (3, 2, 3, 'c', '1'), (4, 1, 5, 'b', 2), (5, 2, 9, 'd', NULL);
INSERT INTO votes VALUES (1, 2), (1, 3), (2, 3), (3, 1);
CREATE VIRTUAL TABLE since USING lockstep(SELECT name, (SELECT group_concat(n.text || n.rowid) FROM notes n WHERE n.who = p.id AND n.day > p.id + 2) AS list FROM people p);
CREATE VIRTUAL TABLE voters USING lockstep(SELECT n.id, (SELECT group_concat(name, '+') FROM (SELECT DISTINCT q.name FROM votes v JOIN people q ON q.id = v.by WHERE v.note = n.id AND q.id <> n.who)) AS list FROM notes n);
CREATE VIRTUAL TABLE latest USING lockstep(SELECT name, (SELECT group_concat(text) FROM (SELECT text FROM notes n WHERE n.who = p.id AND n.day >= p.id ORDER BY day DESC)) AS list FROM people p);
CREATE VIRTUAL TABLE documents USING lockstep(SELECT json_object('name', p.name, 'notes', (SELECT json_group_array(json_object('text', n.text, 'votes', (SELECT json_group_array(v.by) FROM votes v WHERE v.note = n.id))) FROM notes n WHERE n.who = p.id)) AS document FROM people p);
CREATE VIRTUAL TABLE two USING lockstep(SELECT name, (SELECT json_group_array(json_array(n.id, v.by, n._rowid_)) FROM notes n LEFT JOIN votes v ON v.note = n.id WHERE n.who = p.id AND n.day < 9) AS list FROM people p);
CREATE VIRTUAL TABLE bare USING lockstep(SELECT name, (SELECT n.text || ' on ' || max(n.day) FROM notes n WHERE n.who = p.id AND n.day BETWEEN p.id AND 8) AS last FROM people p);
CREATE VIRTUAL TABLE marks USING lockstep(SELECT name, (SELECT group_concat(n.mark) FROM notes n WHERE n.who = p.id AND n.day > p.id) AS list FROM people p);
.print -- at first
SELECT * FROM since; SELECT * FROM voters; SELECT * FROM latest; SELECT * FROM documents; SELECT * FROM two; SELECT * FROM bare; SELECT * FROM marks;
.print -- changed
INSERT INTO notes VALUES (6, 3, 6, 'e', x'31'), (7, 1, 8, 'aa', 1); UPDATE notes SET mark = 1.0 WHERE id = 1; UPDATE notes SET mark = 1 WHERE id = 2; DELETE FROM notes WHERE id = 4; INSERT INTO votes VALUES (6, 1), (6, 2), (2, 2); DELETE FROM votes WHERE by = 3 AND note = 1;
SELECT * FROM since; SELECT * FROM voters; SELECT * FROM latest; SELECT * FROM documents; SELECT * FROM two; SELECT * FROM bare; SELECT * FROM marks;
.print -- checked
INSERT INTO since(lockstep) VALUES('integrity-check'); INSERT INTO voters(lockstep) VALUES('integrity-check'); INSERT INTO latest(lockstep) VALUES('integrity-check'); INSERT INTO documents(lockstep) VALUES('integrity-check'); INSERT INTO two(lockstep) VALUES('integrity-check'); INSERT INTO bare(lockstep) VALUES('integrity-check'); INSERT INTO marks(lockstep) VALUES('integrity-check');
