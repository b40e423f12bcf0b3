/* Each term `column = value` of WHERE and ON, and what USING makes of columns, where the value
** comes of another table: read from either side. Equalities with one and the same table are one
** lookup, of several columns, unless they are joined by OR. A range, as `column < value`, comes
** behind the equalities with its table, or is a lookup by itself where the column's table has
** none. */
#include "sql/lookups.h"

#include "sql/affected.h"
#include "sql/compared.h"
#include "sql/traits.h"

struct search {
    struct zsql_arena *arena;
    const struct zsql_list *occurrences;
    struct zsql_list found; /* of struct candidate */
    bool is_within_or;
};

/* A lookup that is being put together. */
struct candidate {
    size_t occurrence;
    const struct zsql_from *other; /* where its values come from; NULL for several tables */
    struct zsql_list columns;      /* of struct zsql_expr */
    struct zsql_list collations;   /* of const char */
    const struct zsql_expr *range; /* a column of which a range is looked up, or NULL */
    const char *range_collation;
};

/* The column of a table that an expression is, through subqueries in FROM that only pass it
** on. */
static const struct zsql_expr *column_of(struct zsql_expr *expr)
{
    const struct zsql_source *source;
    const struct zsql_select *select;
    const struct zsql_bound *bound;

    for (;;) {
        expr = zsql_bound_target(expr);
        while (expr->kind == ZSQL_COLLATE)
            expr = zsql_bound_target(expr->operands.items[0]);
        if (expr->binding != ZSQL_COLUMN || expr->is_merged)
            return NULL;
        source = zsql_bound_source(expr);
        select = source->from->select;
        if (source->from->kind == ZSQL_FROM_TABLE)
            return expr;
        if (source->from->kind != ZSQL_FROM_SELECT)
            return NULL;
        bound = ((const struct zsql_core *)select->cores.items[0])->bound;
        if (select->cores.n != 1 || select->limit != NULL || expr->column < 0 ||
            (size_t)expr->column >= bound->outputs.n)
            return NULL;
        expr = ((const struct zsql_output *)bound->outputs.items[expr->column])->expr;
    }
}

static const struct zsql_from *from_of(const struct zsql_expr *column)
{
    return zsql_bound_source(column)->from;
}

/* The tables that an expression reads. */
struct sources {
    const struct zsql_from *first;
    const struct zsql_from *sought;
    bool has_several;
    bool has_sought;
};

static int visit_source(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct sources *sources = ctx;
    const struct zsql_from *from;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_source, ctx);
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    from = zsql_bound_source(expr)->from;
    sources->has_several |= sources->first != NULL && sources->first != from;
    sources->has_sought |= sources->sought == from;
    sources->first = from;
    return ZS_OK;
}

/* The collation by which two expressions compare: BINARY, NOCASE or RTRIM, or else NULL. */
static const char *collation_of(struct zsql_expr *left, struct zsql_expr *right)
{
    static const char *const builtin[] = {"BINARY", "NOCASE", "RTRIM"};
    const char *name = zsql_traits_compared(left, right);

    for (size_t i = 0; i < sizeof(builtin) / sizeof(*builtin); i++)
        if (zsql_same_name(name, builtin[i]))
            return builtin[i];
    return NULL;
}

/* Values that are compared as numbers are not found in the order of anything else. */
static bool is_served(struct zsql_expr *column, struct zsql_expr *other)
{
    struct zsql_traits of_column = zsql_traits_of(column), of_other = zsql_traits_of(other);

    return zsql_type_is_numeric(of_column.type) || !of_other.has_affinity ||
           !zsql_type_is_numeric(of_other.type);
}

static int candidate_of(struct search *search, size_t occurrence, const struct zsql_from *other,
    struct candidate **candidate)
{
    for (size_t i = 0; other != NULL && i < search->found.n; i++) {
        *candidate = search->found.items[i];
        if ((*candidate)->occurrence == occurrence && (*candidate)->other == other)
            return ZS_OK;
    }
    *candidate = zsql_arena_get(search->arena, sizeof(**candidate));
    if (*candidate == NULL)
        return ZS_NOMEM;
    (*candidate)->occurrence = occurrence;
    (*candidate)->other = other;
    return zsql_list_append(search->arena, &search->found, *candidate);
}

static const struct zsql_occurrence *occurrence_at(const struct search *search, size_t i)
{
    return search->occurrences->items[i];
}

static int add(struct search *search, const struct zsql_expr *column, const char *collation,
    const struct zsql_from *other, bool is_range)
{
    struct candidate *candidate;
    size_t i = 0;
    int rc;

    while (i < search->occurrences->n && occurrence_at(search, i)->from != from_of(column))
        i++;
    if (i == search->occurrences->n || column->column < 0)
        return ZS_OK;
    rc = candidate_of(search, i, other, &candidate);
    if (rc == ZS_OK && is_range && candidate->range == NULL) {
        candidate->range = column;
        candidate->range_collation = collation;
    }
    if (rc != ZS_OK || is_range)
        return rc;
    for (size_t j = 0; j < candidate->columns.n; j++)
        if (((const struct zsql_expr *)candidate->columns.items[j])->column == column->column)
            return ZS_OK;
    rc = zsql_list_append(search->arena, &candidate->columns, (void *)column);
    return rc == ZS_OK
               ? zsql_list_append(search->arena, &candidate->collations, (void *)collation)
               : rc;
}

