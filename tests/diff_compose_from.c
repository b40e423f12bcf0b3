/* FROM: items, which diff_compose_source.c makes, joined in every way. */
#include <string.h>

#include "tests/diff_compose.h"

/* A column of the item beside one of those before, equal in most cases. */
static const char *meeting(
    struct diff_composer *m, const struct diff_scope *before, const struct diff_scope *item)
{
    static const char *const operators[] = {"=", "=", "=", "=", "=", "=", "=", "IS", "<", ">="};
    struct diff_scope inner = *item, earlier = *before;
    struct diff_composed_column a, b;

    inner.outer = earlier.outer = NULL;
    if (!diff_compose_pick(m, &inner, &a) || !diff_compose_pick(m, &earlier, &b))
        return "1";
    /* one of the same kind, where it is soon found */
    for (unsigned i = 0; i < 3 && a.kind != b.kind; i++)
        diff_compose_pick(m, &earlier, &b);
    return diff_compose_print(m, "%s %s %s", a.text, operators[diff_choose(m, 10)], b.text);
}

/* A column of the item is what a subquery gives for a row of those before: NULL where there is
** none. */
static const char *latest(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, unsigned depth)
{
    struct diff_scope inner = *item;
    struct diff_composed_column a;
    const char *first = diff_compose_first(m, before, depth + 1);

    inner.outer = NULL;
    if (first == NULL || !diff_compose_pick(m, &inner, &a))
        return NULL;
    return diff_chance(m, 50) ? diff_compose_print(m, "%s = %s", a.text, first)
                              : diff_compose_print(m, "%s = %s", first, a.text);
}

/* A condition over both sides; "" for one of constants alone: where that is false, 3.40.1 loses
** rows of a RIGHT JOIN behind. */
static const char *further(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, const struct diff_scope *both)
{
    const char *word = diff_chance(m, 25) ? " OR " : " AND ";
    const char *condition =
        diff_chance(m, 30) ? meeting(m, before, item) : diff_compose_condition(m, both, 3);

    for (unsigned i = 0; i < both->n; i++) {
        if (strstr(condition, both->columns[i].text) != NULL)
            return diff_compose_print(m, "%s%s", word, condition);
    }
    return "";
}

static void add_on(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, struct diff_wish wish, struct diff_text *out)
{
    struct diff_scope both = *before;
    const char *test = NULL, *meets = NULL;

    for (unsigned i = 0; i < item->n; i++)
        diff_scope_add(&both, item->columns[i]);
    if (wish.depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_ON, 5) && diff_may(m, DIFF_FIRST, 100))
        meets = latest(m, before, item, wish.depth);
    diff_text_add(out, " ON %s", meets != NULL ? meets : meeting(m, before, item));
    if (diff_chance(m, 25))
        diff_text_add(out, "%s", further(m, before, item, &both));
    if (wish.depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_ON, 6))
        test = diff_compose_test(m, &both, 2);
    if (test != NULL)
        diff_text_add(out, " AND %s", test);
}

static bool may_compare(const struct diff_composed_column *column)
{
    return !column->is_loose && !column->is_mixed;
}

/* The column's name, behind that of what it is of, if that has one. */
static const char *own_name(const struct diff_composed_column *column)
{
    const char *dot = column->text[0] == '`' ? NULL : strchr(column->text, '.');
    return dot != NULL ? dot + 1 : column->text;
}

