/* Options: what is read, and what is said about what cannot be. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/options.h"
#include "tests/check_alloc.h"
#include "tests/random.h"
#include "tests/suite.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* As text: words for what differs from the default, then the SELECT. */
static char *options_text(const struct zsql_options *options)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);

    if (options->maintain == ZSQL_MAINTAIN_COMMIT)
        fprintf(out, "commit ");
    if (options->makes_no_index)
        fprintf(out, "indexes=no ");
    for (size_t i = 0; i < options->n_indexes; i++) {
        fprintf(out, "index");
        for (size_t j = 0; j < options->indexes[i].n_columns; j++)
            fprintf(out, "%c%s%s", j == 0 ? '(' : ',', options->indexes[i].columns[j].name,
                options->indexes[i].columns[j].is_descending ? " DESC" : "");
        fprintf(out, ") ");
    }
    fprintf(out, ": %s", options->select);
    fclose(out);
    return text;
}

static const struct {
    const char *text, *read;
} valid[] = {
    {"SELECT 1", ": SELECT 1"},
    {"  select a , b\n FROM t ; ;\n", ": select a , b\n FROM t"},
    {"WITH q AS (SELECT 1) SELECT * FROM q -- the end",
        ": WITH q AS (SELECT 1) SELECT * FROM q"},
    {"VALUES (1)", ": VALUES (1)"},
    {"(SELECT 1)", ": (SELECT 1)"},
    {"maintain=read, SELECT 1", ": SELECT 1"},
    {"maintain = commit SELECT 1", "commit : SELECT 1"},
    {"MAINTAIN='COMMIT',SELECT 1", "commit : SELECT 1"},
    {"/* options */ index=(a), index = ( \"b c\" , [d], `e`, 'f') , SELECT 1",
        "index(a) index(b c,d,e,f) : SELECT 1"},
    {"index=(key, with, left), select 1", "index(key,with,left) : select 1"},
    {"index=(a DESC, b asc), index=(desc), select 1", "index(a DESC,b) index(desc) : select 1"},
    {"maintain=commit, SELECT ';' ;", "commit : SELECT ';'"},
    {"indexes=no, SELECT 1", "indexes=no : SELECT 1"},
    {"indexes=yes, SELECT 1", ": SELECT 1"},
};

START_TEST(options_come_before_the_select)
{
    struct zsql_options *options;
    char *message;
    char *read;

    ck_assert_int_eq(
        zsql_options_new(&zs_alloc_libc, valid[_i].text, &options, &message), ZS_OK);
    ck_assert_ptr_null(message);
    read = options_text(options);
    ck_assert_str_eq(read, valid[_i].read);
    free(read);
    zsql_options_free(options);
}
END_TEST

static const struct {
    const char *text, *message;
} invalid[] = {
    {"", "expected a SELECT or an option, not the end"},
    {";", "expected a SELECT or an option, not ;"},
    {"sales", "expected a SELECT or an option, not sales"},
    {"maintain=read", "expected a SELECT or an option, not the end"},
    {"INSERT INTO t", "expected a SELECT or an option, not INSERT"},
    {"speed=high, SELECT 1", "unknown option speed: there are maintain, index and indexes"},
    {"maintain=never, SELECT 1", "maintain=never: it can be read or commit"},
    {"maintain=, SELECT 1", "expected a value, not ,"},
    {"maintain=5, SELECT 1", "expected a value, not 5"},
    {"indexes=some, SELECT 1", "indexes=some: it can be yes or no"},
    {"indexes=, SELECT 1", "expected a value, not ,"},
    {"'SELECT 1'", "expected a SELECT or an option, not 'SELECT 1'"},
    {"index=a, SELECT 1", "expected ( after index=, not a"},
    {"index=(), SELECT 1", "expected a column's name in index=(...), not )"},
    {"index=(a b), SELECT 1", "expected ) at the end of index=(...), not b"},
    {"index=(a", "expected ) at the end of index=(...), not the end"},
    {", SELECT 1", "expected a SELECT or an option, not ,"},
    {"maintain=commit, maintain=read, SELECT 1", "the option maintain is given twice"},
    {"maintain=read,, SELECT 1", "expected a SELECT or an option, not ,"},
};

START_TEST(what_is_wrong_is_named)
{
    struct zsql_options *options;
    char *message;

    ck_assert_int_eq(
        zsql_options_new(&zs_alloc_libc, invalid[_i].text, &options, &message), ZS_SYNTAX);
    ck_assert_ptr_null(options);
    ck_assert_str_eq(message, invalid[_i].message);
    zs_alloc_free(&zs_alloc_libc, message);
}
END_TEST

START_TEST(garbage_does_no_harm)
{
    static const char *const pieces[] = {"maintain", "index", "indexes", "=", "(", ")", ",",
        "a", "'b", "\"", "SELECT", "WITH", ";", "read", "/*", "--", "\n", "[x]", "1", " "};
    struct random random = random_new(4);
    char text[256];

    for (int run = 0; run < 20000; run++) {
        struct zsql_options *options;
        char *message;
        size_t len = 0;
        int rc;

        for (unsigned n = random_below(&random, 12); n > 0; n--)
            len += (size_t)sprintf(
                text + len, "%s ", pieces[random_below(&random, (unsigned)COUNT(pieces))]);
        text[len] = '\0';
        rc = zsql_options_new(&zs_alloc_libc, text, &options, &message);
        ck_assert(rc == ZS_OK || rc == ZS_SYNTAX);
        ck_assert((rc == ZS_OK) == (options != NULL) && (rc == ZS_SYNTAX) == (message != NULL));
        zs_alloc_free(&zs_alloc_libc, message);
        zsql_options_free(options);
    }
}
END_TEST

struct sweep {
    struct check_alloc check;
    const char *text;
};

static int read_swept(void *ctx)
{
    struct sweep *sweep = ctx;
    struct zsql_options *options;
    char *message;
    int rc = zsql_options_new(&sweep->check.alloc, sweep->text, &options, &message);

    zs_alloc_free(&sweep->check.alloc, message);
    zsql_options_free(options);
    return rc == ZS_SYNTAX ? ZS_OK : rc;
}

static void nothing_is_left(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_uint_eq(sweep->check.n_blocks, 0);
}

START_TEST(a_failed_allocation_is_reported)
{
    struct sweep sweep = {
        .text = _i < COUNT(valid) ? valid[_i].text : invalid[_i - COUNT(valid)].text};

    check_alloc_init(&sweep.check);
    check_alloc_sweep(&sweep.check, read_swept, nothing_is_left, &sweep);
    check_alloc_end(&sweep.check);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *cases = tcase_create("cases");

    random_announce();
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, options_come_before_the_select, 0, COUNT(valid));
    tcase_add_loop_test(cases, what_is_wrong_is_named, 0, COUNT(invalid));
    tcase_add_test(cases, garbage_does_no_harm);
    tcase_add_loop_test(
        cases, a_failed_allocation_is_reported, 0, COUNT(valid) + COUNT(invalid));
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
