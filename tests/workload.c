/* Views of every kind, random statements. */
#include "tests/workload.h"

#include <check.h>
#include <string.h>

#include "tests/live.h"
#include "tests/must.h"

static const char tables[] = "CREATE TABLE mark(n INT); INSERT INTO mark VALUES(0);"
                             "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);"
                             "CREATE TABLE u(k TEXT, y INT); CREATE INDEX uk ON u(k);"
                             "CREATE TABLE c(k TEXT, z INT)";

/* A table under a view that is kept at commits, as c is, is not written without the
** extension. */
static const char *const views[] = {
    "groups USING lockstep(SELECT k, count(*) AS n, sum(x) AS s, max(x) AS m,"
    " count(DISTINCT x % 5) AS d FROM t GROUP BY k HAVING n > 1)",
    "at_commit USING lockstep(maintain=commit, SELECT k, count(*) AS n, min(z) AS m FROM c"
    " GROUP BY k)",
    "joined_at_commit USING lockstep(maintain=commit, SELECT a.k, a.z, b.z AS other FROM c AS a"
    " JOIN c AS b ON b.k = a.k AND a.z < b.z)",
    "filtered USING lockstep(SELECT k, x FROM t WHERE x % 2)",
    "leaders USING lockstep(SELECT k, x FROM t ORDER BY x DESC LIMIT 5)",
    "joined USING lockstep(SELECT t.k, x, y FROM t JOIN u ON u.k = t.k)",
    "left_joined USING lockstep(SELECT t.id, count(y) AS n, sum(y) AS s FROM t LEFT JOIN u ON"
    " u.k = t.k GROUP BY t.id)",
    "either USING lockstep(SELECT DISTINCT k FROM t UNION SELECT k FROM u WHERE y > 5)",
    "above USING lockstep(SELECT k, x FROM t WHERE x > (SELECT avg(y) FROM u) AND k IN (SELECT "
    "k"
    " FROM u GROUP BY k HAVING count(*) > 1))",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

/* ?1 and ?3: digits, ?2: a number. */
static const char *const writes[] = {
    "INSERT OR IGNORE INTO t(k, x) VALUES('k' || ?1, ?2), ('k' || ?3, ?2 + 1)",
    "INSERT OR REPLACE INTO t(k, x) VALUES('k' || ?1, ?2)",
    "INSERT INTO t(k, x) VALUES('k' || ?1, ?2) ON CONFLICT(x) DO UPDATE SET k = 'k' || ?3",
    "UPDATE t SET k = 'k' || ?1 WHERE x % 10 = ?3 + 0 * ?2",
    "UPDATE OR REPLACE t SET x = x + 1 WHERE x % 10 = ?1 + 0 * ?2 * ?3",
    "DELETE FROM t WHERE k = 'k' || ?1 AND x > ?2 + ?3",
    "INSERT INTO u VALUES('k' || ?1, ?3), ('k' || ?3, ?2)",
    "UPDATE u SET y = y + 1 WHERE k = 'k' || ?1 AND y < ?2 + ?3",
    "DELETE FROM u WHERE rowid % 10 = ?1 + 0 * ?2 * ?3",
    "INSERT INTO c VALUES('k' || ?1, ?2), ('k' || ?3, ?2)",
    "UPDATE c SET k = 'k' || ?1 WHERE z % 10 = ?3 + 0 * ?2",
    "DELETE FROM c WHERE rowid < (SELECT max(rowid) FROM c) - 40 + 0 * ?1 * ?2 * ?3",
};
enum { N_WRITES = sizeof(writes) / sizeof(*writes), N_PLAIN_WRITES = N_WRITES - 3 };

static const char *name_of(const char *view, char name[32])
{
    size_t n = strcspn(view, " ");

    memcpy(name, view, n);
    name[n] = '\0';
    return name;
}

void workload_create(sqlite3 *db)
{
    run(db, "%s", tables);
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "CREATE VIRTUAL TABLE %s", views[i]);
}

/* One of the first n writes. */
static void write_one_of(sqlite3 *db, struct random *random, unsigned n)
{
    const char *sql = writes[random_below(random, n)];
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        ck_abort_msg("%s\n  in: %s", sqlite3_errmsg(db), sql);
    sqlite3_bind_int(statement, 1, (int)random_below(random, 10));
    sqlite3_bind_int(statement, 2, (int)random_below(random, 400));
    sqlite3_bind_int(statement, 3, (int)random_below(random, 10));
    sqlite3_step(statement);
    if (sqlite3_finalize(statement) != SQLITE_OK)
        ck_abort_msg("%s\n  in: %s", sqlite3_errmsg(db), sql);
    if (random_once_in(random, 10))
        run(db, "DELETE FROM t WHERE id <= (SELECT max(id) FROM t) - 100;"
                "DELETE FROM u WHERE rowid <= (SELECT max(rowid) FROM u) - 100");
}

static void write_some(sqlite3 *db, struct random *random)
{
    write_one_of(db, random, N_WRITES);
}

static void read_some(sqlite3 *db, struct random *random)
{
    char name[32];

    name_of(views[random_below(random, N_VIEWS)], name);
    if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) > 0)
        run(db, "SELECT * FROM %s", name);
}

static void transact(sqlite3 *db, struct random *random)
{
    run(db, "BEGIN; UPDATE mark SET n = n + 1");
    for (unsigned i = random_below(random, 6); i < 6; i++) {
        write_some(db, random);
        if (random_once_in(random, 3))
            read_some(db, random);
        if (random_once_in(random, 4)) {
            run(db, "SAVEPOINT s");
            write_some(db, random);
            read_some(db, random);
            run(db, random_once_in(random, 2) ? "ROLLBACK TO s; RELEASE s" : "RELEASE s");
        }
    }
    run(db, random_once_in(random, 5) ? "ROLLBACK" : "COMMIT");
}

/* A command to a view, or a view that comes or goes. */
static void command(sqlite3 *db, struct random *random)
{
    const char *view = views[random_below(random, N_VIEWS)];
    char name[32];

    name_of(view, name);
    if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) == 0)
        run(db, "CREATE VIRTUAL TABLE %s", view);
    else if (random_once_in(random, 3))
        run(db, "DROP TABLE %s", name);
    else
        run(db, "INSERT INTO %s(lockstep) VALUES('%s')", name,
            random_once_in(random, 3) ? "rebuild" : "store");
}

void workload_step(sqlite3 *db, struct random *random)
{
    switch (random_below(random, 8)) {
    case 0:
        command(db, random);
        break;
    case 1:
    case 2:
        read_some(db, random);
        break;
    case 3:
    case 4:
        write_some(db, random);
        break;
    default:
        transact(db, random);
    }
}

void workload_plain_step(sqlite3 *db, struct random *random)
{
    run(db, "BEGIN");
    for (int i = 0; i < 4; i++)
        write_one_of(db, random, N_PLAIN_WRITES);
    run(db, "COMMIT");
}

sqlite3_int64 workload_mark(sqlite3 *db)
{
    return number(db, "SELECT n FROM mark");
}

void workload_check(sqlite3 *db)
{
    char name[32];

    must_agree(db, "PRAGMA integrity_check", "SELECT 'ok'");
    for (int i = 0; i < N_VIEWS; i++) {
        name_of(views[i], name);
        if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) == 0)
            continue;
        must_be_right(db, name);
        run(db, "INSERT INTO %s(lockstep) VALUES('integrity-check')", name);
    }
}
