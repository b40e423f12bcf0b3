/* Tables and views for the tests of transactions. */
#include "tests/worlds.h"

static const char *const tables =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);"
    "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2), ('a', 3), ('c', 4);"
    "CREATE VIRTUAL TABLE v USING lockstep(%s SELECT k, count(*) AS n, sum(x) AS s,"
    " max(x) AS m FROM t GROUP BY k);"
    "CREATE VIRTUAL TABLE f USING lockstep(%s SELECT k, x FROM t WHERE x %% 2)";

static const char *const several =
    "CREATE TABLE u(k TEXT, z INT); INSERT INTO u VALUES('a', 5), ('b', 6), ('d', 7), ('a', 8);"
    "CREATE VIRTUAL TABLE j USING lockstep(%s SELECT t.id, t.x, u.z FROM t JOIN u ON u.k = "
    "t.k);"
    "CREATE VIRTUAL TABLE l USING lockstep(%s SELECT u.k, u.z, count(t.id) AS n, max(t.x) AS m"
    " FROM u LEFT JOIN t ON t.k = u.k GROUP BY u.k, u.z);"
    "CREATE VIRTUAL TABLE m USING lockstep(%s SELECT u.z, s.n FROM u"
    " JOIN (SELECT k, count(*) AS n FROM t GROUP BY k) AS s ON s.k = u.k);"
    "CREATE VIRTUAL TABLE b USING lockstep(%s SELECT t.x, u.z FROM t LEFT JOIN u USING (k)"
    " ORDER BY t.x DESC, u.z LIMIT 3);"
    "CREATE VIRTUAL TABLE o USING lockstep(%s SELECT v.n, u.z FROM v JOIN u USING (k)"
    " UNION SELECT z, -z FROM u WHERE z > (SELECT min(x) FROM t))";

static const char *const names[] = {"v", "f", "j", "l", "m", "b", "o", "w", "g"};
enum { N_NAMES = sizeof(names) / sizeof(*names) };
enum { N_OF_ONE = 2, N_OF_SEVERAL = 7 };

static const char *const writes[] = {
    "INSERT INTO t(k, x) SELECT 'a', max(x) + 1 FROM t",
    "UPDATE t SET k = k || '.' WHERE id % 2",
    "INSERT OR REPLACE INTO t(k, x) SELECT 'r', max(x) FROM t",
    "DELETE FROM t WHERE x = (SELECT min(x) FROM t)",
    "UPDATE t SET x = -x",
    "UPDATE OR REPLACE t SET x = 3 WHERE id > 2",
    "INSERT INTO t(k, x) VALUES('u', 3) ON CONFLICT(x) DO UPDATE SET k = 'c'",
    "DELETE FROM t",
};
enum { N_WRITES = sizeof(writes) / sizeof(*writes) };

static const char *const writes_of_u[] = {
    "UPDATE u SET z = z + 1",
    "INSERT INTO u SELECT k, x FROM t WHERE id = 3",
    "UPDATE u SET k = 'c' WHERE z = (SELECT min(z) FROM u)",
    "DELETE FROM u WHERE z = (SELECT max(z) FROM u)",
    "INSERT INTO u VALUES('r', 1), ('a', 2), (NULL, 3)",
};
enum { N_WRITES_OF_U = sizeof(writes_of_u) / sizeof(*writes_of_u) };

sqlite3 *world_make(const char *path, bool at_commits, enum world world)
{
    const char *option = at_commits ? "maintain=commit," : "";
    sqlite3 *db = live_open(path);

    run(db, tables, option, option);
    if (world == SEVERAL)
        run(db, several, option, option, option, option, option);
    return db;
}

static void look(sqlite3 *db, const char *name)
{
    if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) > 0)
        must_be_right(db, name);
}

void world_must_be_right(sqlite3 *db)
{
    for (int i = 0; i < N_NAMES; i++)
        look(db, names[i]);
}

void world_must_be_right_one(sqlite3 *db, enum world world, unsigned n)
{
    look(db, names[n % (world == SEVERAL ? N_OF_SEVERAL : N_OF_ONE)]);
}

void world_write(sqlite3 *db, enum world world, unsigned n)
{
    if (world == SEVERAL)
        (void)attempt(db, writes_of_u[n % N_WRITES_OF_U]);
    if (world == ONE_TABLE || n % 2 == 0)
        (void)attempt(db, writes[n % N_WRITES]);
}
