/* Sorting rows before SQLite aggregates them. SQLite keeps the ORDER BY of a subquery in FROM
** where an aggregate reads it that may depend on the order, and puts no such subquery into the
** statement around it. */
#include "sql/sorted_rows.h"

#include <string.h>

#include "sql/lex.h"
#include "sql/text.h"

/* A column that is read of the rows. */
struct read {
    struct zsql_expr *expr; /* what reads it first; NULL of one source's */
    const char *text, *name;
};

struct sorter {
    struct zsql_arena *arena;
    const struct zsql_core *core;
    struct zsql_edits *edits;
    uint32_t results_end;
    struct zsql_list reads; /* of struct read */
};

static int find_select(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ctx;

    (void)descend;
    *found = *found || expr->select != NULL || expr->binding == ZSQL_OUTPUT;
    return ZS_OK;
}

static int find_json(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ctx;
    char start[5] = "";

    (void)descend;
    if (expr->kind == ZSQL_CALL)
        strncat(start, expr->name.text, sizeof(start) - 1);
    *found = *found || zsql_same_name(start, "json");
    return ZS_OK;
}

/* What a subquery makes as JSON is mere text when it has been sorted. */
static bool reads_json(const struct zsql_list *members)
{
    bool found = false;

    for (size_t i = 0; !found && i < members->n; i++) {
        const struct zsql_from *member = members->items[i];

        if (member->kind == ZSQL_FROM_SELECT &&
            zsql_select_walk(member->select, find_json, &found) != ZS_OK)
            return true;
        found = found || reads_json(&member->items);
    }
    return found;
}

bool zsql_rows_can_be_sorted(const struct zsql_core *core)
{
    const struct zsql_select *select = core->bound->select;
    bool has_select = false;

    if (select->cores.n > 1 || select->limit != NULL || select->order.n > 0 ||
        core->group_by.n > 0 || core->having != NULL || core->is_distinct ||
        core->from.n == 0 || reads_json(&core->from))
        return false;
    for (size_t i = 0; i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        if (result->kind != ZSQL_RESULT ||
            zsql_expr_walk(result->expr, find_select, &has_select) != ZS_OK)
            return false;
    }
    return !has_select || core->bound->sources.n == 1;
}

const struct zsql_select *zsql_rows_sorted_within(const struct zsql_core *core)
{
    const struct zsql_from *only = core->from.n == 1 ? core->from.items[0] : NULL;
    const struct zsql_select *select =
        only != NULL && only->kind == ZSQL_FROM_SELECT ? only->select : NULL;

    return select != NULL && select->order.n > 0 && core->where == NULL ? select : NULL;
}

/* What is read. */

static const char *write_column(struct sorter *sorter, const char *table, const char *column)
{
    column = zsql_text_quoted(sorter->arena, column, '"');
    if (column == NULL || table == NULL)
        return column;
    table = zsql_text_quoted(sorter->arena, table, '"');
    return table == NULL ? NULL : zsql_text_format(sorter->arena, "%s.%s", table, column);
}

static int add_read(
    struct sorter *sorter, struct zsql_expr *expr, const char *text, const char *name)
{
    struct read *read = zsql_arena_get(sorter->arena, sizeof(*read));

    if (read == NULL || text == NULL || name == NULL)
        return ZS_NOMEM;
    *read = (struct read){expr, text, name};
    return zsql_list_append(sorter->arena, &sorter->reads, read);
}

static const char *name_of(const struct zsql_column *column)
{
    return column != NULL ? column->name : "rowid";
}

/* What it is called when it has been sorted: SQLite calls no column of a subquery true or
** false. */
static const char *name_sorted(struct sorter *sorter, const struct zsql_column *column)
{
    const char *name = name_of(column);

    if (!zsql_same_name(name, "true") && !zsql_same_name(name, "false"))
        return name;
    return zsql_text_format(sorter->arena, "lockstep_%s", name);
}

/* Of one source: all columns that are used, under their own names. */
static int read_source(struct sorter *sorter)
{
    const struct zsql_source *source = sorter->core->bound->sources.items[0];
    size_t n = source->relation.n_columns;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i <= n; i++) {
        const struct zsql_column *column = i < n ? &source->relation.columns[i] : NULL;
        const char *name = name_sorted(sorter, column);

        if (name == NULL)
            return ZS_NOMEM;
        if (source->is_used[i])
            rc = add_read(sorter, NULL, write_column(sorter, source->name, name_of(column)),
                zsql_text_quoted(sorter->arena, name, '"'));
    }
    return rc;
}

