/* Views that applications ask for. */
#include "tests/typical_views.h"

const char *const application_tables =
    "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, org_id INT, "
    "created_at TEXT, active INT);"
    "CREATE TABLE orgs(id INTEGER PRIMARY KEY, name TEXT, plan TEXT);"
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, user_id INT REFERENCES users, total REAL, "
    "status TEXT, at TEXT);"
    "CREATE TABLE items(id INTEGER PRIMARY KEY, order_id INT REFERENCES orders, product_id "
    "INT, qty INT, price REAL);"
    "CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT, cat TEXT, price REAL, stock INT);"
    "CREATE TABLE follows(a INT, b INT, PRIMARY KEY(a,b)) WITHOUT ROWID;"
    "CREATE TABLE posts(id INTEGER PRIMARY KEY, user_id INT, body TEXT, at INT, parent_id INT);"
    "CREATE TABLE likes(post_id INT, user_id INT, PRIMARY KEY(post_id,user_id));"
    "CREATE TABLE perms(user_id INT, resource TEXT, level INT, revoked_at TEXT);"
    "CREATE TABLE bookings(id INTEGER PRIMARY KEY, room INT, start INT, end INT);"
    "CREATE TABLE msgs(id INTEGER PRIMARY KEY, chat_id INT, sender INT, body TEXT, at INT, "
    "read_at INT);"
    "CREATE TABLE rates(cur TEXT, day TEXT, rate REAL, PRIMARY KEY(cur, day));";

