/* Views under a connection's settings and limits, and under an authorizer that says no: each
** statement does what it should or fails with a message, whole, and when the setting is gone
** all is right.
**
**   test_settings [N]    with N values a limit, and N places where the authorizer says no */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static const char tables[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x REAL, s TEXT COLLATE NOCASE UNIQUE);"
    "CREATE TABLE u(k TEXT PRIMARY KEY, t INT, y INT) WITHOUT ROWID;"
    "INSERT INTO t VALUES(1, 1, 1.5, 'a'), (2, 1, 2.5, 'b'), (3, 2, 3.5, 'c'), (4, 3, 0.5, "
    "'d');"
    "INSERT INTO u VALUES('p', 1, 1), ('q', 1, 2), ('r', 2, 1)";

static const char *const views[] = {
    "a USING lockstep(SELECT g, count(*) AS n, sum(x) AS s, max(s) AS m FROM t GROUP BY g)",
    "b USING lockstep(SELECT t.id, u.y FROM t LEFT JOIN u ON u.t = t.id)",
    "c USING lockstep(maintain=commit, SELECT DISTINCT g FROM t)",
    "d USING lockstep(index=(x), SELECT x, s FROM t ORDER BY x DESC, s LIMIT 3)",
    "e USING lockstep(SELECT g FROM t UNION SELECT y FROM u EXCEPT SELECT 7)",
    "f USING lockstep(SELECT k, (SELECT count(*) FROM t WHERE t.g = u.y) AS n FROM u)",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static const char *const changes[] = {
    "INSERT OR REPLACE INTO t VALUES(2, 3, 9.5, 'd'), (7, 1, 4.5, 'e')",
    "UPDATE u SET y = y + 1, t = 3 - t",
    "DELETE FROM t WHERE id = 3",
    "INSERT INTO u VALUES('z', 7, 3)",
};
enum { N_CHANGES = sizeof(changes) / sizeof(*changes) };

static void must_all_be_right(sqlite3 *db)
{
    char name[2] = "a";

    for (; name[0] < 'a' + N_VIEWS; name[0]++)
        if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) > 0)
            must_be_right(db, name);
}

/* Has SQLite itself no words? It passes on nothing that xDestroy says, nor what is longer than
** SQLITE_LIMIT_LENGTH, and under a low SQLITE_LIMIT_EXPR_DEPTH makes no table of any kind. */
static bool is_speechless(sqlite3 *db, const char *text)
{
    return strncmp(text, "DROP TABLE", 10) == 0 ||
           sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1) < 1000 ||
           (strncmp(text, "CREATE", 6) == 0 &&
               sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, -1) < 3);
}

/* Runs what may fail: then it says why. */
static bool is_done(sqlite3 *db, const char *text)
{
    int rc = attempt(db, text);

    if (strstr(sqlite3_errmsg(db), "constructor failed") != NULL || rc == SQLITE_INTERNAL ||
        rc == SQLITE_MISUSE ||
        (rc == SQLITE_ERROR && !is_speechless(db, text) &&
            strcmp(sqlite3_errmsg(db), sqlite3_errstr(rc)) == 0))
        ck_abort_msg("%s gives %d, %s", text, rc, sqlite3_errmsg(db));
    return rc == SQLITE_OK;
}

static void read_and_command(sqlite3 *db)
{
    static const char *const commands[] = {"store", "integrity-check", "rebuild"};

    for (int i = 0; i < N_VIEWS; i++) {
        char *text = sqlite3_mprintf("SELECT * FROM %c", 'a' + i);

        (void)is_done(db, text);
        sqlite3_free(text);
        for (int j = 0; j < 3; j++) {
            text = sqlite3_mprintf("INSERT INTO %c(lockstep) VALUES(%Q)", 'a' + i, commands[j]);
            (void)is_done(db, text);
            sqlite3_free(text);
        }
    }
}

