/* When two expressions are the same: by what their names resolve to, not by how they are
** spelled. Recursion is as deep as the trees. */
#include <string.h>

#include "sql/bind.h"
#include "sql/text.h"

static bool equal_lists(const struct zsql_list *a, const struct zsql_list *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (!zsql_bound_equal(a->items[i], b->items[i]))
            return false;
    }
    return true;
}

static bool equal_terms(const struct zsql_list *a, const struct zsql_list *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct zsql_term *left = a->items[i];
        const struct zsql_term *right = b->items[i];
        if (left->is_descending != right->is_descending || left->nulls != right->nulls ||
            !zsql_bound_equal(left->expr, right->expr))
            return false;
    }
    return true;
}

static bool equal_or_absent(struct zsql_expr *a, struct zsql_expr *b)
{
    return a == NULL || b == NULL ? a == b : zsql_bound_equal(a, b);
}

static bool equal_calls(const struct zsql_call *a, const struct zsql_call *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->is_star == b->is_star && a->is_distinct == b->is_distinct && a->window == NULL &&
           b->window == NULL && equal_terms(&a->order, &b->order) &&
           equal_or_absent(a->filter, b->filter);
}

/* Values compare exactly, all other words without regard to case. */
static bool equal_words(const struct zsql_expr *a, const struct zsql_expr *b)
{
    if (a->name.text == NULL || b->name.text == NULL)
        return a->name.text == b->name.text;
    if (a->kind == ZSQL_STRING || a->binding == ZSQL_TEXT)
        return strcmp(a->name.text, b->name.text) == 0;
    return zsql_same_name(a->name.text, b->name.text);
}

bool zsql_bound_equal(struct zsql_expr *a, struct zsql_expr *b)
{
    a = zsql_bound_target(a);
    b = zsql_bound_target(b);
    if (a == b)
        return true;
    if (a->kind != b->kind || a->op != b->op || a->binding != b->binding ||
        a->is_negated != b->is_negated || a->has_base != b->has_base ||
        a->has_else != b->has_else || a->select != NULL || b->select != NULL)
        return false;
    if (a->binding == ZSQL_COLUMN)
        return a->scope == b->scope && a->source == b->source && a->column == b->column;
    return a->kind != ZSQL_IN_TABLE && equal_words(a, b) &&
           equal_lists(&a->operands, &b->operands) && equal_calls(a->call, b->call);
}
