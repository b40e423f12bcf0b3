/* Random aggregates, expressions over them, and HAVING. */
#include "tests/diff_view.h"

#include <string.h>

/* %s is the argument; a mark is needed where the result depends on which of several equal
** values stands for them. */
struct aggregate {
    unsigned weight;
    const char *before;
    const char *after; /* NULL: takes no argument, and before is the whole */
    bool is_member;    /* shows one of its arguments */
    bool needs_firm;
    bool takes_filter;
};

static const struct aggregate aggregates[] = {
    {14, "count(*)", NULL, false, false, true},
    {8, "count(", ")", false, false, true},
    {16, "@sum(", ")", false, false, true},
    {6, "@total(", ")", false, false, true},
    {10, "@avg(", ")", false, false, true},
    {10, "min(", ")", true, false, true},
    {10, "max(", ")", true, false, true},
    {6, "count(DISTINCT ", ")", false, false, true},
    {3, "@sum(DISTINCT ", ")", false, true, true},
    {2, "@avg(DISTINCT ", ")", false, true, true},
    {2, "@total(DISTINCT ", ")", false, true, true},
    {2, "max(DISTINCT ", ")", true, false, true},
    {5, "unanimous(", ")", false, false, true},
    {2, "unanimous(DISTINCT ", ")", false, true, true},
    {2, "unanimous(", ") IS NULL", false, false, false},
    {3, "1.0 * @sum(", ") / count(*)", false, false, false},
    {3, "coalesce(@sum(", "), 0)", false, false, false},
    {3, "round(@avg(", "), 1)", false, false, false},
    {2, "count(*) - count(", ")", false, false, false},
    {2, "CASE WHEN count(*) > 2 THEN 'many' ELSE 'few' END", NULL, false, false, false},
    {2, "typeof(@sum(", "))", false, false, false},
    {2, "max(", ") IS NULL", false, false, false},
    {2, "count(*) || ' rows'", NULL, false, false, false},
    {2, "typeof(min(", "))", false, true, false},
    {2, "max(", ") || ''", false, true, false},
    {2, "@total(", ") > count(*)", false, false, false},
};
enum { n_kinds = sizeof aggregates / sizeof *aggregates };

/* The extension's own is for engines that have it. */
static unsigned weight_of(const struct diff_case *c, const struct aggregate *aggregate)
{
    bool is_ours = strncmp(aggregate->before, "unanimous", 9) == 0;
    return is_ours && !c->options.with_unanimous ? 0 : aggregate->weight;
}

static const struct aggregate *some_aggregate(
    const struct diff_case *c, struct diff_random *random)
{
    unsigned weights[n_kinds];
    for (unsigned i = 0; i < n_kinds; i++)
        weights[i] = weight_of(c, &aggregates[i]);
    return &aggregates[diff_random_weighted(random, weights, n_kinds)];
}

/* abs and friends, but nothing whose sums would not be exact where the case says that they are.
 */
static struct diff_expression argument(
    struct diff_case *c, struct diff_random *random, struct diff_view *view)
{
    static const char *const before[] = {"length(", "abs(", "", "", "CASE WHEN ", ""};
    static const char *const after[] = {
        ")", ")", " + 1", " * 2", " IS NULL THEN 0 ELSE 1 END", " = 1"};
    struct diff_expression e;
    unsigned i = diff_random_below(random, 6);

    do
        e = diff_view_expression(c, random, view, 100);
    while (!e.is_bare);
    if (diff_random_percent(random, 72))
        return e;
    if (c->may_fail && diff_random_percent(random, 15))
        return (struct diff_expression){
            diff_arena_print(&c->arena, "json_extract(%s, '$.a')", e.text), 'B', false, false,
            0};
    return (struct diff_expression){
        diff_arena_print(&c->arena, "%s%s%s", before[i], e.text, after[i]), 'B', false, false,
        0};
}

struct diff_view_column diff_view_aggregate(
    struct diff_case *c, struct diff_random *random, struct diff_view *view)
{
    const struct aggregate *kind;
    struct diff_expression e;
    struct diff_text text = {0}, filter = {0};

    do {
        kind = some_aggregate(c, random);
        e = argument(c, random, view);
    } while (kind->needs_firm && !e.is_firm);
    diff_text_add(&text, "%s", kind->before);
    if (kind->after != NULL)
        diff_text_add(&text, "%s%s", e.text, kind->after);

    struct diff_view_column column = {
        .spec = 'E', .collation = 'B', .affinity = '-', .is_filterable = true};
    const char *member = e.text;
    if (kind->takes_filter && diff_random_percent(random, 18)) {
        diff_condition(c, random, view->table, &filter);
        diff_text_add(&text, " FILTER (WHERE %s)", filter.data);
        member = diff_arena_print(&c->arena, "CASE WHEN %s THEN %s END", filter.data, e.text);
    }
    if (kind->is_member) {
        column.spec = e.spec;
        column.member = member;
        column.is_filterable = e.is_firm;
    }
    column.text = diff_arena_take(&c->arena, &text);
    diff_text_free(&filter);
    return column;
}

const char *diff_view_having(
    struct diff_case *c, struct diff_random *random, struct diff_view *view)
{
    static const char *const before[] = {"count(*) > 1", "@sum(", "min(", "count(DISTINCT ",
        "count(*) < 3 OR @total(", "max(", "NOT (count(", "count(*) BETWEEN 1 AND 2"};
    static const char *const after[] = {
        NULL, ") > 1", ") IS NOT NULL", ") = 1", ") > 2", ") IS NULL", ") > 1)", NULL};
    unsigned i = diff_random_below(random, 8);
    if (after[i] == NULL)
        return before[i];
    return diff_arena_print(
        &c->arena, "%s%s%s", before[i], argument(c, random, view).text, after[i]);
}
