/* Typical views. */
#include "tests/typical_views.h"

const char *const typical_tables =
    "CREATE TABLE post(id INTEGER PRIMARY KEY, author_id INT, list_id INT, title TEXT, "
    "status TEXT, pinned INT DEFAULT 0, deleted_at INT, created_at INT);"
    "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT, is_member INT, is_public "
    "INT);"
    "CREATE TABLE category(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE sale(id INTEGER PRIMARY KEY, category_id INT REFERENCES category, "
    "customer TEXT, amount REAL, at TEXT);"
    "CREATE TABLE hit(id INTEGER PRIMARY KEY, site_id INT, path TEXT, visitor TEXT, bot "
    "INT, ts INT);"
    "CREATE TABLE job_run(id INTEGER PRIMARY KEY, tool TEXT, ok INT, ms REAL, cost REAL, "
    "at TEXT);"
    "CREATE TABLE account(id INTEGER PRIMARY KEY, parent_id INT, name TEXT, opening INT "
    "NOT NULL DEFAULT 0);"
    "CREATE TABLE posting(id INTEGER PRIMARY KEY, account_id INT REFERENCES account, "
    "on_date TEXT, amount INT);"
    "CREATE TABLE product(id INTEGER PRIMARY KEY, sku TEXT UNIQUE, name TEXT, min_stock "
    "INT, active INT DEFAULT 1);"
    "CREATE TABLE movement(id INTEGER PRIMARY KEY, product_id INT REFERENCES product ON "
    "DELETE CASCADE, kind TEXT, qty INT, at TEXT);"
    "CREATE TABLE feed(id INTEGER PRIMARY KEY, name TEXT, category_id INT);"
    "CREATE TABLE entry(id INTEGER PRIMARY KEY, feed_id INT, is_read INT, is_fav INT, "
    "published INT);"
    "CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE);"
    "CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, deleted_at INT, tags TEXT);"
    "CREATE TABLE note_tag(note_id INT, tag_id INT, PRIMARY KEY(note_id,tag_id)) WITHOUT "
    "ROWID;"
    "CREATE TABLE project(id INTEGER PRIMARY KEY, name TEXT, status TEXT);"
    "CREATE TABLE task(id INTEGER PRIMARY KEY, project_id INT, blocked INT, done INT);"
    "CREATE TABLE comment(id INTEGER PRIMARY KEY, project_id INT, at TEXT);"
    "CREATE TABLE show(id INTEGER PRIMARY KEY, title TEXT);"
    "CREATE TABLE episode(id INTEGER PRIMARY KEY, show_id INT, season INT, aired TEXT, "
    "file_id INT);"
    "CREATE TABLE file(id INTEGER PRIMARY KEY, play_count INT, bytes INT, added TEXT);"
    "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, rating INT);"
    "CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE book_author(book_id INT, author_id INT, PRIMARY "
    "KEY(book_id,author_id));"
    "CREATE TABLE sensor(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE reading(id INTEGER PRIMARY KEY, sensor_id INT, ts INT, value REAL, "
    "unit TEXT);"
    "CREATE TABLE price(ticker TEXT, d TEXT, close REAL, volume INT, PRIMARY "
    "KEY(ticker,d));"
    "CREATE TABLE deposit(id INTEGER PRIMARY KEY, account_id INT, cents INT, at TEXT);"
    "CREATE TABLE purchase(id INTEGER PRIMARY KEY, account_id INT, merchant TEXT, cents "
    "INT, status TEXT, at TEXT);"
    "CREATE TABLE bin(id INTEGER PRIMARY KEY, warehouse TEXT, slot TEXT);"
    "CREATE TABLE stored(id INTEGER PRIMARY KEY, bin_id INT, sku TEXT);"
    "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE score(id INTEGER PRIMARY KEY, player_id INT, points INT, at TEXT);";

