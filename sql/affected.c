/* What a change of one occurrence can touch, as conditions `X IN (SELECT Y FROM changed ...)`.
**
** Each comes of an equality X = Y of the text, between what is read without the occurrence and
** what is read with it: of ON before a left join, of a subquery's WHERE, or the one that
** `X IN (SELECT Y ...)` is. Any such condition holds for every row that is touched, so one may be
** left out where it can't be written, and several are joined by AND. */
#include "sql/affected.h"

#include <string.h>

#include "sql/binder.h"
#include "sql/template.h"

/* The occurrence, and the planner that knows the text and its marks. */
struct inquiry {
    struct zsql_planner *planner;
    const struct zsql_occurrence *occurrence;
    size_t number;
};

/* What an expression reads, seen from a core. */
struct reach {
    const struct zsql_bound *bound;
    uint64_t sources; /* of the core, a bit each */
    bool has_outer;   /* columns of cores around it */
    bool has_select;
};

static int visit_reach(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reach *reach = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_reach, ctx);
    if (expr->select != NULL || expr->kind == ZSQL_IN_TABLE)
        reach->has_select = true;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    if (expr->scope == reach->bound)
        reach->sources |= (uint64_t)1 << (expr->source % 64);
    else
        reach->has_outer = true;
    return ZS_OK;
}

static struct reach reach_of(const struct zsql_bound *bound, struct zsql_expr *expr)
{
    struct reach reach = {.bound = bound};
    int rc = zsql_expr_walk(expr, visit_reach, &reach);

    if (rc != ZS_OK || bound->sources.n > 64)
        reach.has_select = true; /* nothing is known */
    return reach;
}

/* Only the core's own columns, and some. */
static bool is_own(const struct reach *reach)
{
    return reach->sources != 0 && !reach->has_outer && !reach->has_select;
}

static const struct zsql_source *source_at(const struct zsql_bound *bound, size_t i)
{
    return bound->sources.items[i];
}

/* Do all sources that are read satisfy first <= item < end? */
static bool is_within(const struct reach *reach, size_t first, size_t end)
{
    for (size_t i = 0; i < reach->bound->sources.n; i++) {
        size_t item = source_at(reach->bound, i)->item;
        if ((reach->sources >> i & 1) != 0 && (item < first || item >= end))
            return false;
    }
    return true;
}

/* Texts. */

static int append_span(struct inquiry *inquiry, struct zs_buffer *out, struct zsql_span span)
{
    bool is_apart = true;
    return zsql_text_append_span(
        out, inquiry->planner->text, &inquiry->planner->edits, span, &is_apart);
}

/* Ends a buffer: its text in the arena, NULL without memory. */
static const char *finish(struct inquiry *inquiry, struct zs_buffer *out, int rc)
{
    const char *text = NULL;

    if (rc == ZS_OK)
        text = zsql_arena_copy(inquiry->planner->arena, (const char *)out->data, out->len);
    zs_buffer_clear(out);
    return text;
}

static const char *write(struct inquiry *inquiry, struct zsql_expr *expr)
{
    const char *text;
    int rc = zsql_plan_write(inquiry->planner, expr, &text);
    return rc == ZS_OK ? text : NULL;
}

/* `WHERE <presence>`: the row of the occurrence is one that changed, and no left join's NULLs. */
static int append_presence(struct inquiry *inquiry, struct zs_buffer *out)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *text;

    if (!inquiry->occurrence->source->is_nullable)
        return ZS_OK;
    text = zsql_occurrence_presence(arena, inquiry->occurrence, inquiry->number);
    text = text == NULL ? NULL : zsql_text_format(arena, "WHERE %s IS NOT NULL", text);
    return text == NULL ? ZS_NOMEM : zsql_text_append_piece(out, text, true);
}

static int condition_of(
    struct inquiry *inquiry, struct zsql_core *core, const char **condition);
static int values_of_column(struct inquiry *inquiry, const struct zsql_bound *bound, size_t j,
    bool may_be_null, const char **text);

