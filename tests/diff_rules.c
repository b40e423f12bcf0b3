/* The rules of the rivals, each wrong in one way, and one that is right: it proves that the
** rule and not the table is what fails. */
#include "tests/diff_rival.h"

#include <math.h>
#include <string.h>

/* The row of `in` whose group keys equal those of row i of `rows`; in->n where there is none.
 */
static size_t find_group(const struct diff_view *v, const struct diff_result *rows, size_t i,
    const struct diff_result *in)
{
    for (size_t k = 0; k < in->n; k++) {
        size_t a = rows->rows[i].at, b = in->rows[k].at;
        bool is_same = true;
        for (unsigned column = 0; column < v->n_columns; column++) {
            struct diff_value x = diff_result_value(rows, &a), y = diff_result_value(in, &b);
            if (v->columns[column].is_group_key && !diff_value_is_identical(&x, &y))
                is_same = false;
        }
        if (is_same)
            return k;
    }
    return in->n;
}

/* Adds the change of each real to what was shown, as a running total would. */
static void drift(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    const struct diff_result *old = &rival->fresh[view], *old_shown = &rival->shown[view];

    for (size_t i = 0; i < fresh->n; i++) {
        size_t k = find_group(v, fresh, i, old), start = shown->len, at = fresh->rows[i].at;
        size_t was = k < old->n ? old->rows[k].at : 0;
        size_t was_shown = k < old->n ? old_shown->rows[k].at : 0;
        for (unsigned column = 0; column < v->n_columns; column++) {
            struct diff_value value = diff_result_value(fresh, &at), before = {0}, seen = {0};
            if (k < old->n) {
                before = diff_result_value(old, &was);
                seen = diff_result_value(old_shown, &was_shown);
            }
            if (value.type == SQLITE_FLOAT && before.type == SQLITE_FLOAT &&
                isfinite(seen.real))
                value.real = seen.real + (value.real - before.real);
            diff_result_add(shown, &value);
        }
        diff_result_end_row(shown, start);
    }
}

/* Goes on showing the key that a group had first. */
static void keep_member(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    char letters[DIFF_VIEW_COLUMNS + 1] = {0};
    struct diff_result now = {0}, before = {0};

    for (unsigned i = 0; i < v->n_columns; i++)
        letters[i] = v->columns[i].spec;
    diff_result_canonical(fresh, letters, &now);
    diff_result_canonical(&rival->shown[view], letters, &before);
    for (size_t i = 0; i < fresh->n; i++) {
        size_t k = find_group(v, &now, i, &before), start = shown->len, at = fresh->rows[i].at;
        size_t was = k < before.n ? rival->shown[view].rows[k].at : 0;
        for (unsigned column = 0; column < v->n_columns; column++) {
            struct diff_value value = diff_result_value(fresh, &at), old = value;
            if (k < before.n)
                old = diff_result_value(&rival->shown[view], &was);
            diff_result_add(shown, v->columns[column].is_group_key ? &old : &value);
        }
        diff_result_end_row(shown, start);
    }
    diff_result_free(&now);
    diff_result_free(&before);
}

static void make_integers(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    (void)rival, (void)v, (void)view;
    diff_result_canonical(fresh, "B", shown);
}

static void drop_repetitions(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    (void)rival, (void)view;
    for (size_t i = 0; i < fresh->n; i++) {
        bool is_repeated = false;
        for (size_t k = 0; k < i; k++)
            is_repeated = is_repeated ||
                          (fresh->rows[i].len == fresh->rows[k].len &&
                              memcmp(fresh->bytes + fresh->rows[i].at,
                                  fresh->bytes + fresh->rows[k].at, fresh->rows[i].len) == 0);
        size_t at = fresh->rows[i].at, start = shown->len;
        for (unsigned column = 0; column < v->n_columns && !is_repeated; column++) {
            struct diff_value value = diff_result_value(fresh, &at);
            diff_result_add(shown, &value);
        }
        if (!is_repeated)
            diff_result_end_row(shown, start);
    }
}

