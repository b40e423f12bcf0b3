/* The grammar: what it reads, the spans it notes, its limits. */
#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "sql/ast.h"
#include "tests/check_alloc.h"
#include "tests/random.h"
#include "tests/suite.h"
#include "tests/typical_views.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static int parse(const struct zs_alloc *alloc, const char *text)
{
    struct zsql_arena *arena;
    struct zsql_select *select;
    uint32_t error_at;
    int rc = zsql_arena_new(alloc, &arena);

    if (rc != ZS_OK)
        return rc;
    rc = zsql_select_parse(arena, text, &select, &error_at);
    ck_assert(error_at <= strlen(text));
    ck_assert((rc == ZS_OK) == (select != NULL));
    zsql_arena_free(arena);
    return rc;
}

static const char *const valid[] = {
    "SELECT 1",
    "select 1;",
    "; ;SELECT 1",
    "SELECT 0x1Fg, 1 \v, 2",
    "SELECT 1 ; ; ",
    "\xef\xbb\xbfSELECT 1 -- to the end",
    "/* before */SELECT/**/1/* never closed",
    "SELECT ALL a, DISTINCT_b FROM t",
    "SELECT DISTINCT a AS b, c d, e 'f', g \"h\", i AS 'j', k AS [l m], n AS `o` FROM t",
    "SELECT *, t.*, \"t\".*, [t].*, `t`.*, 't'.* FROM t",
    /* literals */
    "SELECT 0, 12, 1_000, 0x1F, 0XaB, 1.5, .5, 5., 1e5, 1.5E-3, .5e+3, 1_0.0_1e1_0",
    "SELECT 'it''s', '', x'00fF', X'', NULL, TRUE, false",
    "SELECT CURRENT_DATE, current_time, Current_Timestamp",
    "SELECT ?, ?1, :a, @b, $c, $d::e(f)",
    /* names */
    "SELECT a, \"a\"\"b\", [a b], `a``b`, t.a, main.t.a, \"main\".[t].`a`, 't'.'a' FROM t",
    "SELECT \xc3\xa9t\xc3\xa9, a$b, _c1 FROM \xe8\xa1\xa8",
    "SELECT left, right(1), indexed, cross.natural, full.outer.inner FROM t",
    /* words that fall back to names */
    "SELECT asc, by, t.cast, t.raise, current, desc, end, exclude, first, following, groups, "
    "last, like, "
    "glob, regexp, match, materialized, no, nulls, offset, others, partition, preceding, "
    "range, recursive, row, rows, ties, unbounded, with FROM t",
    "SELECT abort, action, after, before, cascade, conflict, database, do, each, fail, for, "
    "generated, always, if, ignore, immediate, key, of, plan, pragma, query, rename, replace, "
    "rollback, temp, trigger, view, virtual, without FROM t",
    "SELECT window, over, filter, within FROM window AS over",
    "SELECT over(1) over over, filter(1) filter (WHERE 1) filter, x FROM t",
    "SELECT sum(x) within, sum(y) over FROM t",
    /* operators */
    "SELECT a OR b AND NOT c, -a, +b, ~c, - - a, NOT NOT b FROM t",
    "SELECT a || b -> c ->> d, a * b / c % d, a + b - c, a & b | c << d >> e FROM t",
    "SELECT a < b, a <= b, a > b, a >= b, a = b, a == b, a <> b, a != b FROM t",
    "SELECT a IS b, a IS NOT b, a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM t",
    "SELECT a ISNULL, a NOTNULL, a NOT NULL, a IS NULL, a IS NOT NULL FROM t",
    "SELECT a LIKE b, a NOT LIKE b ESCAPE 'c', a GLOB b, a REGEXP b, a NOT MATCH b FROM t",
    "SELECT a BETWEEN b AND c AND d, a NOT BETWEEN b + 1 AND c OR d FROM t",
    "SELECT a IN (), a NOT IN (1), a IN (1, 2), a IN (SELECT 1), (a, b) IN (VALUES (1, 2)) "
    "FROM t",
    "SELECT a IN u, a NOT IN main.u, a IN f(1, 2), a IN main.f() FROM t",
    "SELECT EXISTS (SELECT 1), NOT EXISTS (VALUES (1)), (SELECT 1), (WITH q AS (SELECT 1) "
    "SELECT * FROM q)",
    "SELECT (1, 2) = (3, 4), (1, (2, 3)), ((1)), ((1), 2)",
    "SELECT CASE WHEN a THEN b END, CASE a WHEN b THEN c WHEN d THEN e ELSE f END FROM t",
    "SELECT CASE end WHEN 1 THEN end ELSE end END FROM t",
    "SELECT CAST(a AS INT), CAST(a AS VARCHAR(10)), CAST(a AS DECIMAL(10, -2)), CAST(a AS), "
    "CAST(a AS 'x' \"y\" z(+1.5)) FROM t",
    "SELECT a COLLATE NOCASE, a COLLATE 'x' COLLATE \"y\" FROM t ORDER BY a COLLATE RTRIM",
    "SELECT RAISE(IGNORE), RAISE(ABORT, 'x'), RAISE(FAIL, 'x' || y), RAISE(ROLLBACK, 1)",
    /* functions */
    "SELECT f(), f(*), f(1), f(1, 2), f(DISTINCT a), f(ALL a, b), \"f\"(a), like(a, b) FROM t",
    "SELECT f(a ORDER BY b DESC NULLS LAST, c), f(DISTINCT a ORDER BY a) FROM t",
    "SELECT p(0.5) WITHIN GROUP (ORDER BY a), p() WITHIN GROUP (ORDER BY a DESC) FROM t",
    "SELECT count(*) FILTER (WHERE a > 1), sum(a) FILTER (WHERE b) OVER w FROM t WINDOW w AS "
    "()",
    /* windows */
    "SELECT f() OVER (), f() OVER w, f() OVER (w), f() OVER (w ORDER BY a) FROM t WINDOW w AS "
    "(PARTITION BY a, b), v AS (w ORDER BY c), \"x\" AS (ROWS 1 PRECEDING)",
    "SELECT f() OVER (PARTITION BY a ORDER BY b RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT "
    "ROW EXCLUDE NO OTHERS) FROM t",
    "SELECT f() OVER (ORDER BY a GROUPS BETWEEN 1 PRECEDING AND a + 1 FOLLOWING EXCLUDE TIES), "
    "f() OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE GROUP), "
    "f() OVER (RANGE UNBOUNDED PRECEDING EXCLUDE CURRENT ROW), f() OVER (ROWS CURRENT ROW) "
    "FROM t",
    /* FROM */
    "SELECT 1 FROM t, main.u AS v, w x, [y] 'z'",
    "SELECT 1 FROM a JOIN b ON 1 INNER JOIN c USING (d) CROSS JOIN e LEFT JOIN f ON g LEFT "
    "OUTER JOIN h USING (i, [j]) RIGHT JOIN k ON 1 FULL OUTER JOIN l ON 1 NATURAL JOIN m "
    "NATURAL LEFT OUTER JOIN n NATURAL FULL JOIN o",
    "SELECT 1 FROM (a JOIN b ON c) AS d, (e), ((f, g)), (SELECT 1) h, (VALUES (1)) AS i, "
    "((SELECT 2) j)",
    "SELECT 1 FROM f(1, x), main.g() AS h JOIN json_each(a.b, '$') ON 1",
    "SELECT 1 FROM t INDEXED BY i, u AS v NOT INDEXED JOIN w INDEXED BY \"j\" ON 1",
    "SELECT 1 FROM t AS indexed, left.u AS v",
    /* clauses */
    "SELECT a FROM t WHERE b GROUP BY c, d HAVING e WINDOW w AS () ORDER BY f, g LIMIT 1",
    "SELECT a FROM t ORDER BY 1 ASC, 2 DESC, c NULLS FIRST, d DESC NULLS LAST",
    "SELECT a FROM t LIMIT 1 OFFSET 2",
    "SELECT a FROM t LIMIT 1, 2",
    "SELECT count(*) FROM t HAVING count(*) > 1",
    /* compounds, VALUES, WITH */
    "SELECT 1 UNION SELECT 2 UNION ALL SELECT 3 EXCEPT VALUES (4) INTERSECT SELECT 5 ORDER BY "
    "1",
    "VALUES (1, 2), (3, 4)",
    "VALUES (1) UNION ALL SELECT 2 LIMIT 1",
    "WITH a AS (SELECT 1), b(c, d) AS MATERIALIZED (VALUES (1, 2)), e AS NOT MATERIALIZED "
    "(SELECT 3) SELECT * FROM a, b, e",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 9",
    "WITH RECURSIVE recursive AS (SELECT 1) SELECT * FROM recursive",
};

