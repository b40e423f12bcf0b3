/* What a join looks up, and what a change of each of its occurrences costs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "sql/plan.h"
#include "tests/sql_catalogue.h"
#include "tests/suite.h"

static const char tables_text[] =
    "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, nick TEXT COLLATE NOCASE, free,"
    " odd TEXT COLLATE fr);"
    "CREATE TABLE posts(id INTEGER PRIMARY KEY, author INT, editor INT, title TEXT, name TEXT)";

/* Lookups are columns, by occurrence, that of a range behind <; then a letter a difference:
** c(hange), k(ey), v(iew). */
static const struct {
    const char *select;
    const char *expected;
} cases[] = {
    {"SELECT 1 FROM posts p JOIN users u ON u.id = p.author", "1 id, 0 author: cccc"},
    {"SELECT 1 FROM posts p, users u WHERE p.author = u.id AND (u.nick = p.title)",
        "0 author title NOCASE, 1 id nick NOCASE: cccc"},
    {"SELECT 1 FROM posts JOIN users USING (name)", "0 name, 1 name: cccc"},
    {"SELECT 1 FROM posts p LEFT JOIN users u ON u.id = p.author", "1 id, 0 author: cccckk"},
    {"SELECT 1 FROM posts p LEFT JOIN users u ON u.id < p.author", "1 <id, 0 <author: cccckk"},
    {"SELECT 1 FROM posts p JOIN users u ON u.name = p.title AND u.nick >= p.name AND u.id < 5",
        "1 name <nick NOCASE, 0 title <name NOCASE: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON p.id BETWEEN u.id AND u.id + 10 OR p.author = u.id",
        "0 author, 1 id: cccc"},
    {"SELECT 1 FROM posts p WHERE EXISTS (SELECT 1 FROM posts q WHERE q.author = p.author AND "
     "q.id > p.id) AND EXISTS (SELECT 1 FROM users u WHERE u.id < p.id)",
        "1 author, 0 author, 2 <id: cckkkk"},
    {"SELECT (SELECT count(*) FROM users u WHERE u.name NOT BETWEEN p.name AND p.title), "
     "(SELECT 1 FROM users u WHERE p.title BETWEEN u.name AND u.nick LIMIT 1) FROM posts p",
        "2 <title, 1 <name: vvkkcc"},
    {"SELECT 1 FROM posts a JOIN posts b ON a.author = b.editor JOIN users u ON u.id = "
     "a.author",
        "0 author, 1 editor, 2 id, 0 author: cccccc"},
    {"SELECT 1 FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author = u.id)",
        "1 author, 0 id: cckk"},
    {"SELECT (SELECT title FROM posts p WHERE p.author = u.id AND p.id > 3) FROM users u",
        "0 author, 1 id: kkcc"},
    {"SELECT 1 FROM users u WHERE u.name IN (SELECT title FROM posts)",
        "0 name, 1 title: cckk"},
    {"SELECT 1 FROM users u WHERE u.name NOT IN (SELECT title FROM posts)",
        "0 name, 1 title: cckk"},
    {"SELECT 1 FROM users u JOIN (SELECT author AS a, title FROM posts WHERE id > 1) q ON q.a "
     "= "
     "u.id",
        "1 author, 0 id: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON u.id = p.author + 1", "1 id: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON u.id = p.author OR u.id = p.editor",
        "1 id, 0 author, 1 id, 0 editor: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON u.name = p.title COLLATE NOCASE",
        "1 name NOCASE, 0 title NOCASE: cccc"},
    {"SELECT id FROM posts WHERE author = (SELECT max(author) FROM posts)", "1 author: kkcc"},
    {"SELECT id, author > (SELECT avg(author) FROM posts) FROM posts", "1 <author: kkcc"},
    {"SELECT u.id FROM users u JOIN posts p ON p.author = u.id AND p.id < (SELECT count(*) "
     "FROM users)",
        "2 <id, 2 author, 1 id: kkcccc"},
    {"SELECT (SELECT count(*) FROM posts p WHERE u.id IN (p.author, p.editor)) FROM users u",
        "1 id, 0 author, 1 id, 0 editor: kkcc"},
    {"SELECT 1 FROM users u LEFT JOIN posts p ON p.author = u.id OR p.title = u.name",
        "1 author, 0 id, 1 title, 0 name: cccckk"},
    {"SELECT 1 FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author = u.id OR p.id "
     "= 3)",
        "1 author, 0 id: ccvv"},
    {"WITH m AS (SELECT avg(author) AS a FROM posts) SELECT p.id FROM posts p, m WHERE "
     "p.author "
     "> m.a",
        "1 <author: kkcc"},
    {"WITH m AS (SELECT avg(author) AS a FROM posts) SELECT p.id, m.a FROM posts p, m WHERE "
     "p.author > m.a",
        "1 <author: cccc"},
    /* no index serves: a number and a text, another collation, a constant, a rowid */
    {"SELECT 1 FROM posts p JOIN users u ON u.name = p.author", "0 author: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON u.free = p.author", "0 author: cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON u.odd = p.title", ": cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON p.title = 'x' AND u.id <> 7", ": cccc"},
    {"SELECT 1 FROM posts p JOIN users u ON NOT u.name = p.title", ": cccc"},
    {"SELECT 1 FROM posts p JOIN posts q ON p.rowid = q.author", "0 id, 1 author: cccc"},
};

