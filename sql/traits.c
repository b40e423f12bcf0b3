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

const char *zsql_cast_type(const char *type)
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

const char *zsql_affinity_name(const char *type)
{
    return *type == '\0' ? "" : zsql_cast_type(type);
}

bool zsql_type_is_numeric(const char *type)
{
    if (has_word(type, "int"))
        return true;
    return type[0] != '\0' && !has_word(type, "char") && !has_word(type, "clob") &&
           !has_word(type, "text") && !has_word(type, "blob");
}

/* The type of a value that is looked up in what an operator makes; NULL: it is none. */
static const char *looked_up_as(const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    const struct zsql_from *from = core->from.n == 1 ? core->from.items[0] : NULL;

    return from != NULL && from->made_before != NULL ? from->made_type : NULL;
}

/* A column without a type has an affinity, but for one of a subquery that stands for an
** expression without. */
static bool has_affinity(const struct zsql_expr *column)
{
    const struct zsql_from *from = zsql_bound_source(column)->from;

    if (column->column < 0)
        return true;
    if (from->kind == ZSQL_FROM_MADE)
        return from->made_of == NULL ||
               zsql_traits_of_made(from, (size_t)column->column).has_affinity;
    return from->kind != ZSQL_FROM_SELECT ||
           zsql_traits_of_column(from->select, (size_t)column->column).has_affinity;
}

