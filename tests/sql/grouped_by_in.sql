-- plain
-- Groups by the value of X IN (SELECT ...), which is shown, or asked for in HAVING and ORDER BY.
CREATE TABLE c(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE o(id INTEGER PRIMARY KEY, cid INT);
INSERT INTO c VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO o VALUES (1, 1), (2, NULL);
CREATE VIRTUAL TABLE one USING lockstep(SELECT id IN (SELECT cid FROM o) AS has, count(*) FROM c GROUP BY 1);
CREATE VIRTUAL TABLE named USING lockstep(SELECT NOT id IN (SELECT cid FROM o WHERE cid > 0) AS has, max(name) FROM c GROUP BY has);
CREATE VIRTUAL TABLE two USING lockstep(SELECT (c.id, name) IN (SELECT cid, 'b' FROM o) AS has, sum(c.id IN (SELECT cid FROM o)) AS n FROM c GROUP BY 1);
CREATE VIRTUAL TABLE asked USING lockstep(SELECT id IN (SELECT cid FROM o) AS has, count(*) FROM c GROUP BY has, name HAVING has IS NOT NULL OR (has, name) IN (SELECT cid, 'a' FROM o));
CREATE VIRTUAL TABLE topped USING lockstep(SELECT c.id IN (SELECT cid FROM o) OR name = 'x' AS has, count(*) FROM c LEFT JOIN o ON o.cid = c.id GROUP BY 1 HAVING count(*) NOT IN (SELECT cid + 7 FROM o WHERE cid > 0) ORDER BY has LIMIT 2);
INSERT INTO c VALUES (4, 'd'), (5, 'e'); INSERT INTO o VALUES (3, 4), (4, 2);
SELECT * FROM one ORDER BY 1; SELECT * FROM named ORDER BY 1; SELECT * FROM two ORDER BY 1; SELECT * FROM asked ORDER BY 1; SELECT * FROM topped;
DELETE FROM o WHERE cid IS NULL; DELETE FROM c WHERE id = 2;
SELECT * FROM one ORDER BY 1; SELECT * FROM named ORDER BY 1; SELECT * FROM two ORDER BY 1; SELECT * FROM asked ORDER BY 1; SELECT * FROM topped;