static void print(FILE *out, const struct zsql_plan *plan, const char *const *names[])
{
    const struct zsql_operator *join = plan->operators[plan->n_operators - 1];

    ck_assert_int_eq(join->kind, ZSQL_JOIN);
    for (size_t i = 0; i < join->n_lookups; i++) {
        const struct zsql_lookup *lookup = &join->lookups[i];
        const char *table = plan->tables[join->reads[lookup->occurrence].table].name;

        fprintf(out, "%s%zu", i > 0 ? ", " : "", lookup->occurrence);
        for (size_t j = 0; j < lookup->n_columns; j++)
            fprintf(out, " %s%s%s%s", j < lookup->n_equal ? "" : "<",
                names[table[0] == 'p'][lookup->columns[j]],
                lookup->collations[j][0] == 'B' ? "" : " ",
                lookup->collations[j][0] == 'B' ? "" : lookup->collations[j]);
    }
    fprintf(out, ": ");
    for (size_t i = 0; i < join->n_differences; i++)
        fputc("ckv"[join->differences[i].cost], out);
}

START_TEST(a_join_tells_its_lookups_and_costs)
{
    static const char *const users[] = {"id", "name", "nick", "free", "odd"};
    static const char *const posts[] = {"id", "author", "editor", "title", "name"};
    const char *const *names[] = {users, posts};
    struct sql_catalogue *tables;
    struct zsql_catalogue catalogue;
    struct zsql_plan *plan;
    char *message, *printed = NULL;
    size_t len;
    FILE *out = open_memstream(&printed, &len);
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql_catalogue_add_functions(db);
    ck_assert_int_eq(sqlite3_exec(db, tables_text, NULL, NULL, NULL), SQLITE_OK);
    tables = sql_catalogue_new(db);
    catalogue = sql_catalogue_face(tables);
    ck_assert_int_eq(
        zsql_plan_new(&zs_alloc_libc, cases[_i].select, &catalogue, &plan, &message), ZS_OK);
    print(out, plan, names);
    fclose(out);
    ck_assert_str_eq(printed, cases[_i].expected);
    free(printed);
    zsql_plan_free(plan);
    sql_catalogue_free(tables);
    sqlite3_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lookups");
    TCase *tcase = tcase_create("lookups");

    tcase_add_loop_test(
        tcase, a_join_tells_its_lookups_and_costs, 0, sizeof(cases) / sizeof(cases[0]));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
