/* A composed view from its tape, and what it needs of letters. */
#include "tests/diff_compose.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const diff_construct_names[DIFF_CONSTRUCTS] = {"join", "comma", "cross", "left",
    "right", "full", "natural", "using", "parentheses", "from-subquery", "cte", "plain-view",
    "json-each", "in", "not-in", "exists", "not-exists", "scalar", "first", "row-value",
    "correlated", "in-select", "in-having", "in-on", "group", "global", "having", "filter",
    "distinct-aggregate", "concat", "json-group", "bare", "distinct", "union-all", "union",
    "intersect", "except", "order", "limit", "view", "values", "star", "merged", "whole-query",
    "in-aggregate", "own-aggregate", "distinct-groups", "latest"};

bool diff_constructs_read(const char *list, uint64_t *set)
{
    *set = 0;
    while (*list != 0) {
        size_t n = strcspn(list, ",");
        unsigned i = 0;
        while (i < DIFF_CONSTRUCTS && (strncmp(diff_construct_names[i], list, n) != 0 ||
                                          diff_construct_names[i][n] != 0))
            i++;
        if (i == DIFF_CONSTRUCTS)
            return false;
        *set |= UINT64_C(1) << i;
        list += n + (list[n] == ',');
    }
    return true;
}

/* The chance is the last of the choices, so that a tape of zeros uses nothing. */
bool diff_chance(struct diff_composer *m, unsigned percent)
{
    return diff_random_below(m->random, 100) >= 100 - percent;
}

unsigned diff_choose(struct diff_composer *m, unsigned n)
{
    return diff_random_below(m->random, n);
}

bool diff_may(struct diff_composer *m, enum diff_construct construct, unsigned chance)
{
    if ((m->c->options.without >> construct & 1) != 0 || !diff_chance(m, chance))
        return false;
    m->uses |= UINT64_C(1) << construct;
    return true;
}

const char *diff_compose_print(struct diff_composer *m, const char *format, ...)
{
    struct diff_text text = {0};
    va_list arguments;
    char line[4096];

    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (n < (int)sizeof line)
        diff_text_add_bytes(&text, line, (size_t)n);
    else
        diff_text_add(&text, "NULL"); /* longer than anybody would write */
    return diff_arena_take(&m->c->arena, &text);
}

/* A query of a column with the letter can compare it and always has the same answer. */
static bool is_filterable(const struct diff_composed_column *column, bool is_simple)
{
    return is_simple && !column->is_loose && !column->is_mixed && column->letter != 'G' &&
           column->letter != 'J';
}

static void describe_columns(
    struct diff_view *view, const struct diff_relation *relation, bool is_simple)
{
    view->n_columns = relation->n;
    for (unsigned i = 0; i < relation->n; i++) {
        const struct diff_composed_column *column = &relation->columns[i];
        bool is_list = column->letter == 'G' || column->letter == 'J';
        char spec = column->is_loose || is_list ? column->letter : 'E';
        view->columns[i] = (struct diff_view_column){.text = column->text,
            .alias = column->text[0] == '`' ? NULL : column->text,
            .spec = spec,
            .member_spec = spec,
            .collation = column->letter,
            .is_filterable = is_filterable(column, is_simple),
            .affinity = '?'};
    }
}

/* By some columns, of which it is certain how they compare. */
static void order(struct diff_composer *m, struct diff_view *view,
    const struct diff_relation *relation, struct diff_text *text)
{
    static const char *const ways[] = {
        "", "", "", " DESC", " DESC", " NULLS LAST", " DESC NULLS FIRST", " COLLATE BINARY"};
    const char *separator = " ORDER BY ";

    memset(view->ordered, '?', relation->n);
    view->ordered[relation->n] = 0;
    for (unsigned n = diff_choose(m, relation->n + 1); n > 0; n--) {
        unsigned i = diff_choose(m, relation->n);
        const struct diff_composed_column *column = &relation->columns[i];
        unsigned way = diff_choose(m, m->uses >> DIFF_UNION_ALL & 15 ? 7 : 8);
        if (column->is_loose || column->is_mixed || column->letter == 'G' ||
            column->letter == 'J' || view->ordered[i] != '?')
            continue;
        view->ordered[i] = way == 7 ? 'B' : column->letter;
        diff_text_add(text, "%s%u%s", separator, i + 1, ways[way]);
        separator = ", ";
    }
}

