-- plain
-- Left joins one behind the other: what the last brings, changes and takes away.
CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE note_tag(note_id INT, tag_id INT, PRIMARY KEY(note_id, tag_id));
CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, gone INT);
CREATE TABLE likes(note_id INT, who TEXT);
INSERT INTO tag VALUES (1, 'a'), (2, 'b'), (3, 'c');
INSERT INTO note_tag VALUES (1, 1), (1, 2), (2, 2), (9, 1), (NULL, 3);
INSERT INTO note VALUES (1, 'one', NULL), (2, 'two', 5);
INSERT INTO likes VALUES (1, 'x'), (1, 'y'), (NULL, 'z');
CREATE VIRTUAL TABLE v USING lockstep(SELECT t.name, nt.note_id, n.title FROM tag t LEFT JOIN note_tag nt ON nt.tag_id = t.id LEFT JOIN note n ON n.id = nt.note_id AND n.gone IS NULL WHERE t.id < 3);
CREATE VIRTUAL TABLE w USING lockstep(SELECT t.name, n.title, l.who FROM tag t LEFT JOIN note_tag nt ON nt.tag_id = t.id LEFT JOIN note n ON n.id = nt.note_id LEFT JOIN likes l ON l.note_id = n.id AND l.note_id = nt.note_id);
CREATE VIRTUAL TABLE x USING lockstep(SELECT t.id, n.id AS note, EXISTS (SELECT 1 FROM likes l WHERE l.note_id = n.id) AS liked FROM tag t LEFT JOIN note_tag ON tag_id = t.id LEFT JOIN note n ON n.id = note_id);
CREATE VIRTUAL TABLE y USING lockstep(SELECT n.id, m.id AS twin, who FROM note n LEFT JOIN note m USING (title) LEFT JOIN likes ON note_id = m.id);
SELECT * FROM v ORDER BY 1, 2, 3; SELECT * FROM w ORDER BY 1, 2, 3; SELECT * FROM x ORDER BY 1, 2, 3; SELECT * FROM y ORDER BY 1, 2, 3;
UPDATE note SET gone = 1 - ifnull(gone, 1), title = 'one'; INSERT INTO likes VALUES (2, 'u');
SELECT * FROM v ORDER BY 1, 2, 3; SELECT * FROM w ORDER BY 1, 2, 3; SELECT * FROM x ORDER BY 1, 2, 3; SELECT * FROM y ORDER BY 1, 2, 3;
INSERT INTO note VALUES (9, 'one', NULL); DELETE FROM likes WHERE who = 'x'; UPDATE likes SET note_id = 9 WHERE who = 'z';
SELECT * FROM v ORDER BY 1, 2, 3; SELECT * FROM w ORDER BY 1, 2, 3; SELECT * FROM x ORDER BY 1, 2, 3; SELECT * FROM y ORDER BY 1, 2, 3;
DELETE FROM note_tag WHERE note_id = 1; DELETE FROM note WHERE id = 9;
SELECT * FROM v ORDER BY 1, 2, 3; SELECT * FROM w ORDER BY 1, 2, 3; SELECT * FROM x ORDER BY 1, 2, 3; SELECT * FROM y ORDER BY 1, 2, 3;
