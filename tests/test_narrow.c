/* Reads by constraints and in orders, while much is pending and transactions come and go: what
** they give of a view is what they give of its query. */
#include <check.h>

#include "tests/live.h"
#include "tests/random.h"
#include "tests/suite.h"

static const struct {
    const char *arguments;
    bool
        is_of_columns; /* a column of a TEXT affinity compares with its columns as with the query's */
} views[] = {
    {"index=(a), index=(b DESC, c), SELECT id, a, b, c FROM t", true},
    {"index=(c, a), index=(b), SELECT id, a, b COLLATE NOCASE AS b, c FROM t WHERE id % 7 > 0",
        true},
    {"index=(c), SELECT max(id) AS id, a, b, sum(c) AS c FROM t GROUP BY a, b", false},
    {"index=(a DESC), SELECT count(*) AS id, min(b) || '' AS a, max(b) AS b, c FROM t GROUP BY "
     "c",
        false},
    {"SELECT id, a, b, c FROM t ORDER BY c DESC, b NULLS LAST, id", true},
    {"index=(a), SELECT t.id, t.a, s.b, t.c FROM t LEFT JOIN t AS s ON s.id = t.c", true},
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static const char *const values[] = {
    "NULL",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "2.0",
    "2.5",
    "'1'",
    "'2'",
    "'a'",
    "'A'",
    "'b '",
    "''",
    "'3x'",
    "x'31'",
    "1e99",
    "' 2'",
    "'-1'",
    "'Inf'",
};
enum { N_VALUES = sizeof(values) / sizeof(*values) };

static const char *const columns[] = {"a", "b", "c", "id"};

static const char *value(struct random *random)
{
    return values[random_below(random, N_VALUES)];
}

static const char *column(struct random *random)
{
    return columns[random_below(random, 4)];
}

static void write_some(sqlite3 *db, struct random *random)
{
    unsigned id = random_below(random, 60);

    switch (random_below(random, 8)) {
    case 0:
        run(db, "DELETE FROM t WHERE id = %u", id);
        break;
    case 1:
        run(db, "UPDATE t SET %s = %s WHERE id BETWEEN %u AND %u",
            columns[random_below(random, 3)], value(random), id, id + 5);
        break;
    case 2:
        if (sqlite3_get_autocommit(db))
            run(db, "BEGIN; SAVEPOINT s");
        else
            run(db, random_once_in(random, 2) ? "ROLLBACK TO s" : "SAVEPOINT s");
        break;
    case 3:
        if (!sqlite3_get_autocommit(db))
            run(db, random_once_in(random, 3) ? "COMMIT" : "ROLLBACK");
        break;
    case 4:
        if (random_once_in(random, 6))
            run(db, "INSERT INTO v(lockstep) VALUES('store')");
        break;
    default:
        run(db, "REPLACE INTO t VALUES(%u, %s, %s, %u)", id, value(random), value(random),
            random_below(random, 9));
    }
}

/* One constraint, by a literal or an element of a list or, of a type, by a column of that
** affinity. */
static char *constraint(struct random *random, const char *type)
{
    static const char *const operators[] = {"=", "IS", ">", ">=", "<", "<="};
    const char *sign = operators[random_below(random, 6)];

    if (type != NULL)
        return sqlite3_mprintf("%s %s (SELECT %s FROM types WHERE id = %u)", column(random),
            sign, type, random_below(random, N_VALUES));
    if (random_once_in(random, 5))
        return sqlite3_mprintf(
            "%s IN (%s, %s, %s)", column(random), value(random), value(random), value(random));
    return sqlite3_mprintf("%s %s %s", column(random), sign, value(random));
}

static char *condition(struct random *random, const char *type)
{
    char *one = constraint(random, NULL), *other = constraint(random, type);
    char *both =
        sqlite3_mprintf(random_once_in(random, 2) ? "%s AND %s" : "%.0s%s", one, other);

    sqlite3_free(one);
    sqlite3_free(other);
    return both;
}

/* Of 2 and 2.0, which are one group, either may be shown, and of 'a' and 'A' either come
** first. */
#define SHOWN(column)                                                                          \
    "CASE typeof(" column ") WHEN 'integer' THEN " column                                      \
    " + 0.0 WHEN 'text' THEN lower(" column ") ELSE " column " END"

static void read_rows(sqlite3 *db, const char *where)
{
    char *of_view = sqlite3_mprintf("SELECT id, " SHOWN("a") ", b, c FROM v WHERE %s", where);
    char *of_query =
        sqlite3_mprintf("SELECT id, " SHOWN("a") ", b, c FROM v_query WHERE %s", where);

    must_agree(db, of_view, of_query);
    sqlite3_free(of_view);
    sqlite3_free(of_query);
}

/* The terms in the order that they come in; of equal rows, such as those with 2 and 2.0, any
** may come first. SQLite orders rows by no column that is held to one value, though conversions
** may have made several alike: not with conditions of a type. */
static void read_in_order(sqlite3 *db, struct random *random, const char *where)
{
    static const char text[] = "SELECT group_concat(quote(" SHOWN("x") ") || quote(" SHOWN(
        "y") ")) FROM (SELECT %s AS x, %s AS y FROM %s WHERE %s"
             " ORDER BY %s%s, %s%s LIMIT %u)";
    const char *first = column(random), *second = column(random);
    const char *down = random_once_in(random, 2) ? " DESC" : "";
    const char *up = random_once_in(random, 3) ? " DESC" : "";
    unsigned limit = 1 + random_below(random, 40);
    char *of_view =
        sqlite3_mprintf(text, first, second, "v", where, first, down, second, up, limit);
    char *of_query =
        sqlite3_mprintf(text, first, second, "v_query", where, first, down, second, up, limit);

    must_agree(db, of_view, of_query);
    sqlite3_free(of_view);
    sqlite3_free(of_query);
}

START_TEST(what_constraints_leave_of_a_view_they_leave_of_its_query)
{
    struct random random = random_new((uint64_t)_i);

    for (int round = 0; round < 4; round++) {
        sqlite3 *db = live_open(":memory:");

        run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, c INT);"
                "CREATE TABLE types(id INTEGER PRIMARY KEY, n INT, s TEXT)");
        for (int i = 0; i < N_VALUES; i++)
            run(db, "INSERT INTO types VALUES(%d, %s, %s)", i, values[i], values[i]);
        for (int i = 0; i < 40; i++)
            run(db, "REPLACE INTO t VALUES(%d, %s, %s, %d)", i, value(&random), value(&random),
                i % 8);
        run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s)", views[_i].arguments);
        for (int i = 0; i < 250; i++) {
            const char *type = random_once_in(&random, 2)                              ? NULL
                               : random_once_in(&random, 2) && views[_i].is_of_columns ? "s"
                                                                                       : "n";
            char *where = condition(&random, type);

            write_some(db, &random);
            read_rows(db, where);
            if (type == NULL)
                read_in_order(db, &random, where);
            sqlite3_free(where);
        }
        if (!sqlite3_get_autocommit(db))
            run(db, "COMMIT");
        read_rows(db, "true");
        live_close(db);
    }
}
END_TEST

