/* `+x >= +x` for each x that is not NULL where a left join found something. */
#include "sql/present.h"

#include "sql/affected.h"
#include "sql/reach.h"

struct finder {
    struct zsql_planner *planner;
    const struct zsql_core *core;
    uint64_t seen; /* the members of FROM that have been looked at */
    const char *text;
};

static int add_joined(struct finder *finder, size_t item);

static int add(struct finder *finder, const char *x)
{
    struct zsql_arena *arena = finder->planner->arena;

    finder->text = finder->text == NULL
                       ? zsql_text_format(arena, "+%s >= +%s", x, x)
                       : zsql_text_format(arena, "%s AND +%s >= +%s", finder->text, x, x);
    return finder->text == NULL ? ZS_NOMEM : ZS_OK;
}

/* A column that is compared, of what a left join may leave out. */
static int add_column(struct finder *finder, struct zsql_expr *x)
{
    const struct zsql_source *source;
    const char *text;
    int rc;

    x = zsql_bound_target(x);
    if (x->binding != ZSQL_COLUMN || x->is_merged || x->scope != finder->core->bound)
        return ZS_OK;
    source = zsql_bound_source(x);
    if (!source->is_nullable || source->item >= 64 || (finder->seen >> source->item & 1) != 0)
        return ZS_OK; /* nothing that isn't known by now */
    rc = zsql_plan_write(finder->planner, x, &text);
    if (rc == ZS_OK)
        rc = add(finder, text);
    return rc == ZS_OK ? add_joined(finder, source->item) : rc;
}

static int add_terms(struct finder *finder, const struct zsql_expr *on)
{
    int rc = ZS_OK;

    if (on == NULL || on->kind != ZSQL_BINARY || on->is_negated)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < 2; i++) {
        if (on->op == ZSQL_OP_AND)
            rc = add_terms(finder, on->operands.items[i]);
        else if (on->op == ZSQL_OP_EQUAL)
            rc = add_column(finder, on->operands.items[i]);
    }
    return rc;
}

static int add_merged(struct finder *finder, const struct zsql_source *source)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < source->merged.n; i++) {
        struct zsql_expr *x, *y;

        rc = zsql_merged_pair(finder->planner->arena, finder->core->bound, source,
            source->merged.items[i], &x, &y);
        if (rc == ZS_OK)
            rc = add_column(finder, x);
    }
    return rc;
}

/* By what a member of FROM was joined, where it has found something. */
static int add_joined(struct finder *finder, size_t item)
{
    const struct zsql_from *member = finder->core->from.items[item];
    const struct zsql_bound *bound = finder->core->bound;
    int rc = ZS_OK;

    finder->seen |= (uint64_t)1 << item;
    if (bound->has_right_join)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < bound->sources.n; i++)
        if (zsql_source_at(bound, i)->from == member)
            rc = add_merged(finder, zsql_source_at(bound, i));
    return rc == ZS_OK ? add_terms(finder, member->on) : rc;
}

int zsql_present(struct zsql_planner *planner, const struct zsql_occurrence *occurrence,
    size_t number, const char **text)
{
    struct finder finder = {.planner = planner, .core = occurrence->core};
    const char *weight = zsql_occurrence_presence(planner->arena, occurrence, number);
    int rc = weight == NULL ? ZS_NOMEM : add(&finder, weight);

    if (rc == ZS_OK && occurrence->source->item < 64)
        rc = add_joined(&finder, occurrence->source->item);
    *text = finder.text;
    return rc;
}

int zsql_present_read(struct zsql_planner *planner, const struct zsql_core *core,
    struct zsql_expr *expr, const char **text)
{
    struct finder finder = {.planner = planner, .core = core};
    bool is_over_groups = planner->is_over_groups && core == planner->bound->core;
    int rc = is_over_groups ? ZS_OK : add_column(&finder, expr); /* no join puts NULLs there */

    *text = finder.text;
    return rc;
}
