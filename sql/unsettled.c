/* Settling subqueries. */
#include "sql/unsettled.h"

#include "sql/lex.h"
#include "sql/occurrence.h"
#include "sql/sorted_rows.h"
#include "sql/text.h"
#include "sql/traits.h"

struct settler {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_message *message;
    struct zsql_edits *edits;
};

static bool is_choice(const struct zsql_expr *call)
{
    return call->operands.n == 1 &&
           (zsql_same_name(call->name.text, "min") || zsql_same_name(call->name.text, "max") ||
               zsql_same_name(call->name.text, "unanimous"));
}

/* Aggregates whose value does not depend on the order of their rows: of least values the first
** is shown, which may not be the same as another. */
static bool is_settled_aggregate(const struct zsql_expr *call)
{
    static const char *const names[] = {
        "count", "sum", "avg", "total", "exact_sum", "exact_avg", "exact_total"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (zsql_same_name(call->name.text, names[i]))
            return true;
    }
    return is_choice(call) && zsql_traits_tell_apart(call->operands.items[0]);
}

/* A column of the core itself that is neither in an aggregate nor of a group. */
struct bare_search {
    const struct zsql_bound *bound;
    const struct zsql_expr *found;
};

static int find_bare(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct bare_search *search = ctx;

    expr = zsql_bound_target(expr);
    for (size_t i = 0; i < search->bound->group_by.n; i++) {
        if (zsql_bound_equal(search->bound->group_by.items[i], expr)) {
            *descend = false;
            return ZS_OK;
        }
    }
    if (expr->kind == ZSQL_CALL && expr->call->is_aggregate)
        *descend = false;
    if (expr->binding == ZSQL_COLUMN && expr->scope == search->bound)
        search->found = expr;
    return ZS_OK;
}

static int find_bare_in(struct zsql_core *core, const struct zsql_expr **found)
{
    struct bare_search search = {core->bound, NULL};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && core->bound->is_aggregate && i < core->bound->outputs.n;
         i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, find_bare, &search);
    }
    if (rc == ZS_OK && core->bound->is_aggregate)
        rc = zsql_expr_walk(core->having, find_bare, &search);
    *found = search.found;
    return rc;
}

static int find_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    const struct zsql_expr **found = ctx;

    (void)descend;
    if (expr->kind == ZSQL_CALL && expr->call->is_aggregate && !is_settled_aggregate(expr) &&
        (*found == NULL || is_choice(*found)))
        *found = expr;
    return ZS_OK;
}

static int find_call_in(struct zsql_core *core, const struct zsql_expr **found)
{
    int rc = ZS_OK;

    *found = NULL;
    for (size_t i = 0; rc == ZS_OK && i < core->bound->outputs.n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, find_call, found);
    }
    return rc == ZS_OK ? zsql_expr_walk(core->having, find_call, found) : rc;
}

/* Does it read nothing but a table-valued function? That gives its rows in one order. */
static bool reads_function_alone(const struct zsql_core *core)
{
    const struct zsql_from *first = core->from.n == 1 ? core->from.items[0] : NULL;

    return first != NULL && first->kind == ZSQL_FROM_FUNCTION;
}

/* Has an aggregate core several right answers? A column or a call that makes it so; NULL for
** none. Subqueries within have their own turn. */
static int find_unsettled(
    struct zsql_core *core, const struct zsql_expr **bare, const struct zsql_expr **call)
{
    int rc = ZS_OK;

    *bare = *call = NULL;
    if (reads_function_alone(core))
        return ZS_OK;
    rc = find_bare_in(core, bare);
    return rc == ZS_OK ? find_call_in(core, call) : rc;
}

/* Of groups the least value is left to SQLite, which nearly always finds the same again. */
static int refuse_core(struct settler *settler, struct zsql_core *core)
{
    const struct zsql_expr *bare, *call;
    int rc = find_unsettled(core, &bare, &call);

    if (rc != ZS_OK || (bare == NULL && (call == NULL || is_choice(call))) ||
        zsql_rows_can_be_sorted(core))
        return rc;
    if (bare == NULL)
        return zsql_refuse(settler->message,
            "the aggregate %s() in a subquery is not maintained yet", call->name.text);
    return zsql_refuse(settler->message,
        "the bare column %s (neither grouped nor inside an aggregate) of a subquery is not"
        " maintained yet: write max(%s), or group by it",
        bare->name.text, bare->name.text);
}