/* Whatever setting it is that set makes, a view is created whole or not at all, each statement
** too, and unset makes all of it right. */
static void live_through(
    sqlite3 *db, void (*set)(sqlite3 *db, int value), void (*unset)(sqlite3 *db), int value)
{
    for (int i = 0; i < N_VIEWS; i++) {
        char *before = rows(db, "SELECT name FROM sqlite_schema"), *after;
        char *text = sqlite3_mprintf("CREATE VIRTUAL TABLE %s", views[i]);
        bool is_made;

        set(db, value);
        is_made = is_done(db, text);
        unset(db);
        after = rows(db, "SELECT name FROM sqlite_schema");
        if (!is_made)
            ck_assert_str_eq(before, after);
        if (!is_made)
            run(db, "%s", text);
        sqlite3_free(before);
        sqlite3_free(after);
        sqlite3_free(text);
    }
    must_all_be_right(db);
    for (int i = 0; i < N_CHANGES; i++) {
        set(db, value);
        (void)is_done(db, changes[i]);
        if (i % 2 == 0)
            read_and_command(db);
        unset(db);
        must_all_be_right(db);
    }
    for (int i = 0; i < N_VIEWS; i++) {
        char *text = sqlite3_mprintf("DROP TABLE %c", 'a' + i);

        set(db, value);
        if (!is_done(db, text)) {
            unset(db);
            must_all_be_right(db);
            run(db, "%s", text);
        }
        unset(db);
        sqlite3_free(text);
    }
    ck_assert_int_eq(number(db, "SELECT count(*) FROM sqlite_schema"
                                " WHERE name GLOB 'lockstep*' OR name GLOB '?_*'"),
        0);
}

/* Settings that everything works under. */

static const char *const settings[] = {
    "PRAGMA trusted_schema = OFF", "PRAGMA recursive_triggers = ON",
    "PRAGMA legacy_alter_table = ON", "PRAGMA cell_size_check = ON",
    "PRAGMA writable_schema = ON", "PRAGMA reverse_unordered_selects = ON",
    "PRAGMA foreign_keys = ON", "PRAGMA automatic_index = OFF",
    "PRAGMA case_sensitive_like = ON", "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY", "PRAGMA auto_vacuum = FULL",
    "PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA encoding = 'UTF-16be'", "PRAGMA page_size = 512", "PRAGMA page_size = 65536",
    "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = MEMORY",
    "PRAGMA journal_mode = OFF", "", /* DEFENSIVE */
};
enum { N_SETTINGS = sizeof(settings) / sizeof(*settings) };

START_TEST(settings_change_nothing)
{
    sqlite3 *db = live_open(live_path());

    run(db, "%s", settings[_i]);
    if (settings[_i][0] == '\0')
        must(sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK);
    run(db, "%s", tables);
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "CREATE VIRTUAL TABLE %s", views[i]);
    must_all_be_right(db);
    for (int i = 0; i < N_CHANGES; i++) {
        run(db, "%s", changes[i]);
        must_all_be_right(db);
    }
    for (char name = 'a'; name < 'a' + N_VIEWS; name++) {
        run(db, "INSERT INTO %c(lockstep) VALUES('store')", name);
        run(db, "INSERT INTO %c(lockstep) VALUES('integrity-check')", name);
        run(db, "INSERT INTO %c(lockstep) VALUES('rebuild')", name);
    }
    must_all_be_right(db);
    run(db, "ALTER TABLE a RENAME TO w; INSERT INTO t VALUES(20, 20, 20, 'twenty')");
    must_be_right(db, "w");
    run(db, "ALTER TABLE w RENAME TO a");
    must_all_be_right(db);
    for (char name = 'a'; name < 'a' + N_VIEWS; name++)
        run(db, "DROP TABLE %c", name);
    ck_assert_int_eq(
        number(db, "SELECT count(*) FROM sqlite_schema WHERE name NOT IN ('t', 'u')"
                   " AND name NOT GLOB 'sqlite_*'"),
        0);
    live_close(db);
}
END_TEST

/* Limits. */

static int limit, n_values;

static void set_limit(sqlite3 *db, int value)
{
    sqlite3_limit(db, limit, value);
}

static void unset_limit(sqlite3 *db)
{
    sqlite3_limit(db, limit, 1000000000); /* SQLite cuts it down to its own */
}

START_TEST(limits_hold_and_undo_nothing)
{
    sqlite3 *db = live_open(":memory:");

    limit = _i;
    run(db, "%s", tables);
    for (int i = 0; i < n_values; i++) /* from 0 to 3000 */
        live_through(db, set_limit, unset_limit, (int)pow(3001, (double)i / n_values) - 1);
    live_close(db);
}
END_TEST

/* An authorizer. */

static int n_asked, denied, verdict;

static int deny(
    void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)ctx;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    if (verdict == SQLITE_IGNORE && action != SQLITE_READ && action != SQLITE_PRAGMA)
        return SQLITE_OK; /* of others, such as CREATE TABLE, SQLite itself may crash */
    return ++n_asked == denied ? verdict : SQLITE_OK;
}

static void set_authorizer(sqlite3 *db, int value)
{
    n_asked = 0;
    denied = value;
    sqlite3_set_authorizer(db, deny, NULL);
}

static void unset_authorizer(sqlite3 *db)
{
    sqlite3_set_authorizer(db, NULL, NULL);
}

