/* <view>_data where hashes are so weak that most rows are pushed behind others: probing, gaps
** that close, rows that wrap around the end of the rowids. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/live.h"
#include "tests/random.h"

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

static void write_some(sqlite3 *db, struct random *random, unsigned n_values)
{
    unsigned a = random_below(random, n_values), b = random_below(random, n_values);
    int x = (int)random_below(random, 9);

    switch (random_below(random, 6)) {
    case 0:
    case 1:
        run(db, "INSERT INTO t(k, x) VALUES(%u, %d), (nullif(%u, 0), 1)", a, x, b);
        break;
    case 2:
        run(db, "UPDATE t SET k = %u WHERE k = %u", a, b);
        break;
    case 3:
        run(db, "DELETE FROM t WHERE k = %u", a);
        break;
    case 4:
        run(db, "UPDATE t SET x = x + 1 WHERE k >= %u", a);
        break;
    default:
        run(db, "DELETE FROM t WHERE id %% 3 = %u", a % 3);
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

int main(void)
{
    Suite *suite = suite_create("result");
    TCase *tests = tcase_create("result");
    SRunner *runner;
    int n_failed;

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, rows_whose_hashes_collide_are_found, 0, N_VIEWS);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