START_TEST(every_construct_of_select_is_read)
{
    ck_assert_msg(parse(&zs_alloc_libc, valid[_i]) == ZS_OK, "%s", valid[_i]);
}
END_TEST

START_TEST(typical_views_are_read)
{
    ck_assert_int_eq(parse(&zs_alloc_libc, typical_views[_i].text), ZS_OK);
}
END_TEST

static const char *const invalid[] = {
    "",
    "SELECT",
    "SELECT FROM t",
    "SELECT 1 2 3",
    "SELECT 'a",
    "SELECT \"a",
    "SELECT [a",
    "SELECT `a",
    "SELECT 1a",
    "SELECT 0xg",
    "SELECT 1.5e",
    "SELECT 1,\v2",
    "SELECT 1 FROM t WHERE",
    "SELECT (1",
    "SELECT 1)",
    "SELECT a BETWEEN 1",
    "SELECT CASE END",
    "SELECT 1 UNION",
    "SELECT 1; SELECT 2",
    "INSERT INTO t VALUES (1)",
    "SELECT \x01",
    "SELECT !",
};

START_TEST(what_is_no_select_is_a_syntax_error)
{
    ck_assert_msg(parse(&zs_alloc_libc, invalid[_i]) == ZS_SYNTAX, "%s", invalid[_i]);
}
END_TEST

