/* What a crowd works on: tables, views of every class over them, and changes of both. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/crowd.h"
#include "tests/kept_views.h"

/* The tables b and d have views kept at commits, so that programs without the extension can't
** write them. The keys k are few, that groups and matches come and go. */
static const char *const tables =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, x INT UNIQUE, y INT);"
    "CREATE TABLE u(id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, z INT);"
    "CREATE TABLE w(a INT, b INT, c, PRIMARY KEY(a, b)) WITHOUT ROWID;"
    "CREATE TABLE b(id INTEGER PRIMARY KEY, k TEXT, x INT);"
    "CREATE TABLE d(id INTEGER PRIMARY KEY, k TEXT UNIQUE, z INT);"
    "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 150)"
    " INSERT INTO t(k, x, y) SELECT 'k' || (i % 30), i * 7, i % 11 FROM i;"
    "INSERT INTO u(k, z) SELECT k, x FROM t WHERE id % 4 = 0;"
    "INSERT INTO w SELECT id % 20, id, k FROM t;"
    "INSERT INTO b SELECT id, k, x FROM t; INSERT OR IGNORE INTO d SELECT id, k, y FROM t";

static const char *const views[] = {
    "filtered USING lockstep(SELECT id, k, x FROM t WHERE x % 3 = 0)",
    "grouped USING lockstep(SELECT lower(k) AS k, count(*) AS n, sum(x) AS s, min(x) AS low,"
    " max(y) AS high, count(DISTINCT y) AS ys FROM t GROUP BY lower(k))",
    "unlike USING lockstep(SELECT DISTINCT lower(k) AS k, y % 5 AS y FROM t)",
    "joined USING lockstep(SELECT t.id, u.id AS u, t.x, u.z FROM t JOIN u ON u.k = t.k)",
    "beside USING lockstep(SELECT u.id, u.z, count(t.id) AS n, sum(t.x) AS s"
    " FROM u LEFT JOIN t ON t.k = u.k AND t.y > 2 GROUP BY u.id)",
    "made USING lockstep(SELECT u.id, s.n, s.top FROM u JOIN (SELECT k, count(*) AS n,"
    " max(x) AS top FROM t GROUP BY k) s ON s.k = u.k WHERE s.n > 1)",
    "best USING lockstep(SELECT id, x FROM t ORDER BY x DESC, id LIMIT 7)",
    "best_of USING lockstep(SELECT t.x, u.id FROM t JOIN u USING (k) ORDER BY 1, 2 LIMIT 5)",
    "either USING lockstep(SELECT lower(k) AS k FROM t UNION SELECT lower(k) FROM u)",
    "without USING lockstep(SELECT id, z FROM u WHERE NOT EXISTS"
    " (SELECT 1 FROM t WHERE t.k = u.k))",
    "above USING lockstep(SELECT id, x FROM t WHERE x > (SELECT avg(x) FROM t))",
    "stacked USING lockstep(SELECT g.n, g.s, u.id FROM grouped g JOIN u ON u.k = g.k)",
    "rowless USING lockstep(SELECT w.a, count(*) AS n, sum(t.x) AS s FROM w JOIN t ON t.id = "
    "w.b"
    " GROUP BY w.a)",
    "kept USING lockstep(maintain=commit, SELECT k, count(*) AS n, sum(x) AS s FROM b GROUP BY "
    "k)",
    "kept_join USING lockstep(maintain=commit, SELECT d.id, d.z, count(b.id) AS n FROM d"
    " LEFT JOIN b ON b.k = d.k GROUP BY d.id)",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

void crowd_make(const char *path, const char *journal_mode)
{
    sqlite3 *db = kept_open(path);
    char *sql = sqlite3_mprintf("PRAGMA journal_mode = %s", journal_mode);

    kept_run(db, sql);
    sqlite3_free(sql);
    kept_run(db, tables);
    for (int i = 0; i < N_VIEWS; i++) {
        sql = sqlite3_mprintf("CREATE VIRTUAL TABLE %s", views[i]);
        kept_run(db, sql);
        sqlite3_free(sql);
    }
    sqlite3_close(db);
}

/* Writes. Numbers stand for: a row's id, a key, a value. */
static const char *const writes[] = {
    "INSERT OR IGNORE INTO t(id, k, x, y) VALUES(%1$d, 'k%2$d', %3$d, %2$d)",
    "REPLACE INTO t(id, k, x, y) VALUES(%1$d, 'K%2$d', %3$d, %1$d %% 13)",
    "UPDATE t SET k = 'k%2$d' WHERE id BETWEEN %1$d AND %1$d + 3",
    "UPDATE OR REPLACE t SET x = %3$d WHERE id = %1$d",
    "UPDATE t SET y = y + 1 WHERE k = 'k%2$d'",
    "DELETE FROM t WHERE id BETWEEN %1$d AND %1$d + 2",
    "INSERT INTO t(id, k, x) VALUES(%1$d, 'k%2$d', %3$d)"
    " ON CONFLICT(x) DO UPDATE SET y = y + 1 ON CONFLICT(id) DO NOTHING",
    "REPLACE INTO u(id, k, z) VALUES(%1$d %% 50, 'k%2$d', %3$d)",
    "UPDATE u SET k = 'k%2$d', z = z + 1 WHERE id = %1$d %% 50",
    "DELETE FROM u WHERE id = %1$d %% 50",
    "REPLACE INTO w VALUES(%2$d %% 20, %1$d, %3$d)",
    "DELETE FROM w WHERE b = %1$d",
    "UPDATE OR REPLACE w SET a = %2$d %% 20 WHERE b BETWEEN %1$d AND %1$d + 4",
};
enum { N_WRITES = sizeof(writes) / sizeof(*writes) };

static const char *const kept_writes[] = {
    "REPLACE INTO b VALUES(%1$d, 'k%2$d', %3$d)",
    "UPDATE b SET k = 'k%2$d' WHERE id BETWEEN %1$d AND %1$d + 5",
    "DELETE FROM b WHERE id = %1$d",
    "UPDATE OR REPLACE d SET k = 'k%2$d' WHERE id = %1$d %% 40",
    "REPLACE INTO d VALUES(%1$d %% 40, 'k%2$d', %3$d)",
};
enum { N_KEPT_WRITES = sizeof(kept_writes) / sizeof(*kept_writes) };

/* Rows that match nothing, as many as make a read store. */
static bool write_many(struct crowd_member *member)
{
    unsigned n = 1000 + diff_random_below(&member->random, 4000);

    return crowd_run(member, NULL,
               "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < %u)"
               " INSERT OR IGNORE INTO t(id, k, x, y) SELECT 1000 + i, 'many' || (i %% 10),"
               " -i, i %% 7 FROM i",
               n) &&
           (diff_random_percent(&member->random, 30) ||
               crowd_run(member, NULL, "DELETE FROM t WHERE id > 1000"));
}

bool crowd_write(struct crowd_member *member)
{
    struct diff_random *random = &member->random;
    bool is_kept = member->role != CROWD_WRITES_PLAINLY && diff_random_percent(random, 25);
    int id = (int)diff_random_below(random, 200), key = (int)diff_random_below(random, 30);
    int value = (int)diff_random_below(random, 2000);
    char text[300];

    if (diff_random_percent(random, 2))
        return write_many(member);
    if (diff_random_percent(random, 1))
        return crowd_run(member, NULL, "DELETE FROM t WHERE id > %d", id);
    snprintf(text, sizeof(text),
        is_kept ? kept_writes[diff_random_below(random, N_KEPT_WRITES)]
                : writes[diff_random_below(random, N_WRITES)],
        id, key, value);
    return crowd_run(member, NULL, "%s", text);
}

/* Changes of the schema that a view lives through. */
static bool rename_view(struct crowd_member *member)
{
    char *name = crowd_some_view(member);
    bool goes_on = true;

    if (name != NULL && sqlite3_strnicmp(name, "more", 4) == 0)
        goes_on =
            crowd_run(member, NULL, "ALTER TABLE %s RENAME TO more_%u", name, member->n_made++);
    sqlite3_free(name);
    return goes_on;
}

static bool drop_view(struct crowd_member *member)
{
    char *name = crowd_some_view(member);
    bool goes_on = true;

    if (name != NULL && sqlite3_strnicmp(name, "more", 4) == 0)
        goes_on = crowd_run(member, NULL, "DROP TABLE %s", name);
    sqlite3_free(name);
    return goes_on;
}

static const char *const more_views[] = {
    "SELECT y, count(*) AS n FROM t GROUP BY y",
    "SELECT u.z, t.x FROM u LEFT JOIN t ON t.id = u.id",
    "SELECT k, x FROM b ORDER BY x, id LIMIT 4",
    "maintain=commit, SELECT z, count(*) AS n FROM d GROUP BY z",
};
enum { N_MORE_VIEWS = sizeof(more_views) / sizeof(*more_views) };

bool crowd_alter(struct crowd_member *member)
{
    struct diff_random *random = &member->random;

    switch (diff_random_below(random, 10)) {
    case 0:
        if (member->n_made > 40)
            return true;
        return crowd_run(member, NULL, "ALTER TABLE %s ADD COLUMN added_%u",
            diff_random_percent(random, 50) ? "t" : "u", member->n_made++);
    case 1:
        return crowd_run(member, NULL, "CREATE INDEX IF NOT EXISTS by_z ON u(z)");
    case 2:
        return crowd_run(member, NULL, "DROP INDEX IF EXISTS by_z");
    case 3:
        return crowd_run(member, NULL, "CREATE VIRTUAL TABLE more_%u USING lockstep(%s)",
            member->n_made++, more_views[diff_random_below(random, N_MORE_VIEWS)]);
    case 4:
        return rename_view(member);
    case 5:
    case 6:
        return drop_view(member);
    case 7:
        return crowd_run(member, NULL,
            "CREATE TRIGGER IF NOT EXISTS theirs AFTER INSERT ON u WHEN new.z %% 2 BEGIN"
            " UPDATE t SET y = y + 1 WHERE id = new.id; END");
    case 8:
        return crowd_run(member, NULL, "DROP TRIGGER IF EXISTS theirs");
    default:
        if (!sqlite3_get_autocommit(member->db))
            return crowd_run(member, NULL, "ANALYZE");
        return crowd_run(member, NULL, "%s",
            diff_random_percent(random, 50)   ? "VACUUM"
            : diff_random_percent(random, 50) ? "PRAGMA wal_checkpoint(TRUNCATE)"
                                              : "PRAGMA wal_checkpoint");
    }
}
