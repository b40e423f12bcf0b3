/* Dropping parentheses, by rounds: each binds the text and drops the first that are left, of
** which no others are around.
**
** The subquery gives the columns that are named outside of it, each under its own name, which
** is what USING and NATURAL ask for; of several with one name all but the first get a number. A
** column that USING or NATURAL merges within the parentheses is given under its name as such,
** before those that it is made of. */
#include "sql/parentheses.h"

#include "sql/bind.h"
#include "sql/edit.h"
#include "sql/lex.h"
#include "sql/text.h"

enum { MOST_ROUNDS = 1000 };

/* A column that the subquery gives. */
struct given {
    size_t source;
    int column;      /* -1: the rowid */
    bool is_merged;  /* what its unqualified name stands for */
    const char *own; /* its name in the text */
    const char *name;
};

struct dropper {
    struct zsql_arena *arena;
    struct zsql_message *message;
    const char *text; /* of this round */
    struct zsql_edits edits;
    struct zsql_core *core;       /* the one that is changed in this round */
    const struct zsql_from *join; /* the member of its FROM that is; NULL: nothing is left */
    size_t item;                  /* its number */
    const char *alias;            /* of the subquery, as text */
    struct zsql_list given;       /* of struct given */
};

static int add_edit(struct dropper *dropper, struct zsql_span span, const char *text)
{
    return text == NULL ? ZS_NOMEM
                        : zsql_edits_add(dropper->arena, &dropper->edits, span, text);
}

static int apply(struct dropper *dropper, const char **text)
{
    *text = zsql_text_apply(dropper->arena, dropper->text, &dropper->edits);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

static int find_join(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct dropper *dropper = ctx;

    if (dropper->join != NULL || from->kind != ZSQL_FROM_JOIN)
        return ZS_OK;
    dropper->core = core;
    dropper->join = from;
    while (core->from.items[dropper->item] != from)
        dropper->item++;
    return ZS_OK;
}

/* Parentheses are not needed around the first members of FROM, or one alone, whose own name
** another behind them hides. */

static bool is_needed(const struct dropper *dropper)
{
    const struct zsql_from *join = dropper->join;

    return join->items.n > 1 && (dropper->item > 0 || join->alias.text != NULL);
}

static int take_out(struct dropper *dropper)
{
    const struct zsql_from *join = dropper->join, *first = join->items.items[0];
    struct zsql_span opening = {join->span.start, join->span.start + 1};
    struct zsql_span closing = {join->span.end - 1, join->span.end};
    int rc = add_edit(dropper, opening, "");

    if (join->items.n == 1 && join->alias.text != NULL && first->kind != ZSQL_FROM_JOIN)
        closing.start = zsql_lex(dropper->text, first->span.end).start;
    return rc == ZS_OK ? add_edit(dropper, closing, "") : rc;
}

/* What the subquery gives. */

static const struct zsql_source *source_at(const struct dropper *dropper, size_t i)
{
    return dropper->core->bound->sources.items[i];
}

static bool is_within(const struct dropper *dropper, size_t source)
{
    return source_at(dropper, source)->item == dropper->item;
}

static const struct given *find_given(
    const struct dropper *dropper, size_t source, int column, bool is_merged)
{
    for (size_t i = 0; i < dropper->given.n; i++) {
        const struct given *given = dropper->given.items[i];
        if (given->source == source && given->column == column && given->is_merged == is_merged)
            return given;
    }
    return NULL;
}

static bool is_taken(const struct dropper *dropper, const char *name)
{
    for (size_t i = 0; i < dropper->given.n; i++) {
        const struct given *given = dropper->given.items[i];
        if (zsql_same_name(given->name, name))
            return true;
    }
    return false;
}

static int give(
    struct dropper *dropper, size_t source, int column, bool is_merged, const char *own)
{
    struct given *given = zsql_arena_get(dropper->arena, sizeof(*given));

    if (given == NULL)
        return ZS_NOMEM;
    *given = (struct given){source, column, is_merged, own, own};
    for (size_t n = 1; given->name != NULL && is_taken(dropper, given->name); n++)
        given->name = zsql_text_format(dropper->arena, "%s:%zu", own, n);
    return given->name == NULL ? ZS_NOMEM
                               : zsql_list_append(dropper->arena, &dropper->given, given);
}

static bool holds(const struct zsql_span *outer, const struct zsql_span *inner)
{
    return outer->start <= inner->start && inner->end <= outer->end;
}

/* Does one of the sources within a member merge a column of that name? */
static bool is_merged_by(
    const struct dropper *dropper, const struct zsql_from *member, const char *name)
{
    for (size_t i = 0; i < dropper->core->bound->sources.n; i++) {
        const struct zsql_source *source = source_at(dropper, i);

        if (holds(&member->span, &source->from->span) && zsql_bound_merges(source, name))
            return true;
    }
    return false;
}

/* The number of joins by USING or NATURAL within the parentheses that merge columns of that
** name. */
static size_t count_merges(
    const struct dropper *dropper, const struct zsql_from *join, const char *name)
{
    size_t n = 0;

    for (size_t i = 0; i < join->items.n; i++) {
        const struct zsql_from *member = join->items.items[i];
        bool is_natural = (member->join & ZSQL_JOIN_NATURAL) != 0;

        if (zsql_from_is_using(member, name) ||
            (is_natural && is_merged_by(dropper, member, name)))
            n++;
        n += count_merges(dropper, member, name);
    }
    return n;
}

static size_t count_columns(const struct dropper *dropper, const char *name)
{
    size_t n = 0;

    for (size_t i = 0; i < dropper->core->bound->sources.n; i++) {
        const struct zsql_source *source = source_at(dropper, i);

        for (size_t j = 0; is_within(dropper, i) && j < source->relation.n_columns; j++)
            n += zsql_same_name(source->relation.columns[j].name, name);
    }
    return n;
}

/* Does the name alone stand for columns that are merged within the parentheses? Where no RIGHT or
** FULL join is, the first of them stands for all. In `b JOIN (c NATURAL JOIN d)` it may be one of
** b's, too: then it stands for none. */
static bool merges(const struct dropper *dropper, const char *name)
{
    size_t n = count_merges(dropper, dropper->join, name);

    return n > 0 && count_columns(dropper, name) <= n + 1;
}

static int give_columns(struct dropper *dropper, size_t i)
{
    const struct zsql_source *source = source_at(dropper, i);
    bool has_right_join = dropper->core->bound->has_right_join;
    size_t n = source->relation.n_columns;
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && j < n; j++) {
        const char *name = source->relation.columns[j].name;

        if (!source->is_used[j])
            continue;
        if (has_right_join && !is_taken(dropper, name) && merges(dropper, name))
            rc = give(dropper, i, (int)j, true, name);
        if (rc == ZS_OK)
            rc = give(dropper, i, (int)j, false, name);
    }
    return rc == ZS_OK && source->is_used[n] ? give(dropper, i, -1, false, "rowid") : rc;
}

