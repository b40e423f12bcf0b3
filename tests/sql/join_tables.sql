-- plain
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, city TEXT);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INT, amount REAL);
CREATE INDEX purchase_customer ON purchase(customer);
INSERT INTO customer VALUES (1, 'ann', 'Oslo'), (2, 'bob', 'Rome'), (3, 'cy', 'Rome');
INSERT INTO purchase VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5), (4, NULL, 1), (5, 9, 7);
CREATE VIRTUAL TABLE spent USING lockstep(SELECT c.name, count(*) AS n, sum(p.amount) AS total FROM customer AS c JOIN purchase AS p ON p.customer = c.id GROUP BY c.name);
CREATE VIRTUAL TABLE listed USING lockstep(SELECT c.name, p.amount FROM customer AS c LEFT JOIN purchase AS p ON p.customer = c.id);
CREATE VIRTUAL TABLE buyers USING lockstep(SELECT name FROM customer AS c WHERE EXISTS (SELECT 1 FROM purchase WHERE customer = c.id AND amount > 8));
CREATE VIRTUAL TABLE neighbours USING lockstep(SELECT a.name AS one, b.name AS other FROM customer AS a, customer AS b WHERE a.city = b.city AND a.id < b.id);
.print begin
SELECT * FROM spent ORDER BY name;
SELECT * FROM listed ORDER BY name, amount;
SELECT * FROM buyers ORDER BY name;
SELECT * FROM neighbours ORDER BY one, other;
.print both tables at once, and a row that changes on both sides of a self-join
BEGIN;
INSERT INTO purchase VALUES (6, 3, 9), (7, 9, 3);
INSERT INTO customer VALUES (9, 'dee', 'Oslo');
UPDATE customer SET city = 'Oslo' WHERE id = 2;
DELETE FROM purchase WHERE id = 1;
SELECT * FROM spent ORDER BY name;
SELECT * FROM listed ORDER BY name, amount;
SELECT * FROM buyers ORDER BY name;
SELECT * FROM neighbours ORDER BY one, other;
.print rolled back in part
SAVEPOINT s;
UPDATE purchase SET customer = 2;
UPDATE customer SET name = upper(name);
SELECT * FROM spent ORDER BY name;
SELECT * FROM buyers ORDER BY name;
ROLLBACK TO s;
SELECT * FROM spent ORDER BY name;
SELECT * FROM buyers ORDER BY name;
COMMIT;
.print displaced
INSERT OR REPLACE INTO customer VALUES (1, 'eve', 'Rome');
REPLACE INTO purchase VALUES (6, 1, 100);
SELECT * FROM spent ORDER BY name;
SELECT * FROM listed ORDER BY name, amount;
SELECT * FROM neighbours ORDER BY one, other;
.print other letters alone
UPDATE customer SET name = 'EVE' WHERE id = 1;
SELECT * FROM listed WHERE name = 'eve' ORDER BY amount;
.print nothing left
DELETE FROM customer;
SELECT * FROM spent;
SELECT * FROM listed;
SELECT * FROM buyers;
SELECT * FROM neighbours;
INSERT INTO customer VALUES (2, 'bob', 'Rome');
SELECT * FROM spent;
