/* Finding occurrences, and the edits that mark them. */
#include "sql/occurrence.h"

#include "sql/compared.h"
#include "sql/head.h"
#include "sql/lex.h"
#include "sql/template.h"
#include "sql/text.h"
#include "sql/traits.h"

struct finder {
    struct zsql_arena *arena;
    struct zsql_list *list;
};

bool zsql_is_never_read(const struct zsql_bound *bound, const struct zsql_from *from)
{
    while (bound != NULL) {
        const struct zsql_source *source =
            from == NULL ? NULL : zsql_bound_source_of(bound, from);

        if (source != NULL && zsql_from_is_never(bound->core->from.items[source->item]))
            return true;
        from = bound->place.from;
        bound = bound->place.around == NULL ? NULL : bound->place.around->bound;
    }
    return false;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct finder *finder = ctx;
    struct zsql_occurrence *found;

    if (from->kind != ZSQL_FROM_TABLE && from->kind != ZSQL_FROM_MADE)
        return ZS_OK;
    found = zsql_arena_get(finder->arena, sizeof(*found));
    if (found == NULL)
        return ZS_NOMEM;
    found->from = from;
    found->core = core;
    found->source = zsql_bound_source_of(core->bound, from);
    found->is_never_read = zsql_is_never_read(core->bound, from);
    return zsql_list_append(finder->arena, finder->list, found);
}

int zsql_occurrences_find(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list)
{
    struct finder finder = {arena, list};

    return zsql_core_walk_from(core, visit_from, &finder);
}

/* Aggregate calls are computed over rows, and so are the keys of groups. */
static int visit_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct finder *finder = ctx;
    int rc = ZS_OK;

    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_call, ctx);
    if (expr->select != NULL)
        *descend = false;
    if (expr->kind != ZSQL_CALL || !expr->call->is_aggregate)
        return ZS_OK;
    *descend = false;
    for (size_t i = 0; rc == ZS_OK && i < expr->operands.n; i++)
        rc = zsql_expr_walk_from(expr->operands.items[i], visit_from, finder);
    return rc == ZS_OK ? zsql_expr_walk_from(expr->call->filter, visit_from, finder) : rc;
}

bool zsql_occurrence_is_of_value(const struct zsql_occurrence *occurrence)
{
    const struct zsql_bound *bound = occurrence->core->bound;
    const struct zsql_from *from = occurrence->from;

    if (from->made_of != NULL && !from->is_made_alone)
        return zsql_gives_one_row(from->made_of);
    return bound->place.expr != NULL && bound->place.expr->kind == ZSQL_SUBQUERY &&
           !bound->is_correlated;
}

/* Such come first: what a change of theirs touches is then looked up in the tables as they are
** now, which is cheaper than in the past. */
static void put_values_first(struct zsql_list *list)
{
    size_t n_values = 0;

    for (size_t i = 0; i < list->n; i++) {
        void *occurrence = list->items[i];

        if (!zsql_occurrence_is_of_value(occurrence))
            continue;
        for (size_t j = i; j > n_values; j--)
            list->items[j] = list->items[j - 1];
        list->items[n_values++] = occurrence;
    }
}

static int find_rows(struct zsql_core *core, struct finder *finder)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++)
        rc = zsql_member_walk_from(core, core->from.items[i], visit_from, finder);
    if (rc == ZS_OK)
        rc = zsql_expr_walk_from(core->where, visit_from, finder);
    for (size_t i = 0; rc == ZS_OK && i < core->bound->group_by.n; i++)
        rc = zsql_expr_walk_from(
            zsql_bound_target(core->bound->group_by.items[i]), visit_from, finder);
    for (size_t i = 0; rc == ZS_OK && i < core->bound->outputs.n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, visit_call, finder);
    }
    return rc == ZS_OK ? zsql_expr_walk(core->having, visit_call, finder) : rc;
}

int zsql_occurrences_of_rows(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list)
{
    struct finder finder = {arena, list};
    int rc = core->bound->is_aggregate ? find_rows(core, &finder)
                                       : zsql_occurrences_find(arena, core, list);

    put_values_first(list);
    return rc;
}

static bool holds(const struct zsql_list *list, const struct zsql_from *from)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct zsql_occurrence *occurrence = list->items[i];
        if (occurrence->from == from)
            return true;
    }
    return false;
}

int zsql_occurrences_of_groups(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list)
{
    struct zsql_list all = {0}, rows = {0};
    int rc = zsql_occurrences_find(arena, core, &all);

    if (rc == ZS_OK)
        rc = zsql_occurrences_of_rows(arena, core, &rows);
    for (size_t i = 0; rc == ZS_OK && i < all.n; i++) {
        struct zsql_occurrence *occurrence = all.items[i];
        if (!holds(&rows, occurrence->from))
            rc = zsql_list_append(arena, list, occurrence);
    }
    return rc;
}

/* Marks. */

struct marker {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits *edits;
};

const char *zsql_occurrence_alone(struct zsql_arena *arena, size_t number)
{
    const char *mark = zsql_template_mark(arena, number);

    return mark == NULL ? NULL : zsql_text_format(arena, "%s AS lockstep_made", mark);
}

const char *zsql_occurrence_presence(
    struct zsql_arena *arena, const struct zsql_occurrence *occurrence, size_t number)
{
    const char *name = zsql_text_quoted(arena, occurrence->source->name, '"');

