-- plain
-- Rows that match by one column or by another, in subqueries, left joins and lists of columns.
CREATE TABLE person(id INTEGER PRIMARY KEY, father INT, mother INT, name TEXT);
CREATE TABLE message(id INTEGER PRIMARY KEY, sender INT, receiver INT, at REAL, text TEXT COLLATE NOCASE);
CREATE TABLE tag(name TEXT, other TEXT COLLATE NOCASE, n);
CREATE VIRTUAL TABLE children USING lockstep(SELECT p.id, (SELECT count(*) FROM person c WHERE p.id IN (c.father, c.mother)) AS n FROM person p);
CREATE VIRTUAL TABLE parents USING lockstep(SELECT p.id, (SELECT max(q.name) FROM person q WHERE q.id IN (p.father, p.mother)) AS last FROM person p);
CREATE VIRTUAL TABLE silent USING lockstep(SELECT p.id FROM person p WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.sender = p.id OR m.receiver = p.id AND m.text <> 'no'));
CREATE VIRTUAL TABLE mail USING lockstep(SELECT p.id, m.id AS message FROM person p LEFT JOIN message m ON p.id IN (m.sender, m.receiver));
CREATE VIRTUAL TABLE early USING lockstep(SELECT p.id, m.id AS message FROM person p LEFT JOIN message m ON (m.sender = p.id AND m.at < 2) OR (m.receiver = p.id AND (m.text = p.name OR m.at > p.father)));
CREATE VIRTUAL TABLE pairs USING lockstep(SELECT a.id, b.id AS parent FROM person a JOIN person b ON b.id IN (a.father, a.mother) WHERE a.name <> 'z');
CREATE VIRTUAL TABLE within USING lockstep(SELECT p.id FROM person p WHERE EXISTS (SELECT 1 FROM message m WHERE m.receiver = p.id AND EXISTS (SELECT 1 FROM person q WHERE q.name = m.text OR q.id IN (m.sender, p.mother))));
CREATE VIRTUAL TABLE labels USING lockstep(SELECT p.id, (SELECT group_concat(t.n) FROM tag t WHERE p.name IN (t.name, t.other) AND t.n IS NOT NULL) AS n FROM person p);
CREATE VIRTUAL TABLE texts USING lockstep(SELECT m.id, (SELECT count(*) FROM tag t WHERE m.text IN (t.name, t.other)) AS by_text, (SELECT count(*) FROM tag t WHERE t.other IN (m.text, m.id)) AS by_other, (SELECT count(*) FROM tag t WHERE t.n IN (m.id, m.text)) AS by_n FROM message m);
CREATE VIEW shown AS
SELECT 'children' AS v, group_concat(x) AS x FROM (SELECT id || ':' || n AS x FROM children ORDER BY 1)
UNION ALL SELECT 'parents', group_concat(x) FROM (SELECT id || ':' || ifnull(last, '') AS x FROM parents ORDER BY 1)
UNION ALL SELECT 'silent', group_concat(x) FROM (SELECT id AS x FROM silent ORDER BY 1)
UNION ALL SELECT 'mail', group_concat(x) FROM (SELECT id || ':' || ifnull(message, '') AS x FROM mail ORDER BY 1)
UNION ALL SELECT 'early', group_concat(x) FROM (SELECT id || ':' || ifnull(message, '') AS x FROM early ORDER BY 1)
UNION ALL SELECT 'pairs', group_concat(x) FROM (SELECT id || ':' || parent AS x FROM pairs ORDER BY 1)
UNION ALL SELECT 'within', group_concat(x) FROM (SELECT id AS x FROM within ORDER BY 1)
UNION ALL SELECT 'labels', group_concat(x) FROM (SELECT id || ':' || ifnull(length(n), '') AS x FROM labels ORDER BY 1)
UNION ALL SELECT 'texts', group_concat(x) FROM (SELECT id || ':' || by_text || by_other || by_n AS x FROM texts ORDER BY 1);
INSERT INTO person VALUES (1, NULL, NULL, 'ann'), (2, NULL, NULL, 'bob'), (3, 2, 1, 'cy'), (4, 2, 2, 'di'), (5, 3, NULL, 'z');
INSERT INTO message VALUES (1, 1, 2, 1.5, 'hello'), (2, 2, 1, 3, 'Ann'), (3, 3, 3, 0, 'no'), (4, NULL, 4, 2, 'no');
INSERT INTO tag VALUES ('ann', 'ANN', 1), ('bob', 'HELLO', 2), ('hello', 'no', '1'), ('2', '2', 2.0), ('No', '3', 'no');
SELECT * FROM shown;
UPDATE person SET mother = 2, father = 1 WHERE id = 3; UPDATE message SET receiver = 5, at = 1 WHERE id = 2;
INSERT INTO message VALUES (5, 5, 1, 9, 'cy'), (6, 4, 4, 1, 'NO');
SELECT * FROM shown;
UPDATE person SET id = 20 WHERE id = 2; UPDATE message SET sender = 20 WHERE id = 1; DELETE FROM message WHERE id = 3;
UPDATE tag SET other = 'cy' WHERE n = 2; UPDATE tag SET name = 'CY' WHERE name = 'ann';
SELECT * FROM shown;
BEGIN; DELETE FROM message; UPDATE person SET father = 4, mother = 4; SELECT * FROM shown; ROLLBACK;
SELECT * FROM shown;
UPDATE message SET text = text || '!' WHERE id < 4; UPDATE message SET text = id; DELETE FROM person WHERE id = 1; UPDATE person SET mother = NULL; INSERT INTO person VALUES (2, 4, 4, 'bo');
SELECT * FROM shown;
DELETE FROM person WHERE id > 3; DELETE FROM tag WHERE n = 2;
SELECT * FROM shown;
