-- plain
-- Views over one table, and over two, and queries that join them.
CREATE TABLE a(k TEXT, x INTEGER);
CREATE TABLE b(k TEXT, y INTEGER);
CREATE VIRTUAL TABLE va USING lockstep(SELECT k, sum(x) AS s FROM a GROUP BY k);
CREATE VIRTUAL TABLE vb USING lockstep(SELECT k, sum(y) AS s FROM b GROUP BY k);
CREATE VIRTUAL TABLE na USING lockstep(SELECT count(*) AS n FROM a);
INSERT INTO a VALUES ('p', 1), ('q', 2), ('q', 3);
INSERT INTO b SELECT k, x * 10 FROM a;
SELECT va.k, va.s, vb.s FROM va JOIN vb ON va.k = vb.k ORDER BY 1;
DELETE FROM b WHERE y = 10;
SELECT va.k, va.s, vb.s FROM va LEFT JOIN vb ON va.k = vb.k ORDER BY 1;
SELECT x.k, y.k FROM va AS x, va AS y WHERE x.s < y.s;
SELECT k FROM va WHERE s > (SELECT avg(s) FROM va) OR k IN (SELECT k FROM vb WHERE s > 100) ORDER BY 1;
SELECT n FROM na;
CREATE VIRTUAL TABLE late USING lockstep(SELECT k, max(x) AS top FROM a WHERE x > 1 GROUP BY k);
INSERT INTO a VALUES ('r', 9);
SELECT * FROM late ORDER BY k;
UPDATE a SET x = x + 1;
SELECT * FROM va ORDER BY k;
SELECT * FROM late ORDER BY k;