/* Copies rows with other values where the letters call for care: instead of the first text of
** such a column one that is not there. */
static void change_one(const struct diff_view *v, const char *letters,
    const struct diff_result *fresh, struct diff_result *shown)
{
    bool is_done = false;
    for (size_t i = 0; i < fresh->n; i++) {
        size_t at = fresh->rows[i].at, start = shown->len;
        for (unsigned column = 0; column < v->n_columns; column++) {
            struct diff_value value = diff_result_value(fresh, &at);
            if (!is_done && strchr(letters, v->columns[column].spec) != NULL &&
                value.type == SQLITE_TEXT) {
                value.data = (const uint8_t *)"gone";
                value.len = 4;
                is_done = true;
            }
            diff_result_add(shown, &value);
        }
        diff_result_end_row(shown, start);
    }
}

/* In another order: backwards. */
static void turn_around(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    (void)rival, (void)view;
    for (size_t i = fresh->n; i-- > 0;) {
        size_t at = fresh->rows[i].at, start = shown->len;
        for (unsigned column = 0; column < v->n_columns; column++) {
            struct diff_value value = diff_result_value(fresh, &at);
            diff_result_add(shown, &value);
        }
        diff_result_end_row(shown, start);
    }
}

/* Rows change their places each time, under a cursor that is open, too. */
static void move_about(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    bool is_ordered = v->order != NULL || v->ordered[0] != 0;

    if (rival->n_made[view]++ % 2 == 0 || is_ordered)
        diff_result_canonical(fresh, "E", shown);
    else
        turn_around(rival, v, view, fresh, shown);
}

/* Of rows that LIMIT leaves open, shows one that is not there. */
static void show_another_row(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown)
{
    (void)rival, (void)view;
    change_one(v, "?", fresh, shown);
}

/* Of group_concat and json_group_array, shows other elements. */
static void show_another_list(struct diff_rival *rival, const struct diff_view *v,
    unsigned view, const struct diff_result *fresh, struct diff_result *shown)
{
    (void)rival, (void)view;
    change_one(v, "GJ", fresh, shown);
}

/* Refreshes only outside of transactions. */
static void after_stale(struct diff_world *world, const char *sql)
{
    if (sqlite3_get_autocommit(world->real.db[0]))
        diff_rival_refresh(world, sql);
}

/* Goes on showing what it showed before ROLLBACK TO. */
static void after_rollback(struct diff_world *world, const char *sql)
{
    if (strncmp(sql, "ROLLBACK TO", 11) != 0) {
        diff_rival_refresh(world, sql);
        return;
    }
    sqlite3_int64 last = sqlite3_last_insert_rowid(world->real.db[0]);
    for (unsigned i = 0; i < world->c->n_views; i++) {
        if (diff_world_has_view(world, 0, i))
            diff_rival_store(world, i, &diff_rival_of(world)->shown[i]);
    }
    sqlite3_set_last_insert_rowid(world->real.db[0], last);
}

/* Does not see what is changed next after the TEMP schema has. */
static void after_temp(struct diff_world *world, const char *sql)
{
    struct diff_rival *rival = diff_rival_of(world);
    bool had_moved = rival->has_moved;

    rival->has_moved = strncmp(sql, "CREATE TEMP", 11) == 0;
    if (!had_moved)
        diff_rival_refresh(world, sql);
}

static void after_rowid(struct diff_world *world, const char *sql)
{
    diff_rival_refresh(world, sql);
    if (strncmp(sql, "INSERT", 6) == 0)
        sqlite3_set_last_insert_rowid(world->real.db[0], 4711);
}

static void drop_and_leave(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_rival_drop(world, view, sql);
    diff_text_add(sql, "; CREATE TABLE IF NOT EXISTS left_behind(x)");
}

/* A view whose columns have lost their affinity. */
static void create_without_affinity(
    struct diff_world *world, unsigned view, struct diff_text *sql)
{
    const struct diff_view *v = &world->c->views[view];
    struct diff_text names = {0};