START_TEST(an_authorizer_that_denies_undoes_nothing)
{
    sqlite3 *db = live_open(":memory:");

    verdict = SQLITE_DENY;
    run(db, "%s", tables);
    live_through(db, set_authorizer, unset_authorizer, 1 + 17 * _i + _i * _i);
    live_close(db);
}
END_TEST

/* What it ignores reads as NULL, without a word. Whatever has become of views then, `rebuild`
** mends it. */
START_TEST(an_authorizer_that_ignores_harms_no_longer_than_it_is_there)
{
    sqlite3 *db = live_open(":memory:");

    verdict = SQLITE_IGNORE;
    run(db, "%s", tables);
    for (int i = 0; i < N_VIEWS; i++) {
        char name = (char)('a' + i);
        char *text = sqlite3_mprintf("CREATE VIRTUAL TABLE %s", views[i]);

        set_authorizer(db, 18 + 3 * _i);
        if (attempt(db, text) == SQLITE_OK)
            (void)attempt(db, "INSERT INTO t VALUES(8, 1, 4.5, 'f'); SELECT * FROM a");
        unset_authorizer(db);
        if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%c'", name) == 0)
            run(db, "%s", text);
        sqlite3_free(text);
    }
    for (int i = 0; i < N_CHANGES; i++) {
        set_authorizer(db, 18 + 3 * _i);
        (void)attempt(db, changes[i]);
        read_and_command(db);
        unset_authorizer(db);
    }
    for (char name = 'a'; name < 'a' + N_VIEWS; name++)
        run(db, "INSERT INTO %c(lockstep) VALUES('rebuild')", name);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

static int ignore_reading_ahead(void *ctx, int action, const char *a, const char *name,
    const char *schema, const char *trigger)
{
    (void)ctx;
    (void)a;
    (void)schema;
    (void)trigger;
    return action == SQLITE_FUNCTION && strcmp(name, "lockstep_ahead") == 0 ? SQLITE_IGNORE
                                                                            : SQLITE_OK;
}

/* Or where SQLite refuses the statement, as too long. */
START_TEST(what_reads_ahead_is_done_without)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a_column_of_a_long_name, another_of_one);"
            "WITH c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM c WHERE i < 50)"
            "  INSERT INTO t SELECT i, i, -i FROM c;"
            "CREATE VIRTUAL TABLE v USING lockstep(index=(id), SELECT * FROM t)");
    ck_assert_int_eq(number(db, "SELECT another_of_one FROM v WHERE id = 50"), -50);
    if (_i == 0)
        sqlite3_set_authorizer(db, ignore_reading_ahead, NULL);
    else
        sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 150);
    for (int i = 1; i <= 50; i++)
        ck_assert_int_eq(number(db, "SELECT another_of_one FROM v WHERE id = %d", i), -i);
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* Each by a statement of its own, however many there are. */
START_TEST(views_are_listed_one_by_one)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "%s", tables);
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "CREATE VIRTUAL TABLE %s", views[i]);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 1);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM lockstep_views"), N_VIEWS);
    live_close(db);
}
END_TEST

/* "first, each1, each2, ...": n items in all. sqlite3_free it. */
static char *listed(const char *first, const char *each, int n)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "%s", first);
    for (int i = 1; i < n; i++)
        sqlite3_str_appendf(text, ", %s%d", each, i);
    return sqlite3_str_finish(text);
}

/* What is asked of a view is asked in texts that SQLite takes, however many columns it has. */
START_TEST(a_view_may_be_as_wide_as_a_table)
{
    sqlite3 *db = live_open(":memory:");
    char *columns = listed("c0", "c", 1900);

    run(db, "CREATE TABLE w(%s)", columns);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT %s FROM w)", columns);
    run(db, "INSERT INTO w(c0, c1899) VALUES(1, 'x'); INSERT INTO v(lockstep) VALUES('store')");
    run(db, "UPDATE w SET c1899 = 'y'; INSERT INTO v(lockstep) VALUES('integrity-check')");
    ck_assert_int_eq(number(db, "SELECT sum(cells) FROM lockstep_plan('v')"), 1);
    run(db, "UPDATE v_data SET c1899 = 'z'");
    must_say(db, "was not written so", "INSERT INTO v(lockstep) VALUES('integrity-check')");
    sqlite3_free(columns);
    live_close(db);
}
END_TEST