/* More orders than are kept, walked over while others are asked for. */
START_TEST(any_number_of_orders_can_be_asked_for)
{
    static const char name[] = "abcdefgh";
    sqlite3 *db = live_open(":memory:");
    sqlite3_str *indexes = sqlite3_str_new(NULL);
    char *list;

    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (i != j)
                sqlite3_str_appendf(indexes, "index=(%c, %c),", name[i], name[j]);
    list = sqlite3_str_finish(indexes);
    run(db,
        "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c, d, e, f, g, h);"
        "CREATE VIRTUAL TABLE v USING lockstep(%s SELECT * FROM t);"
        "INSERT INTO t VALUES(1, 2, 3, 4, 5, 6, 7, 8), (2, 1, 2, 3, 4, 5, 6, 7),"
        " (3, 3, 3, 3, 3, 3, 3, 3)",
        list);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 2 && i != j; k++)
                ck_assert_int_eq(number(db,
                                     "SELECT sum(x.%c * y.%c) FROM (SELECT %c, a FROM v WHERE "
                                     "a >= 1 ORDER BY %c"
                                     " %s, %c LIMIT 3) AS x, (SELECT %c FROM v WHERE %c > 0 "
                                     "ORDER BY %c) AS y",
                                     name[i], name[j], name[i], name[i], k ? "DESC" : "",
                                     name[j], name[j], name[i], name[i]),
                    number(
                        db, "SELECT sum(x.%c * y.%c) FROM t AS x, t AS y", name[i], name[j]));
    sqlite3_free(list);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("narrow");
    TCase *tests = tcase_create("narrow");

    random_announce();
    tcase_add_loop_test(
        tests, what_constraints_leave_of_a_view_they_leave_of_its_query, 0, N_VIEWS);
    tcase_add_test(tests, any_number_of_orders_can_be_asked_for);
    tcase_set_timeout(tests, 240);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