static int give_all(struct dropper *dropper)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < dropper->core->bound->sources.n; i++) {
        if (is_within(dropper, i))
            rc = give_columns(dropper, i);
    }
    return rc;
}

/* "table.column", or the column alone. NULL without memory. */
static const char *write_column(struct dropper *dropper, const char *table, const char *column)
{
    table = table == NULL ? "" : zsql_text_quoted(dropper->arena, table, '"');
    column = zsql_text_quoted(dropper->arena, column, '"');
    return table == NULL || column == NULL ? NULL
                                           : zsql_text_format(dropper->arena, "%s%s%s", table,
                                                 *table != '\0' ? "." : "", column);
}

/* "(SELECT "b"."x" AS "x", ... FROM b JOIN c ON p) AS alias" */
static int write_subquery(struct dropper *dropper)
{
    const struct zsql_from *join = dropper->join;
    struct zsql_span within = {join->span.start + 1, join->span.end - 1};
    const char *members = zsql_text_copy(dropper->arena, dropper->text, within);
    const char *text = dropper->given.n == 0 ? "SELECT NULL" : "SELECT";

    for (size_t i = 0; text != NULL && i < dropper->given.n; i++) {
        const struct given *given = dropper->given.items[i];
        const char *table = given->is_merged ? NULL : source_at(dropper, given->source)->name;
        const char *column = write_column(dropper, table, given->own);
        const char *name = zsql_text_quoted(dropper->arena, given->name, '"');

        text = column == NULL || name == NULL
                   ? NULL
                   : zsql_text_format(
                         dropper->arena, "%s%s %s AS %s", text, i > 0 ? "," : "", column, name);
    }
    if (text == NULL || members == NULL)
        return ZS_NOMEM;
    text = zsql_text_format(dropper->arena, "(%s FROM %s)", text, members);
    if (text != NULL && join->alias.text == NULL)
        text = zsql_text_format(dropper->arena, "%s AS %s", text, dropper->alias);
    return add_edit(dropper, join->span, text);
}

/* What names the columns. */

static const char *write_given(struct dropper *dropper, const struct given *given)
{
    const char *name = zsql_text_quoted(dropper->arena, given->name, '"');

    return name == NULL ? NULL
                        : zsql_text_format(dropper->arena, "%s.%s", dropper->alias, name);
}

/* Does a member behind the parentheses merge a column of that name? */
static bool is_merged_behind(const struct dropper *dropper, const char *name)
{
    for (size_t i = dropper->item + 1; i < dropper->core->from.n; i++) {
        if (is_merged_by(dropper, dropper->core->from.items[i], name))
            return true;
    }
    return false;
}