/* SQLite counts the commas of CREATE VIRTUAL TABLE as those of columns, but not within
** parentheses, as README says. */
START_TEST(a_query_of_too_many_commas_can_be_had_in_parentheses)
{
    sqlite3 *db = live_open(":memory:");
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *terms = listed("g", "g + ", 1101);

    run(db, "%s", tables);
    sqlite3_str_appendf(text,
        "CREATE VIRTUAL TABLE v USING lockstep(SELECT %s FROM t GROUP BY %s)", terms, terms);
    must_say(db, "too many columns on v", sqlite3_str_value(text));
    sqlite3_free(sqlite3_str_finish(text));
    run(db,
        "CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM (SELECT %s FROM t GROUP BY %s))",
        terms, terms);
    run(db, "INSERT INTO t VALUES(5, 4, 5, 'e'); DELETE FROM t WHERE g = 2");
    must_be_right(db, "v");
    sqlite3_free(terms);
    live_close(db);
}
END_TEST

/* The values of an IN are parameters of a statement: more than it may have narrow nothing. */
START_TEST(an_in_of_many_values_keeps_to_the_limits)
{
    static const struct {
        int limit, most;
    } limits[] = {{SQLITE_LIMIT_VARIABLE_NUMBER, 1}, {SQLITE_LIMIT_VARIABLE_NUMBER, 3},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 8}, {SQLITE_LIMIT_SQL_LENGTH, 200},
        {SQLITE_LIMIT_SQL_LENGTH, 400}};
    static const char *const sets[] = {
        "'5', '6', 'x'", "SELECT k FROM t WHERE x = 5", "SELECT k FROM t"};
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(k TEXT, x);"
            "WITH c(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM c WHERE i < 50)"
            "  INSERT INTO t SELECT i, i FROM c;"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, sum(x) AS s FROM t GROUP BY k);"
            "INSERT INTO t VALUES('5', 100)");
    must_be_right(db, "v");
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        int before = sqlite3_limit(db, limits[i].limit, limits[i].most);

        for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); k++) {
            char *of_view = sqlite3_mprintf("SELECT * FROM v WHERE k IN (%s)", sets[k]);
            char *of_query = sqlite3_mprintf("SELECT * FROM v_query WHERE k IN (%s)", sets[k]);

            must_agree(db, of_view, of_query);
            sqlite3_free(of_view);
            sqlite3_free(of_query);
        }
        sqlite3_limit(db, limits[i].limit, before);
    }
    live_close(db);
}
END_TEST

/* A function of the user's that is registered once more, as another. */

static int added = 1;

static void add(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    sqlite3_result_int64(context, sqlite3_value_int64(argv[0]) + added);
}

static void register_add(sqlite3 *db, int n)
{
    added = n;
    must(sqlite3_create_function(db, "f", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, add,
             NULL, NULL) == SQLITE_OK);
}

START_TEST(a_function_that_becomes_another_is_followed)
{
    sqlite3 *db = live_open(live_path());

    register_add(db, 1);
    run(db, "%s", tables);
    run(db, "CREATE VIRTUAL TABLE a USING lockstep(SELECT f(id) AS n, x FROM t)");
    run(db, "CREATE VIRTUAL TABLE b USING lockstep(SELECT id FROM t WHERE f(g) > 11)");
    must_all_be_right(db);
    register_add(db, 10);
    must_all_be_right(db);
    run(db, "UPDATE t SET x = 7 WHERE id = 1");
    must_all_be_right(db);
    run(db, "BEGIN; DELETE FROM t WHERE id = 2");
    must_all_be_right(db);
    register_add(db, 20);
    run(db, "UPDATE t SET g = 30 WHERE id = 3");
    must_all_be_right(db);
    run(db, "ROLLBACK");
    must_all_be_right(db);
    run(db, "INSERT INTO a(lockstep) VALUES('integrity-check')");
    live_close(db);
}
END_TEST

