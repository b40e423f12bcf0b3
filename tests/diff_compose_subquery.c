/* Subqueries in expressions: EXISTS, IN, scalar ones and row values, correlated or not. What
** one gives does not depend on the order of its rows. */
#include <string.h>

#include "tests/diff_compose.h"

static const struct diff_scope *named_within(const struct diff_scope *scope)
{
    return scope->within != NULL ? scope->within : scope;
}

/* A column of the subquery beside one of those around, of the same kind where it is soon
** found. */
const char *diff_compose_link(
    struct diff_composer *m, const struct diff_scope *inner, bool is_range)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "BETWEEN 0 AND"};
    struct diff_scope alone = *inner, around = *inner->outer;
    struct diff_composed_column a, b;
    const char *operator= is_range ? operators[diff_choose(m, 5)] : "=";

    alone.outer = around.outer = NULL;
    if (!diff_compose_pick(m, &alone, &a) || !diff_compose_pick(m, &around, &b))
        return "1";
    for (unsigned i = 0; i < 4 && a.kind != b.kind; i++)
        diff_compose_pick(m, &around, &b);
    return diff_chance(m, 50) ? diff_compose_print(m, "%s %s %s", a.text, operator, b.text)
                              : diff_compose_print(m, "%s %s %s", b.text, operator, a.text);
}

/* One of two links, or a column in a list of those around, or the other way about. */
static const char *either(struct diff_composer *m, const struct diff_scope *inner)
{
    struct diff_scope alone = *inner, around = *inner->outer;
    struct diff_composed_column a, b, c;

    alone.outer = around.outer = NULL;
    if (diff_chance(m, 50))
        return diff_compose_print(m, "(%s OR %s)",
            diff_compose_link(m, inner, diff_chance(m, 20)),
            diff_compose_link(m, inner, false));
    if (!diff_compose_pick(m, &alone, &a) || !diff_compose_pick(m, &around, &b))
        return "1";
    if (diff_chance(m, 50))
        return diff_compose_pick(m, &around, &c)
                   ? diff_compose_print(m, "%s IN (%s, %s)", a.text, b.text, c.text)
                   : "1";
    return diff_compose_pick(m, &alone, &c)
               ? diff_compose_print(m, "%s IN (%s, %s)", b.text, a.text, c.text)
               : "1";
}

/* One before another, or as good and before it by something else. */
static const char *tie(struct diff_composer *m, const struct diff_scope *inner)
{
    static const char *const operators[] = {"<", "<=", ">", ">="};
    struct diff_scope alone = *inner, around = *inner->outer;
    struct diff_composed_column a, b;

    alone.outer = around.outer = NULL;
    if (!diff_compose_pick(m, &alone, &a) || !diff_compose_pick(m, &around, &b))
        return "1";
    return diff_compose_print(m, "(%s %s %s OR (%s = %s AND %s))", a.text,
        operators[diff_choose(m, 4)], b.text, b.text, a.text,
        diff_compose_link(m, inner, true));
}

/* FROM and WHERE, with the columns around in sight: how they compare, or anything. */
static const char *from_where(struct diff_composer *m, struct diff_scope *inner, unsigned depth)
{
    struct diff_text text = {0};
    struct diff_wish wish = {.depth = depth};
    const char *word = " WHERE";
    bool is_linked;

    diff_compose_from(m, inner, wish, &text);
    is_linked = inner->outer != NULL && diff_may(m, DIFF_CORRELATED, 40);
    for (int i = 0; is_linked && i < 2; i++) {
        if (!diff_chance(m, 65))
            continue;
        diff_text_add(&text, "%s %s", word,
            diff_chance(m, 15)             ? either(m, inner)
            : i == 1 && diff_chance(m, 25) ? tie(m, inner)
                                           : diff_compose_link(m, inner, i == 1));
        word = " AND";
    }
    if (diff_chance(m, is_linked ? 30 : 80))
        diff_text_add(&text, "%s %s", word, diff_compose_condition(m, inner, depth + 1));
    return diff_arena_take(&m->c->arena, &text);
}

/* "(query)" of groups, DISTINCT, compounds, with LIMIT, or VALUES; NULL where how a column
** compares is not certain. */
static const char *whole_query(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth, unsigned n_columns)
{
    struct diff_relation relation, like = {.n = n_columns};
    struct diff_wish wish = {.depth = depth + 1, .n_columns = n_columns};
    struct diff_text text = {0};
    bool is_correlated = diff_chance(m, 35);

    for (unsigned i = 0; i < n_columns; i++)
        like.columns[i].kind = diff_chance(m, 50) ? 'I' : 'O';
    if (!diff_may(m, DIFF_WHOLE_QUERY, 100))
        return NULL;
    diff_text_add(&text, "(");
    if (diff_may(m, DIFF_VALUES, 12))
        diff_compose_values(m, &like, &relation, &text);
    else
        diff_compose_query(
            m, is_correlated ? named_within(scope) : NULL, wish, &relation, &text);
    diff_text_add(&text, ")");
    const char *query = diff_arena_take(&m->c->arena, &text);
    for (unsigned i = 0; i < relation.n; i++) {
        if (relation.columns[i].is_loose || relation.columns[i].is_mixed)
            return NULL;
    }
    return query;
}

