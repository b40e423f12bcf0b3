/* LIMIT: the operator that keeps the first rows. */
#include <stdlib.h>
#include <string.h>

#include "sql/planner.h"

/* Digits, or 0x and digits. */
static bool read_number(const char *text, int64_t *number)
{
    int base = strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0 ? 16 : 10;
    uint64_t value = 0;

    for (const char *at = base == 16 ? text + 2 : text; *at != '\0'; at++) {
        const char digit[2] = {*at, '\0'};
        char *end;
        uint64_t more = strtoul(digit, &end, base);

        if (*end != '\0' || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, more, &value) || value > INT64_MAX)
            return false;
    }
    *number = (int64_t)value;
    return true;
}

int zsql_plan_limit(struct zsql_planner *planner, const char *word,
    const struct zsql_expr *expr, int64_t *number)
{
    const struct zsql_expr *literal = expr;
    bool is_negative = false;
    const char *text;

    while (literal->kind == ZSQL_UNARY &&
           (literal->op == ZSQL_OP_MINUS || literal->op == ZSQL_OP_PLUS)) {
        is_negative = is_negative != (literal->op == ZSQL_OP_MINUS);
        literal = literal->operands.items[0];
    }
    if (literal->kind == ZSQL_INTEGER && read_number(literal->name.text, number)) {
        *number = is_negative ? -*number : *number;
        return ZS_OK;
    }
    text = zsql_text_quote(planner->arena, planner->text, expr->span);
    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(
        planner->message, "%s %s is not maintained: write the number out", word, text);
}

/* Is a column one of the terms, in full: are its values that are equal there identical but for
** numbers? */
static bool is_settled(const struct zsql_order *order, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++) {
        if (order[i].column == column && order[i].collation == ZS_BINARY)
            return true;
    }
    return false;
}

int zsql_plan_top(struct zsql_planner *planner, struct zsql_operator *input,
    const struct zsql_order *order, size_t n_order, size_t n_columns, int64_t limit,
    int64_t offset, struct zsql_operator **top)
{
    struct zsql_order *terms =
        zsql_arena_get(planner->arena, (n_order + n_columns) * sizeof(*terms));
    int rc = terms == NULL ? ZS_NOMEM
                           : zsql_plan_add(planner, ZSQL_TOP, input, input->n_columns, top);

    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; i < input->n_columns; i++)
        (*top)->columns[i] = input->columns[i];
    for (size_t i = 0; i < n_order; i++)
        terms[i] = order[i];
    for (size_t i = 0; i < n_columns; i++) {
        if (!is_settled(order, n_order, i))
            terms[n_order++] = (struct zsql_order){
                .column = i, .collation = ZS_BINARY, .collation_name = "BINARY"};
    }
    (*top)->order = terms;
    (*top)->n_order = n_order;
    (*top)->limit = limit < 0 ? -1 : limit;
    (*top)->offset = offset < 0 ? 0 : offset;
    return ZS_OK;
}
