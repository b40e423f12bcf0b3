-- What is joined on computed values, on both sides, is found by an index of yours on the expression.
CREATE TABLE users(id INTEGER PRIMARY KEY, email TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, email TEXT, total INT);
CREATE INDEX users_email ON users(lower(email));
CREATE INDEX orders_email ON orders(lower(email));
CREATE VIRTUAL TABLE spent USING lockstep(
  SELECT u.id, o.total FROM users u LEFT JOIN orders o ON lower(u.email) = lower(o.email));
CREATE VIRTUAL TABLE idle USING lockstep(
  SELECT u.id FROM users u WHERE NOT EXISTS (
    SELECT 1 FROM orders o WHERE lower(o.email) = lower(u.email)));
CREATE VIRTUAL TABLE of_some USING lockstep(
  SELECT o.id FROM orders o WHERE lower(o.email) IN (SELECT lower(email) FROM users));
INSERT INTO users VALUES (1, 'Ann@a.org'), (2, 'bob@b.com'), (3, NULL);
INSERT INTO orders VALUES (1, 'ann@A.org', 7), (2, 'ANN@a.org', 5), (3, NULL, 9);
SELECT * FROM spent ORDER BY id, total; SELECT * FROM idle ORDER BY id; SELECT * FROM of_some ORDER BY id;
.print another address, and one less
UPDATE users SET email = 'cy@c.net' WHERE id = 3; UPDATE orders SET email = 'CY@c.net' WHERE id = 3;
DELETE FROM orders WHERE id = 2;
SELECT * FROM spent ORDER BY id, total; SELECT * FROM idle ORDER BY id; SELECT * FROM of_some ORDER BY id;
SELECT name, count(p.detail) AS scanning FROM lockstep_views
  LEFT JOIN lockstep_plan(name) AS p ON p.detail LIKE '%scans%' GROUP BY name;
.print without one
DROP INDEX orders_email;
SELECT name, count(p.detail) AS scanning FROM lockstep_views
  LEFT JOIN lockstep_plan(name) AS p ON p.detail LIKE '%scans%' GROUP BY name;
