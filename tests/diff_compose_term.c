/* Expressions and conditions over a scope. */
#include <string.h>

#include "tests/diff_compose.h"

/* Of the scope or, once in a while, of one around it. */
bool diff_compose_pick(struct diff_composer *m, const struct diff_scope *scope,
    struct diff_composed_column *column)
{
    const struct diff_scope *from = scope;

    if (scope->outer != NULL && scope->outer->n > 0 && diff_may(m, DIFF_CORRELATED, 40))
        from = scope->outer;
    if (from != scope && from->outer != NULL && from->outer->n > 0 && diff_chance(m, 30))
        from = from->outer;
    if (from->n == 0)
        return false;
    unsigned first = diff_choose(m, from->n);
    for (unsigned i = 0; i < from->n; i++) {
        const struct diff_composed_column *found = &from->columns[(first + i) % from->n];
        if (found->is_loose || found->is_mixed || found->letter == 'G' || found->letter == 'J')
            continue;
        *column = *found;
        return true;
    }
    return false;
}

const char *diff_compose_literal(
    struct diff_composer *m, const struct diff_composed_column *like)
{
    struct diff_column column = {.domain = like->domain};
    struct diff_text text = {0};
    diff_literal(m->c, m->random, &column, &text);
    return diff_arena_take(&m->c->arena, &text);
}

static struct diff_composed_column constant(struct diff_composer *m)
{
    static const char *const texts[] = {"1", "'a'", "NULL", "0.5", "''"};
    return (struct diff_composed_column){.text = texts[diff_choose(m, 5)],
        .domain = DIFF_INTEGERS,
        .kind = 'O',
        .letter = 'B',
        .item = -1};
}

/* What becomes of one column. */
static struct diff_composed_column computed(
    struct diff_composer *m, const struct diff_composed_column *of)
{
    static const struct form {
        const char *before, *after;
        char kind;
        bool is_firm, keeps_letter;
        enum diff_domain domain;
    } forms[] = {{"typeof(", ")", 'T', true, false, DIFF_TEXTS},
        {"length(", ")", 'I', true, false, DIFF_INTEGERS},
        {"(", " IS NULL)", 'I', true, false, DIFF_INTEGERS},
        {"(", " || '!')", 'T', true, false, DIFF_TEXTS},
        {"substr(", ", 1, 1)", 'O', false, false, DIFF_TEXTS},
        {"coalesce(", ", 'z')", 'O', false, false, DIFF_TEXTS},
        {"lower(", ")", 'T', true, false, DIFF_TEXTS},
        {"(", " COLLATE NOCASE)", 'O', false, true, DIFF_TEXTS},
        {"(", " + 1)", 'O', false, false, DIFF_INTEGERS},
        {"CASE WHEN ", " > 1 THEN 'high' ELSE 'low' END", 'T', true, false, DIFF_TEXTS},
        {"(+", ")", 'O', false, false, DIFF_INTEGERS}};
    const struct form *form = &forms[diff_choose(m, 11)];
    return (struct diff_composed_column){
        .text = diff_compose_print(m, "%s%s%s", form->before, of->text, form->after),
        .domain = form->domain,
        .kind = form->kind,
        .letter = form->keeps_letter ? 'N' : 'B',
        .is_firm = form->is_firm,
        .affinity = form->keeps_letter ? of->affinity : 0,
        .is_rough = of->is_rough,
        .item = -1};
}

static struct diff_composed_column chosen(struct diff_composer *m,
    const struct diff_scope *scope, const struct diff_composed_column *of, unsigned depth)
{
    return (struct diff_composed_column){
        .text = diff_compose_print(m, "CASE WHEN %s THEN %s ELSE %s END",
            diff_compose_condition(m, scope, depth + 1), of->text, diff_compose_literal(m, of)),
        .domain = of->domain,
        .kind = 'O',
        .letter = 'B',
        .is_rough = of->is_rough,
        .item = -1};
}