    if (name == NULL)
        return NULL;
    return occurrence->from->kind == ZSQL_FROM_MADE
               ? zsql_text_format(arena, "%s.lockstep_weight_%zu", name, number)
               : zsql_text_format(arena, "%s.lockstep_weight", name);
}

/* Is column i of what an operator made of a scalar subquery JSON? */
static bool is_json(const struct zsql_occurrence *occurrence, size_t i)
{
    const struct zsql_select *select = occurrence->from->made_of;
    const struct zsql_place *place = &occurrence->core->bound->place;
    const struct zsql_core *core = select == NULL ? NULL : select->cores.items[0];

    return core != NULL && place->expr != NULL && place->expr->kind == ZSQL_SUBQUERY &&
           i < core->bound->outputs.n &&
           zsql_is_taken_as_json(place->expr, place->around, core->bound->outputs.items[i]);
}

/* "SELECT c0, c1 FROM mark AS lockstep_made" in an expression; in FROM
** "(SELECT c0 AS "a", c1 AS "b" FROM mark)". */
static const char *write_made(
    struct zsql_arena *arena, const struct zsql_occurrence *occurrence, size_t number)
{
    const struct zsql_relation *relation = &occurrence->source->relation;
    const struct zsql_from *from = occurrence->from;
    bool is_alone = from->is_made_alone;
    const char *text = is_alone ? "SELECT" : "(SELECT";
    const char *mark =
        is_alone ? zsql_occurrence_alone(arena, number) : zsql_template_mark(arena, number);

    if (from->made_before != NULL)
        return mark == NULL ? NULL
                            : zsql_text_format(
                                  arena, "%s %s %s", from->made_before, mark, from->made_after);
    for (size_t i = 0; text != NULL && i < relation->n_columns; i++) {
        const char *name = zsql_text_quoted(arena, relation->columns[i].name, '"');
        const char *column = zsql_text_format(arena, "c%zu", i);

        column = column == NULL ? NULL : zsql_traits_read_made(arena, from, i, column);
        if (column != NULL && is_alone && is_json(occurrence, i))
            column = zsql_text_format(arena, "lockstep_json(%s)", column);
        if (name == NULL || column == NULL)
            return NULL;
        text = zsql_text_format(arena, "%s%s %s%s%s", text, i > 0 ? "," : "", column,
            is_alone ? "" : " AS ", is_alone ? "" : name);
    }
    if (text != NULL && !is_alone && occurrence->source->is_nullable) {
        const char *weight = zsql_template_weight(arena, number);
        text = weight == NULL ? NULL : zsql_text_format(arena, "%s%s", text, weight);
    }
    return text == NULL || mark == NULL
               ? NULL
               : zsql_text_format(arena, "%s FROM %s%s", text, mark, is_alone ? "" : ")");
}

static int mark_table(
    struct marker *marker, const struct zsql_occurrence *occurrence, size_t number)
{
    const struct zsql_from *from = occurrence->from;
    const char *mark = zsql_template_mark(marker->arena, number);
    const char *name;

    if (from->kind == ZSQL_FROM_MADE) {
        mark = write_made(marker->arena, occurrence, number);
    } else if (mark != NULL && from->alias.text == NULL) {
        name = zsql_text_quoted(marker->arena, from->name.text, '"');
        mark = name == NULL ? NULL : zsql_text_format(marker->arena, "%s AS %s", mark, name);
    }
    if (mark != NULL && occurrence->is_never_read)
        mark = zsql_template_set(marker->arena, mark, number, ZSQL_EMPTY);
    if (mark == NULL)
        return ZS_NOMEM;
    return from->span.end == 0 ? ZS_OK /* it is nowhere in the text */
                               : zsql_edits_add(marker->arena, marker->edits, from->span, mark);
}

static int mark_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct marker *marker = ctx;
    int rc = ZS_OK;

    (void)core;
    if (from->kind == ZSQL_FROM_TABLE)
        rc = zsql_edits_drop_hint(marker->arena, marker->text, marker->edits, from);
    if (rc == ZS_OK && ((from->join & ZSQL_JOIN_CROSS) != 0 || from->is_inner))
        rc = zsql_edits_add(marker->arena, marker->edits, from->join_span,
            (from->join & ZSQL_JOIN_NATURAL) != 0 ? "NATURAL JOIN" : "JOIN");
    return rc;
}

static int mark_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct marker *marker = ctx;

    (void)descend;
    if (expr->kind != ZSQL_NAME || expr->schema.text == NULL)
        return ZS_OK;
    return zsql_edits_add(marker->arena, marker->edits,
        (struct zsql_span){expr->schema.span.start, expr->table.span.start}, "");
}

int zsql_occurrences_mark(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    const struct zsql_list *list, struct zsql_edits *edits)
{
    struct marker marker = {arena, text, edits};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < list->n; i++)
        rc = mark_table(&marker, list->items[i], i);
    if (rc == ZS_OK)
        rc = zsql_core_walk_from(core, mark_from, &marker);
    if (rc == ZS_OK)
        rc = zsql_head_mark(arena, core, edits);
    return rc == ZS_OK ? zsql_core_walk(core, mark_expr, &marker) : rc;
}
