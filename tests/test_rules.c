/* The rules of the log, each as tests. */

#include "tests/rules.h"
#include "tests/suite.h"

void make_table(sqlite3 *db)
{
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT, y REAL);"
            "INSERT INTO t(k, x, y) VALUES('a', 1, 0.5), ('b', 2, 1.25), ('a', 3, -2.0),"
            " (NULL, 4, NULL), ('c', NULL, 8.0)");
}

void make_view(sqlite3 *db, const char *name, const char *options)
{
    run(db,
        "CREATE VIRTUAL TABLE %s USING lockstep(%s SELECT k, count(*) AS n, sum(x) AS total,"
        " avg(y) AS mean, min(y) AS least FROM t GROUP BY k)",
        name, options);
}

void fill(sqlite3 *db, int n)
{
    run(db,
        "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < %d)"
        " INSERT INTO t(k, x, y) SELECT 'k' || (i %% 100), i, i / 4.0 FROM i",
        n);
}

int log_of(sqlite3 *db)
{
    return (int)number(db, "SELECT max(log) FROM lockstep_position");
}

sqlite3_int64 log_length(sqlite3 *db)
{
    return number(
        db, "SELECT count(*) FROM lockstep_log_%d WHERE lockstep_weight IS NOT 2", log_of(db));
}

int main(void)
{
    Suite *suite = suite_create("rules of the log");

    suite_add_tcase(suite, rules_positions());
    suite_add_tcase(suite, rules_moments());
    suite_add_tcase(suite, rules_returning());
    suite_add_tcase(suite, rules_storing());
    suite_add_tcase(suite, rules_capture());
    suite_add_tcase(suite, rules_meddling());
    suite_add_tcase(suite, rules_schema());
    suite_add_tcase(suite, rules_joins());
    suite_add_tcase(suite, rules_gone());
    suite_add_tcase(suite, rules_renamed());
    suite_add_tcase(suite, rules_commands());
    return suite_run(suite);
}
