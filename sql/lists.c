/* `x IN (a, b)` as equalities. The list compares by what x is alone, and an equality by what
** both are: so only where that is the same. */
#include "sql/lists.h"

#include "sql/rewrite.h"
#include "sql/text.h"
#include "sql/traits.h"

static bool is_of_names(const struct zsql_expr *list)
{
    for (size_t i = 0; i < list->operands.n; i++)
        if (((const struct zsql_expr *)list->operands.items[i])->kind != ZSQL_NAME)
            return false;
    return list->operands.n > 1;
}

/* Are they columns, of other tables, that compare as x does? */
static bool can_be_spelled(const struct zsql_expr *list)
{
    struct zsql_expr *x = list->operands.items[0];
    struct zsql_traits of_x = zsql_traits_of(x);

    for (size_t i = 1; x->binding == ZSQL_COLUMN && i < list->operands.n; i++) {
        struct zsql_expr *item = list->operands.items[i];
        struct zsql_traits of_item = zsql_traits_of(item);

        if (item->binding != ZSQL_COLUMN || item->is_merged || x->is_merged ||
            (item->scope == x->scope && item->source == x->source) ||
            zsql_type_of_both(of_x.type, of_item.type) != of_x.type)
            return false;
    }
    return x->binding == ZSQL_COLUMN;
}

static int spell(struct zsql_rewriting *rewriting, const struct zsql_expr *list)
{
    const struct zsql_expr *x = list->operands.items[0];
    const char *left = zsql_text_copy(rewriting->arena, rewriting->text, x->span), *text = "(";

    for (size_t i = 1; left != NULL && text != NULL && i < list->operands.n; i++) {
        const struct zsql_expr *item = list->operands.items[i];
        const char *right = zsql_text_copy(rewriting->arena, rewriting->text, item->span);

        text = right == NULL ? NULL
                             : zsql_text_format(rewriting->arena, "%s%s%s = %s", text,
                                   i > 1 ? " OR " : "", left, right);
    }
    if (left != NULL && text != NULL)
        text = zsql_text_format(rewriting->arena, "%s)", text);
    return left == NULL || text == NULL
               ? ZS_NOMEM
               : zsql_edits_add(rewriting->arena, &rewriting->edits, list->span, text);
}

/* The terms of a condition. */
static int visit_condition(struct zsql_rewriting *rewriting, const struct zsql_expr *expr)
{
    int rc = ZS_OK;

    if (expr == NULL)
        return ZS_OK;
    if (expr->kind == ZSQL_BINARY && (expr->op == ZSQL_OP_AND || expr->op == ZSQL_OP_OR)) {
        rc = visit_condition(rewriting, expr->operands.items[0]);
        return rc == ZS_OK ? visit_condition(rewriting, expr->operands.items[1]) : rc;
    }
    if (expr->kind != ZSQL_IN_LIST || expr->is_negated || !is_of_names(expr))
        return ZS_OK;
    rewriting->wants_names = true;
    return rewriting->is_bound && can_be_spelled(expr) ? spell(rewriting, expr) : ZS_OK;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    int rc = visit_condition(ctx, from->on);

    return rc == ZS_OK && from == core->from.items[0] ? visit_condition(ctx, core->where) : rc;
}

int zsql_spell_lists(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled)
{
    return zsql_rewrite(arena, catalogue, text, visit_from, message, spelled);
}