/* The rowid has many names, of which one is left, and a column may have got another. */
static int name_again(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct sorter *sorter = ctx;
    const struct zsql_source *source = sorter->core->bound->sources.items[0];
    const char *name;

    (void)descend;
    if (expr->binding != ZSQL_COLUMN || expr->scope != sorter->core->bound ||
        expr->span.end > sorter->results_end)
        return ZS_OK;
    name = name_sorted(sorter, zsql_bound_column(expr));
    if (name == NULL)
        return ZS_NOMEM;
    if (zsql_same_name(expr->name.text, name))
        return ZS_OK;
    name = write_column(sorter, source->name, name);
    return name == NULL ? ZS_NOMEM
                        : zsql_edits_add(sorter->arena, sorter->edits, expr->span, name);
}

static size_t find_read(const struct sorter *sorter, struct zsql_expr *expr)
{
    size_t i = 0;

    while (i < sorter->reads.n &&
           !zsql_bound_equal(((const struct read *)sorter->reads.items[i])->expr, expr))
        i++;
    return i;
}

/* Of several: the columns that the results name, by numbers. */
static int read_column(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct sorter *sorter = ctx;
    const char *text;
    size_t number;
    int rc = ZS_OK;

    (void)descend;
    if (expr->binding != ZSQL_COLUMN || expr->scope != sorter->core->bound)
        return ZS_OK;
    number = find_read(sorter, expr);
    if (number == sorter->reads.n)
        rc = add_read(sorter, expr, write_column(sorter, expr->table.text, expr->name.text),
            zsql_text_format(sorter->arena, "v%zu", number));
    if (rc != ZS_OK)
        return rc;
    text = zsql_text_format(sorter->arena, "lockstep_rows.v%zu", number);
    return text == NULL ? ZS_NOMEM
                        : zsql_edits_add(sorter->arena, sorter->edits, expr->span, text);
}

/* Edits. */

static int put_in(struct sorter *sorter, uint32_t at, const char *text)
{
    return text == NULL
               ? ZS_NOMEM
               : zsql_edits_add(sorter->arena, sorter->edits, (struct zsql_span){at, at}, text);
}

/* "FROM (SELECT x AS v0, y AS v1 ", before FROM. */
static int begin_rows(struct sorter *sorter, uint32_t at)
{
    const char *text = "FROM (SELECT";

    for (size_t i = 0; text != NULL && i < sorter->reads.n; i++) {
        const struct read *read = sorter->reads.items[i];

        text = zsql_text_format(
            sorter->arena, "%s%s %s AS %s", text, i > 0 ? "," : "", read->text, read->name);
    }
    if (text != NULL)
        text =
            zsql_text_format(sorter->arena, "%s%s ", text, sorter->reads.n == 0 ? " NULL" : "");
    return put_in(sorter, at, text);
}

/* The order, at the end. 1 and 1.0 are equal, but not the same. LIMIT keeps SQLite from
** thinking that the order does not matter to min() and max(). */
static int end_rows(struct sorter *sorter, uint32_t at, const char *name)
{
    const char *text = sorter->reads.n > 0 ? "ORDER BY" : "";

    for (size_t i = 0; text != NULL && i < sorter->reads.n; i++) {
        const struct read *read = sorter->reads.items[i];

        text = zsql_text_format(sorter->arena, "%s%s %zu COLLATE BINARY, typeof(%s)", text,
            i > 0 ? "," : "", i + 1, read->text);
    }
    name = zsql_text_quoted(sorter->arena, name, '"');
    return put_in(sorter, at,
        text == NULL || name == NULL
            ? NULL
            : zsql_text_format(sorter->arena, "%s LIMIT -1) AS %s", text, name));
}

static int find_reads(struct sorter *sorter, bool is_one)
{
    const struct zsql_core *core = sorter->core;
    int rc = is_one ? read_source(sorter) : ZS_OK;

    if (rc == ZS_OK && is_one)
        return zsql_core_walk((struct zsql_core *)core, name_again, sorter);
    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        rc = zsql_expr_walk(result->expr, read_column, sorter);
    }
    return rc;
}

int zsql_sort_rows(struct zsql_arena *arena, const char *text, const struct zsql_core *core,
    struct zsql_edits *edits)
{
    struct sorter sorter = {.arena = arena, .core = core, .edits = edits};
    const struct zsql_source *first = core->bound->sources.items[0];
    bool is_one = core->bound->sources.n == 1;
    int rc;

    sorter.results_end = zsql_results_end(core);
    rc = find_reads(&sorter, is_one);
    if (rc == ZS_OK)
        rc = begin_rows(&sorter, zsql_lex(text, sorter.results_end).start);
    return rc == ZS_OK ? end_rows(&sorter, core->bound->select->order_end,
                             is_one ? first->name : "lockstep_rows")
                       : rc;
}