/* The core in a subquery of this core that holds the occurrence, at any depth. */
static const struct zsql_bound *inner_of(
    const struct inquiry *inquiry, const struct zsql_core *core)
{
    const struct zsql_bound *inner = inquiry->occurrence->core->bound;

    while (inner->place.around != core)
        inner = inner->place.around->bound;
    return inner;
}

/* "SELECT Y FROM" */
static int begin_values(struct inquiry *inquiry, struct zs_buffer *out, struct zsql_expr *y)
{
    const char *value = write(inquiry, y);
    int rc = value == NULL ? ZS_NOMEM : zsql_text_append_piece(out, "SELECT", true);

    if (rc == ZS_OK)
        rc = zsql_text_append_piece(out, value, true);
    return rc == ZS_OK ? zsql_text_append_piece(out, "FROM", true) : rc;
}

/* The occurrence is a source of core: FROM as far as to it, over what changed of it. Y reads
** nothing behind it. */
static int values_beside(struct inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *y, const struct reach *reach, const char **text)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    size_t item = occurrence->source->item;
    const struct zsql_from *first = core->from.items[0], *last = core->from.items[item];
    uint32_t end = last->alias.text != NULL ? last->alias.span.end : last->span.end;
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(inquiry->planner->arena));
    rc = begin_values(inquiry, &out, y);
    if (rc == ZS_OK && last->is_made_alone) {
        const char *alone = zsql_occurrence_alone(inquiry->planner->arena, inquiry->number);
        rc = alone == NULL ? ZS_NOMEM : zsql_text_append_piece(&out, alone, true);
    } else if (rc == ZS_OK && is_within(reach, item, item + 1) && last == occurrence->from) {
        rc = append_span(inquiry, &out, (struct zsql_span){last->span.start, end});
    } else if (rc == ZS_OK) {
        rc =
            append_span(inquiry, &out, (struct zsql_span){first->whole.start, last->whole.end});
        if (rc == ZS_OK)
            rc = append_presence(inquiry, &out);
    }
    *text = finish(inquiry, &out, rc);
    if (*text != NULL)
        *text = zsql_template_set(inquiry->planner->arena, *text, inquiry->number, ZSQL_BATCH);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* The occurrence is deeper: FROM where the condition holds, with the occurrence as it is now and,
** where FROM reads it, as it was. */
static int values_around(struct inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *y, const char *condition, const char **text)
{
    const struct zsql_from *first = core->from.items[0];
    const struct zsql_from *last = core->from.items[core->from.n - 1];
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *now, *past;
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(arena));
    rc = begin_values(inquiry, &out, y);
    if (rc == ZS_OK)
        rc =
            append_span(inquiry, &out, (struct zsql_span){first->whole.start, last->whole.end});
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, "WHERE", true);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, condition, true);
    *text = finish(inquiry, &out, rc);
    if (*text == NULL)
        return ZS_NOMEM;
    now = zsql_template_set(arena, *text, inquiry->number, ZSQL_NOW);
    past = zsql_template_set(arena, *text, inquiry->number, ZSQL_PAST);
    if (now == NULL || past == NULL)
        return ZS_NOMEM;
    if (strcmp(now, past) != 0)
        *text = zsql_text_format(arena, "%s UNION ALL %s", now, past);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* "SELECT Y FROM ...": at least the values that Y has in the rows of core's FROM that the change
** touches. *text is NULL where that can't be told. may_be_null: Y is compared, so that a NULL is
** of no interest. */
static int values_of(struct inquiry *inquiry, struct zsql_core *core, struct zsql_expr *y,
    bool may_be_null, const char **text)
{
    const struct zsql_source *source = inquiry->occurrence->source;
    const struct zsql_bound *inner;
    const struct zsql_expr *target;
    const char *condition = NULL;
    struct reach reach = reach_of(core->bound, y);
    int rc;

    *text = NULL;
    if (!is_own(&reach) || core->from.n == 0)
        return ZS_OK;
    if (inquiry->occurrence->core != core) {
        inner = inner_of(inquiry, core);
        target = zsql_bound_target(y);
        if (inner->place.from != NULL && target->binding == ZSQL_COLUMN &&
            zsql_bound_source(target)->from == inner->place.from) {
            rc = values_of_column(inquiry, inner, (size_t)target->column, may_be_null, text);
            if (rc != ZS_OK || *text != NULL)
                return rc;
        }
        rc = condition_of(inquiry, core, &condition);
        return rc != ZS_OK || condition == NULL
                   ? rc
                   : values_around(inquiry, core, y, condition, text);
    }
    /* A left join also brings and takes away rows in which the occurrence's columns are NULL. */
    if (core->bound->has_right_join || !is_within(&reach, 0, source->item + 1) ||
        (source->is_nullable && !may_be_null && !is_within(&reach, 0, source->item)))
        return ZS_OK;
    return values_beside(inquiry, core, y, &reach, text);
}