/* Spans: each expression's own text, outer before inner. */
static const struct {
    const char *text;
    const char *spans;
} spans[] = {
    {"SELECT a", "a"},
    {"SELECT /* x */ a /* y */, b", "a|b"},
    {"SELECT a OR b AND NOT c = d", "a OR b AND NOT c = d|a|b AND NOT c = d|b|NOT c = d|c = d|"
                                    "c|d"},
    {"SELECT a + (b * c)", "a + (b * c)|a|(b * c)|b|c"},
    {"SELECT ( (a) )", "( (a) )"},
    {"SELECT a + b * c || d", "a + b * c || d|a|b * c || d|b|c || d|c|d"},
    {"SELECT a -> b || c ->> d", "a -> b || c ->> d|a -> b || c|a -> b|a|b|c|d"},
    {"SELECT - a || b COLLATE x", "- a || b COLLATE x|- a|a|b COLLATE x|b"},
    {"SELECT a < b = c < d", "a < b = c < d|a < b|a|b|c < d|c|d"},
    {"SELECT a & b + c << d", "a & b + c << d|a & b + c|a|b + c|b|c|d"},
    {"SELECT NOT a IS NOT b", "NOT a IS NOT b|a IS NOT b|a|b"},
    {"SELECT a IS NOT DISTINCT FROM b IS c", "a IS NOT DISTINCT FROM b IS c|a IS NOT DISTINCT "
                                             "FROM b|a|b|c"},
    {"SELECT a NOT NULL IS b ISNULL", "a NOT NULL IS b ISNULL|a NOT NULL IS b|a NOT NULL|a|b"},
    {"SELECT a LIKE b ESCAPE c AND d", "a LIKE b ESCAPE c AND d|a LIKE b ESCAPE c|a|b|c|d"},
    {"SELECT a BETWEEN b AND c AND d", "a BETWEEN b AND c AND d|a BETWEEN b AND c|a|b|c|d"},
    {"SELECT a NOT IN (1, b+2)", "a NOT IN (1, b+2)|a|1|b+2|b|2"},
    {"SELECT a IN t . u ( 1 ) ", "a IN t . u ( 1 )|a|1"},
    {"SELECT a IN (SELECT b) + 1", "a IN (SELECT b) + 1|a IN (SELECT b)|b|a|1"},
    {"SELECT ( a , b ) = ( SELECT c , d )", "( a , b ) = ( SELECT c , d )|( a , b )|a|b|"
                                            "( SELECT c , d )|c|d"},
    {"SELECT CASE a WHEN b THEN c ELSE d END+1", "CASE a WHEN b THEN c ELSE d END+1|"
                                                 "CASE a WHEN b THEN c ELSE d END|a|b|c|d|1"},
    {"SELECT CAST( a AS INT ) * t . a", "CAST( a AS INT ) * t . a|CAST( a AS INT )|a|t . a"},
    {"SELECT f( a , g ( ) ) FILTER ( WHERE b ) + 1", "f( a , g ( ) ) FILTER ( WHERE b ) + 1|"
                                                     "f( a , g ( ) ) FILTER ( WHERE b )|"
                                                     "a|g ( )|b|1"},
    {"SELECT f(a) OVER (PARTITION BY b ORDER BY c ROWS d PRECEDING)",
        "f(a) OVER (PARTITION BY b ORDER BY c ROWS d PRECEDING)|b|c|d|a"},
    {"SELECT f(*) OVER w, g(a ORDER BY b)", "f(*) OVER w|g(a ORDER BY b)|b|a"},
    {"WITH q AS (SELECT a) SELECT b FROM (SELECT c) JOIN f(d) ON e WHERE g GROUP BY h HAVING i "
     "WINDOW w AS (ORDER BY j) UNION VALUES (k) ORDER BY l LIMIT m OFFSET n",
        "a|b|c|d|e|g|h|i|j|(k)|k|l|m|n"},
};

