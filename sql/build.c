/* Making the nodes of the tree: spans, depths and names. */
#include "sql/build.h"

#include <string.h>

void zsql_build_fail(struct zsql_builder *builder, int rc)
{
    if (builder->rc == ZS_OK)
        builder->rc = rc;
}

void *zsql_build_copy(struct zsql_builder *builder, const void *value, size_t size)
{
    void *copy = zsql_arena_get(builder->arena, size);
    if (copy == NULL)
        zsql_build_fail(builder, ZS_NOMEM);
    else
        memcpy(copy, value, size);
    return copy;
}

/* A failed item is left out, so that lists hold no NULL. */
void zsql_build_append(struct zsql_builder *builder, struct zsql_list *list, void *item)
{
    if (item != NULL && zsql_list_append(builder->arena, list, item) != ZS_OK)
        zsql_build_fail(builder, ZS_NOMEM);
}

struct zsql_list zsql_build_list(struct zsql_builder *builder, void *first)
{
    struct zsql_list list = {0};
    zsql_build_append(builder, &list, first);
    return list;
}

struct zsql_list zsql_build_before(
    struct zsql_builder *builder, void *value, struct zsql_list list)
{
    struct zsql_list longer = zsql_build_list(builder, value);
    for (size_t i = 0; i < list.n; i++)
        zsql_build_append(builder, &longer, list.items[i]);
    return longer;
}

/* Undoes quotes: the closing quote, doubled, stands for itself; [ ] knows no doubling. */
struct zsql_name zsql_build_name(struct zsql_builder *builder, struct zsql_token token)
{
    const char *from = builder->text + token.start;
    size_t n = token.end - token.start;
    struct zsql_name name = {.span = {token.start, token.end}};
    char *text = zsql_arena_copy(builder->arena, from, n);
    size_t len = 0;

    name.text = text;
    if (text == NULL) {
        zsql_build_fail(builder, ZS_NOMEM);
        return name;
    }
    if (n < 2 || strchr("\"'`[", from[0]) == NULL)
        return name;
    name.quote = from[0];
    for (size_t i = 1; i + 1 < n; i++) {
        text[len++] = from[i];
        if (from[i] == name.quote && name.quote != '[')
            i++;
    }
    text[len] = '\0';
    return name;
}

/* Sets the depth from what is below; too deep is an error. */
static void settle_depth(struct zsql_builder *builder, unsigned *depth, unsigned below)
{
    *depth = below + 1;
    if (*depth > ZSQL_MAX_DEPTH)
        zsql_build_fail(builder, ZS_TOO_DEEP);
}

static unsigned deeper(unsigned depth, const struct zsql_expr *expr)
{
    return expr != NULL && expr->depth > depth ? expr->depth : depth;
}

static unsigned deepest_expr(unsigned depth, struct zsql_list exprs)
{
    for (size_t i = 0; i < exprs.n; i++)
        depth = deeper(depth, exprs.items[i]);
    return depth;
}

static unsigned deepest_term(unsigned depth, struct zsql_list terms)
{
    for (size_t i = 0; i < terms.n; i++) {
        const struct zsql_term *term = terms.items[i];
        depth = deeper(depth, term->expr);
    }
    return depth;
}

static unsigned deepest_window(unsigned depth, const struct zsql_window *window)
{
    if (window == NULL)
        return depth;
    depth = deepest_expr(depth, window->partition);
    depth = deepest_term(depth, window->order);
    depth = deeper(depth, window->from.expr);
    return deeper(depth, window->to.expr);
}

static unsigned deepest_select(unsigned depth, const struct zsql_select *select)
{
    return select != NULL && select->depth > depth ? select->depth : depth;
}

struct zsql_expr *zsql_build_node(struct zsql_builder *builder, enum zsql_expr_kind kind,
    uint32_t start, struct zsql_list operands, uint32_t end)
{
    struct zsql_expr node = {.kind = kind, .span = {start, end}, .operands = operands};

    for (size_t i = 0; i < operands.n; i++) {
        const struct zsql_expr *operand = operands.items[i];
        node.has_collate = node.has_collate || operand->has_collate;
    }
    settle_depth(builder, &node.depth, deepest_expr(0, operands));
    return zsql_build_copy(builder, &node, sizeof(node));
}

struct zsql_expr *zsql_build_spanning(
    struct zsql_builder *builder, enum zsql_expr_kind kind, struct zsql_list operands)
{
    const struct zsql_expr *first;
    const struct zsql_expr *last;

