-- plain
CREATE TABLE part(id INTEGER PRIMARY KEY, brand TEXT);
CREATE TABLE customer(id INTEGER PRIMARY KEY, phone TEXT, balance REAL);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT, total REAL);
CREATE TABLE line(id INTEGER PRIMARY KEY, orders INT, part INT, quantity INT, price REAL, supplier INT);
CREATE INDEX line_part ON line(part);
CREATE INDEX orders_customer ON orders(customer);
INSERT INTO part VALUES (1, 'a'), (2, 'a'), (3, 'b');
INSERT INTO customer VALUES (1, '13-1', 10), (2, '13-2', 50), (3, '31-1', 90), (4, '31-2', -5), (5, '13-3', 70);
INSERT INTO orders VALUES (1, 1, 20), (2, 1, 30), (3, 3, 40), (4, NULL, 1);
INSERT INTO line VALUES (1, 1, 1, 10, 5, 7), (2, 1, 2, 1, 8, 8), (3, 2, 1, 1, 2, 7), (4, 3, 3, 30, 9, 9), (5, 4, 1, 7, 1, NULL);
.print as in TPC-H 11: groups against a share of the whole
CREATE VIRTUAL TABLE important USING lockstep(SELECT part, sum(price * quantity) AS value FROM line GROUP BY part HAVING sum(price * quantity) > (SELECT sum(price * quantity) * 0.1 FROM line));
.print 13: how many customers have how many orders
CREATE VIRTUAL TABLE spread USING lockstep(SELECT n, count(*) AS customers FROM (SELECT c.id, count(o.id) AS n FROM customer AS c LEFT JOIN orders AS o ON o.customer = c.id GROUP BY c.id) GROUP BY n);
.print 15: who has the most
CREATE VIRTUAL TABLE top_supplier USING lockstep(WITH revenue(supplier, total) AS (SELECT supplier, sum(price) FROM line GROUP BY supplier) SELECT supplier, total FROM revenue WHERE total = (SELECT max(total) FROM revenue));
.print 17: less than a share of the average of its own kind
CREATE VIRTUAL TABLE small USING lockstep(SELECT sum(price) / 7.0 AS yearly FROM line AS l JOIN part AS p ON p.id = l.part WHERE p.brand = 'a' AND l.quantity < (SELECT 0.5 * avg(quantity) FROM line WHERE part = p.id));
CREATE VIRTUAL TABLE small_by_join USING lockstep(SELECT l.id, l.quantity, q.mean FROM line AS l JOIN (SELECT part, avg(quantity) AS mean FROM line GROUP BY part) AS q ON q.part = l.part WHERE l.quantity < q.mean);
.print 18: the members of large groups
CREATE VIRTUAL TABLE large USING lockstep(SELECT c.id, o.id AS o, sum(l.quantity) AS quantity FROM customer AS c, orders AS o, line AS l WHERE o.id IN (SELECT orders FROM line GROUP BY orders HAVING sum(quantity) > 10) AND c.id = o.customer AND o.id = l.orders GROUP BY c.id, o.id);
.print 22: above the average, and without orders
CREATE VIRTUAL TABLE waiting USING lockstep(SELECT code, count(*) AS n, sum(balance) AS total FROM (SELECT substr(phone, 1, 2) AS code, balance FROM customer AS c WHERE balance > (SELECT avg(balance) FROM customer WHERE balance > 0) AND NOT EXISTS (SELECT 1 FROM orders WHERE customer = c.id)) GROUP BY code);
.print for each group, one by one
CREATE VIRTUAL TABLE each_part USING lockstep(SELECT part, count(*) AS n, (SELECT brand FROM part WHERE part.id = line.part) AS brand FROM line GROUP BY part);
.print begin
SELECT * FROM important ORDER BY 1; SELECT * FROM spread ORDER BY 1; SELECT * FROM top_supplier ORDER BY 1; SELECT * FROM small; SELECT * FROM small_by_join ORDER BY 1;
SELECT * FROM large ORDER BY 1, 2; SELECT * FROM waiting ORDER BY 1; SELECT * FROM each_part ORDER BY 1;
.print a part becomes important, another no longer
INSERT INTO line VALUES (6, 2, 2, 100, 3, 8);
SELECT * FROM important ORDER BY 1; SELECT * FROM top_supplier ORDER BY 1; SELECT * FROM small; SELECT * FROM small_by_join ORDER BY 1; SELECT * FROM large ORDER BY 1, 2;
.print a group dies, and comes back with another row
DELETE FROM line WHERE part = 3;
SELECT * FROM important ORDER BY 1; SELECT * FROM large ORDER BY 1, 2; SELECT * FROM each_part ORDER BY 1;
INSERT INTO line VALUES (7, 3, 3, 2, 400, 9);
SELECT * FROM important ORDER BY 1; SELECT * FROM top_supplier ORDER BY 1; SELECT * FROM each_part ORDER BY 1;
.print customers and their orders
INSERT INTO orders VALUES (5, 2, 1), (6, 2, 1);
DELETE FROM orders WHERE id = 3;
UPDATE customer SET balance = 1000 WHERE id = 4;
SELECT * FROM spread ORDER BY 1; SELECT * FROM waiting ORDER BY 1; SELECT * FROM large ORDER BY 1, 2;
.print what is read for each group changes alone
UPDATE part SET brand = 'c' WHERE id = 1;
SELECT * FROM each_part ORDER BY 1; SELECT * FROM small;
.print nothing is left
DELETE FROM line; DELETE FROM customer;
SELECT * FROM important; SELECT * FROM spread; SELECT * FROM top_supplier; SELECT * FROM small; SELECT * FROM small_by_join; SELECT * FROM large; SELECT * FROM waiting; SELECT * FROM each_part;