struct span_list {
    const char *text;
    struct zs_buffer out;
};

static int note_span(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct span_list *list = ctx;
    size_t n = expr->span.end - expr->span.start;

    (void)descend;
    ck_assert(expr->span.start < expr->span.end);
    if (list->out.len > 0 && zs_buffer_append_byte(&list->out, '|') != ZS_OK)
        return ZS_NOMEM;
    return zs_buffer_append(&list->out, list->text + expr->span.start, n);
}

START_TEST(a_span_is_an_expressions_own_text)
{
    struct span_list list = {.text = spans[_i].text};
    struct zsql_arena *arena;
    struct zsql_select *select;
    uint32_t error_at;

    zs_buffer_init(&list.out, &zs_alloc_libc);
    ck_assert_int_eq(zsql_arena_new(&zs_alloc_libc, &arena), ZS_OK);
    ck_assert_int_eq(zsql_select_parse(arena, list.text, &select, &error_at), ZS_OK);
    ck_assert_int_eq(zsql_select_walk(select, note_span, &list), ZS_OK);
    ck_assert_int_eq(zs_buffer_append_byte(&list.out, 0), ZS_OK);
    ck_assert_str_eq((const char *)list.out.data, spans[_i].spans);
    zs_buffer_clear(&list.out);
    zsql_arena_free(arena);
}
END_TEST