/* Do the cores of a SELECT agree on how column j compares? Else SQLite may take any one's way. */
static bool is_uniform(const struct zsql_select *select, size_t j)
{
    struct zsql_traits all = zsql_traits_of_column(select, j);

    for (size_t i = 0; select->cores.n > 1 && i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];
        const struct zsql_output *output =
            j < core->bound->outputs.n ? core->bound->outputs.items[j] : NULL;
        struct zsql_traits own = {.type = ""};

        if (output != NULL)
            own = zsql_traits_of(output->expr);
        if (!zsql_same_name(own.type, all.type) || own.has_affinity != all.has_affinity ||
            !zsql_same_name(own.collation != NULL ? own.collation : "BINARY",
                all.collation != NULL ? all.collation : "BINARY"))
            return false;
    }
    return true;
}

/* The values of result column j of a SELECT that the change touches. */
static int values_of_column(struct inquiry *inquiry, const struct zsql_bound *bound, size_t j,
    bool may_be_null, const char **text)
{
    const struct zsql_output *output = j < bound->outputs.n ? bound->outputs.items[j] : NULL;
    bool is_key = !bound->is_aggregate;

    *text = NULL;
    if (output == NULL || bound->select->limit != NULL || !is_uniform(bound->select, j))
        return ZS_OK;
    for (size_t i = 0; i < bound->group_by.n; i++)
        is_key = is_key || zsql_bound_equal(bound->group_by.items[i], output->expr);
    return is_key ? values_of(inquiry, bound->core, output->expr, may_be_null, text) : ZS_OK;
}

/* Conditions. */

/* The collation by which X = Y compares is that of X in X IN (...), unless it is told. */
static const char *collated(struct inquiry *inquiry, struct zsql_expr *x, struct zsql_expr *y,
    bool is_x_left, const char *text)
{
    struct zsql_traits of_x = zsql_traits_of(x), of_y = zsql_traits_of(y);
    const struct zsql_traits *left = is_x_left ? &of_x : &of_y;
    const struct zsql_traits *right = is_x_left ? &of_y : &of_x;
    const struct zsql_traits *decides = left->collation != NULL ? left : right;

    if (!left->is_explicit && right->is_explicit)
        decides = right;
    if (decides == &of_x || decides->collation == NULL ||
        zsql_same_name(decides->collation, of_x.collation != NULL ? of_x.collation : "BINARY"))
        return text;
    return zsql_traits_collate(inquiry->planner->arena, text, decides->collation);
}

/* Adds `X IN (values)` to a condition. */
static int add(
    struct inquiry *inquiry, const char *x, const char *values, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;

    if (x == NULL)
        return ZS_NOMEM;
    *condition = *condition == NULL
                     ? zsql_text_format(arena, "(%s) IN (%s)", x, values)
                     : zsql_text_format(arena, "%s AND (%s) IN (%s)", *condition, x, values);
    return *condition == NULL ? ZS_NOMEM : ZS_OK;
}

/* An equality, its side X read without the occurrence, Y with it. */
struct equality {
    struct zsql_expr *x, *y;
    bool is_x_left;
};

/* The terms of a condition that are joined by AND. */
static int split(struct zsql_arena *arena, struct zsql_expr *expr, struct zsql_list *terms)
{
    int rc;

    if (expr == NULL)
        return ZS_OK;
    if (expr->kind != ZSQL_BINARY || expr->op != ZSQL_OP_AND)
        return zsql_list_append(arena, terms, expr);
    rc = split(arena, expr->operands.items[0], terms);
    return rc == ZS_OK ? split(arena, expr->operands.items[1], terms) : rc;
}