static const char *exists(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_scope inner = {.outer = named_within(scope)};
    bool is_not = diff_may(m, DIFF_NOT_EXISTS, 45);
    if (!is_not && !diff_may(m, DIFF_EXISTS, 100))
        return NULL;
    const char *query =
        depth <= 2 && diff_chance(m, 20) ? whole_query(m, scope, depth, 1) : NULL;
    if (query != NULL)
        return diff_compose_print(m, "%sEXISTS %s", is_not ? "NOT " : "", query);
    return diff_compose_print(
        m, "%sEXISTS (SELECT 1%s)", is_not ? "NOT " : "", from_where(m, &inner, depth));
}

/* A list of one column compares by the left side's collation. */
static const char *in(struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_scope inner = {.outer = named_within(scope)}, alone;
    struct diff_composed_column a = diff_compose_scalar(m, named_within(scope), 3), b;
    bool is_not = diff_may(m, DIFF_NOT_IN, 45);

    if (!is_not && !diff_may(m, DIFF_IN, 100))
        return NULL;
    const char *query =
        depth <= 2 && diff_chance(m, 35) ? whole_query(m, scope, depth, 1) : NULL;
    if (query != NULL)
        return diff_compose_print(m, "%s %sIN %s", a.text, is_not ? "NOT " : "", query);
    const char *from = from_where(m, &inner, depth);
    alone = inner;
    alone.outer = NULL;
    if (!diff_compose_pick(m, &alone, &b))
        return NULL;
    return diff_compose_print(
        m, "%s %sIN (SELECT %s%s)", a.text, is_not ? "NOT " : "", b.text, from);
}

/* (a, b) IN, or = and friends with the one row of an aggregate. */
static const char *row_value(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *const operators[] = {"=", "<", ">=", "IS"};
    struct diff_scope inner = {.outer = named_within(scope)}, alone;
    struct diff_composed_column a = diff_compose_scalar(m, named_within(scope), 3);
    struct diff_composed_column b = diff_compose_scalar(m, named_within(scope), 3), c, d;

    if (!diff_may(m, DIFF_ROW_VALUE, 100))
        return NULL;
    const char *query =
        depth <= 2 && diff_chance(m, 30) ? whole_query(m, scope, depth, 2) : NULL;
    if (query != NULL)
        return diff_compose_print(m, "(%s, %s) IN %s", a.text, b.text, query);
    const char *from = from_where(m, &inner, depth);
    alone = inner;
    alone.outer = NULL;
    if (!diff_compose_pick(m, &alone, &c) || !diff_compose_pick(m, &alone, &d))
        return NULL;
    if (diff_may(m, DIFF_SCALAR, 30) && c.is_firm)
        return diff_compose_print(m, "(%s, %s) %s (SELECT max(%s), count(%s)%s)", a.text,
            b.text, operators[diff_choose(m, 4)], c.text, d.text, from);
    bool is_not = diff_may(m, DIFF_NOT_IN, 30);
    return diff_compose_print(m, "(%s, %s) %sIN (SELECT %s, %s%s)", a.text, b.text,
        is_not ? "NOT " : "", c.text, d.text, from);
}

/* An aggregate of everything: one row, and one value. */
static struct diff_composed_column fold_of(
    struct diff_composer *m, struct diff_scope *inner, unsigned depth, bool is_orderly)
{
    struct diff_scope alone = *inner;
    struct diff_composed_column fold;

    alone.outer = NULL;
    for (unsigned i = 0; i < 4; i++) {
        fold = diff_compose_fold(
            m, &alone, (struct diff_wish){.depth = depth, .is_correlated = !is_orderly});
        if (!fold.is_loose)
            return fold;
    }
    return (struct diff_composed_column){.text = "count(*)",
        .domain = DIFF_INTEGERS,
        .kind = 'I',
        .letter = 'B',
        .is_firm = true,
        .item = -1};
}

/* The length of a list, which is the same in every order of its elements. */
static bool list_of(
    struct diff_composer *m, const struct diff_scope *inner, struct diff_composed_column *fold)
{
    struct diff_scope alone = *inner;
    struct diff_composed_column a;

    alone.outer = NULL;
    if (!diff_may(m, DIFF_CONCAT, 10) || !diff_compose_pick(m, &alone, &a))
        return false;
    *fold = (struct diff_composed_column){
        .text = diff_compose_print(m, "length(group_concat(quote(%s)))", a.text),
        .domain = DIFF_INTEGERS,
        .kind = 'I',
        .letter = 'B',
        .item = -1};
    return true;
}

