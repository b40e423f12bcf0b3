/* <view>_data where hashes are so weak that most rows are pushed behind others: probing, gaps
** that close, rows that wrap around the end of the rowids. */
#include <check.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/live.h"
#include "tests/random.h"
#include "tests/suite.h"

/* At most as many rows as leave one place free. */
static const struct {
    const char *select;
    int bits;
    unsigned n_values; /* of k */
} views[] = {
    {"SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k", 3, 6},
    {"SELECT k, count(*) AS n FROM t GROUP BY k", 5, 29},
    {"SELECT DISTINCT k FROM t", 3, 6},
    {"SELECT k FROM t", 3, 6},
    {"SELECT k, k || '!' AS c FROM t WHERE k IS NOT 2", 4, 14},
    {"SELECT k COLLATE NOCASE AS c, max(x) AS m FROM t GROUP BY k COLLATE NOCASE", 4, 14},
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static sqlite3 *open_weak(const char *path, int bits)
{
    sqlite3 *db = live_open(path);

    run(db, "SELECT lockstep_hash_bits(%d)", bits);
    return db;
}

/* Rows whose key is an integer lie at that, where it is not negative; others are pushed behind
** them. */
static int key_of(unsigned n)
{
    return n % 2 == 0 ? (int)n : -(int)n;
}

static void write_some(sqlite3 *db, struct random *random, unsigned n_values)
{
    int a = key_of(random_below(random, n_values)), b = key_of(random_below(random, n_values));
    int x = (int)random_below(random, 9);

    switch (random_below(random, 6)) {
    case 0:
    case 1:
        run(db, "INSERT INTO t(k, x) VALUES(%d, %d), (nullif(%d, 0), 1)", a, x, b);
        break;
    case 2:
        run(db, "UPDATE t SET k = %d WHERE k = %d", a, b);
        break;
    case 3:
        run(db, "DELETE FROM t WHERE k = %d", a);
        break;
    case 4:
        run(db, "UPDATE t SET x = x + 1 WHERE k >= %d", a);
        break;
    default:
        run(db, "DELETE FROM t WHERE id %% 3 = %d", abs(a) % 3);
    }
}

/* What is stored must be what is shown. */
static void must_be_stored(sqlite3 *db)
{
    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    must_be_right(db, "v");
    ck_assert_int_eq(number(db, "SELECT total(lockstep_weight) FROM v_data"),
        number(db, "SELECT count(*) FROM v_query"));
}

START_TEST(rows_whose_hashes_collide_are_found)
{
    struct random random = random_new((uint64_t)_i);

    for (int round = 0; round < 6; round++) {
        const char *path = live_path();
        sqlite3 *db = open_weak(path, views[_i].bits);

        run(db,
            "CREATE TABLE t(id INTEGER PRIMARY KEY, k, x INT);"
            "CREATE VIRTUAL TABLE v USING lockstep(%s)",
            views[_i].select);
        for (int i = 0; i < 120; i++) {
            write_some(db, &random, views[_i].n_values);
            if (random_once_in(&random, 3))
                must_be_right(db, "v");
            if (random_once_in(&random, 4))
                must_be_stored(db);
            if (random_once_in(&random, 10)) {
                run(db, "BEGIN");
                write_some(db, &random, views[_i].n_values);
                must_be_stored(db);
                run(db, random_below(&random, 2) ? "ROLLBACK" : "COMMIT");
                must_be_right(db, "v");
            }
            if (random_once_in(&random, 20)) {
                live_close(db);
                db = open_weak(path, views[_i].bits);
            }
        }
        must_be_stored(db);
        run(db, "DELETE FROM t");
        must_be_stored(db);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* All of them are made and written at once. */
START_TEST(a_build_places_rows_whose_hashes_collide)
{
    struct random random = random_new((uint64_t)_i);

    for (int round = 0; round < 6; round++) {
        sqlite3 *db = open_weak(live_path(), views[_i].bits);

        run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k, x INT)");
        for (int i = 0; i < 40; i++)
            write_some(db, &random, views[_i].n_values);
        if (round % 2 == 1)
            run(db, "SELECT lockstep_build_bytes(300)");
        run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s)", views[_i].select);
        must_be_stored(db);
        write_some(db, &random, views[_i].n_values);
        must_be_stored(db);
        run(db, "INSERT INTO v(lockstep) VALUES('rebuild')");
        must_be_stored(db);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* Views whose builds store often, of each kind of state. */
static const char *const built[] = {
    "SELECT x FROM t",
    "SELECT id, s FROM t WHERE x < 40",
    "SELECT DISTINCT s FROM t",
    "SELECT count(*) AS n, sum(x) AS total, max(s) AS most FROM t",
    "SELECT g, count(*) AS n, sum(x) AS total FROM t GROUP BY g",
    "SELECT count(*) AS n FROM t GROUP BY g, s",
    "SELECT g, min(x) AS least, count(DISTINCT s) AS n FROM t GROUP BY g",
    "SELECT g, max(1000 * x + id) AS most, s FROM t GROUP BY g",
    "SELECT s, group_concat(x) AS list FROM t GROUP BY s",
    "SELECT s COLLATE RTRIM AS c, min(s) AS least FROM t GROUP BY s COLLATE RTRIM",
    "SELECT x / 2.0 AS half, max(id) AS most FROM t GROUP BY x / 2.0 HAVING count(*) > 1",
    "SELECT g, sum(abs(x - 9223372036854775807 - (x <> 50))) AS fails, max(x) AS m"
    " FROM t WHERE x <> 13 GROUP BY g",
    "SELECT g, min(x) AS least, sum(CASE WHEN x > 50 THEN 9223372036854775807 END) AS fails"
    " FROM t GROUP BY g",
    "SELECT x FROM t ORDER BY s, x LIMIT 7",
    "SELECT s FROM t ORDER BY s DESC LIMIT 30 OFFSET 20",
    "SELECT x FROM t ORDER BY x LIMIT 0",
    "SELECT a.x FROM t a JOIN t b ON b.id = a.x ORDER BY b.s, a.x LIMIT 9",
    "SELECT x FROM t UNION ALL SELECT g FROM t ORDER BY 1 LIMIT 5",
    "SELECT g, x FROM t UNION ALL SELECT x, g FROM t WHERE id % 2",
    "SELECT id FROM t WHERE x IN (SELECT g FROM t WHERE s > 'C') AND id NOT IN (SELECT x FROM "
    "t)",
    "SELECT a.x, b.s FROM t a JOIN t b ON b.id = a.x",
    "SELECT b.s, min(a.x) AS least FROM t a JOIN t b ON b.id = a.x GROUP BY b.s",
    "SELECT g, x FROM t UNION SELECT x, g FROM t",
    "SELECT g, n FROM (SELECT g, s, count(*) AS n FROM t GROUP BY g, s) GROUP BY g, n",
};
enum { N_BUILT = sizeof(built) / sizeof(*built) };

/* Equal values are the same, so that none of several must be chosen. */
static void fill_table(sqlite3 *db, struct random *random)
{
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x INT, s TEXT);"
            "CREATE INDEX t_x ON t(x)");
    for (int i = 0; i < 400; i++)
        run(db, "INSERT INTO t(g, x, s) VALUES(nullif(%u, 0), %u, char(%u))",
            random_below(random, 30), random_below(random, 90), 65 + random_below(random, 9));
}

static void must_be_the_same(sqlite3 *db, const char *table)
{
    ck_assert_int_eq(number(db, "SELECT count(*) FROM a_%s", table),
        number(db, "SELECT count(*) FROM b_%s", table));
    ck_assert_int_eq(number(db,
                         "SELECT count(*) FROM (SELECT * FROM a_%s EXCEPT"
                         " SELECT * FROM b_%s)",
                         table, table),
        0);
}

/* Of many rows of which the first are shown, b has fewer where there is less memory, and the cell
** that says so. */
static void must_be_first_ones(sqlite3 *db)
{
    ck_assert_int_le(number(db, "SELECT count(*) FROM b_trace"),
        number(db, "SELECT count(*) FROM a_trace") + 1);
    ck_assert_int_le(
        number(db, "SELECT count(*) FROM (SELECT * FROM b_trace EXCEPT SELECT * FROM a_trace)"),
        1);
}

/* Half of a build's rows fit into memory, or hardly any; it leaves the same, bit by bit. */
START_TEST(a_build_in_pieces_leaves_what_a_build_at_once_does)
{
    static const int sizes[] = {1, 3000, 30000};
    struct random random = random_new((uint64_t)_i);

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        sqlite3 *db = live_open(live_path());

        fill_table(db, &random);
        run(db, "CREATE VIRTUAL TABLE a USING lockstep(%s)", built[_i]);
        run(db, "SELECT lockstep_build_bytes(%d)", sizes[i]);
        run(db, "CREATE VIRTUAL TABLE b USING lockstep(%s)", built[_i]);
        must_be_the_same(db, "data");
        if (strstr(built[_i], " LIMIT ") == NULL)
            must_be_the_same(db, "trace");
        else
            must_be_first_ones(db);
        run(db, "UPDATE t SET x = x + 1, g = 5 WHERE id %% 7 = 0; DELETE FROM t WHERE x = 13");
        run(db, "INSERT INTO b(lockstep) VALUES('rebuild')");
        run(db, "INSERT INTO a(lockstep) VALUES('rebuild')");
        must_be_the_same(db, "data");
        must_be_the_same(db, "trace");
        live_close(db);
        live_clean();
    }
}
END_TEST