static bool read_equality(struct zsql_expr *term, bool is_x_left, struct equality *equality)
{
    if (term->kind != ZSQL_BINARY || term->op != ZSQL_OP_EQUAL || term->is_negated)
        return false;
    *equality = (struct equality){term->operands.items[is_x_left ? 0 : 1],
        term->operands.items[is_x_left ? 1 : 0], is_x_left};
    return equality->x->kind != ZSQL_ROW && equality->y->kind != ZSQL_ROW;
}

static struct zsql_expr *column_of(
    struct zsql_arena *arena, const struct zsql_bound *bound, size_t source, int column)
{
    struct zsql_expr *expr = zsql_arena_get(arena, sizeof(*expr));

    if (expr == NULL)
        return NULL;
    expr->kind = ZSQL_NAME;
    expr->depth = 1;
    expr->name.text = source_at(bound, source)->relation.columns[column].name;
    expr->binding = ZSQL_COLUMN;
    expr->scope = bound->core->bound;
    expr->source = (unsigned)source;
    expr->column = column;
    return expr;
}

int zsql_merged_pair(struct zsql_arena *arena, const struct zsql_bound *bound,
    const struct zsql_source *source, const char *name, struct zsql_expr **x,
    struct zsql_expr **y)
{
    *x = *y = NULL;
    for (size_t i = 0; i < bound->sources.n && *y == NULL; i++) {
        int column = zsql_bind_find(source_at(bound, i), name);

        if (source_at(bound, i) == source)
            *y = column_of(arena, bound, i, column);
        else if (*x == NULL && column >= 0)
            *x = column_of(arena, bound, i, column);
    }
    return *x == NULL || *y == NULL ? ZS_NOMEM : ZS_OK;
}

/* The equalities of a member's USING or NATURAL, where the member is one source. */
static int by_merged(
    struct inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < core->bound->sources.n; i++) {
        const struct zsql_source *source = source_at(core->bound, i);

        for (size_t j = 0; rc == ZS_OK && j < source->merged.n; j++) {
            struct zsql_expr *x, *y;
            const char *values = NULL;

            if (source->from != core->from.items[item])
                continue;
            rc = zsql_merged_pair(
                inquiry->planner->arena, core->bound, source, source->merged.items[j], &x, &y);
            if (rc == ZS_OK && source->from->kind == ZSQL_FROM_SELECT)
                rc = values_of_column(inquiry, inquiry->occurrence->core->bound,
                    (size_t)y->column, true, &values);
            else if (rc == ZS_OK)
                rc = values_of(inquiry, core, y, true, &values);
            if (rc == ZS_OK && values != NULL)
                rc = add(inquiry, collated(inquiry, x, y, true, write(inquiry, x)), values,
                    condition);
        }
    }
    return rc;
}

/* The occurrence is within member number `item` of FROM, which a left join may leave without a
** match: by ON, X of what stands before, Y of the member. */
static int by_left_join(
    struct inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition)
{
    const struct zsql_from *member = core->from.items[item];
    struct zsql_list terms = {0};
    int rc = split(inquiry->planner->arena, member->on, &terms);