/* A name that the item shares with a column before, for USING; NULL where there is none. A
** table's names are those that it has at first. */
static const char *shared_name(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, struct diff_composed_column *left)
{
    struct diff_names names = {0};
    diff_names_init(&names, m->c);
    for (unsigned i = 0; i < item->n; i++) {
        struct diff_text a = {0}, b = {0};
        const char *found = NULL;
        diff_render(m->c, &names, DIFF_AS_VIEW, own_name(&item->columns[i]), &a);
        for (unsigned k = 0; k < before->n && found == NULL; k++) {
            diff_text_reset(&b);
            diff_render(m->c, &names, DIFF_AS_VIEW, own_name(&before->columns[k]), &b);
            if (strcmp(a.data, b.data) == 0 && may_compare(&before->columns[k]) &&
                may_compare(&item->columns[i])) {
                found = own_name(&item->columns[i]);
                *left = before->columns[k];
            }
        }
        diff_text_free(&a);
        diff_text_free(&b);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The name as such, which stands for the left side's column; or, where that may be missing, for
** the first of both that is not NULL: a value of unknown kind. */
static void add_merged(struct diff_composer *m, struct diff_scope *scope, const char *name,
    struct diff_composed_column left, bool may_be_missing)
{
    if (may_be_missing)
        left = (struct diff_composed_column){
            .domain = left.domain, .kind = 'O', .letter = 'B', .is_mixed = true};
    left.text = name;
    left.item = -1;
    left.is_key = false;
    if (diff_may(m, DIFF_MERGED, 60))
        diff_scope_add(scope, left);
}

/* NATURAL compares what the names say, loose columns too. */
static bool has_loose(const struct diff_scope *scope)
{
    for (unsigned i = 0; i < scope->n; i++) {
        if (!may_compare(&scope->columns[i]))
            return true;
    }
    return false;
}

static const char *outer_join(struct diff_composer *m)
{
    if (diff_may(m, DIFF_LEFT, 70))
        return " LEFT JOIN ";
    if (diff_may(m, DIFF_RIGHT, 50))
        return " RIGHT JOIN ";
    if (diff_may(m, DIFF_FULL, 60))
        return " FULL JOIN ";
    return " LEFT JOIN ";
}

static bool may_be_outer(struct diff_composer *m)
{
    uint64_t outer =
        UINT64_C(1) << DIFF_LEFT | UINT64_C(1) << DIFF_RIGHT | UINT64_C(1) << DIFF_FULL;
    return (m->c->options.without & outer) == 0 && diff_chance(m, 40);
}

static void join_one(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out);

/* A join of two in parentheses. */
static void add_parentheses(struct diff_composer *m, struct diff_scope *item,
    struct diff_wish wish, struct diff_text *out)
{
    struct diff_wish within = {.depth = wish.depth + 1};

    diff_text_add(out, "(");
    diff_compose_item(m, item, NULL, within, out);
    join_one(m, item, within, out);
    diff_text_add(out, ")");
}

static void join_one(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out)
{
    struct diff_scope item = {.outer = NULL};
    struct diff_text text = {0};
    struct diff_composed_column left;
    const char *name;

    if (wish.depth < 2 && scope->rows < 50 && diff_may(m, DIFF_PARENTHESES, 8))
        add_parentheses(m, &item, wish, &text);
    else
        diff_compose_item(m, &item, scope, wish, &text);
    bool is_large = scope->rows * item.rows > 150;
    bool is_function = strncmp(text.data, "json_", 5) == 0;
    bool is_outer = may_be_outer(m);
    const char *join = !is_outer ? " JOIN " : is_function ? " LEFT JOIN " : outer_join(m);
    if (!is_outer)
        m->uses |= UINT64_C(1) << DIFF_JOIN;
    double rows = scope->rows * item.rows;
    if (!is_large && !is_outer && diff_may(m, DIFF_COMMA, 20)) {
        diff_text_add(out, ", %s", text.data);
    } else if (!is_large && !is_outer && diff_may(m, DIFF_CROSS, 8)) {
        diff_text_add(out, " CROSS JOIN %s", text.data);
    } else if (!is_large && !has_loose(scope) && !has_loose(&item) && !is_function &&
               diff_may(m, DIFF_NATURAL, 8)) {
        diff_text_add(out, " NATURAL%s%s", join, text.data);
    } else if (!is_function && (name = shared_name(m, scope, &item, &left)) != NULL &&
               diff_may(m, DIFF_USING, 12)) {
        diff_text_add(out, "%s%s USING (%s)", join, text.data, name);
        add_merged(m, scope, name, left, strchr("RF", join[1]) != NULL);
        rows /= 4;
    } else {
        diff_text_add(out, "%s%s", join, text.data);
        add_on(m, scope, &item, wish, out);
        rows /= 4;
    }
    diff_text_free(&text);
    for (unsigned i = 0; i < item.n; i++)
        diff_scope_add(scope, item.columns[i]);
    scope->rows = rows < 1 ? 1 : rows;
}

/* A subquery of one row that is compared with what stands before, and read nowhere else. */
static void join_value(struct diff_composer *m, const struct diff_scope *scope,
    struct diff_wish wish, struct diff_text *out)
{
    static const char *const forms[] = {"%s = %s", "%s > %s", "%s <= %s", "%s <> %s",
        "%s BETWEEN %s AND 2", "%s IS %s OR 0", "CASE WHEN %s >= %s THEN 1 END"};
    struct diff_scope inner = {.outer = NULL}, alone = *scope;
    struct diff_composed_column a, b;
    struct diff_text from = {0};
    unsigned number = m->n_items++;

    wish.depth++;
    diff_compose_from(m, &inner, wish, &from);
    alone.outer = NULL;
    if (diff_compose_pick(m, &inner, &a) && diff_compose_pick(m, &alone, &b)) {
        const char *value = diff_compose_print(m, "a%u.c0", number);

        diff_text_add(out, " JOIN (SELECT %s(%s) AS c0%s) AS a%u ON ",
            a.is_firm ? "max" : "count", a.text, from.data, number);
        diff_text_add(
            out, "%s", diff_compose_print(m, forms[diff_choose(m, 7)], b.text, value));
        m->uses |= UINT64_C(1) << DIFF_JOIN | UINT64_C(1) << DIFF_FROM_SUBQUERY;
    }
    diff_text_free(&from);
}

void diff_compose_from(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out)
{
    static const unsigned chances[] = {72, 40, 25}; /* of one more item */

    diff_text_add(out, " FROM ");
    diff_compose_item(m, scope, NULL, wish, out);
    for (unsigned i = 0; i < 3; i++) {
        unsigned chance = wish.depth == 0 ? chances[i] : chances[i] / 3;
        bool is_left_out = (m->c->options.without >> DIFF_JOIN & 1) != 0;
        if (is_left_out || scope->rows > 250 || !diff_chance(m, chance))
            break;
        join_one(m, scope, wish, out);
    }
    if (wish.depth == 0 && diff_may(m, DIFF_JOIN, 8) && diff_may(m, DIFF_FROM_SUBQUERY, 100))
        join_value(m, scope, wish, out);
}