    if (operands.n == 0)
        return NULL;
    first = operands.items[0];
    last = operands.items[operands.n - 1];
    return zsql_build_node(builder, kind, first->span.start, operands, last->span.end);
}

struct zsql_expr *zsql_build_leaf(
    struct zsql_builder *builder, enum zsql_expr_kind kind, struct zsql_token token)
{
    struct zsql_list none = {0};
    struct zsql_expr *node = zsql_build_node(builder, kind, token.start, none, token.end);

    if (node != NULL)
        node->name = zsql_build_name(builder, token);
    return node;
}

struct zsql_expr *zsql_build_column(struct zsql_builder *builder, struct zsql_name schema,
    struct zsql_name table, struct zsql_name name)
{
    struct zsql_list none = {0};
    uint32_t start = schema.text != NULL  ? schema.span.start
                     : table.text != NULL ? table.span.start
                                          : name.span.start;
    struct zsql_expr *node = zsql_build_node(builder, ZSQL_NAME, start, none, name.span.end);

    if (node != NULL) {
        node->schema = schema;
        node->table = table;
        node->name = name;
    }
    return node;
}

struct zsql_expr *zsql_build_prefix(struct zsql_builder *builder, enum zsql_op op,
    struct zsql_token token, struct zsql_expr *operand)
{
    struct zsql_list list = zsql_build_list(builder, operand);
    struct zsql_expr *node;

    if (operand == NULL)
        return NULL;
    node = zsql_build_node(builder, ZSQL_UNARY, token.start, list, operand->span.end);
    if (node != NULL)
        node->op = op;
    return node;
}

struct zsql_expr *zsql_build_isnull(struct zsql_builder *builder, struct zsql_expr *operand,
    bool is_negated, struct zsql_token last)
{
    struct zsql_list list = zsql_build_list(builder, operand);
    struct zsql_expr *node;

    if (operand == NULL)
        return NULL;
    node = zsql_build_node(builder, ZSQL_UNARY, operand->span.start, list, last.end);
    if (node != NULL) {
        node->op = ZSQL_OP_ISNULL;
        node->is_negated = is_negated;
    }
    return node;
}

struct zsql_expr *zsql_build_binary(struct zsql_builder *builder, enum zsql_op op,
    bool is_negated, struct zsql_expr *left, struct zsql_expr *right)
{
    struct zsql_list list = zsql_build_list(builder, left);
    struct zsql_expr *node;

    zsql_build_append(builder, &list, right);
    node = zsql_build_spanning(builder, ZSQL_BINARY, list);
    if (node != NULL) {
        node->op = op;
        node->is_negated = is_negated;
    }
    return node;
}

struct zsql_expr *zsql_build_in(struct zsql_builder *builder, enum zsql_expr_kind kind,
    bool is_negated, struct zsql_expr *value, struct zsql_list items, uint32_t end)
{
    struct zsql_expr *node;

    if (value == NULL)
        return NULL;
    node = zsql_build_node(
        builder, kind, value->span.start, zsql_build_before(builder, value, items), end);
    if (node != NULL)
        node->is_negated = is_negated;
    return node;
}

struct zsql_expr *zsql_build_subquery(struct zsql_builder *builder, enum zsql_expr_kind kind,
    struct zsql_expr *value, uint32_t start, struct zsql_select *select, uint32_t end)
{
    struct zsql_list operands = zsql_build_list(builder, value);
    struct zsql_expr *node;

    node = zsql_build_node(
        builder, kind, value != NULL ? value->span.start : start, operands, end);
    if (node != NULL) {
        node->select = select;
        settle_depth(builder, &node->depth, deepest_select(node->depth - 1, select));
    }
    return node;
}

struct zsql_expr *zsql_build_widen(
    struct zsql_expr *expr, struct zsql_token first, struct zsql_token last)
{
    if (expr != NULL)
        expr->span = (struct zsql_span){first.start, last.end};
    return expr;
}

struct zsql_expr *zsql_build_collate(
    struct zsql_builder *builder, struct zsql_expr *operand, struct zsql_name name)
{
    struct zsql_list list = zsql_build_list(builder, operand);
    struct zsql_expr *node;

    if (operand == NULL)
        return NULL;
    node = zsql_build_node(builder, ZSQL_COLLATE, operand->span.start, list, name.span.end);
    if (node != NULL) {
        node->name = name;
        node->has_collate = true;
    }
    return node;
}