    diff_text_add(&names, "CREATE VIEW ");
    diff_text_add_name(&names, v->name);
    for (unsigned i = 0; i < v->n_columns; i++) {
        diff_text_add(&names, i > 0 ? ", +" : " AS SELECT +");
        diff_view_column_name(&v->columns[i], &names);
        diff_text_add(&names, " AS ");
        diff_view_column_name(&v->columns[i], &names);
    }
    diff_text_add(&names, " FROM `v%u`", view);
    diff_render(world->c, &world->names, world->oracle, names.data, sql);
    diff_text_free(&names);
}

static void drop_view(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "DROP VIEW ");
    diff_text_add_name(sql, world->c->views[view].name);
}

#define AS_TABLE(drop_one, after_each)                                                         \
    .create = diff_rival_create, .created = diff_rival_created, .drop = drop_one,              \
    .after = after_each, .forget = diff_rival_forget
#define BY_RULE AS_TABLE(diff_rival_drop, diff_rival_refresh)
#define MUCH .with_rowid = true, .with_foreign_keys = true

const struct diff_engine diff_rivals[] = {
    {.name = "honest",
        BY_RULE,
        .can = {MUCH, .with_inexact_sums = true, .with_between = true, .composed = 100}},
    {.name = "rival-limit",
        .caught_as = "member",
        BY_RULE,
        .rule = show_another_row,
        .can = {MUCH, .composed = 100}},
    {.name = "rival-order",
        .caught_as = "order",
        BY_RULE,
        .rule = turn_around,
        .can = {MUCH, .composed = 100}},
    {.name = "rival-list",
        .caught_as = "rows",
        BY_RULE,
        .rule = show_another_list,
        .can = {MUCH, .composed = 100}},
    {.name = "rival-trigger",
        .caught_as = "rows",
        .create = diff_copies_create,
        .drop = diff_copies_drop,
        .can = {.with_foreign_keys = true}},
    {.name = "rival-stale",
        .caught_as = "rows",
        AS_TABLE(diff_rival_drop, after_stale),
        .can = {MUCH, .composed = 100}},
    {.name = "rival-rollback",
        .caught_as = "rows",
        AS_TABLE(diff_rival_drop, after_rollback),
        .can = {MUCH}},
    {.name = "rival-float",
        .caught_as = "rows",
        BY_RULE,
        .rule = drift,
        .can = {MUCH, .with_inexact_sums = true}},
    {.name = "rival-duplicates",
        .caught_as = "rows",
        BY_RULE,
        .rule = drop_repetitions,
        .can = {MUCH, .composed = 100}},
    {.name = "rival-types", .caught_as = "rows", BY_RULE, .rule = make_integers, .can = {MUCH}},
    {.name = "rival-member",
        .caught_as = "member",
        BY_RULE,
        .rule = keep_member,
        .can = {MUCH}},
    {.name = "rival-silent",
        .caught_as = "silent",
        BY_RULE,
        .can = {MUCH, .with_failing_queries = true, .with_inexact_sums = true}},
    {.name = "rival-rowid",
        .caught_as = "rowid",
        AS_TABLE(diff_rival_drop, after_rowid),
        .can = {MUCH}},
    {.name = "rival-leftover",
        .caught_as = "schema",
        AS_TABLE(drop_and_leave, diff_rival_refresh),
        .can = {MUCH}},
    {.name = "rival-temp",
        .caught_as = "rows",
        AS_TABLE(diff_rival_drop, after_temp),
        .can = {MUCH, .with_between = true}},
    {.name = "rival-cursor",
        .caught_as = "cursor",
        BY_RULE,
        .rule = move_about,
        .can = {MUCH, .with_between = true}},
    {.name = "rival-affinity",
        .caught_as = "probe",
        .create = create_without_affinity,
        .drop = drop_view,
        .can = {MUCH, .with_probes = true}},
};
const unsigned diff_n_rivals = sizeof diff_rivals / sizeof *diff_rivals;
