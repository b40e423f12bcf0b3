/* The order of rows that an aggregate such as group_concat takes in, where people give it one:
**
**   SELECT k, group_concat(x) FROM (SELECT * FROM t ORDER BY y) GROUP BY k
**
** SQLite keeps it, also for groups. What sorts is one more argument of the aggregate's. */
#include "sql/planner.h"

/* The subquery, which may have been made an operator. */
static const struct zsql_select *find_sorted(const struct zsql_core *core)
{
    const struct zsql_from *only = core->from.n == 1 ? core->from.items[0] : NULL;

    if (only == NULL || only->is_made_alone)
        return NULL;
    return only->kind == ZSQL_FROM_MADE ? only->made_of : only->select;
}

static const char *write_term(struct zsql_planner *planner, const struct zsql_term *term,
    const struct zsql_traits *traits, const char *column)
{
    static const char *const nulls[] = {"", " NULLS FIRST", " NULLS LAST"};

    if (traits->collation != NULL && !traits->is_rowid)
        column = zsql_traits_collate(planner->arena, column, traits->collation);
    return column == NULL ? NULL
                          : zsql_text_format(planner->arena, "%s%s%s", column,
                                term->is_descending ? " DESC" : "", nulls[term->nulls]);
}

/* *is_known: whether the subquery shows what the term sorts by. */
static int add_term(struct zsql_planner *planner, const struct zsql_select *select,
    const struct zsql_term *term, struct zsql_list *columns, const char **order, bool *is_known)
{
    const struct zsql_source *source = planner->bound->sources.items[0];
    long found = zsql_plan_find_term(select, term->expr);
    struct zsql_traits traits = zsql_traits_of(term->expr);
    const char *text = NULL;
    struct zsql_expr *column;
    int rc;

    *is_known = found >= 0 && (size_t)found < source->relation.n_columns;
    if (!*is_known)
        return ZS_OK;
    column = zsql_bound_new_column(planner->arena, planner->bound, 0, (size_t)found);
    rc = column == NULL ? ZS_NOMEM
                        : zsql_plan_read_listed(planner, columns, column, ZSQL_UNSEEN, &text);
    if (rc != ZS_OK)
        return rc;
    text = write_term(planner, term, &traits, text);
    if (text != NULL)
        *order = zsql_text_format(
            planner->arena, "%s%s%s", *order, **order != '\0' ? ", " : "", text);
    return text == NULL || *order == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_plan_row_order(
    struct zsql_planner *planner, struct zsql_list *columns, const char **order)
{
    const struct zsql_select *select = find_sorted(planner->bound->core);
    bool is_known = select != NULL;
    int rc = ZS_OK;

    *order = "";
    for (size_t i = 0; rc == ZS_OK && is_known && i < select->order.n; i++)
        rc = add_term(planner, select, select->order.items[i], columns, order, &is_known);
    return rc;
}