static int refuse_select(struct settler *settler, struct zsql_select *select)
{
    const struct zsql_core *first = select->cores.items[0];
    int rc = ZS_OK;

    if (zsql_is_never_read(first->bound, NULL))
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = refuse_core(settler, select->cores.items[i]);
    return rc;
}

/* Settling. */

/* A zsql_replace_fn: a column by its source's name, without the schema's. */
static int write_column(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct settler *settler = ctx;
    const char *table;

    (void)sight;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    table = expr->is_merged ? NULL : zsql_bound_source(expr)->name;
    *text = zsql_text_quoted(settler->arena, expr->name.text, '"');
    if (*text != NULL && table != NULL) {
        table = zsql_text_quoted(settler->arena, table, '"');
        *text = table == NULL ? NULL : zsql_text_format(settler->arena, "%s.%s", table, *text);
    }
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* What ORDER BY can't compute, or not alone by the core's rows. */
struct deep_search {
    const struct zsql_bound *bound;
    bool is_found;
};

/* In a subquery's ORDER BY SQLite knows no column from around it. */
static int find_deep(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct deep_search *search = ctx;

    (void)descend;
    if (expr->select != NULL || (expr->kind == ZSQL_CALL && expr->call->is_aggregate) ||
        (expr->binding == ZSQL_COLUMN && expr->scope != search->bound))
        search->is_found = true;
    return ZS_OK;
}

/* ", typeof(x)" where x may be 1 as well as 1.0, which are equal; "" where not. */
static const char *tell_apart(
    struct settler *settler, const struct zsql_bound *bound, struct zsql_expr *expr)
{
    struct zsql_traits traits = zsql_traits_of(expr);
    struct deep_search search = {bound, false};
    const char *text = NULL;

    if (traits.is_rowid || zsql_expr_is_literal(expr) ||
        (traits.has_affinity && zsql_traits_class(&traits) != ZSQL_AS_THEY_ARE) ||
        zsql_expr_walk(expr, find_deep, &search) != ZS_OK || search.is_found)
        return "";
    if (zsql_text_write(
            settler->arena, settler->text, NULL, expr, write_column, settler, &text) != ZS_OK)
        return NULL;
    return zsql_text_format(settler->arena, ", typeof(%s)", text);
}

/* ORDER BY is written before LIMIT, or at the end, where the parenthesis closes. */
static int settle_select(struct settler *settler, struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    bool is_compound = select->cores.n > 1;
    size_t n = core->is_values ? 0 : core->bound->outputs.n - core->bound->n_hidden;
    const char *order = select->order.n > 0 ? "," : " ORDER BY";

    if (n == 0)
        return ZS_OK;
    for (size_t i = 0; order != NULL && i < n; i++)
        order = zsql_text_format(settler->arena, "%s%s %zu%s", order, i > 0 ? "," : "", i + 1,
            is_compound ? "" : " COLLATE BINARY");
    for (size_t i = 0; order != NULL && !is_compound && i < n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        const char *more = tell_apart(settler, core->bound, output->expr);

        order = more == NULL ? NULL : zsql_text_format(settler->arena, "%s%s", order, more);
    }
    if (order != NULL && select->limit != NULL)
        order = zsql_text_format(settler->arena, "%s ", order);
    if (order == NULL)
        return ZS_NOMEM;
    return zsql_edits_add(settler->arena, settler->edits,
        (struct zsql_span){select->order_end, select->order_end}, order);
}

/* Of equal rows one is left by DISTINCT, any of them; where the first row alone is asked for it
** changes nothing else. */
static int drop_distinct(struct settler *settler, const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    bool is_first = select->limit == NULL || (select->limit->kind == ZSQL_INTEGER &&
                                                 zsql_same_name(select->limit->name.text, "1"));
    struct zsql_token word;

    if (!core->is_distinct || select->cores.n > 1 || select->offset != NULL || !is_first)
        return ZS_OK;
    word = zsql_lex(settler->text, zsql_lex(settler->text, core->start).end);
    return zsql_edits_add(
        settler->arena, settler->edits, (struct zsql_span){word.start, word.end}, "");
}

/* One row gives the value of a subquery. */
static bool has_one_row(const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    const struct zsql_from *first = core->from.n > 0 ? core->from.items[0] : NULL;

    if (first != NULL && first->made_before != NULL)
        return true; /* it is looked up */
    if (first != NULL && first->made_of != NULL)
        return first->made_of->is_first || has_one_row(first->made_of);
    if (select->cores.n > 1 || core->is_values)
        return false;
    return core->from.n == 0 || (core->bound->is_aggregate && core->group_by.n == 0);
}

/* The rows of its aggregate cores, as far as their order counts. */
static int sort_rows(struct settler *settler, const struct zsql_select *select)
{
    struct zsql_core *core = select->cores.items[0];
    const struct zsql_expr *bare, *call;
    int rc = core->is_values ? ZS_OK : find_unsettled(core, &bare, &call);

    if (rc != ZS_OK || core->is_values || (bare == NULL && call == NULL) ||
        !zsql_rows_can_be_sorted(core))
        return rc;
    if (zsql_rows_sorted_within(core) != NULL)
        return settle_select(settler, (struct zsql_select *)zsql_rows_sorted_within(core));
    return zsql_sort_rows(settler->arena, settler->text, core, settler->edits);
}

static int visit_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct settler *settler = ctx;
    int rc = expr->select == NULL ? ZS_OK : sort_rows(settler, expr->select);

    (void)descend;
    if (rc != ZS_OK || expr->select == NULL || has_one_row(expr->select) ||
        expr->kind == ZSQL_EXISTS)
        return rc;
    if (expr->kind == ZSQL_IN_SELECT && expr->select->limit == NULL)
        return ZS_OK;
    rc = expr->kind == ZSQL_SUBQUERY ? drop_distinct(settler, expr->select) : ZS_OK;
    return rc == ZS_OK ? settle_select(settler, expr->select) : rc;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    if (from->kind != ZSQL_FROM_SELECT)
        return ZS_OK;
    return from->select->limit == NULL ? sort_rows(ctx, from->select)
                                       : settle_select(ctx, from->select);
}

