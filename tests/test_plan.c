/* Plans against golden texts, refusals against their messages, and what may not happen. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check_alloc.h"
#include "tests/plan_cases.h"
#include "tests/plan_text.h"
#include "tests/random.h"
#include "tests/random_select.h"
#include "tests/sql_catalogue.h"
#include "tests/suite.h"
#include "tests/typical_views.h"

static sqlite3 *db;
static struct sql_catalogue *tables;
static struct zsql_catalogue catalogue;

static void open_database(void)
{
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql_catalogue_add_functions(db);
    ck_assert_int_eq(sqlite3_exec(db, plan_tables, NULL, NULL, NULL), SQLITE_OK);
    tables = sql_catalogue_new(db);
    catalogue = sql_catalogue_face(tables);
}

static void close_database(void)
{
    sql_catalogue_free(tables);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static bool is_taken_by_sqlite(const char *text)
{
    sqlite3_stmt *stmt;
    int rc = sqlite3_prepare_v2(db, text, -1, &stmt, NULL);

    sqlite3_finalize(stmt);
    return rc == SQLITE_OK;
}

/* The exact text without the schema that it puts before tables that go without. */
static char *without_schema(const char *text)
{
    static const char schema[] = "\"main\".";
    char *copy = calloc(1, strlen(text) + 1);
    char *to = copy;

    while (*text != '\0') {
        if (strncmp(text, schema, strlen(schema)) == 0)
            text += strlen(schema);
        else
            *to++ = *text++;
    }
    return copy;
}

/* Run on its own, it must not meet a TEMP table of the same name. */
START_TEST(the_exact_text_names_the_schema_of_its_table)
{
    struct zsql_plan *plan;
    char *message;
    int rc =
        zsql_plan_new(&zs_alloc_libc, "SELECT sum(a) FROM t AS x", &catalogue, &plan, &message);

    ck_assert_int_eq(rc, ZS_OK);
    ck_assert_str_eq(plan->exact_text, "SELECT exact_sum(a) FROM \"main\".t AS x");
    zsql_plan_free(plan);
}
END_TEST

START_TEST(a_select_has_its_plan)
{
    const struct plan_case *expected = &plan_cases[_i];
    struct zsql_plan *plan;
    char *message;
    char *printed;
    char *unqualified;
    int rc = zsql_plan_new(&zs_alloc_libc, expected->select, &catalogue, &plan, &message);

    ck_assert_msg(is_taken_by_sqlite(expected->select), "%s", sqlite3_errmsg(db));
    ck_assert_msg(rc == ZS_OK, "%s: %s", expected->select, message);
    ck_assert_ptr_null(message);
    printed = plan_text(plan);
    ck_assert_str_eq(printed, expected->plan);
    unqualified = without_schema(plan->exact_text);
    ck_assert_str_eq(unqualified, expected->exact != NULL ? expected->exact : expected->select);
    free(unqualified);
    free(printed);
    zsql_plan_free(plan);
}
END_TEST

/* Each map's texts stand alone over any FROM item with the columns of its input. */
START_TEST(an_expression_stands_alone)
{
    struct zsql_plan *plan;
    char *message;
    int rc = zsql_plan_new(&zs_alloc_libc, plan_cases[_i].select, &catalogue, &plan, &message);

    ck_assert_int_eq(rc, ZS_OK);
    for (size_t i = 0; i < plan->n_operators; i++) {
        const struct zsql_operator *operator= plan->operators[i];
        for (size_t j = 0; operator->kind == ZSQL_MAP && j<operator->n_columns; j++) {
            char *sql = NULL;
            size_t len;
            FILE *out = open_memstream(&sql, &len);

            fprintf(out, "SELECT %s AS x FROM (SELECT 1 AS p", operator->expressions[j]);
            for (size_t k = 0; k < operator->input->n_columns; k++)
                fprintf(out, ", 1 AS c%zu", k);
            fprintf(out, ")");
            fclose(out);
            ck_assert_msg(is_taken_by_sqlite(sql), "%s: %s", sql, sqlite3_errmsg(db));
            free(sql);
        }
    }
    zsql_plan_free(plan);
}
END_TEST