struct zsql_expr *zsql_build_call(struct zsql_builder *builder, struct zsql_name name,
    struct zsql_call call, struct zsql_list arguments, uint32_t end)
{
    struct zsql_expr *node =
        zsql_build_node(builder, ZSQL_CALL, name.span.start, arguments, end);

    if (node != NULL) {
        node->name = name;
        node->call = zsql_build_copy(builder, &call, sizeof(call));
        settle_depth(builder, &node->depth, deepest_term(node->depth - 1, call.order));
    }
    return node;
}

struct zsql_expr *zsql_build_over(struct zsql_builder *builder, struct zsql_expr *call,
    struct zsql_expr *filter, struct zsql_window *window, uint32_t end)
{
    if (call == NULL || call->call == NULL)
        return call;
    call->call->filter = filter;
    call->call->window = window;
    call->span.end = end;
    settle_depth(
        builder, &call->depth, deepest_window(deeper(call->depth - 1, filter), window));
    return call;
}

unsigned zsql_build_join_word(struct zsql_builder *builder, struct zsql_token token)
{
    switch (builder->text[token.start] | 0x20) {
    case 'c':
        return ZSQL_JOIN_CROSS;
    case 'f':
        return ZSQL_JOIN_LEFT | ZSQL_JOIN_RIGHT | ZSQL_JOIN_OUTER;
    case 'i':
        return ZSQL_JOIN_INNER;
    case 'l':
        return ZSQL_JOIN_LEFT | ZSQL_JOIN_OUTER;
    case 'n':
        return ZSQL_JOIN_NATURAL;
    case 'o':
        return ZSQL_JOIN_OUTER;
    default:
        return ZSQL_JOIN_RIGHT | ZSQL_JOIN_OUTER;
    }
}

struct zsql_from *zsql_build_from(struct zsql_builder *builder, struct zsql_from *from)
{
    unsigned below;

    if (from == NULL)
        return NULL;
    below = deeper(deepest_expr(0, from->arguments), from->on);
    below = deepest_select(below, from->select);
    for (size_t i = 0; i < from->items.n; i++) {
        const struct zsql_from *item = from->items.items[i];
        below = item->depth > below ? item->depth : below;
    }
    settle_depth(builder, &from->depth, below);
    from->whole = (struct zsql_span){from->span.start, builder->at};
    return from;
}

static unsigned deepest_core(unsigned depth, const struct zsql_core *core)
{
    depth = deepest_expr(depth, core->rows);
    for (size_t i = 0; i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        depth = deeper(depth, result->expr);
    }
    for (size_t i = 0; i < core->from.n; i++) {
        const struct zsql_from *item = core->from.items[i];
        depth = item->depth > depth ? item->depth : depth;
    }
    for (size_t i = 0; i < core->windows.n; i++)
        depth = deepest_window(depth, core->windows.items[i]);
    depth = deeper(depth, core->where);
    depth = deepest_expr(depth, core->group_by);
    return deeper(depth, core->having);
}

struct zsql_select *zsql_build_select(struct zsql_builder *builder, struct zsql_list cores,
    struct zsql_list order, struct zsql_expr *limit, struct zsql_expr *offset)
{
    struct zsql_select select = {
        .cores = cores, .order = order, .limit = limit, .offset = offset};
    unsigned below = deeper(deeper(deepest_term(0, order), limit), offset);

    for (size_t i = 0; i < cores.n; i++)
        below = deepest_core(below, cores.items[i]);
    settle_depth(builder, &select.depth, below);
    if (cores.n > 0)
        select.span =
            (struct zsql_span){((const struct zsql_core *)cores.items[0])->start, builder->at};
    return zsql_build_copy(builder, &select, sizeof(select));
}

struct zsql_select *zsql_build_with(struct zsql_builder *builder, bool is_recursive,
    struct zsql_list ctes, struct zsql_select *select)
{
    unsigned below = 0;

    if (select == NULL)
        return NULL;
    select->is_recursive = is_recursive;
    select->ctes = ctes;
    for (size_t i = 0; i < ctes.n; i++) {
        const struct zsql_cte *cte = ctes.items[i];
        below = deepest_select(below, cte->select);
    }
    if (below + 1 > select->depth)
        settle_depth(builder, &select->depth, below);
    return select;
}