const struct kept_view application_views[N_APPLICATION_VIEWS] = {
    /* a01 */
    {.text = "SELECT u.id, u.name, (SELECT o.total FROM orders o WHERE o.user_id = u.id ORDER "
             "BY o.at DESC, o.id DESC LIMIT 1) AS last_total FROM users u",
        .is_maintained = true},
    /* a02 */
    {.text = "SELECT m.* FROM msgs m JOIN (SELECT chat_id, max(id) AS id FROM msgs GROUP BY "
             "chat_id) l ON l.id = m.id",
        .is_maintained = true},
    /* a03 */
    {.text = "SELECT m.* FROM msgs m WHERE m.id = (SELECT max(id) FROM msgs x WHERE x.chat_id "
             "= m.chat_id)",
        .is_maintained = true},
    /* a04 */
    {.text = "SELECT m.* FROM msgs m WHERE NOT EXISTS (SELECT 1 FROM msgs x WHERE x.chat_id = "
             "m.chat_id AND x.at > m.at)",
        .is_maintained = true},
    /* a05 */
    {.text = "SELECT m.* FROM msgs m LEFT JOIN msgs x ON x.chat_id = m.chat_id AND x.at > m.at "
             "WHERE x.id IS NULL",
        .is_maintained = true},
    /* a06 */
    {.text = "SELECT p.id, p.body, u.name, (SELECT count(*) FROM likes l WHERE l.post_id = "
             "p.id) AS likes, (SELECT count(*) FROM posts r WHERE r.parent_id = p.id) AS "
             "replies, EXISTS (SELECT 1 FROM likes l WHERE l.post_id = p.id AND l.user_id = "
             "p.user_id) AS self FROM posts p JOIN users u ON u.id = p.user_id",
        .is_maintained = true},
    /* a07 */
    {.text = "SELECT f.a AS viewer, p.* FROM follows f JOIN posts p ON p.user_id = f.b",
        .is_maintained = true},
    /* a08 */
    {.text = "SELECT x.a, x.b FROM follows x JOIN follows y ON y.a = x.b AND y.b = x.a",
        .is_maintained = true},
    /* a09 */
    {.text = "SELECT p.name, sum(i.qty*i.price) AS revenue, count(DISTINCT o.user_id) AS "
             "buyers FROM products p LEFT JOIN items i ON i.product_id = p.id LEFT JOIN orders "
             "o ON o.id = i.order_id AND o.status <> 'cancelled' GROUP BY p.id",
        .is_maintained = true},
    /* a10 */
    {.text = "SELECT cat, name, revenue FROM (SELECT p.cat, p.name, sum(i.qty*i.price) AS "
             "revenue FROM products p JOIN items i ON i.product_id = p.id GROUP BY p.id) ORDER "
             "BY revenue DESC, name, cat LIMIT 4",
        .is_maintained = true},
    /* a11 */
    {.text =
            "SELECT o.id, o.total, coalesce(s.t, 0) AS items_total, o.total - coalesce(s.t, 0) "
            "AS diff FROM orders o LEFT JOIN (SELECT order_id, sum(qty*price) AS t FROM items "
            "GROUP BY order_id) s ON s.order_id = o.id WHERE o.total <> coalesce(s.t, 0)",
        .is_maintained = true},
    /* a12 */
    {.text = "SELECT a.id AS x, b.id AS y FROM bookings a JOIN bookings b ON a.room = b.room "
             "AND a.id < b.id AND a.start < b.end AND b.start < a.end",
        .is_maintained = true},
    /* a13 */
    {.text = "SELECT u.id, u.name FROM users u WHERE u.id NOT IN (SELECT user_id FROM orders "
             "WHERE user_id IS NOT NULL)",
        .is_maintained = true},
    /* a14 */
    {.text = "SELECT o.name, count(u.id) AS n, sum(CASE WHEN u.active THEN 1 ELSE 0 END) AS "
             "active, group_concat(u.name, ', ') AS names FROM orgs o LEFT JOIN users u ON "
             "u.org_id = o.id GROUP BY o.id",
        .is_maintained = true,
        .spec = "EEEH"},
    /* a15 */
    {.text = "SELECT strftime('%Y-%m', at) AS month, status, count(*) AS n, total(total) AS t "
             "FROM orders GROUP BY month, status HAVING n > 1",
        .is_maintained = true},
    /* a16 */
    {.text = "SELECT 'order' AS kind, id, at FROM orders UNION ALL SELECT 'post', id, at FROM "
             "posts UNION ALL SELECT 'user', id, created_at FROM users ORDER BY at DESC, kind, "
             "id LIMIT 6",
        .is_maintained = true},
    /* a17 */
    {.text = "SELECT u.id, p.resource, max(p.level) AS level FROM users u CROSS JOIN (SELECT "
             "DISTINCT resource FROM perms) r JOIN perms p ON p.user_id = u.id AND p.resource "
             "= r.resource WHERE p.revoked_at IS NULL GROUP BY u.id, p.resource",
        .is_maintained = true},
    /* a18 */
    {.text = "SELECT o.id, o.total * (SELECT rate FROM rates r WHERE r.cur = 'USD' AND r.day "
             "<= o.at ORDER BY r.day DESC LIMIT 1) AS usd FROM orders o",
        .is_maintained = true},
    /* a19 */
    {.text = "SELECT u.id, count(*) FILTER (WHERE m.read_at IS NULL) AS unread, max(m.at) AS "
             "latest FROM users u JOIN msgs m ON m.sender <> u.id AND m.chat_id IN (SELECT "
             "chat_id FROM msgs WHERE sender = u.id) GROUP BY u.id",
        .is_maintained = true},
    /* a20 */
    {.text = "WITH t AS (SELECT user_id, sum(total) AS spent FROM orders WHERE status = "
             "'approved' "
             "GROUP BY user_id), avgs AS (SELECT avg(spent) AS a FROM t) SELECT u.name, "
             "t.spent FROM users u JOIN t ON t.user_id = u.id, avgs WHERE t.spent > avgs.a",
        .is_maintained = true},
    /* a21 */
    {.text = "SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)",
        .is_maintained = true},
    /* a22 */
    {.text = "SELECT p.id, p.name FROM products p WHERE p.price = (SELECT max(price) FROM "
             "products q WHERE q.cat = p.cat)",
        .is_maintained = true},
    /* a23 */
    {.text = "SELECT u.id, u.name, json_group_array(json_object('id', o.id, 'total', o.total)) "
             "AS orders FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id",
        .is_maintained = true,
        .spec = "EEJ"},
    /* a24 */
    {.text = "SELECT lower(email) AS e, count(*) AS n FROM users GROUP BY lower(email) HAVING "
             "count(*) > 1",
        .is_maintained = true},
    /* a25 */
    {.text = "SELECT cat, avg(price) AS mean, max(price) - min(price) AS spread, (SELECT "
             "count(*) FROM products) AS of FROM products GROUP BY cat",
        .is_maintained = true},
    /* a26 */
    {.text = "SELECT id FROM users EXCEPT SELECT user_id FROM orders EXCEPT SELECT user_id "
             "FROM posts",
        .is_maintained = true},
    /* a27 */
    {.text = "SELECT u.*, o.name AS org FROM users u LEFT JOIN orgs o ON o.id = u.org_id WHERE "
             "u.active = 1 ORDER BY u.name COLLATE NOCASE, u.id",
        .is_maintained = true},
    /* a28 */
    {.text = "SELECT parent.id, count(child.id) AS n, sum(EXISTS (SELECT 1 FROM likes WHERE "
             "post_id = child.id)) AS liked FROM posts parent LEFT JOIN posts child ON "
             "child.parent_id = parent.id GROUP BY parent.id",
        .is_maintained = true},
    /* a29 */
    {.text = "SELECT user_id, sum(total) AS spent, 100.0 * sum(total) / (SELECT sum(total) "
             "FROM orders) AS pct FROM orders GROUP BY user_id",
        .is_maintained = true},
    /* a30 */
    {.text = "SELECT u.id, CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND "
             "o.total > 3) THEN 'gold' WHEN u.id IN (SELECT user_id FROM posts) THEN "
             "'active' ELSE 'none' END AS tier FROM users u",
        .is_maintained = true},
    /* a31 */
    {.text = "SELECT * FROM orders WHERE user_id IN (SELECT id FROM users WHERE org_id IN "
             "(SELECT id FROM orgs WHERE plan = 'pro'))",
        .is_maintained = true},
    /* a32 */
    {.text = "SELECT o.* FROM orders o WHERE (SELECT count(*) FROM items i WHERE i.order_id = "
             "o.id) > 1",
        .is_maintained = true},
    /* a33 */
    {.text = "SELECT p.* FROM products p WHERE NOT EXISTS (SELECT 1 FROM users u WHERE "
             "u.active = 1 AND NOT EXISTS (SELECT 1 FROM orders o JOIN items i ON i.order_id = "
             "o.id WHERE o.user_id = u.id AND i.product_id = p.id))",
        .is_maintained = true},
    /* a34 */
    {.text = "SELECT id, name FROM users WHERE name LIKE 'A%' OR id IN (SELECT user_id FROM "
             "posts) OR org_id NOT IN (SELECT id FROM orgs)",
        .is_maintained = true},
    /* a35 */
    {.text = "SELECT DISTINCT u.name FROM users u JOIN orders o ON o.user_id = u.id OR "
             "o.status = u.name",
        .is_maintained = true},
    /* a36 */
    {.text = "SELECT a.id, (SELECT count(*) + 1 FROM orders b WHERE b.total > a.total) AS rank "
             "FROM orders a",
        .is_maintained = true},
    /* a37 */
    {.text = "SELECT x.day, sum(y.rate) AS running FROM rates x JOIN rates y ON y.cur = x.cur "
             "AND y.day <= x.day GROUP BY x.cur, x.day",
        .is_maintained = true},
    /* a38 */
    {.text = "SELECT u.id, ifnull(o.n, 0) AS orders, ifnull(p.n, 0) AS posts FROM users u LEFT "
             "JOIN (SELECT user_id, count(*) AS n FROM orders GROUP BY user_id) o ON o.user_id "
             "= u.id LEFT JOIN (SELECT user_id, count(*) AS n FROM posts GROUP BY user_id) p "
             "ON p.user_id = u.id",
        .is_maintained = true},
    /* a39 */
    {.text = "SELECT u.id, p.name FROM users u LEFT JOIN (orders o JOIN items i ON i.order_id "
             "= o.id JOIN products p ON p.id = i.product_id) ON o.user_id = u.id",
        .is_maintained = true},
    /* a40 */
    {.text = "SELECT u.name, f.kind, f.id FROM (SELECT 'order' AS kind, id, user_id FROM "
             "orders UNION ALL SELECT 'post', id, user_id FROM posts) f JOIN users u ON u.id = "
             "f.user_id",
        .is_maintained = true},
    /* a41 */
    {.text = "SELECT o.id, o.name, (SELECT json_group_array(json_object('id', u.id, 'posts', "
             "(SELECT count(*) FROM posts p WHERE p.user_id = u.id))) FROM users u WHERE "
             "u.org_id = o.id) AS members FROM orgs o",
        .is_maintained = true,
        .spec = "EEJ"},
    /* a42 */
    {.text = "SELECT p.id, (SELECT group_concat(name, ', ') FROM (SELECT DISTINCT u.name FROM "
             "likes l JOIN users u ON u.id = l.user_id WHERE l.post_id = p.id)) AS liked_by "
             "FROM posts p",
        .is_maintained = true,
        .spec = "EH"},
    /* a43 */
    {.text = "SELECT u.id, count(f.at) AS n, max(f.at) AS latest FROM users u LEFT JOIN "
             "(SELECT user_id, at FROM orders UNION ALL SELECT o.id, u.created_at FROM orgs o "
             "JOIN users u ON u.org_id = o.id) f ON f.user_id = u.id GROUP BY u.id",
        .is_maintained = true}};
