-- plain
-- The type of every value is kept, in filters, groups and aggregates.
CREATE TABLE t(id INTEGER PRIMARY KEY, any, whole INTEGER, number NUMERIC, part REAL, txt TEXT);
CREATE VIRTUAL TABLE rows USING lockstep(SELECT id, any, whole, number, part, txt FROM t);
CREATE VIRTUAL TABLE sums USING lockstep(SELECT id % 2 AS odd, sum(any) AS a, sum(whole) AS w, sum(part) AS p, total(whole) AS f, avg(whole) AS m FROM t GROUP BY id % 2);
CREATE VIRTUAL TABLE ends USING lockstep(SELECT min(any) AS a, max(any) AS b, min(txt) AS c, max(part) AS d FROM t);
INSERT INTO t VALUES (1, 1, 1, 1, 1, 1), (2, 1.5, 1.5, 1.5, 1.5, 1.5), (3, '2', '2', '2', '2', '2');
INSERT INTO t VALUES (4, 'x', 'x', 'x', 'x', 'x'), (5, x'00ff', x'00ff', x'00ff', x'00ff', x'00ff'), (6, NULL, NULL, NULL, NULL, NULL);
INSERT INTO t VALUES (7, '', '', '', '', ''), (8, x'', x'', x'', x'', x''), (9, 2.0, 2.0, 2.0, 2.0, 2.0);
SELECT id, typeof(any), typeof(whole), typeof(number), typeof(part), typeof(txt) FROM rows ORDER BY id;
SELECT id, quote(any), quote(whole), quote(number), quote(part), quote(txt) FROM rows ORDER BY id;
SELECT odd, quote(a), quote(w), quote(p), quote(f), quote(m) FROM sums ORDER BY odd;
SELECT quote(a), quote(b), quote(c), quote(d) FROM ends;
DELETE FROM t WHERE typeof(any) NOT IN ('integer');
SELECT odd, quote(a), quote(w), quote(p), quote(f), quote(m) FROM sums ORDER BY odd;
SELECT quote(a), quote(b), quote(c), quote(d) FROM ends;
DELETE FROM t;
SELECT count(*) FROM sums;
SELECT quote(a), quote(b), quote(c), quote(d) FROM ends;