/* Does the join read it? A subquery may be looked up by a column of the core around. */
static bool is_read(const struct search *search, const struct zsql_from *from)
{
    size_t i = 0;

    while (i < search->occurrences->n && occurrence_at(search, i)->from != from)
        i++;
    return from->kind != ZSQL_FROM_TABLE || i < search->occurrences->n;
}

/* `x = y`, or a range of x, as what looks x up. */
static int visit_side(struct search *search, struct zsql_expr *x, struct zsql_expr *y,
    const char *collation, bool is_range)
{
    const struct zsql_expr *column = column_of(x), *other = column_of(y);
    struct sources sources = {0};
    int rc;

    if (column == NULL || collation == NULL || !is_served(x, y))
        return ZS_OK;
    sources.sought = from_of(column);
    rc = zsql_expr_walk(y, visit_source, &sources);
    if (rc != ZS_OK || sources.first == NULL || sources.has_sought)
        return rc;
    if (other != NULL)
        sources.first = from_of(other);
    if (sources.first == from_of(column) || !is_read(search, sources.first))
        return ZS_OK;
    return add(search, column, collation,
        sources.has_several || search->is_within_or ? NULL : sources.first, is_range);
}

static int visit_comparison(
    struct search *search, struct zsql_expr *x, struct zsql_expr *y, bool is_range)
{
    const char *collation = collation_of(x, y);
    int rc = visit_side(search, x, y, collation, is_range);

    return rc == ZS_OK ? visit_side(search, y, x, collation, is_range) : rc;
}

/* What a subquery is that is compared; a column of its rows is looked up too: see
** affected_lookup.c. */
static struct zsql_expr *column_given(struct zsql_expr *expr)
{
    const struct zsql_core *core;

    expr = zsql_bound_target(expr);
    if (expr->kind != ZSQL_SUBQUERY || expr->select->cores.n > 1)
        return expr;
    core = expr->select->cores.items[0];
    return core->is_values ? expr
                           : ((const struct zsql_output *)core->bound->outputs.items[0])->expr;
}

static int visit_equality(struct search *search, struct zsql_expr *x, struct zsql_expr *y)
{
    return visit_comparison(search, column_given(x), column_given(y), false);
}

/* x < y and the like, or BETWEEN. Under OR a range is none of the whole. */
static int visit_range(struct search *search, const struct zsql_expr *expr)
{
    int rc = ZS_OK;

    for (size_t i = 1; rc == ZS_OK && i < expr->operands.n && !search->is_within_or; i++)
        rc = visit_comparison(search, expr->operands.items[0], expr->operands.items[i], true);
    return rc;
}

/* X IN (SELECT y ...), read as X = y: see plan_in.c. */
static int visit_in(struct search *search, const struct zsql_expr *expr)
{
    const struct zsql_core *core = expr->select->cores.items[0];
    struct zsql_expr *left = expr->operands.items[0];
    size_t n = left->kind == ZSQL_ROW ? left->operands.n : 1;
    int rc = ZS_OK;

    if (expr->select->cores.n > 1 || core->is_values || core->bound->outputs.n != n)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        struct zsql_expr *x = left->kind == ZSQL_ROW ? left->operands.items[i] : left;
        struct zsql_expr *y = ((const struct zsql_output *)core->bound->outputs.items[i])->expr;

        rc = visit_equality(search, x, y);
    }
    return rc;
}

/* What is compared with one value for all rows: see affected_scalar.c. */
static int visit_scalar(struct search *search, const struct zsql_core *core)
{
    struct zsql_compared found;
    struct zsql_expr *x, *y;
    const struct zsql_expr *column;
    const char *collation;
    int rc = zsql_scalar_compared(core->bound, &found);

    if (rc != ZS_OK || found.term == NULL || core->from.n == 0)
        return rc;
    x = found.comparison.x;
    y = found.comparison.y;
    column = column_of(x);
    collation = found.comparison.is_x_left ? collation_of(x, y) : collation_of(y, x);
    return column == NULL || collation == NULL || !is_served(x, y)
               ? ZS_OK
               : add(search, column, collation, core->from.items[0],
                     found.comparison.op >= ZSQL_OP_LESS);
}

/* A term of a condition, or several. */
static int visit_terms(struct search *search, struct zsql_expr *expr)
{
    bool was_within_or = search->is_within_or;
    int rc = ZS_OK;

    if (expr == NULL)
        return ZS_OK;
    if (expr->is_negated || (expr->kind != ZSQL_BINARY && expr->kind != ZSQL_BETWEEN))
        return ZS_OK;
    if (expr->kind == ZSQL_BETWEEN ||
        (expr->op >= ZSQL_OP_LESS && expr->op <= ZSQL_OP_GREATER_EQUAL))
        return visit_range(search, expr);
    if (expr->op == ZSQL_OP_EQUAL)
        return visit_equality(search, expr->operands.items[0], expr->operands.items[1]);
    if (expr->op != ZSQL_OP_AND && expr->op != ZSQL_OP_OR)
        return ZS_OK;
    search->is_within_or |= expr->op == ZSQL_OP_OR;
    for (size_t i = 0; rc == ZS_OK && i < 2; i++)
        rc = visit_terms(search, expr->operands.items[i]);
    search->is_within_or = was_within_or;
    return rc;
}