START_TEST(what_is_not_maintained_is_refused_by_name)
{
    struct zsql_plan *plan;
    char *message;
    int rc = zsql_plan_new(&zs_alloc_libc, refusals[_i].select, &catalogue, &plan, &message);

    ck_assert_msg(is_taken_by_sqlite(refusals[_i].select), "%s: %s", refusals[_i].select,
        sqlite3_errmsg(db));
    ck_assert_int_eq(rc, ZS_REFUSED);
    ck_assert_ptr_null(plan);
    ck_assert_str_eq(message, refusals[_i].message);
    zs_alloc_free(&zs_alloc_libc, message);
}
END_TEST

START_TEST(a_text_that_is_no_select_is_rejected)
{
    static const struct {
        const char *text;
        int rc;
        const char *message;
    } cases[] = {
        {"", ZS_SYNTAX, "the text ends too early"},
        {"SELECT a FROM", ZS_SYNTAX, "the text ends too early"},
        {"SELECT a FROM WHERE", ZS_SYNTAX, "syntax error near WHERE"},
        {"SELECT 'a", ZS_SYNTAX, "syntax error near '"},
        {"SELECT z FROM t", ZS_REFUSED, "no such column: z"},
        {"SELECT a FROM z", ZS_REFUSED, "no such table: z"},
        {"SELECT z(a) FROM t", ZS_REFUSED, "no such function: z"},
        {"SELECT a FROM t GROUP BY 2", ZS_REFUSED, "there is no result column 2"},
        {"SELECT a FROM t GROUP BY -1", ZS_REFUSED, "there is no result column -1"},
    };
    char *message;
    struct zsql_plan *plan;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int rc = zsql_plan_new(&zs_alloc_libc, cases[i].text, &catalogue, &plan, &message);
        ck_assert_int_eq(rc, cases[i].rc);
        ck_assert_ptr_null(plan);
        ck_assert_str_eq(message, cases[i].message);
        zs_alloc_free(&zs_alloc_libc, message);
    }
}
END_TEST

START_TEST(a_text_nested_too_deep_is_said_to_be)
{
    size_t n = 100000;
    char *text = malloc(n + 64);
    struct zsql_plan *plan;
    char *message;

    memset(text, '(', n);
    memcpy(text, "SELECT ", 7);
    strcpy(text + n, "a FROM t");
    ck_assert_int_eq(
        zsql_plan_new(&zs_alloc_libc, text, &catalogue, &plan, &message), ZS_TOO_DEEP);
    ck_assert_str_eq(message, "the text is nested too deep");
    zs_alloc_free(&zs_alloc_libc, message);
    free(text);
}
END_TEST

/* The deepest tree that is read, and an alias that doubles it. */
START_TEST(a_plan_may_be_as_deep_as_a_tree)
{
    char *text = malloc(40000);
    char *p = text + sprintf(text, "SELECT a");
    struct zsql_plan *plan;
    char *message;
    int rc;

    for (int i = 0; i < 950; i++)
        p += sprintf(p, "+1");
    p += sprintf(p, " AS k FROM t WHERE k");
    for (int i = 0; i < 950; i++)
        p += sprintf(p, " OR k");
    *p = '\0';
    rc = zsql_plan_new(&zs_alloc_libc, text, &catalogue, &plan, &message);
    ck_assert_int_eq(rc, ZS_OK);
    ck_assert_uint_gt(strlen(plan->operators[1]->condition), 950 * 950 * 2);
    zsql_plan_free(plan);
    free(text);
}
END_TEST

/* SQLite before 3.44 does not take it. */
START_TEST(order_within_an_aggregate_is_left_to_sqlite)
{
    static const char text[] =
        "SELECT group_concat(c, ';' ORDER BY n DESC, a||lower(b)) FILTER "
        "(WHERE r = c) FROM t GROUP BY a";
    struct zsql_plan *plan;
    char *message;

    ck_assert_int_eq(zsql_plan_new(&zs_alloc_libc, text, &catalogue, &plan, &message), ZS_OK);
    ck_assert_str_eq(plan->operators[2]->refolds[0],
        "group_concat(c0, ';' ORDER BY c1 DESC, c2||lower(c3)) FILTER (WHERE c4 = c0)");
    zsql_plan_free(plan);
    ck_assert_int_eq(
        zsql_plan_new(&zs_alloc_libc, "SELECT group_concat(c ORDER BY random()) FROM t",
            &catalogue, &plan, &message),
        ZS_REFUSED);
    ck_assert_str_eq(message, "random() is not deterministic: say it where the view is read");
    zs_alloc_free(&zs_alloc_libc, message);
}
END_TEST

