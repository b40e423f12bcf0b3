/* Affinity and collation, by SQLite's rules: COLLATE and unary plus let the collation through,
** COLLATE the affinity, CAST makes its own; a COLLATE operator is found anywhere in an
** expression. */
#include "sql/traits.h"

#include <string.h>

static bool has_word(const char *type, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; type[i] != '\0'; i++) {
        size_t j = 0;
        while (j < n && type[i + j] != '\0' && (type[i + j] | 0x20) == word[j])
            j++;
        if (j == n)
            return true;
    }
    return false;
}

/* The affinity of a CAST's type, as a type's name. */
static const char *cast_type(const char *type)
{
    if (has_word(type, "int"))
        return "INTEGER";
    if (has_word(type, "char") || has_word(type, "clob") || has_word(type, "text"))
        return "TEXT";
    if (has_word(type, "blob"))
        return "BLOB";
    if (has_word(type, "real") || has_word(type, "floa") || has_word(type, "doub"))
        return "REAL";
    return "NUMERIC";
}

static void find_affinity(
    const struct zsql_bound *bound, struct zsql_expr *expr, struct zsql_traits *traits)
{
    const struct zsql_column *column;

    expr = zsql_bound_target(expr);
    while (expr->kind == ZSQL_COLLATE || expr->kind == ZSQL_ROW)
        expr = zsql_bound_target(expr->operands.items[0]);
    traits->type = "";
    if (expr->binding == ZSQL_COLUMN) {
        column = zsql_bound_column(bound, expr);
        traits->type = column != NULL ? column->type : "INTEGER";
        traits->has_affinity = true;
    } else if (expr->kind == ZSQL_CAST) {
        traits->type = cast_type(expr->name.text);
        traits->has_affinity = true;
    }
}

/* The first operand with a COLLATE operator in it. */
static struct zsql_expr *collated_operand(const struct zsql_expr *expr)
{
    for (size_t i = 0; i < expr->operands.n; i++) {
        struct zsql_expr *operand = zsql_bound_target(expr->operands.items[i]);
        if (operand->has_collate)
            return operand;
    }
    return NULL;
}

static void find_collation(
    const struct zsql_bound *bound, struct zsql_expr *expr, struct zsql_traits *traits)
{
    expr = zsql_bound_target(expr);
    traits->is_explicit = expr->has_collate;
    while (expr != NULL && expr->binding != ZSQL_COLUMN && expr->kind != ZSQL_COLLATE) {
        if (expr->kind == ZSQL_CAST || expr->kind == ZSQL_ROW ||
            (expr->kind == ZSQL_UNARY && expr->op == ZSQL_OP_PLUS))
            expr = zsql_bound_target(expr->operands.items[0]);
        else
            expr = expr->has_collate ? collated_operand(expr) : NULL;
    }
    if (expr == NULL)
        return;
    if (expr->kind == ZSQL_COLLATE) {
        traits->collation = expr->name.text;
    } else {
        const struct zsql_column *column = zsql_bound_column(bound, expr);
        traits->collation = column != NULL ? column->collation : "BINARY";
    }
}

struct zsql_traits zsql_traits_of(const struct zsql_bound *bound, struct zsql_expr *expr)
{
    struct zsql_traits traits = {0};

    find_affinity(bound, expr, &traits);
    find_collation(bound, expr, &traits);
    return traits;
}

static const char *with_collate(struct zsql_arena *arena, const char *column,
    const struct zsql_traits *traits, enum zsql_sight sight)
{
    const char *plus = sight == ZSQL_SEES_ALL && !traits->has_affinity ? "+" : "";
    return zsql_text_format(arena, "(%s%s COLLATE \"%s\")", plus, column, traits->collation);
}

/* Unary plus drops the affinity and keeps the collation; ifnull drops both. */
const char *zsql_traits_read(struct zsql_arena *arena, const char *column,
    const struct zsql_traits *traits, enum zsql_sight sight)
{
    if (sight == ZSQL_UNSEEN || (sight == ZSQL_SEES_COLLATE && !traits->is_explicit))
        return column;
    if (traits->is_explicit && traits->collation != NULL)
        return with_collate(arena, column, traits, sight);
    if (traits->has_affinity && traits->collation != NULL)
        return column;
    if (traits->has_affinity)
        return zsql_text_format(arena, "CAST(ifnull(%s, NULL) AS %s)", column, traits->type);
    if (traits->collation != NULL)
        return zsql_text_format(arena, "(+%s)", column);
    return zsql_text_format(arena, "ifnull(%s, NULL)", column);
}
