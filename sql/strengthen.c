/* a LEFT JOIN b ON c WHERE b.x = 1 is a JOIN b ON c WHERE b.x = 1: a row without a match has no
** b.x. The same holds for ON of what is joined behind it. SQLite sees this too, but not where a
** side of the comparison is a virtual table's, as what changes is. Rows of b that change are
** then like any others, and the join can begin with whichever table has changed. */
#include "sql/strengthen.h"

#include "sql/affected.h"
#include "sql/never_null.h"
#include "sql/reach.h"

static bool is_column_of(
    const struct zsql_bound *bound, const struct zsql_expr *expr, size_t item)
{
    return expr->binding == ZSQL_COLUMN && expr->scope == bound && !expr->is_merged &&
           zsql_source_at(bound, expr->source)->item == item;
}

struct zsql_expr *zsql_null_rejected(
    const struct zsql_bound *bound, struct zsql_expr *term, size_t item)
{
    term = zsql_bound_target(term);
    if (is_column_of(bound, term, item))
        return term;
    for (size_t i = 0, n = zsql_n_never_null(term); i < n; i++) {
        struct zsql_expr *operand = zsql_bound_target(term->operands.items[i]);

        if (is_column_of(bound, operand, item))
            return operand;
    }
    return NULL;
}

/* The column of the item, if any, that some term of a condition asks for; *found stays, if it
** is known. */
static int look_in(struct zsql_arena *arena, const struct zsql_bound *bound,
    struct zsql_expr *condition, size_t item, struct zsql_expr **found)
{
    struct zsql_list terms = {0};
    int rc = zsql_expr_terms(arena, condition, &terms);

    for (size_t i = 0; rc == ZS_OK && *found == NULL && i < terms.n; i++)
        *found = zsql_null_rejected(bound, terms.items[i], item);
    return rc;
}

/* The same for what a member is joined on, by ON, USING or NATURAL. */
static int look_in_member(struct zsql_arena *arena, const struct zsql_bound *bound,
    const struct zsql_from *member, size_t item, struct zsql_expr **found)
{
    int rc = look_in(arena, bound, member->on, item, found);

    for (size_t i = 0; rc == ZS_OK && i < bound->sources.n; i++) {
        const struct zsql_source *source = zsql_source_at(bound, i);

        for (size_t j = 0; rc == ZS_OK && source->from == member && j < source->merged.n; j++) {
            struct zsql_expr *x, *y;

            rc = zsql_merged_pair(arena, bound, source, source->merged.items[j], &x, &y);
            if (rc == ZS_OK && *found == NULL && is_column_of(bound, x, item))
                *found = x;
        }
    }
    return rc;
}

/* Left joins that are inner ones. */

struct search {
    struct zsql_arena *arena;
    bool has_changed;
};

static int strengthen_member(
    struct search *search, struct zsql_core *core, size_t item, struct zsql_source *source)
{
    const struct zsql_bound *bound = core->bound;
    struct zsql_from *member = core->from.items[item];
    struct zsql_expr *found = NULL;
    int rc = look_in(search->arena, bound, core->where, item, &found);

    for (size_t i = item + 1; rc == ZS_OK && i < core->from.n; i++) {
        const struct zsql_from *later = core->from.items[i];

        if ((later->join & ZSQL_JOIN_LEFT) == 0)
            rc = look_in_member(search->arena, bound, later, item, &found);
    }
    if (rc != ZS_OK || found == NULL)
        return rc;
    member->join &= ~(unsigned)(ZSQL_JOIN_LEFT | ZSQL_JOIN_OUTER);
    member->is_inner = true;
    source->is_nullable = false;
    search->has_changed = true;
    return ZS_OK;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct zsql_source *source = (struct zsql_source *)zsql_bound_source_of(core->bound, from);

    if (core->bound->has_right_join || source == NULL || (from->join & ZSQL_JOIN_LEFT) == 0 ||
        zsql_from_is_never(from) || core->from.items[source->item] != from)
        return ZS_OK;
    return strengthen_member(ctx, core, source->item, source);
}

int zsql_strengthen(struct zsql_arena *arena, struct zsql_select *select)
{
    struct search search = {arena, true};
    int rc = ZS_OK;

    while (rc == ZS_OK && search.has_changed) {
        search.has_changed = false;
        rc = zsql_select_walk_from(select, visit_from, &search);
    }
    return rc;
}