/* Also where SQLite compiles all anew for an index besides, and where the function is gone when
** the view is read. */
START_TEST(a_function_is_followed_whatever_comes_between)
{
    sqlite3 *db = live_open(live_path());

    register_add(db, 1);
    run(db, "%s", tables);
    run(db, "CREATE VIRTUAL TABLE a USING lockstep(SELECT f(id) AS n, x FROM t)");
    must_all_be_right(db);
    register_add(db, 10);
    run(db, "CREATE INDEX i ON t(g)");
    must_all_be_right(db);
    register_add(db, 20);
    run(db, "CREATE VIRTUAL TABLE b USING lockstep(index=(id), SELECT id FROM t)");
    must_all_be_right(db);
    must(sqlite3_create_function(db, "f", 1, SQLITE_UTF8, NULL, NULL, NULL, NULL) == SQLITE_OK);
    must_say(db, "no such function: f", "SELECT * FROM a");
    register_add(db, 30);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* A query of so many subqueries one within another, and the same by views. */
static char *nested(int n)
{
    char *text = sqlite3_mprintf("SELECT id, g FROM t");

    for (int i = 0; i < n; i++) {
        char *outer = sqlite3_mprintf("SELECT id, g + 1 AS g FROM (%s)", text);

        sqlite3_free(text);
        text = outer;
    }
    return text;
}

static void make_views(sqlite3 *db, int n)
{
    run(db, "CREATE VIEW w0 AS SELECT id, g FROM t");
    for (int i = 1; i <= n; i++)
        run(db, "CREATE VIEW w%d AS SELECT id, g + 1 AS g FROM w%d", i, i - 1);
}

/* The parser has a stack of its own up to SQLite 3.45. */
START_TEST(a_query_that_is_nested_too_deeply_can_be_had_by_views)
{
    sqlite3 *db = live_open(live_path());
    char *query = nested(30);
    char *text = sqlite3_mprintf("CREATE VIRTUAL TABLE a USING lockstep(%s)", query);
    const char *text_of_many;

    run(db, "%s", tables);
    make_views(db, 51);
    if (sqlite3_libversion_number() < 3046000)
        must_say(db, "view a: parser stack overflow: its query is nested too deeply", text);
    else
        run(db, "%s; DROP TABLE a", text);
    run(db, "CREATE VIRTUAL TABLE a USING lockstep(SELECT g, count(*) FROM w45 GROUP BY g)");
    run(db, "CREATE VIRTUAL TABLE b USING lockstep(SELECT id FROM t"
            " WHERE g + 30 NOT IN (SELECT g FROM w30 WHERE id > 2))");
    text_of_many =
        "CREATE VIRTUAL TABLE c USING lockstep(SELECT id FROM t WHERE g NOT IN (SELECT g"
        " FROM w45 WHERE id > 2))";
    if (attempt(db, text_of_many) == SQLITE_OK)
        run(db, "DROP TABLE c");
    else /* SQLite counts them, from 3.51 on */
        must_say(
            db, "nested too deep: let it read fewer views one through another", text_of_many);
    must_all_be_right(db);
    run(db, "UPDATE t SET g = 5 WHERE id > 2");
    must_all_be_right(db);
    must_say(db, "view c: it reads a view through more than 50 others",
        "CREATE VIRTUAL TABLE c USING lockstep(SELECT * FROM w51)");
    sqlite3_free(text);
    sqlite3_free(query);
    live_close(db);
}
END_TEST

START_TEST(a_condition_that_is_too_long_says_what_to_write)
{
    sqlite3 *db = live_open(live_path());
    sqlite3_str *text = sqlite3_str_new(db);
    char *create;

    run(db, "%s", tables);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_str_appendf(text, "CREATE VIRTUAL TABLE a USING lockstep(SELECT g FROM t WHERE 0");
    for (int i = 0; i < 100; i++)
        sqlite3_str_appendf(text, " OR x = %d", i);
    sqlite3_str_appendf(text, ")");
    create = sqlite3_str_finish(text);
    must_say(db, "(maximum depth 100): write it shorter, as in x IN (1, 2)", create);
    sqlite3_free(create);
    live_close(db);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("settings");
    TCase *tests = tcase_create("settings");

    n_values = argc > 1 ? atoi(argv[1]) : 3;
    tcase_add_loop_test(tests, settings_change_nothing, 0, N_SETTINGS);
    tcase_add_loop_test(tests, limits_hold_and_undo_nothing, 0, 12);
    tcase_add_loop_test(tests, what_reads_ahead_is_done_without, 0, 2);
    tcase_add_loop_test(tests, an_authorizer_that_denies_undoes_nothing, 0, 2 * n_values);
    tcase_add_loop_test(
        tests, an_authorizer_that_ignores_harms_no_longer_than_it_is_there, 0, 2 * n_values);
    tcase_add_test(tests, views_are_listed_one_by_one);
    tcase_add_test(tests, a_function_that_becomes_another_is_followed);
    tcase_add_test(tests, a_function_is_followed_whatever_comes_between);
    tcase_add_test(tests, a_view_may_be_as_wide_as_a_table);
    tcase_add_test(tests, an_in_of_many_values_keeps_to_the_limits);
    tcase_add_test(tests, a_query_of_too_many_commas_can_be_had_in_parentheses);
    tcase_add_test(tests, a_query_that_is_nested_too_deeply_can_be_had_by_views);
    tcase_add_test(tests, a_condition_that_is_too_long_says_what_to_write);
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