/* Depth: a beginning n times, a middle, an end n times. */
static const struct {
    const char *before, *middle, *after;
    int few, many;
} nests[] = {
    {"(", "1", ")", 900, 100000},
    {"- ", "1", "", 900, 100000},
    {"NOT ", "1", "", 900, 100000},
    {"", "1", " + 1", 900, 1100},
    {"", "1", " OR 1", 900, 1100},
    {"", "x", " COLLATE y", 900, 1100},
    {"f(1, ", "1", ")", 700, 100000},
    {"CASE WHEN 1 THEN 2 ELSE ", "1", " END", 700, 100000},
    {"1 IN (1, ", "1", ")", 700, 100000},
    {"(SELECT ", "1", ")", 450, 100000},
    {"(SELECT 1 FROM ", "t", ")", 450, 100000},
    {"EXISTS (WITH q AS (SELECT ", "1", ") SELECT 2)", 300, 100000},
    {"f(1) OVER (ORDER BY ", "1", ")", 700, 100000},
};

static char *nested(int i, int n)
{
    size_t before = strlen(nests[i].before);
    size_t after = strlen(nests[i].after);
    char *text = malloc(64 + (size_t)n * (before + after));
    char *p = text;

    p += sprintf(p, "SELECT %s", strstr(nests[i].before, "FROM ") ? "1 FROM " : "");
    for (int k = 0; k < n; k++)
        p += sprintf(p, "%s", nests[i].before);
    p += sprintf(p, "%s", nests[i].middle);
    for (int k = 0; k < n; k++)
        p += sprintf(p, "%s", nests[i].after);
    return text;
}

START_TEST(nesting_has_a_limit)
{
    char *few = nested(_i, nests[_i].few);
    char *many = nested(_i, nests[_i].many);

    ck_assert_int_eq(parse(&zs_alloc_libc, few), ZS_OK);
    ck_assert_int_eq(parse(&zs_alloc_libc, many), ZS_TOO_DEEP);
    free(few);
    free(many);
}
END_TEST

START_TEST(lists_have_no_limit)
{
    char *text = malloc(2000000);
    char *p = text + sprintf(text, "SELECT 1");

    for (int i = 0; i < 20000; i++)
        p += sprintf(p, ", %d IN (1, 2, 3)", i);
    for (int i = 0; i < 20000; i++)
        p += sprintf(p, " UNION SELECT %d", i);
    ck_assert_int_eq(parse(&zs_alloc_libc, text), ZS_OK);
    free(text);
}
END_TEST

/* Garbage. */

static const char *const pieces[] = {"SELECT", "DISTINCT", "FROM", "WHERE", "GROUP", "BY",
    "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "ALL", "VALUES", "WITH", "RECURSIVE", "AS",
    "NOT", "NULL", "IS", "IN", "LIKE", "ESCAPE", "BETWEEN", "AND", "OR", "EXISTS", "CASE",
    "WHEN", "THEN", "ELSE", "END", "CAST", "COLLATE", "JOIN", "LEFT", "NATURAL", "ON", "USING",
    "INDEXED", "WINDOW", "OVER", "FILTER", "WITHIN", "PARTITION", "ROWS", "RANGE", "PRECEDING",
    "CURRENT", "ROW", "UNBOUNDED", "EXCLUDE", "NULLS", "FIRST", "DESC", "RAISE", "(", ")", "(",
    ")", ",", ",", ".", ";", "*", "+", "-", "->", "->>", "||", "=", "<", "<<", "~", "a", "b",
    "t", "\"q\"", "[r]", "'s'", "1", "2.5", "0x1", "x'00'", "?1", ":p", "sum", "/*", "*/", "--",
    "\n", "'", "\"", "\xff", "\x01"};

/* Does SQLite itself compile the whole text as a query? */
static bool is_taken_by_sqlite(sqlite3 *db, const char *text)
{
    sqlite3_stmt *stmt;
    const char *tail;
    int rc = sqlite3_prepare_v2(db, text, -1, &stmt, &tail);
    bool is_query = rc == SQLITE_OK && stmt != NULL && sqlite3_column_count(stmt) > 0 &&
                    sqlite3_stmt_readonly(stmt) && sqlite3_stmt_isexplain(stmt) == 0;

    sqlite3_finalize(stmt);
    return is_query && tail[strspn(tail, "; \n")] == '\0';
}

