/* Aggregates over the columns of a scope, and HAVING. */
#include "tests/diff_compose.h"

struct fold {
    unsigned weight;
    const char *before, *after; /* NULL: no argument */
    enum { PLAIN, MEMBER, SUM, AVERAGE, COUNT, LIST, JSON, OWN } kind;
    bool is_distinct;
    bool takes_filter;
};

static const struct fold folds[] = {
    {16, "count(*)", NULL, COUNT, false, true},
    {10, "count(", ")", COUNT, false, true},
    {16, "@sum(", ")", SUM, false, true},
    {8, "max(", ")", MEMBER, false, true},
    {8, "min(", ")", MEMBER, false, true},
    {5, "@avg(", ")", AVERAGE, false, true},
    {4, "@total(", ")", SUM, false, true},
    {6, "count(DISTINCT ", ")", COUNT, true, true},
    {3, "@sum(DISTINCT ", ")", SUM, true, true},
    {4, "coalesce(@sum(", "), 0)", SUM, false, false},
    {2, "round(@avg(", "), 1)", AVERAGE, false, false},
    {2, "count(*) - count(", ")", PLAIN, false, false},
    {2, "max(", ") IS NULL", PLAIN, false, false},
    {5, "group_concat(", ")", LIST, false, true},
    {2, "group_concat(DISTINCT ", ")", LIST, true, true},
    {4, "json_group_array(typeof(", "))", JSON, false, true},
    {2, "json_group_array(length(", "))", JSON, false, true},
    {2, "json_group_object(typeof(", "), 1)", JSON, false, true},
    {3, "bits(", ")", OWN, false, true},
    {1, "bits(DISTINCT ", ")", OWN, true, true},
};
enum { n_folds = sizeof folds / sizeof *folds };

static const struct fold *some_fold(struct diff_composer *m)
{
    unsigned weights[n_folds];
    for (unsigned i = 0; i < n_folds; i++)
        weights[i] = folds[i].weight;
    return &folds[diff_random_weighted(m->random, weights, n_folds)];
}

static bool may_take(struct diff_composer *m, const struct fold *fold,
    const struct diff_composed_column *argument, struct diff_wish wish)
{
    if ((fold->kind == LIST || fold->kind == JSON) &&
        (!wish.is_top || !diff_may(m, fold->kind == LIST ? DIFF_CONCAT : DIFF_JSON_GROUP, 100)))
        return false;
    if (fold->is_distinct && fold->kind != COUNT && !argument->is_firm)
        return false;
    if (fold->is_distinct && !diff_may(m, DIFF_DISTINCT_AGGREGATE, 100))
        return false;
    if (fold->kind == OWN && wish.is_correlated)
        return false;
    if (fold->kind == OWN && !diff_may(m, DIFF_OWN_AGGREGATE, 100))
        return false;
    if (m->is_plain && (fold->kind == SUM || fold->kind == AVERAGE)) /* it has no exact one */
        return false;
    return !(fold->kind == MEMBER && wish.is_firm && !argument->is_firm);
}

/* What the fold's value is like. */
static struct diff_composed_column describe(
    const struct fold *fold, const struct diff_composed_column *argument)
{
    struct diff_composed_column column = {
        .domain = DIFF_INTEGERS, .kind = 'O', .letter = 'B', .item = -1};

    if (fold->kind == MEMBER) {
        column = *argument;
        column.is_loose = !argument->is_firm;
        column.affinity = 0;
        column.is_key = false;
        column.item = -1;
    } else if (fold->kind == COUNT || fold->kind == PLAIN || fold->kind == OWN) {
        column.kind = 'I';
        column.is_firm = true;
    } else if (fold->kind == LIST || fold->kind == JSON) {
        column.letter = fold->kind == LIST ? 'G' : 'J';
    }
    column.is_rough = fold->kind == AVERAGE || (argument->is_rough && fold->kind == SUM) ||
                      (argument->is_rough && fold->kind == MEMBER);
    return column;
}

static const char *test_of(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    bool may = depth < 2 && diff_may(m, DIFF_IN_AGGREGATE, 8);
    return may ? diff_compose_test(m, scope, 2) : NULL;
}

/* An expression, or one of two values by what a subquery says. */
static struct diff_composed_column argument_of(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_composed_column of = diff_compose_scalar(m, scope, 3);
    const char *test = test_of(m, scope, depth);

    if (test == NULL)
        return of;
    return (struct diff_composed_column){
        .text = diff_compose_print(m, "CASE WHEN %s THEN %s END", test, of.text),
        .domain = of.domain,
        .kind = 'O',
        .letter = 'B',
        .is_rough = of.is_rough,
        .item = -1};
}

struct diff_composed_column diff_compose_fold(
    struct diff_composer *m, const struct diff_scope *scope, struct diff_wish wish)
{
    const struct fold *fold = &folds[0];
    struct diff_composed_column argument = {.text = "1", .is_firm = true, .letter = 'B'};
    struct diff_text text = {0};

    for (unsigned i = 0; i < 4; i++) {
        const struct fold *other = some_fold(m);
        struct diff_composed_column a = argument_of(m, scope, wish.depth);
        if (other->after == NULL || may_take(m, other, &a, wish)) {
            fold = other;
            argument = a;
            break;
        }
    }
    m->is_rough = m->is_rough || (argument.is_rough && fold->after != NULL &&
                                     (fold->kind == SUM || fold->kind == AVERAGE));
    diff_text_add(&text, "%s", fold->before);
    if (fold->after != NULL)
        diff_text_add(&text, "%s%s", argument.text, fold->after);
    if (fold->takes_filter && diff_may(m, DIFF_FILTER, 15)) {
        const char *test = test_of(m, scope, wish.depth);
        diff_text_add(&text, " FILTER (WHERE %s)",
            test != NULL ? test : diff_compose_condition(m, scope, 3));
    }
    struct diff_composed_column column = describe(fold, &argument);
    column.text = diff_arena_take(&m->c->arena, &text);
    return column;
}

const char *diff_compose_having(struct diff_composer *m, const struct diff_scope *scope,
    const struct diff_scope *keys, unsigned depth)
{
    static const char *const operators[] = {">", "=", "<=", "IS NOT", "<>"};
    struct diff_composed_column fold;

    for (unsigned i = 0; i < 4; i++) {
        fold = diff_compose_fold(m, scope, (struct diff_wish){.depth = depth});
        if (!fold.is_loose)
            break;
    }
    if (fold.is_loose)
        return "count(*) > 1";
    const char *value = NULL;
    if (depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_HAVING, 25)) {
        if (diff_chance(m, 40)) {
            const char *test = diff_compose_test(m, keys, 2);
            if (test != NULL)
                return test;
        }
        value = diff_compose_value(m, keys, 2);
    }
    if (value == NULL)
        value = diff_chance(m, 20) ? "NULL" : diff_compose_print(m, "%u", diff_choose(m, 4));
    return diff_compose_print(m, "%s %s %s", fold.text, operators[diff_choose(m, 5)], value);
}