static void find_affinity(struct zsql_expr *expr, struct zsql_traits *traits)
{
    const struct zsql_column *column;

    expr = zsql_bound_target(expr);
    while (expr->kind == ZSQL_COLLATE || expr->kind == ZSQL_ROW)
        expr = zsql_bound_target(expr->operands.items[0]);
    traits->type = "";
    if (expr->is_merged)
        return; /* coalesce() has none */
    if (expr->kind == ZSQL_SUBQUERY && looked_up_as(expr->select) != NULL) {
        traits->type = looked_up_as(expr->select);
        traits->has_affinity = *traits->type != '\0';
    } else if (expr->kind == ZSQL_SUBQUERY) {
        struct zsql_traits of_value = zsql_traits_of_value(expr->select, 0);
        traits->type = of_value.type;
        traits->has_affinity = of_value.has_affinity;
        traits->kept_type = of_value.kept_type;
    } else if (expr->binding == ZSQL_COLUMN) {
        column = zsql_bound_column(expr);
        traits->type = column != NULL ? column->type : "INTEGER";
        traits->has_affinity = *traits->type != '\0' || has_affinity(expr);
        traits->kept_type = column != NULL ? column->kept_type : NULL;
        traits->is_rowid = zsql_bound_is_rowid(expr);
    } else if (expr->kind == ZSQL_CAST) {
        traits->type = zsql_cast_type(expr->name.text);
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

static void find_collation(struct zsql_expr *expr, struct zsql_traits *traits)
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
    if (expr == NULL || expr->is_merged)
        return;
    if (expr->kind == ZSQL_COLLATE) {
        traits->collation = expr->name.text;
    } else {
        const struct zsql_column *column = zsql_bound_column(expr);
        traits->collation = column != NULL ? column->collation : "BINARY";
    }
}

const char *zsql_traits_compared(struct zsql_expr *left, struct zsql_expr *right)
{
    struct zsql_traits of_left = zsql_traits_of(left), of_right = zsql_traits_of(right);
    const char *name = of_left.collation != NULL ? of_left.collation : of_right.collation;

    if (!of_left.is_explicit && of_right.is_explicit)
        name = of_right.collation;
    return name != NULL ? name : "BINARY";
}

enum zsql_class zsql_traits_class(const struct zsql_traits *traits)
{
    const char *type = traits->type;

    if (!traits->has_affinity || *type == '\0')
        return ZSQL_AS_THEY_ARE;
    if (has_word(type, "int"))
        return ZSQL_AS_NUMBERS;
    if (has_word(type, "char") || has_word(type, "clob") || has_word(type, "text"))
        return ZSQL_AS_TEXT;
    return has_word(type, "blob") ? ZSQL_AS_THEY_ARE : ZSQL_AS_NUMBERS;
}

const char *zsql_type_of_both(const char *a, const char *b)
{
    if ((*a == '\0') == (*b == '\0') && strcmp(zsql_cast_type(a), zsql_cast_type(b)) == 0)
        return a;
    return zsql_type_is_numeric(a) && zsql_type_is_numeric(b) ? "NUMERIC" : "";
}

struct zsql_traits zsql_traits_of_core(const struct zsql_select *select, size_t core, size_t i)
{
    const struct zsql_core *items = select->cores.items[core];

    if (items->is_values || i >= items->bound->outputs.n)
        return (struct zsql_traits){.type = "", .kept_type = ""};
    return zsql_traits_of(((const struct zsql_output *)items->bound->outputs.items[i])->expr);
}

/* The type that keeps the values of all cores. */
static const char *kept_type_of(const struct zsql_select *select, size_t i)
{
    const char *type = zsql_traits_of_core(select, 0, i).kept_type;

    for (size_t j = 1; j < select->cores.n; j++)
        type = zsql_type_of_both(type, zsql_traits_of_core(select, j, i).kept_type);
    return type;
}

struct zsql_traits zsql_traits_of_column(const struct zsql_select *select, size_t i)
{
    struct zsql_traits traits = zsql_traits_of_core(select, 0, i);

    if (i < select->n_columns) {
        traits.type = select->columns[i].type;
        traits.has_affinity = select->columns[i].has_affinity;
    }
    traits.kept_type = kept_type_of(select, i);
    return traits;
}

struct zsql_traits zsql_traits_of_value(const struct zsql_select *select, size_t i)
{
    struct zsql_traits traits = zsql_traits_of_core(select, select->cores.n - 1, i);

    traits.kept_type = kept_type_of(select, i);
    return traits;
}

struct zsql_traits zsql_traits_of_made(const struct zsql_from *from, size_t i)
{
    return from->is_made_alone ? zsql_traits_of_value(from->made_of, i)
                               : zsql_traits_of_column(from->made_of, i);
}

bool zsql_traits_tell_apart(struct zsql_expr *expr)
{
    struct zsql_traits traits = zsql_traits_of(expr);

    if (traits.is_rowid)
        return true;
    return (traits.collation == NULL || zsql_same_name(traits.collation, "BINARY")) &&
           traits.has_affinity && zsql_traits_class(&traits) != ZSQL_AS_THEY_ARE;
}

bool zsql_traits_makes_reals(const struct zsql_select *select, size_t i)
{
    return i < select->n_columns && select->columns[i].makes_reals;
}

bool zsql_traits_are_uniform(const struct zsql_select *select, size_t i)
{
    struct zsql_traits all = zsql_traits_of_column(select, i);

    for (size_t j = 0; select->cores.n > 1 && j < select->cores.n; j++) {
        const struct zsql_list *outputs =
            &((const struct zsql_core *)select->cores.items[j])->bound->outputs;
        struct zsql_traits own = {.type = ""};

        if (i < outputs->n)
            own = zsql_traits_of(((const struct zsql_output *)outputs->items[i])->expr);
        if (zsql_traits_class(&own) != zsql_traits_class(&all) ||
            own.has_affinity != all.has_affinity ||
            !zsql_same_name(own.collation != NULL ? own.collation : "BINARY",
                all.collation != NULL ? all.collation : "BINARY"))
            return false;
    }
    return true;
}

struct zsql_traits zsql_traits_of(struct zsql_expr *expr)
{
    struct zsql_traits traits = {0};

    find_affinity(expr, &traits);
    if (traits.kept_type == NULL)
        traits.kept_type = traits.type;
    find_collation(expr, &traits);
    return traits;
}

const char *zsql_traits_collate(
    struct zsql_arena *arena, const char *text, const char *collation)
{
    static const char *const builtin[] = {"BINARY", "NOCASE", "RTRIM"};

    for (size_t i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++) {
        if (zsql_same_name(collation, builtin[i]))
            return zsql_text_format(arena, "(%s COLLATE %s)", text, builtin[i]);
    }
    collation = zsql_text_quoted(arena, collation, '"');
    return collation != NULL ? zsql_text_format(arena, "(%s COLLATE %s)", text, collation)
                             : NULL;
}

/* Unary plus drops the affinity and keeps the collation; ifnull drops both. */
const char *zsql_traits_read(struct zsql_arena *arena, const char *column,
    const struct zsql_traits *traits, enum zsql_sight sight)
{
    bool is_collated = traits->is_explicit && traits->collation != NULL;
    bool has_collation =
        traits->collation != NULL && !(traits->is_rowid && sight == ZSQL_SEES_ORDER);
    bool sees_absence = sight >= ZSQL_SEES_ALL;

    if (sight == ZSQL_UNSEEN || (!sees_absence && !is_collated))
        return column;
    if (sees_absence && !traits->has_affinity && (is_collated || has_collation))
        column = zsql_text_format(arena, is_collated ? "+%s" : "(+%s)", column);
    else if (sees_absence && !is_collated && !has_collation)
        column = traits->has_affinity ? zsql_text_format(arena, "CAST(ifnull(%s, NULL) AS %s)",
                                            column, traits->type)
                                      : zsql_text_format(arena, "ifnull(%s, NULL)", column);
    if (column != NULL && is_collated)
        column = zsql_traits_collate(arena, column, traits->collation);
    return column;
}

const char *zsql_traits_read_made(
    struct zsql_arena *arena, const struct zsql_from *from, size_t i, const char *column)
{
    if (from->made_of == NULL || zsql_traits_of_made(from, i).has_affinity)
        return column;
    return zsql_text_format(arena, "(+%s)", column);
}
