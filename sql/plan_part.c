/* A part of a core that is taken apart, as a core of its own: its text is written anew, and
** read. */
#include "sql/plan_outer.h"

#include "sql/strengthen.h"

static const char *append(
    struct zsql_splitter *splitter, const char *text, const char *word, const char *more)
{
    return text == NULL || more == NULL
               ? NULL
               : zsql_text_format(splitter->planner->arena, "%s%s%s", text, word, more);
}

static const char *write_results(struct zsql_splitter *splitter)
{
    const struct zsql_list *outputs = &splitter->core->bound->outputs;
    const char *text = "SELECT";

    for (size_t i = 0; i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        text = append(
            splitter, text, i > 0 ? ", " : " ", zsql_outer_write(splitter, output->expr));
    }
    return text;
}

/* A literal would be read as a position. */
static const char *write_groups(struct zsql_splitter *splitter, const char *text)
{
    const struct zsql_list *terms = &splitter->core->bound->group_by;

    for (size_t i = 0; i < terms->n; i++) {
        struct zsql_expr *term = terms->items[i];
        bool is_literal = zsql_expr_is_literal(zsql_bound_target(term));

        text = append(splitter, text, i > 0 ? ", " : " GROUP BY ",
            is_literal ? "NULL" : zsql_outer_write(splitter, term));
    }
    return text;
}

static const char *write_core(
    struct zsql_splitter *splitter, const struct zsql_outer_part *part)
{
    struct zsql_core *core = splitter->core;
    const char *text = append(splitter, write_results(splitter), " FROM ", part->from);

    if (core->where != NULL) {
        text = append(splitter, text, " WHERE (", zsql_outer_write(splitter, core->where));
        text = append(splitter, text, ")", "");
    }
    if (part->where != NULL)
        text = append(splitter, text, core->where != NULL ? " AND " : " WHERE ", part->where);
    text = write_groups(splitter, text);
    if (core->having != NULL)
        text = append(splitter, text, " HAVING ", zsql_outer_write(splitter, core->having));
    return text;
}

int zsql_outer_bind_part(
    struct zsql_splitter *splitter, const struct zsql_outer_part *part, struct zsql_list *parts)
{
    struct zsql_planner *planner = splitter->planner;
    const struct zsql_bound *whole = splitter->core->bound;
    struct zsql_part *made = zsql_arena_get(planner->arena, sizeof(*made));
    struct zsql_select *select = NULL;
    struct zsql_bound *bound;
    uint32_t error_at;
    int rc;

    if (made == NULL)
        return ZS_NOMEM;
    made->text = write_core(splitter, part);
    rc = made->text == NULL ? ZS_NOMEM
                            : zsql_select_parse(planner->arena, made->text, &select, &error_at);
    if (rc == ZS_OK)
        rc =
            zsql_bind(planner->arena, planner->catalogue, made->text, select, planner->message);
    if (rc == ZS_OK)
        rc = zsql_strengthen(planner->arena, select);
    if (rc != ZS_OK)
        return rc;
    made->core = select->cores.items[0];
    made->core->is_distinct = splitter->core->is_distinct;
    bound = made->core->bound;
    bound->n_hidden = whole->n_hidden;
    for (size_t i = 0; i < bound->outputs.n; i++)
        ((struct zsql_output *)bound->outputs.items[i])->name =
            ((const struct zsql_output *)whole->outputs.items[i])->name;
    return zsql_list_append(planner->arena, parts, made);
}