static int n_calls;

static int count_call(void *ctx)
{
    (void)ctx;
    n_calls++;
    return 0;
}

/* How many of SQLite's instructions a store takes, in tens, when five of so many rows that lie side
** by side have gone, and five have moved. */
static int calls_of_store(const char *select, int rows)
{
    sqlite3 *db = live_open(live_path());

    run(db,
        "CREATE TABLE t(id INTEGER PRIMARY KEY, x INT);"
        "WITH c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM c WHERE i < %d)"
        "  INSERT INTO t SELECT i, i %% 10 FROM c;"
        "CREATE VIRTUAL TABLE v USING lockstep(%s);"
        "DELETE FROM t WHERE id <= 5; UPDATE t SET id = id + 100000 WHERE id <= 10",
        rows, select);
    must_be_right(db, "v");
    n_calls = 0;
    sqlite3_progress_handler(db, 10, count_call, NULL);
    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    sqlite3_progress_handler(db, 0, NULL, NULL);
    must_be_stored(db);
    live_close(db);
    live_clean();
    return n_calls;
}

START_TEST(a_row_that_goes_costs_the_same_among_many)
{
    static const char *const selects[] = {"SELECT id, x FROM t", "SELECT x, id * 1 FROM t",
        "SELECT id * 1 AS g, count(*) FROM t GROUP BY g", "SELECT DISTINCT id FROM t"};

    for (size_t i = 0; i < sizeof(selects) / sizeof(*selects); i++)
        ck_assert_int_le(calls_of_store(selects[i], 4000), 2 * calls_of_store(selects[i], 100));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("result");
    TCase *tests = tcase_create("result");

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, rows_whose_hashes_collide_are_found, 0, N_VIEWS);
    tcase_add_loop_test(tests, a_build_places_rows_whose_hashes_collide, 0, N_VIEWS);
    tcase_add_loop_test(tests, a_build_in_pieces_leaves_what_a_build_at_once_does, 0, N_BUILT);
    tcase_add_test(tests, a_row_that_goes_costs_the_same_among_many);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