    if (rc == ZS_OK)
        rc = by_merged(inquiry, core, item, condition);
    for (size_t i = 0; rc == ZS_OK && i < 2 * terms.n; i++) {
        struct equality equality;
        struct reach x, y;
        const char *values = NULL, *text;

        if (!read_equality(terms.items[i / 2], i % 2 == 0, &equality))
            continue;
        x = reach_of(core->bound, equality.x);
        y = reach_of(core->bound, equality.y);
        if (!is_own(&x) || !is_own(&y) || !is_within(&x, 0, item) ||
            !is_within(&y, item, item + 1))
            continue;
        rc = member->kind == ZSQL_FROM_SELECT
                 ? ZS_OK
                 : values_of(inquiry, core, equality.y, true, &values);
        if (member->kind == ZSQL_FROM_SELECT && equality.y->binding == ZSQL_COLUMN)
            rc = values_of_column(inquiry, inquiry->occurrence->core->bound,
                (size_t)equality.y->column, true, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        text = collated(
            inquiry, equality.x, equality.y, equality.is_x_left, write(inquiry, equality.x));
        rc = add(inquiry, text, values, condition);
    }
    return rc;
}

/* The occurrence is in the subquery that is member number `item` of FROM: its own columns, where
** the change can be told by one. Rows in which the column is NULL are all looked at. */
static int by_member(struct inquiry *inquiry, const struct zsql_source *source,
    const struct zsql_bound *inner, const char **condition)
{
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && source->name != NULL && j < source->relation.n_columns;
         j++) {
        struct zsql_arena *arena = inquiry->planner->arena;
        const char *table = zsql_text_quoted(arena, source->name, '"');
        const char *column = zsql_text_quoted(arena, source->relation.columns[j].name, '"');
        const char *one = NULL, *values = NULL;

        rc = values_of_column(inquiry, inner, j, false, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        if (table == NULL || column == NULL)
            return ZS_NOMEM;
        table = zsql_text_format(arena, "%s.%s", table, column);
        rc = add(inquiry, table, values, &one);
        if (rc == ZS_OK)
            *condition = *condition == NULL
                             ? zsql_text_format(arena, "(%s OR %s IS NULL)", one, table)
                             : zsql_text_format(
                                   arena, "%s AND (%s OR %s IS NULL)", *condition, one, table);
        if (rc == ZS_OK && *condition == NULL)
            rc = ZS_NOMEM;
    }
    return rc;
}

/* Where in a core an expression stands: up to which member of FROM X may read; 0: nowhere. */
struct sought {
    const struct zsql_expr *expr;
    bool is_found;
};

static int visit_sought(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct sought *sought = ctx;

    (void)descend;
    sought->is_found = sought->is_found || expr == sought->expr;
    return ZS_OK;
}

static size_t readable_items(const struct zsql_core *core, const struct zsql_expr *expr)
{
    for (size_t i = 0; i < core->from.n; i++) {
        struct zsql_from *member = core->from.items[i];
        struct sought sought = {expr, false};
        bool is_outer = (member->join & (ZSQL_JOIN_LEFT | ZSQL_JOIN_RIGHT)) != 0;

        if (zsql_expr_walk(member->on, visit_sought, &sought) != ZS_OK)
            return 0;
        if (sought.is_found)
            return core->bound->has_right_join ? 0 : is_outer ? i : core->from.n;
        if (member->kind == ZSQL_FROM_JOIN && member->span.start <= expr->span.start &&
            expr->span.end <= member->span.end)
            return 0;
        for (size_t j = 0; j < member->arguments.n; j++)
            if (zsql_expr_walk(member->arguments.items[j], visit_sought, &sought) != ZS_OK ||
                sought.is_found)
                return 0;
    }
    return core->from.n;
}

/* Over groups any expression is read from the one member that there is. */
static bool is_readable(
    const struct inquiry *inquiry, const struct reach *reach, size_t n_items)
{
    const struct zsql_planner *planner = inquiry->planner;
    bool is_over_groups = planner->is_over_groups && reach->bound == planner->bound;

    return is_own(reach) && (is_over_groups || is_within(reach, 0, n_items));
}

/* By the WHERE of the subquery: X of the core around, Y of the subquery's own sources. */
static int by_correlation(struct inquiry *inquiry, struct zsql_core *around,
    struct zsql_core *inner, size_t n_items, const char **condition)
{
    struct zsql_list terms = {0};
    int rc = split(inquiry->planner->arena, inner->where, &terms);

    for (size_t i = 0; rc == ZS_OK && i < 2 * terms.n; i++) {
        struct equality equality;
        struct reach x;
        const char *values = NULL, *text;

        if (!read_equality(terms.items[i / 2], i % 2 == 0, &equality))
            continue;
        x = reach_of(around->bound, equality.x);
        if (!is_readable(inquiry, &x, n_items))
            continue;
        rc = values_of(inquiry, inner, equality.y, true, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        text = collated(
            inquiry, equality.x, equality.y, equality.is_x_left, write(inquiry, equality.x));
        rc = add(inquiry, text, values, condition);
    }
    return rc;
}

/* Is it one of the terms of the core's WHERE, where NULL counts as false? */
static bool is_term_of_where(
    struct inquiry *inquiry, const struct zsql_core *core, const struct zsql_expr *expr)
{
    struct zsql_list terms = {0};