/* Which rows come first is certain by the columns that order them; of the others it is one of
** the rows that there are without LIMIT. */
static void limit(struct diff_composer *m, struct diff_view *view,
    const struct diff_relation *relation, struct diff_text *text)
{
    view->members = diff_compose_print(m, "%s", text->data);
    order(m, view, relation, text);
    for (unsigned i = 0; i < relation->n; i++) {
        const struct diff_composed_column *column = &relation->columns[i];
        view->columns[i].spec = view->ordered[i] == '?' ? '?'
                                : column->is_firm       ? 'E'
                                                        : view->ordered[i];
    }
    diff_text_add(text, " LIMIT %s", diff_chance(m, 10) ? "-1" : "");
    if (text->data[text->len - 1] == ' ')
        diff_text_add(text, "%u", diff_choose(m, 5));
    if (diff_chance(m, 30))
        diff_text_add(text, " OFFSET %u", diff_choose(m, 3));
}

/* All that a view reads is planned with it, and there are bounds to that. */
enum { MOST_BYTES_READ = 600 };

/* What others may read of it: not which of equal rows LIMIT shows. */
static const struct diff_relation *keep(
    struct diff_composer *m, const struct diff_relation *relation)
{
    struct diff_text bytes = {0};
    diff_text_add_bytes(&bytes, (const char *)relation, sizeof *relation);
    return (const struct diff_relation *)(const void *)diff_arena_take(&m->c->arena, &bytes);
}

static void compose(struct diff_composer *m, struct diff_view *view)
{
    struct diff_relation relation;
    struct diff_wish wish = {.is_top = true};
    struct diff_text text = {0}, query = {0};

    diff_compose_query(m, NULL, wish, &relation, &query);
    diff_text_reset(&text);
    if (m->ctes.data != NULL)
        diff_text_add_bytes(&text, m->ctes.data, m->ctes.len);
    diff_text_add_bytes(&text, query.data, query.len);
    view->members = NULL;
    view->ordered[0] = 0;
    bool is_limited = diff_may(m, DIFF_LIMIT, 14);
    /* SQLite (3.40.1) may lose a condition on a subquery with RIGHT JOIN. */
    uint64_t right = UINT64_C(1) << DIFF_RIGHT | UINT64_C(1) << DIFF_FULL;
    describe_columns(view, &relation, !is_limited && (m->uses & right) == 0);
    if (is_limited)
        limit(m, view, &relation, &text);
    else if (diff_may(m, DIFF_ORDER, 8))
        order(m, view, &relation, &text);
    view->text = diff_arena_take(&m->c->arena, &text);
    view->uses = m->uses;
    view->is_rough = m->is_rough;
    view->n_bytes = strlen(view->text) + m->n_read;
    if (!is_limited && view->n_bytes <= MOST_BYTES_READ)
        view->relation = keep(m, &relation);
    diff_text_free(&query);
    diff_text_free(&m->ctes);
}

void diff_compose(struct diff_case *c, struct diff_random *random, struct diff_view *view)
{
    struct diff_tape tape = {
        .is_given = random == NULL, .values = (unsigned *)view->choices, .n = view->n_choices};
    struct diff_random choices = {.state = random == NULL ? 0 : random->state, .tape = &tape};
    struct diff_composer m = {
        .c = c, .random = &choices, .n_readable = (unsigned)(view - c->views)};

    view->relation = NULL;
    if (diff_may(&m, DIFF_BARE, 12))
        diff_compose_bare(&m, view);
    else
        compose(&m, view);
    if (random == NULL)
        return;
    struct diff_text bytes = {0};
    random->state = choices.state;
    diff_text_add_bytes(&bytes, (const char *)tape.values, tape.n * sizeof *tape.values);
    diff_tape_free(&tape);
    view->n_choices = tape.n;
    view->choices = (const unsigned *)(const void *)diff_arena_take(&c->arena, &bytes);
}

void diff_compose_plain_view(struct diff_case *c, struct diff_random *random)
{
    struct diff_composer m = {.c = c, .random = random, .is_plain = true};
    struct diff_wish wish = {.depth = 1};
    struct diff_text text = {0};
    struct diff_table *last = &c->tables[c->n_tables - 1];
    struct diff_relation relation;

    if (last->n_extras == DIFF_EXTRAS)
        return;
    diff_text_add(&text, "CREATE VIEW `h`p0 AS ");
    diff_compose_query(&m, NULL, wish, &relation, &text);
    last->extras[last->n_extras++] = diff_arena_take(&c->arena, &text);
    c->plain_relation = keep(&m, &relation);
    c->plain_view = "p0";
}
