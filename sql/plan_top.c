/* LIMIT: the operator that keeps the first rows. */
#include "sql/planner.h"

/* Is a column one of the terms, in full: are its values that are equal there identical but for
** numbers? */
static bool is_settled(const struct zsql_order *order, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++) {
        if (order[i].column == column && order[i].collation == ZS_BINARY)
            return true;
    }
    return false;
}

int zsql_plan_top(struct zsql_planner *planner, struct zsql_operator *input,
    const struct zsql_order *order, size_t n_order, size_t n_columns, int64_t limit,
    int64_t offset, struct zsql_operator **top)
{
    struct zsql_order *terms =
        zsql_arena_get(planner->arena, (n_order + n_columns) * sizeof(*terms));
    int rc = terms == NULL ? ZS_NOMEM
                           : zsql_plan_add(planner, ZSQL_TOP, input, input->n_columns, top);

    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; i < input->n_columns; i++)
        (*top)->columns[i] = input->columns[i];
    for (size_t i = 0; i < n_order; i++)
        terms[i] = order[i];
    for (size_t i = 0; i < n_columns; i++) {
        if (!is_settled(order, n_order, i))
            terms[n_order++] = (struct zsql_order){
                .column = i, .collation = ZS_BINARY, .collation_name = "BINARY"};
    }
    (*top)->order = terms;
    (*top)->n_order = n_order;
    (*top)->limit = limit < 0 ? -1 : limit;
    (*top)->offset = offset < 0 ? 0 : offset;
    return ZS_OK;
}