START_TEST(typical_views_are_planned_or_refused)
{
    const struct kept_view *view = &typical_views[_i];
    struct zsql_plan *plan;
    char *message;
    int rc;

    ck_assert_int_eq(sqlite3_exec(db, typical_tables, NULL, NULL, NULL), SQLITE_OK);
    ck_assert(is_taken_by_sqlite(view->text));
    rc = zsql_plan_new(&zs_alloc_libc, view->text, &catalogue, &plan, &message);
    ck_assert_int_eq(rc, view->is_maintained ? ZS_OK : ZS_REFUSED);
    ck_assert_int_eq(message != NULL, !view->is_maintained);
    zs_alloc_free(&zs_alloc_libc, message);
    zsql_plan_free(plan);
}
END_TEST

struct sweep {
    struct check_alloc check;
    const char *text;
};

/* A refusal counts as done. */
static int plan_swept(void *ctx)
{
    struct sweep *sweep = ctx;
    struct zsql_plan *plan;
    char *message;
    int rc = zsql_plan_new(&sweep->check.alloc, sweep->text, &catalogue, &plan, &message);

    ck_assert((rc == ZS_OK) == (plan != NULL));
    ck_assert((rc == ZS_REFUSED) == (message != NULL));
    zs_alloc_free(&sweep->check.alloc, message);
    zsql_plan_free(plan);
    return rc == ZS_REFUSED ? ZS_OK : rc;
}

static void nothing_is_left(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_uint_eq(sweep->check.n_blocks, 0);
}

static void sweep_text(const char *text)
{
    struct sweep sweep = {.text = text};

    check_alloc_init(&sweep.check);
    check_alloc_sweep(&sweep.check, plan_swept, nothing_is_left, &sweep);
    check_alloc_end(&sweep.check);
}

START_TEST(a_failed_allocation_makes_no_plan)
{
    sweep_text(plan_cases[_i].select);
}
END_TEST

START_TEST(a_failed_allocation_makes_no_refusal)
{
    sweep_text(refusals[_i].select);
}
END_TEST

/* SELECTs with a piece lost, doubled or changed: valid or not, they do no harm. */
START_TEST(a_damaged_select_does_no_harm)
{
    struct random random = random_new(3);

    ck_assert_int_eq(sqlite3_exec(db, "DROP TABLE t", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, random_select_table, NULL, NULL, NULL), SQLITE_OK);
    for (int run = 0; run < 3000; run++) {
        char *text = random_select(&random);
        size_t len = strlen(text);
        size_t at = random_below(&random, (unsigned)len);
        size_t n = random_below(&random, 12);
        struct zsql_plan *plan;
        char *message;

        n = n < len - at ? n : len - at;
        if (random_once_in(&random, 2))
            memmove(text + at, text + at + n, len - at - n + 1);
        else
            text[at] = "()'\",.*;-/"[random_below(&random, 10)];
        if (zsql_plan_new(&zs_alloc_libc, text, &catalogue, &plan, &message) == ZS_OK)
            ck_assert_ptr_nonnull(plan);
        else
            ck_assert_ptr_nonnull(message);
        zs_alloc_free(&zs_alloc_libc, message);
        zsql_plan_free(plan);
        free(text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *cases = tcase_create("cases");
    int n_plans = (int)n_plan_cases;

    random_announce();
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, open_database, close_database);
    tcase_add_test(cases, the_exact_text_names_the_schema_of_its_table);
    tcase_add_loop_test(cases, a_select_has_its_plan, 0, n_plans);
    tcase_add_loop_test(cases, an_expression_stands_alone, 0, n_plans);
    tcase_add_loop_test(cases, what_is_not_maintained_is_refused_by_name, 0, (int)n_refusals);
    tcase_add_test(cases, a_text_that_is_no_select_is_rejected);
    tcase_add_test(cases, a_text_nested_too_deep_is_said_to_be);
    tcase_add_test(cases, a_plan_may_be_as_deep_as_a_tree);
    tcase_add_test(cases, order_within_an_aggregate_is_left_to_sqlite);
    tcase_add_loop_test(cases, typical_views_are_planned_or_refused, 0, N_TYPICAL_VIEWS);
    tcase_add_loop_test(cases, a_failed_allocation_makes_no_plan, 0, n_plans);
    tcase_add_loop_test(cases, a_failed_allocation_makes_no_refusal, 0, (int)n_refusals);
    tcase_add_test(cases, a_damaged_select_does_no_harm);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