int zsql_settle(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_edits *edits)
{
    struct settler settler = {arena, text, NULL, edits};
    int rc = zsql_core_walk(core, visit_expr, &settler);

    return rc == ZS_OK ? zsql_core_walk_from(core, visit_from, &settler) : rc;
}

int zsql_settle_limit(struct zsql_arena *arena, const char *text, struct zsql_select *select,
    struct zsql_edits *edits)
{
    struct settler settler = {arena, text, NULL, edits};
    return select->limit == NULL ? ZS_OK : settle_select(&settler, select);
}

static int refuse_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->select == NULL ? ZS_OK : refuse_select(ctx, expr->select);
}

static int refuse_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    return from->kind != ZSQL_FROM_SELECT ? ZS_OK : refuse_select(ctx, from->select);
}

int zsql_refuse_unsettled(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_message *message)
{
    struct settler settler = {arena, text, message, NULL};
    int rc = zsql_core_walk(core, refuse_in_expr, &settler);

    return rc == ZS_OK ? zsql_core_walk_from(core, refuse_in_from, &settler) : rc;
}

/* Values that may be others. */

static bool merges_rows(const struct zsql_core *core)
{
    return core->is_distinct || core->group_by.n > 0 ||
           (core->compound != ZSQL_COMPOUND_FIRST && core->compound != ZSQL_COMPOUND_UNION_ALL);
}

/* Is what is equal in the column of uniform cores the same? */
static bool is_told_apart(const struct zsql_core *core, size_t i)
{
    return zsql_traits_tell_apart(
        ((const struct zsql_output *)core->bound->outputs.items[i])->expr);
}

static int find_in_select(struct zsql_select *select, bool takes_first, bool *found)
{
    const struct zsql_core *first = select->cores.items[0];
    bool merges = takes_first || select->limit != NULL;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++) {
        struct zsql_core *core = select->cores.items[i];
        const struct zsql_expr *call = NULL;

        merges = merges || merges_rows(core);
        if (!core->is_values)
            rc = find_call_in(core, &call);
        *found = *found || (call != NULL && is_choice(call));
    }
    for (size_t i = 0; rc == ZS_OK && i < first->bound->outputs.n; i++)
        *found = *found || !zsql_traits_are_uniform(select, i) ||
                 (merges && !is_told_apart(first, i));
    return rc;
}

static int find_other_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->select == NULL
               ? ZS_OK
               : find_in_select(expr->select,
                     expr->kind == ZSQL_SUBQUERY && !has_one_row(expr->select), ctx);
}

static int find_other_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    return from->kind != ZSQL_FROM_SELECT ? ZS_OK : find_in_select(from->select, false, ctx);
}

int zsql_find_other_values(struct zsql_core *core, bool *found)
{
    int rc = zsql_core_walk(core, find_other_in_expr, found);

    return rc == ZS_OK ? zsql_core_walk_from(core, find_other_in_from, found) : rc;
}