/* Else what is read may be rows of functions, which have no order that could be settled. */
static bool reads_tables_alone(const char *from)
{
    static const char *const others[] = {
        "json_", "`v", "(SELECT", "(VALUES", " q0 AS", " q1 AS", " p0 AS"};

    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        if (strstr(from, others[i]) != NULL)
            return false;
    }
    return true;
}

static struct diff_composed_column value(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_scope inner = {.outer = named_within(scope)};
    const char *from = from_where(m, &inner, depth);
    bool is_orderly = reads_tables_alone(from);
    struct diff_composed_column fold;

    if (!is_orderly || !list_of(m, &inner, &fold))
        fold = fold_of(m, &inner, depth, is_orderly);
    fold.text = diff_compose_print(m, "(SELECT %s%s)", fold.text, from);
    fold.is_firm = false;
    return fold;
}

/* " FROM ... WHERE by <= what is around [AND ...]": so that the first is the nearest. */
static const char *from_near(struct diff_composer *m, struct diff_scope *inner, unsigned depth,
    bool is_last, struct diff_composed_column *by)
{
    struct diff_text text = {0};
    struct diff_scope alone, around = *inner->outer;
    struct diff_composed_column b;
    const char *operator= diff_chance(m, 50) ? "" : "=";

    diff_compose_from(m, inner, (struct diff_wish){.depth = depth}, &text);
    alone = *inner;
    alone.outer = around.outer = NULL;
    if (diff_compose_pick(m, &alone, by) && diff_compose_pick(m, &around, &b)) {
        for (unsigned i = 0; i < 4 && by->kind != b.kind; i++)
            diff_compose_pick(m, &around, &b);
        diff_text_add(
            &text, " WHERE %s %s%s %s", by->text, is_last ? "<" : ">", operator, b.text);
        if (diff_chance(m, 40))
            diff_text_add(&text, " AND %s", diff_compose_link(m, inner, false));
        if (diff_chance(m, 25))
            diff_text_add(&text, " AND %s", diff_compose_condition(m, &alone, depth + 1));
    } else {
        *by = (struct diff_composed_column){.text = "1"};
    }
    return diff_arena_take(&m->c->arena, &text);
}

/* The first by an order that has no ties but of what is the same. */
const char *diff_compose_first(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    struct diff_scope inner = {.outer = named_within(scope)}, alone;
    struct diff_composed_column by = {.text = "1"}, of;
    bool is_last = diff_chance(m, 50);
    bool is_near = diff_may(m, DIFF_CORRELATED, 70);
    const char *from =
        is_near ? from_near(m, &inner, depth, is_last, &by) : from_where(m, &inner, depth);

    alone = inner;
    alone.outer = NULL;
    if ((!is_near && !diff_compose_pick(m, &alone, &by)) ||
        !diff_compose_pick(m, &alone, &of) || of.is_rough)
        return NULL;
    return diff_compose_print(m,
        of.is_key ? "(SELECT %s%s ORDER BY %s%s, %s LIMIT 1)"
                  : "(SELECT %s%s ORDER BY %s%s, quote(%s) LIMIT 1)",
        of.text, from, by.text, is_last ? " DESC" : "", of.text);
}

const char *diff_compose_value(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    const char *first = NULL;

    if (!diff_may(m, DIFF_SCALAR, 100))
        return NULL;
    if (diff_may(m, DIFF_FIRST, 45))
        first = diff_compose_first(m, scope, depth);
    return first != NULL ? first : value(m, scope, depth).text;
}

/* Beside the value of a subquery as it is, or of an expression with it. */
static const char *scalar(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *const forms[] = {"%s = %s", "%s < %s", "%s >= %s", "%s IS %s",
        "%s <> %s", "%s > coalesce(%s, 1)", "%s <= %s || ''", "%s BETWEEN %s AND 3",
        "%s NOT BETWEEN 0 AND %s", "%s IS NOT %s"};
    struct diff_composed_column a = diff_compose_scalar(m, scope, 3);
    const char *text = diff_compose_value(m, scope, depth);
    const char *form = forms[diff_choose(m, 10)];
    if (text == NULL)
        return NULL;
    if (diff_chance(m, 20) && strstr(form, "BETWEEN") == NULL)
        return diff_compose_print(m, form, text, a.text);
    return diff_compose_print(m, form, a.text, text);
}

const char *diff_compose_test(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth)
{
    static const char *(*const forms[])(struct diff_composer *, const struct diff_scope *,
        unsigned) = {exists, in, scalar, row_value};
    static const unsigned weights[] = {35, 35, 18, 12};
    if (depth > 2)
        return NULL;
    return forms[diff_random_weighted(m->random, weights, 4)](m, scope, depth);
}