/* What becomes of two columns. */
static struct diff_composed_column of_both(struct diff_composer *m,
    const struct diff_scope *scope, const struct diff_composed_column *a)
{
    static const struct form {
        const char *before, *between, *after;
        bool is_number; /* an integer, whatever the values */
    } forms[] = {{"(", " + ", ")", false}, {"(", " || ", ")", false}, {"(", " * ", ")", false},
        {"coalesce(", ", ", ")", false}, {"nullif(", ", ", ")", false},
        {"iif(", " > ", ", 1, 0)", true}, {"(", " IS NOT ", ")", true},
        {"(1 BETWEEN ", " AND ", ")", true}, {"(", " IN (1, ", ", 'a'))", true}};
    const struct form *form = &forms[diff_choose(m, 9)];
    struct diff_composed_column b;

    if (!diff_compose_pick(m, scope, &b))
        b = *a;
    return (struct diff_composed_column){
        .text = diff_compose_print(
            m, "%s%s%s%s%s", form->before, a->text, form->between, b.text, form->after),
        .domain = DIFF_INTEGERS,
        .kind = form->is_number ? 'I' : 'O',
        .letter = 'B',
        .is_firm = form->is_number,
        .is_rough = a->is_rough || b.is_rough,
        .item = -1};
}

struct diff_composed_column diff_compose_scalar(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const unsigned weights[] = {64, 20, 6, 6, 6};
    struct diff_composed_column of;

    if (!diff_compose_pick(m, scope, &of))
        return constant(m);
    switch (diff_random_weighted(m->random, weights, 5)) {
    case 0:
        of.is_key = false;
        return of;
    case 1:
        return computed(m, &of);
    case 2:
        return chosen(m, scope, &of, depth);
    case 3:
        return of_both(m, scope, &of);
    default:
        return constant(m);
    }
}

static const char *comparison(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *const operators[] = {"=", "<>", "<", ">", ">=", "IS", "IS NOT"};
    struct diff_composed_column a = diff_compose_scalar(m, scope, depth);
    const char *operator= operators[diff_choose(m, 7)];

    if (diff_chance(m, 60))
        return diff_compose_print(m, "%s %s %s", a.text, operator, diff_compose_literal(m, &a));
    return diff_compose_print(
        m, "%s %s %s", a.text, operator, diff_compose_scalar(m, scope, depth).text);
}

static const char *null_test(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_composed_column a = diff_compose_scalar(m, scope, depth);
    return diff_compose_print(m, "%s IS %sNULL", a.text, diff_chance(m, 50) ? "NOT " : "");
}

static const char *in_list(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_composed_column a = diff_compose_scalar(m, scope, depth);
    return diff_compose_print(m, "%s %sIN (%s, %s)", a.text, diff_chance(m, 30) ? "NOT " : "",
        diff_compose_literal(m, &a), diff_compose_literal(m, &a));
}

static const char *pattern(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *const tails[] = {
        "LIKE 'a%'", "NOT LIKE '%1%'", "GLOB 'a*'", "BETWEEN 0 AND 2", "BETWEEN '' AND 'b'"};
    /* The plus: see pattern() in diff_condition.c. */
    return diff_compose_print(
        m, "+%s %s", diff_compose_scalar(m, scope, depth).text, tails[diff_choose(m, 5)]);
}

static const char *row_value(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *const operators[] = {"=", "<", ">=", "IS", "<>"};
    struct diff_composed_column a = diff_compose_scalar(m, scope, depth);
    struct diff_composed_column b = diff_compose_scalar(m, scope, depth);
    return diff_compose_print(m, "(%s, %s) %s (%s, %s)", a.text, b.text,
        operators[diff_choose(m, 5)], diff_compose_literal(m, &a), diff_compose_literal(m, &b));
}

static const char *combined(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    const char *a = diff_compose_condition(m, scope, depth + 1);
    if (diff_chance(m, 25))
        return diff_compose_print(m, "NOT (%s)", a);
    return diff_compose_print(m, "(%s %s %s)", a, diff_chance(m, 50) ? "AND" : "OR",
        diff_compose_condition(m, scope, depth + 1));
}

static const char *subquery(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    const char *test = depth < 3 ? diff_compose_test(m, scope, depth + 1) : NULL;
    return test != NULL ? test : comparison(m, scope, depth);
}

const char *diff_compose_condition(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *(*const forms[])(struct diff_composer *, const struct diff_scope *,
        unsigned) = {comparison, null_test, in_list, pattern, row_value, subquery, combined};
    static const unsigned weights[] = {45, 9, 8, 6, 4, 24, 16};
    unsigned n = depth < 3 ? 7 : 5;
    return forms[diff_random_weighted(m->random, weights, n)](m, scope, depth);
}
