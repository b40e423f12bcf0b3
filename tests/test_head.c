/* Subqueries at the head of a statement: what is taken out, where a text is nested deeply. */
#include <check.h>
#include <string.h>

#include "sql/head.h"
#include "tests/check_alloc.h"
#include "tests/suite.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define MEMBER ZSQL_APART_MEMBER
#define VALUES ZSQL_APART_VALUES
#define DEEP "(((((((1)))))))" /* as many parentheses as may be open */

static const struct {
    const char *text, *written;
} cases_of_writing[] = {
    {"SELECT 1", "SELECT 1"},
    {"SELECT a  FROM (" MEMBER "SELECT a FROM t) AS x",
        "SELECT a  FROM (SELECT a FROM t) AS x"},
    {"SELECT " DEEP " FROM (" MEMBER "SELECT a FROM t)",
        "SELECT " DEEP " FROM (SELECT a FROM t)"},
    {"SELECT (" DEEP ")", "SELECT (" DEEP ")"},
    {"SELECT (" DEEP ") FROM (" MEMBER "SELECT '(\x04)' FROM t)AS x",
        "WITH lockstep_head_0 AS NOT MATERIALIZED (SELECT '(\x04)' FROM t) SELECT (" DEEP
        ") FROM lockstep_head_0 AS x"},
    {"SELECT (" DEEP ") FROM (SELECT a FROM t)", "SELECT (" DEEP ") FROM (SELECT a FROM t)"},
    /* one within the other, and the same twice */
    {"SELECT (" DEEP ") FROM (" MEMBER "SELECT a FROM (" MEMBER "SELECT a FROM t) AS y) AS x,"
     " (" MEMBER "SELECT a FROM t) AS z",
        "WITH lockstep_head_0 AS NOT MATERIALIZED (SELECT a FROM t), lockstep_head_1 AS NOT"
        " MATERIALIZED (SELECT a FROM lockstep_head_0 AS y) SELECT (" DEEP
        ") FROM lockstep_head_1 AS x, lockstep_head_0 AS z"},
    /* values, also the last of several */
    {"SELECT (" DEEP ") IN (" VALUES "SELECT a FROM t)",
        "WITH lockstep_head_0 AS NOT MATERIALIZED (SELECT a FROM t) SELECT (" DEEP
        ") IN (SELECT * FROM lockstep_head_0)"},
    {"SELECT (" DEEP ") IN (SELECT 1 UNION ALL " VALUES "SELECT a FROM t UNION ALL " VALUES
     "SELECT b FROM t)",
        "WITH lockstep_head_0 AS NOT MATERIALIZED (SELECT a FROM t UNION ALL SELECT b FROM t)"
        " SELECT (" DEEP ") IN (SELECT 1 UNION ALL SELECT * FROM lockstep_head_0)"},
    {"SELECT (" DEEP ") FROM (" MEMBER VALUES "SELECT a FROM t LIMIT 1)",
        "WITH lockstep_head_0 AS NOT MATERIALIZED (SELECT a FROM t LIMIT 1) SELECT (" DEEP
        ") FROM lockstep_head_0 "},
    {VALUES "SELECT (" DEEP ")", "SELECT (" DEEP ")"},
};

struct sweep {
    struct check_alloc check;
    int number;
};

static int write_swept(void *ctx)
{
    struct sweep *sweep = ctx;
    struct zsql_arena *arena;
    const char *written, *body;
    int rc = zsql_arena_new(&sweep->check.alloc, &arena);

    if (rc != ZS_OK)
        return rc;
    written = zsql_head_write(arena, cases_of_writing[sweep->number].text, &body);
    if (written != NULL) {
        ck_assert_str_eq(written, cases_of_writing[sweep->number].written);
        ck_assert(strncmp(body, "SELECT ", 7) == 0);
        ck_assert(body == written || strncmp(written, "WITH ", 5) == 0);
    }
    zsql_arena_free(arena);
    return written == NULL ? ZS_NOMEM : ZS_OK;
}

static void nothing_is_left(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_uint_eq(sweep->check.n_blocks, 0);
}

START_TEST(what_is_marked_stands_in_a_with_where_a_text_is_deep)
{
    struct sweep sweep = {.number = _i};

    check_alloc_init(&sweep.check);
    check_alloc_sweep(&sweep.check, write_swept, nothing_is_left, &sweep);
    check_alloc_end(&sweep.check);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("head");
    TCase *cases = tcase_create("cases");

    tcase_add_loop_test(cases, what_is_marked_stands_in_a_with_where_a_text_is_deep, 0,
        COUNT(cases_of_writing));
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