static sqlite3 *small_database(void)
{
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(db, "CREATE TABLE t(a, b, q, r, t)", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

/* Whatever SQLite takes is read; whatever it does not take does no harm. */
static unsigned read_as_sqlite_does(sqlite3 *db, const char *text)
{
    int rc = parse(&zs_alloc_libc, text);

    if (rc == ZS_OK || !is_taken_by_sqlite(db, text))
        return rc == ZS_OK;
    ck_abort_msg("status %d for %s", rc, text);
    return 0;
}

START_TEST(garbage_is_read_or_refused)
{
    struct random random = random_new(1);
    sqlite3 *db = small_database();
    unsigned n_read = 0;
    char text[512];

    for (int run = 0; run < 30000; run++) {
        size_t len = (size_t)sprintf(text, run % 2 ? "SELECT " : "");
        unsigned n = 1 + random_below(&random, 30);

        for (unsigned i = 0; i < n; i++)
            len += (size_t)sprintf(text + len, "%s%s",
                pieces[random_below(&random, (unsigned)COUNT(pieces))],
                random_once_in(&random, 4) ? "" : " ");
        n_read += read_as_sqlite_does(db, text);
    }
    ck_assert_uint_gt(n_read, 100);
    sqlite3_close(db);
}
END_TEST

START_TEST(a_damaged_text_is_read_or_refused)
{
    struct random random = random_new(2);
    sqlite3 *db = small_database();
    unsigned n_read = 0;

    for (int run = 0; run < 20000; run++) {
        const char *whole = valid[random_below(&random, (unsigned)COUNT(valid))];
        char *text = strdup(whole);
        size_t len = strlen(text);
        unsigned n = 1 + random_below(&random, 3);

        for (unsigned i = 0; i < n; i++)
            text[random_below(&random, (unsigned)len)] = (char)(1 + random_below(&random, 255));
        if (random_once_in(&random, 2))
            text[random_below(&random, (unsigned)len)] = '\0';
        n_read += read_as_sqlite_does(db, text);
        free(text);
    }
    ck_assert_uint_gt(n_read, 100);
    sqlite3_close(db);
}
END_TEST

struct sweep {
    struct check_alloc check;
    const char *text;
};

static int parse_swept(void *ctx)
{
    struct sweep *sweep = ctx;
    return parse(&sweep->check.alloc, sweep->text);
}

static void nothing_is_left(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_uint_eq(sweep->check.n_blocks, 0);
}

START_TEST(a_failed_allocation_is_reported_and_leaks_nothing)
{
    struct sweep sweep = {.text = valid[_i]};

    check_alloc_init(&sweep.check);
    check_alloc_sweep(&sweep.check, parse_swept, nothing_is_left, &sweep);
    check_alloc_end(&sweep.check);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parse");
    TCase *cases = tcase_create("cases");

    random_announce();
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, every_construct_of_select_is_read, 0, COUNT(valid));
    tcase_add_loop_test(cases, typical_views_are_read, 0, N_TYPICAL_VIEWS);
    tcase_add_loop_test(cases, what_is_no_select_is_a_syntax_error, 0, COUNT(invalid));
    tcase_add_loop_test(cases, a_span_is_an_expressions_own_text, 0, COUNT(spans));
    tcase_add_loop_test(cases, nesting_has_a_limit, 0, COUNT(nests));
    tcase_add_test(cases, lists_have_no_limit);
    tcase_add_test(cases, garbage_is_read_or_refused);
    tcase_add_test(cases, a_damaged_text_is_read_or_refused);
    tcase_add_loop_test(
        cases, a_failed_allocation_is_reported_and_leaks_nothing, 0, COUNT(valid));
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