static int visit_member(
    struct search *search, struct zsql_core *core, const struct zsql_from *member)
{
    int rc = visit_terms(search, member->on);

    for (size_t i = 0; rc == ZS_OK && i < member->items.n; i++)
        rc = visit_member(search, core, member->items.items[i]);
    for (size_t i = 0; rc == ZS_OK && i < core->bound->sources.n; i++) {
        const struct zsql_source *source = core->bound->sources.items[i];

        for (size_t j = 0; source->from == member && rc == ZS_OK && j < source->merged.n; j++) {
            struct zsql_expr *x, *y;

            rc = zsql_merged_pair(
                search->arena, core->bound, source, source->merged.items[j], &x, &y);
            if (rc == ZS_OK)
                rc = visit_equality(search, x, y);
        }
    }
    return rc;
}

static int visit_core(struct search *search, struct zsql_core *core)
{
    const struct zsql_expr *place = core->bound->place.expr;
    int rc = visit_terms(search, core->where);

    if (rc == ZS_OK && place != NULL && place->kind == ZSQL_IN_SELECT)
        rc = visit_in(search, place);
    if (rc == ZS_OK && place != NULL && place->kind == ZSQL_SUBQUERY)
        rc = visit_scalar(search, core);
    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++)
        rc = visit_member(search, core, core->from.items[i]);
    return rc;
}

static bool holds(const struct zsql_list *list, const void *item)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

/* The cores that have occurrences, and those around them as far as the whole. */
static int find_cores(struct zsql_arena *arena, const struct zsql_core *whole,
    const struct zsql_list *occurrences, struct zsql_list *cores)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < occurrences->n; i++) {
        struct zsql_core *core = ((const struct zsql_occurrence *)occurrences->items[i])->core;

        while (rc == ZS_OK && core != NULL && !holds(cores, core)) {
            rc = zsql_list_append(arena, cores, core);
            core = core == whole ? NULL : core->bound->place.around;
        }
    }
    return rc;
}

static int finish(
    struct zsql_arena *arena, const struct candidate *candidate, struct zsql_list *list)
{
    size_t n = candidate->columns.n;
    struct zsql_lookup *lookup = zsql_arena_get(arena, sizeof(*lookup));
    int *columns = zsql_arena_get(arena, (n + 1) * sizeof(*columns));
    const char **collations = zsql_arena_get(arena, (n + 1) * sizeof(*collations));

    if (lookup == NULL || columns == NULL || collations == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++) {
        columns[i] = ((const struct zsql_expr *)candidate->columns.items[i])->column;
        collations[i] = candidate->collations.items[i];
    }
    *lookup = (struct zsql_lookup){candidate->occurrence, columns, collations, n, n};
    /* The rowid is the last of any index. */
    if (candidate->range != NULL && (n == 0 || !zsql_bound_is_rowid(candidate->range))) {
        columns[n] = candidate->range->column;
        collations[n] = candidate->range_collation;
        lookup->n_columns++;
    }
    return zsql_list_append(arena, list, lookup);
}

/* Is it looked up by one value for all rows? */
static bool is_by_value(const struct search *search, const struct candidate *candidate)
{
    for (size_t i = 0; i < search->occurrences->n; i++)
        if (occurrence_at(search, i)->from == candidate->other &&
            zsql_occurrence_is_of_value(occurrence_at(search, i)))
            return true;
    return false;
}

/* A range of what equalities find is looked at anyway, but for that of a value, whose change
** meets no row that they could begin with. */
static bool is_found_better(const struct search *search, const struct candidate *candidate)
{
    if (is_by_value(search, candidate))
        return false;
    for (size_t i = 0; candidate->columns.n == 0 && i < search->found.n; i++) {
        const struct candidate *other = search->found.items[i];

        if (other->occurrence == candidate->occurrence && other->columns.n > 0)
            return true;
    }
    return false;
}

int zsql_lookups_find(struct zsql_arena *arena, struct zsql_core *core,
    const struct zsql_list *occurrences, struct zsql_list *list)
{
    struct search search = {.arena = arena, .occurrences = occurrences};
    struct zsql_list cores = {0};
    int rc = find_cores(arena, core, occurrences, &cores);

    for (size_t i = 0; rc == ZS_OK && i < cores.n; i++)
        rc = visit_core(&search, cores.items[i]);
    for (size_t i = 0; rc == ZS_OK && i < search.found.n; i++)
        if (!is_found_better(&search, search.found.items[i]))
            rc = finish(arena, search.found.items[i], list);
    return rc;
}
