/* Views that are created, read beside their queries, and judged. */
#include "tests/kept_views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/diff_result.h"

int sqlite3_lockstep_init(sqlite3 *db, char **error, const void *api);

const char *const kept_engine_names[KEPT_ENGINES] = {"lockstep", "plain", "stale"};

void kept_exact_text(const char *text, struct diff_text *out)
{
    static const char *const names[] = {"sum(", "avg(", "total(", NULL};
    for (const char *at = text; *at != 0; at++) {
        for (unsigned i = 0; names[i] != NULL; i++) {
            if ((at == text || strchr(" *(/-", at[-1]) != NULL) &&
                strncmp(at, names[i], strlen(names[i])) == 0)
                diff_text_add(out, "exact_");
        }
        diff_text_add_bytes(out, at, 1);
    }
}

sqlite3 *kept_open(const char *path)
{
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "cannot open %s: %s\n", path, sqlite3_errmsg(db));
        exit(2);
    }
    kept_run(db, "PRAGMA synchronous = OFF");
    return db;
}

void kept_run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return;
    fprintf(stderr, "%s in: %s\n", sqlite3_errmsg(db), sql);
    exit(2);
}

void kept_create(struct kept_set *set, sqlite3 *db)
{
    static const char *const heads[KEPT_ENGINES] = {
        "CREATE VIRTUAL TABLE %c%02d USING lockstep(", "CREATE VIEW %c%02d AS ",
        "CREATE TABLE %c%02d AS "};
    struct diff_text sql = {0};

    set->failed = -1;
    for (int i = 0; i < set->n; i++) {
        diff_text_reset(&sql);
        diff_text_add(&sql, heads[set->engine], set->prefix, i + 1);
        if (set->engine == KEPT_BY_LOCKSTEP)
            diff_text_add(&sql, "%s)", set->views[i].text);
        else
            kept_exact_text(set->views[i].text, &sql);
        set->is_accepted[i] = sqlite3_exec(db, sql.data, NULL, NULL, NULL) == SQLITE_OK;
        if (!set->is_accepted[i])
            set->refusals[i] = sqlite3_mprintf("%s", sqlite3_errmsg(db));
    }
    diff_text_free(&sql);
}

/* Two reads without a change between them give the same, and that is what the query gives, as
** far as it has one answer; rows otherwise are among those that may be shown. */
static bool is_right(const struct kept_set *set, int i, sqlite3 *db, struct diff_result *shown,
    struct diff_result *due)
{
    const struct kept_view *view = &set->views[i];
    const char *spec = view->spec != NULL ? view->spec : "E";
    struct diff_result a = {0}, b = {0};
    struct diff_text sql = {0};

    diff_text_add(&sql, "SELECT * FROM %c%02d", set->prefix, i + 1);
    diff_result_query(shown, db, sql.data);
    diff_result_query(&a, db, sql.data);
    bool is_same = shown->rc == SQLITE_OK && diff_result_is_same(shown, &a);
    if (is_same && view->members != NULL) {
        diff_result_query(&b, db, view->members);
        is_same = b.rc == SQLITE_OK && diff_result_is_part(&a, &b);
    }
    diff_text_reset(&sql);
    kept_exact_text(view->text, &sql);
    diff_result_query(due, db, sql.data);
    diff_result_canonical(shown, spec, &a);
    diff_result_canonical(due, spec, &b);
    is_same = is_same && due->rc == SQLITE_OK && diff_result_is_same(&a, &b);
    diff_text_free(&sql);
    diff_result_free(&a);
    diff_result_free(&b);
    return is_same;
}

static void catch_stale(struct kept_set *set, int i, sqlite3 *db)
{
    struct diff_text sql = {0};
    set->caught[i]++;
    diff_text_add(&sql, "DELETE FROM %c%02d; INSERT INTO %c%02d ", set->prefix, i + 1,
        set->prefix, i + 1);
    kept_exact_text(set->views[i].text, &sql);
    kept_run(db, sql.data);
    diff_text_free(&sql);
}

void kept_compare(struct kept_set *set, sqlite3 *db)
{
    struct diff_result shown = {0}, due = {0};

    for (int i = 0; i < set->n && set->failed < 0; i++) {
        if (!set->is_accepted[i])
            continue;
        set->n_comparisons++;
        if (is_right(set, i, db, &shown, &due))
            continue;
        if (set->engine == KEPT_STALE) {
            catch_stale(set, i, db);
            continue;
        }
        set->failed = i;
        diff_text_add(
            &set->detail, "%c%02d: %s\nshown:\n", set->prefix, i + 1, set->views[i].text);
        diff_result_print(&shown, "    ", &set->detail);
        diff_text_add(&set->detail, "its query:\n");
        diff_result_print(&due, "    ", &set->detail);
    }
    diff_result_free(&shown);
    diff_result_free(&due);
}

unsigned kept_judge(const struct kept_set *set, unsigned least)
{
    unsigned n_failures = 0;

    for (int i = 0; i < set->n; i++) {
        bool must_live = set->engine != KEPT_BY_LOCKSTEP || set->views[i].is_maintained;
        if (!set->is_accepted[i] && set->refusals[i] != NULL)
            printf("%c%02d is refused: %s\n", set->prefix, i + 1, set->refusals[i]);
        if (!set->is_accepted[i] && must_live) {
            printf("%c%02d must be accepted\n", set->prefix, i + 1);
            n_failures++;
        }
        if (set->engine == KEPT_STALE && set->caught[i] < least) {
            printf("%c%02d was caught as stale %u times only\n", set->prefix, i + 1,
                set->caught[i]);
            n_failures++;
        }
    }
    return n_failures;
}

void kept_free(struct kept_set *set)
{
    for (int i = 0; i < set->n; i++)
        sqlite3_free(set->refusals[i]);
    diff_text_free(&set->detail);
}
