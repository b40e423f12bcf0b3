-- plain
-- The value of a correlated subquery that is looked up has the type that SQLite gives it, stored too.
CREATE TABLE b(id INTEGER PRIMARY KEY, k INT, rating INT, t TEXT);
CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO b VALUES (2, 2, 5, '7'), (3, 2, 5, '8'), (4, 3, 1, '1');
INSERT INTO a VALUES (1, '1'), (2, '2');
CREATE VIRTUAL TABLE v USING lockstep(SELECT a.id, (SELECT avg(b.rating) FROM b WHERE b.k = a.id) AS mean, (SELECT total(b.rating) FROM b WHERE b.k = a.id) AS total, (SELECT max(t) FROM b WHERE b.k = a.id) AS most FROM a);
CREATE VIRTUAL TABLE w USING lockstep(SELECT a.id FROM a WHERE (SELECT CAST(count(*) AS TEXT) FROM b WHERE b.k = a.id) = a.id + 0 OR (SELECT CAST(count(*) AS INT) FROM b WHERE b.k = a.id) = name);
CREATE VIRTUAL TABLE x USING lockstep(SELECT a.id, (SELECT CAST(sum(rating) AS REAL) FROM b WHERE b.k = a.id) AS s FROM a);
SELECT *, typeof(mean), typeof(total), typeof(most) FROM v ORDER BY 1; SELECT * FROM w ORDER BY 1; SELECT *, typeof(s) FROM x ORDER BY 1;
INSERT INTO a VALUES (3, '3');
SELECT *, typeof(mean), typeof(total), typeof(most) FROM v ORDER BY 1; SELECT * FROM w ORDER BY 1; SELECT *, typeof(s) FROM x ORDER BY 1;
DELETE FROM b WHERE id = 3;
SELECT *, typeof(mean), typeof(total), typeof(most) FROM v WHERE mean > '4' ORDER BY 1; SELECT * FROM w ORDER BY 1; SELECT *, typeof(s) FROM x ORDER BY 1;