    if (split(inquiry->planner->arena, core->where, &terms) != ZS_OK)
        return false;
    for (size_t i = 0; i < terms.n; i++)
        if (terms.items[i] == expr)
            return true;
    return false;
}

/* `X IN (SELECT Y ...)`. Where a NULL shows, as in NOT IN, a NULL among Y touches every row, and
** so may any Y a row whose X is NULL. */
static int by_in(struct inquiry *inquiry, struct zsql_core *around, struct zsql_expr *in,
    const struct zsql_bound *inner, size_t n_items, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    struct zsql_expr *left = in->operands.items[0];
    bool is_row = left->kind == ZSQL_ROW;
    bool hides_null = !in->is_negated && is_term_of_where(inquiry, around, in);
    int rc = ZS_OK;

    if (!hides_null && is_row)
        return ZS_OK;
    for (size_t j = 0; rc == ZS_OK && j < (is_row ? left->operands.n : 1); j++) {
        struct zsql_expr *x = is_row ? left->operands.items[j] : left;
        struct reach reach = reach_of(around->bound, x);
        const char *values = NULL, *one = NULL, *text;

        if (!is_readable(inquiry, &reach, n_items))
            continue;
        rc = values_of_column(inquiry, inner, j, hides_null, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        text = write(inquiry, x);
        if (hides_null) {
            rc = add(inquiry, text, values, condition);
            continue;
        }
        rc = add(inquiry, text, values, &one);
        if (rc != ZS_OK)
            return rc;
        *condition = zsql_text_format(arena,
            "(%s OR (%s) IS NULL OR EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL"
            " %s) WHERE y IS NULL))",
            one, text, values);
        rc = *condition == NULL ? ZS_NOMEM : ZS_OK;
    }
    return rc;
}

/* The occurrence is in a subquery of an expression of the core. */
static int by_subquery(struct inquiry *inquiry, struct zsql_core *core,
    const struct zsql_bound *inner, const char **condition)
{
    struct zsql_expr *expr = inner->place.expr;
    size_t n_items = readable_items(core, expr);
    int rc;

    if (n_items == 0)
        return ZS_OK;
    rc = by_correlation(inquiry, core, inner->core, n_items, condition);
    if (rc == ZS_OK && *condition == NULL && expr->kind == ZSQL_IN_SELECT)
        rc = by_in(inquiry, core, expr, inner, n_items, condition);
    return rc;
}

static size_t source_of_member(const struct zsql_bound *bound, const struct zsql_from *from)
{
    size_t i = 0;

    while (i < bound->sources.n && source_at(bound, i)->from != from)
        i++;
    return i;
}

/* A condition over the rows of core's FROM; the occurrence is in core, at any depth. */
static int condition_of(struct inquiry *inquiry, struct zsql_core *core, const char **condition)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    const struct zsql_bound *inner;
    const struct zsql_source *source;

    *condition = NULL;
    if (occurrence->core == core) {
        if (core->bound->has_right_join || !occurrence->source->is_nullable)
            return ZS_OK;
        return by_left_join(inquiry, core, occurrence->source->item, condition);
    }
    inner = inner_of(inquiry, core);
    if (inner->place.expr != NULL)
        return by_subquery(inquiry, core, inner, condition);
    source = source_at(core->bound, source_of_member(core->bound, inner->place.from));
    if (core->bound->has_right_join)
        return ZS_OK;
    if (!source->is_nullable)
        return by_member(inquiry, source, inner, condition);
    return inner == occurrence->core->bound
               ? by_left_join(inquiry, core, source->item, condition)
               : ZS_OK;
}

int zsql_affected(struct zsql_planner *planner, const struct zsql_list *occurrences, size_t i,
    const char **condition)
{
    struct inquiry inquiry = {planner, occurrences->items[i], i};

    return condition_of(&inquiry, planner->bound->core, condition);
}