/* The text of a column of the core outside of the parentheses; NULL without memory. */
static const char *write_outside(struct dropper *dropper, const struct zsql_expr *expr)
{
    bool is_inside = is_within(dropper, expr->source);
    const struct given *given;

    if (expr->is_merged && (!is_inside || is_merged_behind(dropper, expr->name.text)))
        return write_column(dropper, NULL, expr->name.text);
    if (!is_inside)
        return write_column(dropper, source_at(dropper, expr->source)->name, expr->name.text);
    given = find_given(dropper, expr->source, expr->column, expr->is_merged);
    return given == NULL ? NULL : write_given(dropper, given);
}

static int rename_column(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct dropper *dropper = ctx;
    (void)descend;
    if (expr->binding != ZSQL_COLUMN || expr->scope != dropper->core->bound ||
        !is_within(dropper, expr->source) || expr->is_merged ||
        holds(&dropper->join->span, &expr->span))
        return ZS_OK;
    return add_edit(dropper, expr->span, write_outside(dropper, expr));
}

/* What merges within the parentheses is called by its name alone, which others may have, too. */
static bool has_no_name(const struct dropper *dropper, const struct zsql_expr *expr)
{
    return expr->is_merged && is_within(dropper, expr->source) &&
           !is_merged_behind(dropper, expr->name.text) &&
           find_given(dropper, expr->source, expr->column, true) == NULL;
}

/* `*` as the n outputs from the first on that it stands for. */
static int spell_star(
    struct dropper *dropper, const struct zsql_result *result, size_t first, size_t n)
{
    const char *text = "";

    for (size_t i = first; text != NULL && i < first + n; i++) {
        const struct zsql_output *output = dropper->core->bound->outputs.items[i];
        const char *column, *name;

        if (has_no_name(dropper, output->expr))
            return zsql_refuse(dropper->message,
                "within parentheses several columns are called %s, of which USING or NATURAL"
                " merge some: write the columns instead of *",
                output->expr->name.text);
        column = write_outside(dropper, output->expr);
        name = zsql_text_quoted(dropper->arena, output->name, '"');
        text = column == NULL || name == NULL
                   ? NULL
                   : zsql_text_format(dropper->arena, "%s%s %s AS %s", text,
                         i > first ? "," : "", column, name);
    }
    return add_edit(dropper, result->span, text);
}

/* A column keeps its name where others may call it by that. */
static int keep_name(
    struct dropper *dropper, const struct zsql_result *result, const struct zsql_output *output)
{
    uint32_t at = zsql_lex(dropper->text, result->expr->span.end).start;
    const char *name;

    if (result->alias.text != NULL || dropper->core->bound->place.from == NULL)
        return ZS_OK;
    name = zsql_text_quoted(dropper->arena, output->name, '"');
    return name == NULL ? ZS_NOMEM
                        : add_edit(dropper, (struct zsql_span){at, at},
                              zsql_text_format(dropper->arena, " AS %s ", name));
}

static int rename_results(struct dropper *dropper)
{
    const struct zsql_core *core = dropper->core;
    size_t first = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];

        rc = result->kind == ZSQL_RESULT
                 ? keep_name(dropper, result, core->bound->outputs.items[first])
                 : spell_star(dropper, result, first, result->n_outputs);
        first += result->n_outputs;
    }
    return rc;
}

static int put_in(struct dropper *dropper, struct zsql_select *select)
{
    int rc = give_all(dropper);

    if (rc == ZS_OK)
        rc = write_subquery(dropper);
    if (rc == ZS_OK)
        rc = zsql_select_walk(select, rename_column, dropper);
    return rc == ZS_OK ? rename_results(dropper) : rc;
}

/* Rounds. */

int zsql_drop_parentheses(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled)
{
    int rc = ZS_OK;

    *spelled = text;
    for (unsigned round = 1; rc == ZS_OK && round <= MOST_ROUNDS; round++) {
        struct dropper dropper = {.arena = arena, .message = message, .text = *spelled};
        struct zsql_select *select;
        uint32_t error_at;

        rc = zsql_select_parse(arena, *spelled, &select, &error_at);
        if (rc == ZS_OK)
            rc = zsql_select_walk_from(select, find_join, &dropper);
        if (rc != ZS_OK || dropper.join == NULL)
            return rc;
        dropper.alias = dropper.join->alias.text != NULL
                            ? zsql_text_quoted(arena, dropper.join->alias.text, '"')
                            : zsql_text_format(arena, "lockstep_join_%u", round);
        rc = dropper.alias == NULL ? ZS_NOMEM
                                   : zsql_bind(arena, catalogue, *spelled, select, message);
        if (rc == ZS_OK)
            rc = is_needed(&dropper) ? put_in(&dropper, select) : take_out(&dropper);
        if (rc == ZS_OK)
            rc = apply(&dropper, spelled);
    }
    return rc == ZS_OK ? zsql_refuse(message, "too many joins are in parentheses") : rc;
}
