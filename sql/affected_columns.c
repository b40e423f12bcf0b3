/* What a change within a subquery in FROM can touch of the core around, by the subquery's columns:
** a row is one of those that have a value which the change touches, in each column where that can
** be told.
**
** Of a column that is a subquery's value this costs more than it tells, and is left to where no
** other column tells anything. Where subqueries in FROM stand one within another, all columns are
** looked at in the outer ones only, and else one: each column of each is told by those of the
** next, and the text would grow without end. */
#include "sql/affected_private.h"

/* So many subqueries one within another tell all their columns. */
enum { MOST_WHOLE = 2 };

/* What a column is, the best to tell by first. */
enum kind { OF_TABLE, COMPUTED, OF_SUBQUERY, N_KINDS };

static enum kind kind_of(const struct zsql_bound *bound, size_t j)
{
    const struct zsql_output *output = j < bound->outputs.n ? bound->outputs.items[j] : NULL;
    struct zsql_expr *expr = output == NULL ? NULL : zsql_bound_target(output->expr);
    struct zsql_reach reach;

    while (expr != NULL && expr->binding == ZSQL_COLUMN && expr->column >= 0) {
        const struct zsql_from *from = zsql_bound_source(expr)->from;
        const struct zsql_core *core;

        if (from->kind != ZSQL_FROM_SELECT)
            return OF_TABLE;
        core = from->select->cores.items[0];
        if (core->is_values || (size_t)expr->column >= core->bound->outputs.n)
            return COMPUTED;
        bound = core->bound;
        output = bound->outputs.items[expr->column];
        expr = zsql_bound_target(output->expr);
    }
    if (expr == NULL)
        return COMPUTED;
    reach = zsql_reach_of(bound, expr);
    return reach.has_select ? OF_SUBQUERY : COMPUTED;
}

/* Adds what column j tells. Rows in which it is NULL are all looked at. */
static int by_column(struct zsql_inquiry *inquiry, const struct zsql_source *source,
    const struct zsql_bound *inner, size_t j, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *table = zsql_text_quoted(arena, source->name, '"');
    const char *column = zsql_text_quoted(arena, source->relation.columns[j].name, '"');
    const char *one = NULL, *values = NULL;
    int rc = zsql_affected_column(inquiry, inner, j, ZSQL_NULLS_COUNT, &values);

    if (rc != ZS_OK || values == NULL)
        return rc;
    if (table == NULL || column == NULL)
        return ZS_NOMEM;
    table = zsql_text_format(arena, "%s.%s", table, column);
    rc = zsql_affected_add_in(inquiry, table, values, &one);
    if (rc == ZS_OK)
        *condition =
            *condition == NULL
                ? zsql_text_format(arena, "(%s OR %s IS NULL)", one, table)
                : zsql_text_format(arena, "%s AND (%s OR %s IS NULL)", *condition, one, table);
    return rc == ZS_OK && *condition == NULL ? ZS_NOMEM : rc;
}

/* By the columns that are of a kind from first to last. */
static int by_kinds(struct zsql_inquiry *inquiry, const struct zsql_source *source,
    const struct zsql_bound *inner, enum kind first, enum kind last, const char **condition)
{
    bool is_one_enough = inquiry->n_within > MOST_WHOLE;
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && j < source->relation.n_columns; j++) {
        enum kind kind = kind_of(inner, j);

        if (is_one_enough && *condition != NULL)
            return ZS_OK;
        if (kind >= first && kind <= last)
            rc = by_column(inquiry, source, inner, j, condition);
    }
    return rc;
}

int zsql_affected_by_columns(struct zsql_inquiry *inquiry, const struct zsql_source *source,
    const struct zsql_bound *inner, const char **condition)
{
    int rc = ZS_OK;

    if (source->name == NULL)
        return ZS_OK;
    inquiry->n_within++;
    if (inquiry->n_within > MOST_WHOLE)
        rc = by_kinds(inquiry, source, inner, OF_TABLE, OF_TABLE, condition);
    if (rc == ZS_OK && *condition == NULL)
        rc = by_kinds(inquiry, source, inner, OF_TABLE, COMPUTED, condition);
    if (rc == ZS_OK && *condition == NULL)
        rc = by_kinds(inquiry, source, inner, OF_SUBQUERY, OF_SUBQUERY, condition);
    inquiry->n_within--;
    return rc;
}
