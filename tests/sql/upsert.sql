-- plain
CREATE TABLE stock(sku TEXT PRIMARY KEY, shelf TEXT, qty INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE v USING lockstep(SELECT shelf, count(*) AS n, sum(qty) AS qty FROM stock GROUP BY shelf);
INSERT INTO stock VALUES ('a', 'top', 1), ('b', 'top', 2) ON CONFLICT(sku) DO UPDATE SET qty = qty + excluded.qty;
INSERT INTO stock VALUES ('a', 'low', 5), ('c', 'low', 3), ('a', 'low', 7) ON CONFLICT(sku) DO UPDATE SET qty = stock.qty + excluded.qty, shelf = excluded.shelf;
SELECT * FROM v ORDER BY shelf;
INSERT INTO stock VALUES ('a', 'gone', 100), ('d', 'low', 1) ON CONFLICT DO NOTHING;
SELECT * FROM v ORDER BY shelf;
INSERT INTO stock VALUES ('b', 'top', 50) ON CONFLICT(sku) DO UPDATE SET qty = excluded.qty WHERE excluded.qty > 100;
SELECT * FROM v ORDER BY shelf;
