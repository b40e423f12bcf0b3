/* Which statements go through a table again and again, and when CREATE makes the index that a
** join lacks: before it builds the view only where that spares such a scan. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ext/scans.h"
#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static const char tables[] =
    "CREATE TABLE users(id INTEGER PRIMARY KEY, nick TEXT);"
    "CREATE TABLE posts(id INTEGER PRIMARY KEY, author INT, editor INT, title TEXT);"
    "CREATE INDEX posts_editor ON posts(editor);"
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)"
    " INSERT INTO posts SELECT i, i % 30, i % 30, 'a' FROM c;"
    "INSERT INTO users SELECT id, 'b' FROM posts LIMIT 30; ANALYZE;";

static const struct {
    const char *text;
    bool repeats;
} cases[] = {
    {"SELECT * FROM posts", false},
    {"SELECT count(*) FROM posts", false},
    {"SELECT author, count(*) FROM posts GROUP BY author ORDER BY 2", false},
    {"SELECT * FROM posts UNION ALL SELECT *, 1, 1 FROM users", false},
    {"SELECT * FROM posts p JOIN users u ON u.id = p.author", false},
    {"SELECT * FROM users u JOIN posts p ON p.editor = u.id", false},
    {"SELECT * FROM users u, posts p", true},
    {"SELECT * FROM users u JOIN posts p ON p.title > u.nick", true},
    {"SELECT * FROM users u LEFT JOIN posts p ON p.author = u.id", true}, /* its own index */
    {"SELECT id, (SELECT count(*) FROM posts WHERE editor = u.id) FROM users u", false},
    {"SELECT id, (SELECT count(*) FROM posts WHERE author = u.id) FROM users u", true},
    {"SELECT id, (SELECT max(id) FROM posts) FROM users", true}, /* once, but within a loop */
    {"SELECT * FROM json_each('[1, 2]') j CROSS JOIN posts p ON p.title > j.value", true},
    {"WITH c(n) AS (SELECT DISTINCT author FROM posts) SELECT * FROM c, users u ON u.id = n",
        false},
    {"SELECT 1", false},
};
enum { N_CASES = sizeof(cases) / sizeof(*cases) };

START_TEST(a_scan_within_a_loop_is_told)
{
    sqlite3 *db = live_open(":memory:");
    bool repeats = !cases[_i].repeats;

    run(db, "%s", tables);
    must(ls_scans_repeat(db, "main", sqlite3_mprintf("%s", cases[_i].text), &repeats) ==
         SQLITE_OK);
    ck_assert_msg(repeats == cases[_i].repeats, "%s", cases[_i].text);
    live_close(db);
}
END_TEST

/* What a trace has seen: 'i' an index made, 'r' the rows of a join shown to a build. */
struct seen {
    char letters[8];
    size_t n;
};

static int look(unsigned what, void *ctx, void *statement, void *text)
{
    struct seen *seen = ctx;
    char letter = strstr(text, "INDEX \"main\".lockstep_index_") != NULL ? 'i'
                  : strstr(text, "lockstep_show(") != NULL               ? 'r'
                                                                         : '\0';

    (void)what;
    (void)statement;
    if (letter != '\0' && seen->n + 1 < sizeof(seen->letters))
        seen->letters[seen->n++] = letter;
    return 0;
}

static void must_be_made_so(const char *select, const char *expected)
{
    sqlite3 *db = live_open(":memory:");
    struct seen seen = {.n = 0};

    run(db, "%s", tables);
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT, look, &seen);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s)", select);
    sqlite3_trace_v2(db, 0, NULL, NULL);
    ck_assert_str_eq(seen.letters, expected);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM lockstep_index WHERE view = 'v'"), 1);
    run(db, "UPDATE users SET id = id + 100 WHERE id < 10; UPDATE posts SET author = 101 "
            "WHERE id < 5");
    must_be_right(db, "v");
    live_close(db);
}

/* With it, of which nothing is known, SQLite would look up posts by users, all about the
** table. */
START_TEST(what_is_gone_through_once_gets_its_index_afterwards)
{
    must_be_made_so("SELECT p.id, u.nick FROM posts p JOIN users u ON u.id = p.author", "ri");
}
END_TEST

START_TEST(what_is_gone_through_often_gets_its_index_before)
{
    must_be_made_so(
        "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author = u.id)",
        "ir");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scans");
    TCase *tests = tcase_create("scans");

    tcase_add_loop_test(tests, a_scan_within_a_loop_is_told, 0, N_CASES);
    tcase_add_test(tests, what_is_gone_through_once_gets_its_index_afterwards);
    tcase_add_test(tests, what_is_gone_through_often_gets_its_index_before);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
