-- plain
-- Within parentheses one name may be that of a merged column, and of another table's.
CREATE TABLE a(k, x); CREATE TABLE b(k, y); CREATE TABLE c(k, z); CREATE TABLE d(k, w);
INSERT INTO a VALUES (1, 1), (2, 2), (3, 3), (NULL, 9);
INSERT INTO b VALUES (1, 10), (2, 20), (NULL, 8);
INSERT INTO c VALUES (1, 'c1'), (4, 'c4'), (NULL, 'c');
INSERT INTO d VALUES (1, 'd1'), (5, 'd5'), (2, 'd2');
CREATE VIRTUAL TABLE natural_right USING lockstep(SELECT a.k, y, z, w, c.k AS ck, d.k AS dk FROM a JOIN (b JOIN (c NATURAL RIGHT JOIN d) ON d.k = b.k) ON a.k = b.k);
CREATE VIRTUAL TABLE natural_left USING lockstep(SELECT a.x, b.k, c.z, d.w FROM a RIGHT JOIN (b JOIN (c NATURAL LEFT JOIN d) ON c.k = b.k) ON a.k = b.k);
CREATE VIRTUAL TABLE full_using USING lockstep(SELECT a.x, b.k, c.k AS ck, d.k AS dk, z, w FROM a LEFT JOIN (b LEFT JOIN (c FULL JOIN d USING (k)) ON d.k > b.k) ON b.k = a.k);
CREATE VIRTUAL TABLE all_using USING lockstep(SELECT k, x, y, z, w FROM a JOIN (b JOIN (c RIGHT JOIN d USING (k)) USING (k)) USING (k));
CREATE VIRTUAL TABLE itself USING lockstep(SELECT a0.k FROM d a0 RIGHT JOIN (d a1 JOIN (d a2 NATURAL LEFT JOIN d a3) ON a2.k = a1.k) ON a1.k = a0.k);
.print -- at first
SELECT * FROM natural_right ORDER BY 1, 2, 3, 4; SELECT * FROM natural_left ORDER BY 1, 2, 3, 4; SELECT * FROM full_using ORDER BY 1, 2, 3, 4, 5, 6; SELECT * FROM all_using ORDER BY 1, 2, 3, 4; SELECT * FROM itself ORDER BY 1;
.print -- later
INSERT INTO c VALUES (2, 'c2'); DELETE FROM d WHERE k = 1; INSERT INTO a VALUES (5, 50); INSERT INTO b VALUES (5, 'z'), (4, 'y');
SELECT * FROM natural_right ORDER BY 1, 2, 3, 4; SELECT * FROM natural_left ORDER BY 1, 2, 3, 4; SELECT * FROM full_using ORDER BY 1, 2, 3, 4, 5, 6; SELECT * FROM all_using ORDER BY 1, 2, 3, 4; SELECT * FROM itself ORDER BY 1;
