/* Subqueries in FROM, taken apart. Where SQLite does not put a subquery into the statement
** around it, it makes all its rows before it looks at one; a change of another member of FROM
** would cost all of them. The parts have none such:
**
**   L JOIN (x UNION ALL y) ON c      L JOIN x ON c,  and  L JOIN y ON c
**   L LEFT JOIN (a JOIN b) ON c      L JOIN (a JOIN b) ON c,  and  L where no row meets c */
#include "sql/plan_outer.h"

#include "sql/reach.h"

/* The parts of a core are a product: so many are too many. */
enum { MOST_PARTS = 8 };

static const struct zsql_from *member_at(const struct zsql_splitter *splitter, size_t i)
{
    return splitter->core->from.items[i];
}

bool zsql_outer_is_apart(const struct zsql_splitter *splitter, size_t i)
{
    return (splitter->apart >> i & 1) != 0;
}

size_t zsql_outer_arms(const struct zsql_splitter *splitter, size_t i)
{
    return zsql_outer_is_apart(splitter, i) ? member_at(splitter, i)->select->cores.n : 1;
}

/* Choosing. */

/* Does it read more than one table, at any depth? */
static bool is_join(const struct zsql_select *select)
{
    const struct zsql_bound *bound = ((struct zsql_core *)select->cores.items[0])->bound;
    const struct zsql_from *only;

    if (select->cores.n > 1 || bound->sources.n != 1)
        return true;
    only = zsql_source_at(bound, 0)->from;
    return only->kind == ZSQL_FROM_FUNCTION ||
           (only->kind == ZSQL_FROM_SELECT && is_join(only->select));
}

static int find_select(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ctx;

    (void)descend;
    *found = *found || expr->select != NULL;
    return ZS_OK;
}

/* Is the whole core more than the rows of the one subquery? */
static bool has_others(const struct zsql_core *core)
{
    bool has_select = false;

    if (core->from.n > 1)
        return true;
    return zsql_expr_walk(core->where, find_select, &has_select) != ZS_OK || has_select;
}

/* Do the arms have the columns that the whole has, which SQLite compares as the first's? */
static bool are_alike(const struct zsql_select *select)
{
    const struct zsql_list *first =
        &((const struct zsql_core *)select->cores.items[0])->bound->outputs;

    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        for (size_t j = 0; j < first->n; j++) {
            if (j >= core->bound->outputs.n || !zsql_traits_are_uniform(select, j) ||
                zsql_traits_makes_reals(select, j))
                return false;
        }
    }
    return true;
}

/* What is taken apart itself is kept by an operator, and looked up in what that has made. */
static bool is_worth_it(const struct zsql_splitter *splitter, size_t i)
{
    const struct zsql_from *member = member_at(splitter, i);

    if (member->kind != ZSQL_FROM_SELECT || !zsql_plan_passes_on(member->select) ||
        !are_alike(member->select))
        return false;
    for (size_t j = 0; j < member->select->cores.n; j++) {
        if (zsql_plan_is_split(member->select->cores.items[j]))
            return false;
    }
    return (member->join & ZSQL_JOIN_LEFT) != 0 ? is_join(member->select)
                                                : member->select->cores.n > 1;
}

bool zsql_outer_choose(struct zsql_splitter *splitter)
{
    size_t n_parts = 1;

    if (!has_others(splitter->core))
        return false;
    for (size_t i = 0; i < splitter->core->from.n; i++) {
        const struct zsql_from *member = member_at(splitter, i);
        size_t n;

        if (!is_worth_it(splitter, i))
            continue;
        n = member->select->cores.n + ((member->join & ZSQL_JOIN_LEFT) != 0);
        if (n_parts * n > MOST_PARTS)
            continue;
        n_parts *= n;
        splitter->apart |= (uint64_t)1 << i;
    }
    return n_parts > 1;
}

/* The text of an arm. */

/* A zsql_replace_fn: a column that `*` stands for. */
static int spell_star(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_arena *arena = ctx;
    const char *table;

    (void)sight;
    if (expr->binding != ZSQL_COLUMN || expr->span.end > 0)
        return ZS_OK;
    table = expr->is_merged ? NULL : zsql_bound_source(expr)->name;
    *text = zsql_text_quoted(arena, expr->name.text, '"');
    if (*text != NULL && table != NULL) {
        table = zsql_text_quoted(arena, table, '"');
        *text = table == NULL ? NULL : zsql_text_format(arena, "%s.%s", table, *text);
    }
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

static const char *write(struct zsql_splitter *splitter, struct zsql_expr *expr)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const char *text;
    int rc = zsql_text_write(
        arena, splitter->planner->text, &splitter->edits, expr, spell_star, arena, &text);

    return rc == ZS_OK ? text : NULL;
}

/* "SELECT x AS "name", ...": the first core's names. */
static const char *write_results(
    struct zsql_splitter *splitter, const struct zsql_core *first, const struct zsql_core *core)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const char *text = "SELECT";

    for (size_t i = 0; text != NULL && i < core->bound->outputs.n; i++) {
        const struct zsql_output *called = first->bound->outputs.items[i];
        const struct zsql_output *output = core->bound->outputs.items[i];
        const char *name = zsql_text_quoted(arena, called->name, '"');
        const char *value = write(splitter, output->expr);

        text = name == NULL || value == NULL ? NULL
                                             : zsql_text_format(arena, "%s%s %s AS %s", text,
                                                   i > 0 ? "," : "", value, name);
    }
    return text;
}

static const char *write_from(struct zsql_splitter *splitter, const struct zsql_core *core)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const struct zsql_from *first, *last;
    const char *text;

    if (core->from.n == 0)
        return "";
    first = core->from.items[0];
    last = core->from.items[core->from.n - 1];
    text = zsql_text_copy(arena, splitter->planner->text,
        (struct zsql_span){first->whole.start, last->whole.end});
    return text == NULL ? NULL : zsql_text_format(arena, " FROM %s", text);
}

const char *zsql_outer_arm(struct zsql_splitter *splitter, size_t i, size_t arm)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const struct zsql_from *member = member_at(splitter, i);
    const struct zsql_core *first, *core;
    const char *results, *from, *where = "", *name;

    if (zsql_outer_arms(splitter, i) == 1)
        return zsql_outer_member(splitter, i);
    first = member->select->cores.items[0];
    core = member->select->cores.items[arm];
    results = write_results(splitter, first, core);
    from = write_from(splitter, core);
    if (core->where != NULL)
        where = write(splitter, core->where);
    name =
        zsql_text_quoted(arena, zsql_bound_source_of(splitter->core->bound, member)->name, '"');
    return results == NULL || from == NULL || where == NULL || name == NULL
               ? NULL
               : zsql_text_format(arena, "(%s%s%s%s) AS %s", results, from,
                     *where != '\0' ? " WHERE " : "", where, name);
}