const struct kept_view typical_views[N_TYPICAL_VIEWS] = {
    /* v01 */
    {.text = "SELECT count(*) AS n FROM post", .is_maintained = true},
    /* v02 */
    {.text = "SELECT sum(is_member=1 AND is_public=1) AS members, count(CASE WHEN is_member=0 "
             "AND "
             "is_public=1 THEN 1 END) AS others, count(*) AS total FROM member",
        .is_maintained = true},
    /* v03 */
    {.text = "SELECT status, count(*) AS n FROM post GROUP BY status", .is_maintained = true},
    /* v04 */
    {.text =
            "SELECT id, list_id, coalesce(title,'(untitled)') AS title, pinned FROM post WHERE "
            "deleted_at IS NULL AND status IN ('todo','doing')",
        .is_maintained = true},
    /* v05 */
    {.text = "SELECT s.id, s.at, s.customer, c.name AS category, s.amount FROM sale s JOIN "
             "category c ON c.id=s.category_id",
        .is_maintained = true},
    /* v06 */
    {.text = "SELECT c.name AS category, count(*) AS n, sum(s.amount) AS total, avg(s.amount) "
             "AS "
             "mean FROM sale s JOIN category c ON c.id=s.category_id GROUP BY c.name",
        .is_maintained = true},
    /* v07 */
    {.text = "SELECT site_id, date(ts,'unixepoch') AS day, path, count(*) AS hits, "
             "count(DISTINCT "
             "visitor) AS visitors FROM hit WHERE bot=0 GROUP BY site_id, day, path",
        .is_maintained = true},
    /* v08 */
    {.text = "SELECT substr(at,1,10) AS day, tool, count(*) AS runs, sum(CASE WHEN ok=0 THEN 1 "
             "ELSE 0 END) AS failed, round(100.0*sum(ok)/count(*),2) AS ok_pct, "
             "round(avg(ms),1) "
             "AS avg_ms, min(ms) AS best, max(ms) AS worst, round(sum(cost),4) AS cost FROM "
             "job_run GROUP BY 1,2",
        .is_maintained = true},
    /* v09 */
    {.text =
            "SELECT a.id, a.name, a.opening + coalesce(sum(p.amount),0) AS balance, "
            "max(p.on_date) AS last_on FROM account a LEFT JOIN posting p ON p.account_id=a.id "
            "GROUP BY a.id",
        .is_maintained = true},
    /* v10 */
    {.text = "SELECT p.id, p.sku, coalesce(sum(CASE m.kind WHEN 'in' THEN m.qty WHEN 'adjust' "
             "THEN m.qty WHEN 'out' THEN -m.qty ELSE 0 END),0) AS on_hand FROM product p LEFT "
             "JOIN movement m ON m.product_id=p.id WHERE p.active=1 GROUP BY p.id, p.sku",
        .is_maintained = true},
    /* v11 */
    {.text =
            "SELECT p.id, p.sku, p.min_stock, coalesce(sum(m.qty),0) AS on_hand FROM product p "
            "LEFT JOIN movement m ON m.product_id=p.id GROUP BY p.id HAVING "
            "coalesce(sum(m.qty),0) < p.min_stock",
        .is_maintained = true},
    /* v12 */
    {.text = "SELECT f.id, f.name, count(e.id) FILTER (WHERE e.is_read=0) AS unread, "
             "count(e.id) "
             "FILTER (WHERE e.is_fav=1) AS favs, count(e.id) AS total, max(e.published) AS "
             "newest "
             "FROM feed f LEFT JOIN entry e ON e.feed_id=f.id GROUP BY f.id, f.name",
        .is_maintained = true},
    /* v13 */
    {.text = "SELECT t.id, t.name, count(DISTINCT n.id) AS notes FROM tag t LEFT JOIN note_tag "
             "nt "
             "ON nt.tag_id=t.id LEFT JOIN note n ON n.id=nt.note_id AND n.deleted_at IS NULL "
             "GROUP BY t.id, t.name",
        .is_maintained = true},
    /* v14 */
    {.text = "SELECT p.id, p.name, count(DISTINCT t.id) AS tasks, count(DISTINCT CASE WHEN "
             "t.done=0 THEN t.id END) AS open_tasks, count(DISTINCT c.id) AS comments, "
             "max(c.at) "
             "AS last_comment FROM project p LEFT JOIN task t ON t.project_id=p.id LEFT JOIN "
             "comment c ON c.project_id=p.id WHERE p.status<>'archived' GROUP BY p.id, p.name",
        .is_maintained = true},
    /* v15 */
    {.text =
            "SELECT s.id, s.title, nullif(count(DISTINCT e.season),0) AS seasons, count(e.id) "
            "AS "
            "episodes, count(f.play_count) AS watched, max(f.added) AS last_added, "
            "min(e.aired) "
            "AS first_aired, coalesce(sum(f.bytes),0) AS bytes FROM show s LEFT JOIN episode e "
            "ON e.show_id=s.id LEFT JOIN file f ON f.id=e.file_id GROUP BY s.id",
        .is_maintained = true},
    /* v16 */
    {.text = "SELECT a.id, a.name, (SELECT count(*) FROM book_author ba WHERE "
             "ba.author_id=a.id) "
             "AS books, (SELECT avg(b.rating) FROM book_author ba JOIN book b ON "
             "b.id=ba.book_id "
             "WHERE ba.author_id=a.id AND b.rating<>0) AS avg_rating FROM author a",
        .is_maintained = true},
    /* v17 */
    {.text = "SELECT sensor_id, max(ts) AS ts, value, unit FROM reading GROUP BY sensor_id",
        .is_maintained = true,
        .spec = "EE??",
        .members = "SELECT sensor_id, ts, value, unit FROM reading r WHERE ts IS (SELECT "
                   "max(ts) FROM reading WHERE sensor_id IS r.sensor_id)"},
    /* v18 */
    {.text = "SELECT ticker, d, close FROM price WHERE (ticker,d) IN (SELECT ticker, max(d) "
             "FROM "
             "price GROUP BY ticker)",
        .is_maintained = true},
    /* v19 */
    {.text = "SELECT 'D'||id AS ref, account_id, 'deposit' AS kind, cents, at FROM deposit "
             "UNION "
             "ALL SELECT 'P'||id, account_id, 'purchase', -cents, at FROM purchase WHERE "
             "status='approved'",
        .is_maintained = true},
    /* v20 */
    {.text = "SELECT j.value AS tag, count(*) AS n FROM note, json_each(note.tags) j WHERE "
             "note.deleted_at IS NULL GROUP BY j.value",
        .is_maintained = true},
    /* v21 */
    {.text = "SELECT n.id, n.title, group_concat(t.name, ', ') AS tags, count(t.id) AS n_tags "
             "FROM note n LEFT JOIN note_tag nt ON nt.note_id=n.id LEFT JOIN tag t ON "
             "t.id=nt.tag_id GROUP BY n.id",
        .is_maintained = true,
        .spec = "EEHE"},
    /* v22 */
    {.text = "SELECT b.id, b.warehouse, b.slot FROM bin b WHERE NOT EXISTS (SELECT 1 FROM "
             "stored "
             "s WHERE s.bin_id=b.id)",
        .is_maintained = true},
    /* v23 */
    {.text =
            "SELECT rank() OVER (ORDER BY best DESC) AS rank, player_id, name, best, games "
            "FROM "
            "(SELECT p.id AS player_id, p.name, max(s.points) AS best, count(*) AS games FROM "
            "player p JOIN score s ON s.player_id=p.id GROUP BY p.id) ORDER BY best DESC LIMIT "
            "100",
        .is_maintained = false},
    /* v24 */
    {.text =
            "SELECT id, account_id, on_date, amount, sum(amount) OVER (PARTITION BY account_id "
            "ORDER BY on_date, id) AS running FROM posting",
        .is_maintained = false},
    /* v25 */
    {.text = "WITH RECURSIVE tree(root, id) AS (SELECT id, id FROM account UNION SELECT "
             "tree.root, a.id FROM tree JOIN account a ON a.parent_id=tree.id) SELECT r.id, "
             "r.name, count(DISTINCT tree.id)-1 AS descendants, coalesce(sum(p.amount),0) AS "
             "total FROM account r JOIN tree ON tree.root=r.id LEFT JOIN posting p ON "
             "p.account_id=tree.id GROUP BY r.id",
        .is_maintained = false},
};
