/* Joins: a core over several tables as one statement and its differences.
**
** Let Q(t1, ..., tn) be the rows of the core, with ti the occurrences of its tables. What
** changes when the tables go from past to now is the sum over i of
**   Q(past..., now_i, now...) - Q(past..., past_i, now...),
** those before i in the past, those behind it now. Where ti is joined by an inner join, or
** stands on the left of a left join, Q is linear in it, and the difference is Q(d+) - Q(d-): d+
** are the rows that came, d- those that went. Elsewhere, on the right of a left join or in a
** subquery, it is not, and both terms are computed over the rows that the change can have
** touched; see affected.h. The weights of what is in both cancel. On the right of a left join
** the rows with a match are linear again, and the others are found by NOT EXISTS. */
#include "sql/affected.h"

#include <string.h>

#include "sql/exact_text.h"
#include "sql/lookups.h"
#include "sql/planner.h"
#include "sql/present.h"
#include "sql/template.h"
#include "sql/unsettled.h"

/* One table by itself, and no subquery anywhere, is no join. */

static int find_select(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ctx;

    (void)descend;
    *found = *found || expr->select != NULL || expr->kind == ZSQL_IN_TABLE;
    return ZS_OK;
}

bool zsql_plan_is_join(const struct zsql_core *core)
{
    const struct zsql_source *source;
    bool has_select = false;
    int rc = zsql_core_walk((struct zsql_core *)core, find_select, &has_select);

    if (rc != ZS_OK || has_select || core->bound->sources.n != 1)
        return true;
    source = core->bound->sources.items[0];
    return source->from->kind != ZSQL_FROM_TABLE;
}

/* The tables that are read, and the edits of the core's text. */
int zsql_plan_join_begin(struct zsql_planner *planner, struct zsql_list *occurrences)
{
    struct zsql_core *core = planner->bound->core;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < occurrences->n; i++) {
        struct zsql_occurrence *occurrence = occurrences->items[i];
        if (occurrence->from->kind == ZSQL_FROM_TABLE)
            rc = zsql_plan_use(planner, &occurrence->source->relation,
                occurrence->source->is_used, &occurrence->table);
    }
    planner->edits = (struct zsql_edits){{NULL, 0, 0}};
    if (rc == ZS_OK)
        rc = zsql_occurrences_mark(
            planner->arena, planner->text, core, occurrences, &planner->edits);
    if (rc == ZS_OK)
        rc = zsql_exact_edits(planner->arena, planner->text, core, &planner->edits);
    if (rc == ZS_OK)
        rc = zsql_settle(planner->arena, planner->text, core, &planner->edits);
    zsql_edits_sort(&planner->edits);
    return rc == ZS_OK ? zsql_plan_rewrite_in(planner, occurrences) : rc;
}

int zsql_plan_append_from(struct zsql_planner *planner, const struct zsql_list *occurrences,
    const struct zsql_core *core, struct zs_buffer *out)
{
    const struct zsql_from *first = core->from.items[0];
    const struct zsql_from *last = core->from.items[core->from.n - 1];
    const char *alone;
    bool is_apart = true;
    size_t number = 0;

    if (!first->is_made_alone)
        return zsql_text_append_span(out, planner->text, &planner->edits,
            (struct zsql_span){first->whole.start, last->whole.end}, &is_apart);
    while (((const struct zsql_occurrence *)occurrences->items[number])->from != first)
        number++;
    alone = zsql_occurrence_alone(planner->arena, number);
    return alone == NULL ? ZS_NOMEM : zsql_text_append_piece(out, alone, true);
}

/* "SELECT a, b FROM ... WHERE affected AND (...)": SQLite asks subqueries in this order. */
static int write_text(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, const char *affected, const char **text)
{
    const struct zsql_core *core = planner->bound->core;
    struct zs_buffer out;
    int rc;

    *text = NULL;
    zs_buffer_init(&out, zsql_arena_table(planner->arena));
    rc = zsql_text_append_piece(&out, join->n_columns == 0 ? "SELECT NULL" : "SELECT", false);
    for (size_t i = 0; rc == ZS_OK && i < join->n_columns; i++) {
        if (i > 0)
            rc = zsql_text_append_piece(&out, ",", false);
        if (rc == ZS_OK)
            rc = zsql_text_append_piece(&out, join->expressions[i], true);
    }
    if (rc == ZS_OK && core->from.n > 0)
        rc = zsql_text_append_piece(&out, "FROM", true);
    if (rc == ZS_OK && core->from.n > 0)
        rc = zsql_plan_append_from(planner, occurrences, core, &out);
    if (rc == ZS_OK && (join->condition != NULL || affected != NULL))
        rc = zsql_text_append_piece(&out, "WHERE", true);
    if (rc == ZS_OK && affected != NULL)
        rc = zsql_text_append_piece(&out, affected, true);
    if (rc == ZS_OK && join->condition != NULL) {
        const char *condition = zsql_text_format(
            planner->arena, affected != NULL ? "AND (%s)" : "(%s)", join->condition);
        rc = condition == NULL ? ZS_NOMEM : zsql_text_append_piece(&out, condition, true);
    }
    if (rc == ZS_OK)
        *text = zsql_arena_copy(planner->arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return rc == ZS_OK && *text == NULL ? ZS_NOMEM : rc;
}

/* A core of a subquery in FROM that gives a row for each row of its own FROM, less those that
** WHERE drops; and a SELECT of such cores, all of whose rows it gives. */
static bool is_transparent(const struct zsql_core *core)
{
    return !core->is_values && !core->bound->is_aggregate && !core->is_distinct;
}

bool zsql_plan_passes_on(const struct zsql_select *select)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        if (!is_transparent(core) || (i > 0 && core->compound != ZSQL_COMPOUND_UNION_ALL))
            return false;
    }
    return select->limit == NULL;
}

/* Is a core read by the one around it row for row: in FROM, and by no outer join? */
static bool is_passed_on(const struct zsql_bound *bound)
{
    const struct zsql_source *source;

    if (bound->place.from == NULL || !zsql_plan_passes_on(bound->select))
        return false;
    source = zsql_bound_source_of(bound->place.around->bound, bound->place.from);
    return source != NULL && !source->is_nullable;
}

/* The innermost core around the occurrence whose rows the planned one reads row for row, so
** that it is linear in them. */
static const struct zsql_bound *find_linear(
    const struct zsql_planner *planner, const struct zsql_occurrence *occurrence)
{
    const struct zsql_bound *bound = occurrence->core->bound, *linear = bound;

    for (; bound != planner->bound; bound = bound->place.around->bound)
        if (!is_passed_on(bound))
            linear = bound->place.around->bound;
    return linear;
}

/* An occurrence without which the core gives no row. */
static int find_needed(const struct zsql_list *occurrences, const struct zsql_core *core)
{
    for (size_t i = 0; i < occurrences->n; i++) {
        const struct zsql_occurrence *occurrence = occurrences->items[i];
        if (occurrence->core == core && !occurrence->source->is_nullable)
            return (int)i;
    }
    return -1;
}

/* Of a UNION ALL that a core is read through the other members are left out: some table of each
** is read as empty. *text is NULL where one has none. */
static int leave_out_others(struct zsql_planner *planner, const struct zsql_list *occurrences,
    const struct zsql_bound *bound, const char **text)
{
    for (; *text != NULL && bound != planner->bound; bound = bound->place.around->bound) {
        for (size_t i = 0; *text != NULL && i < bound->select->cores.n; i++) {
            const struct zsql_core *core = bound->select->cores.items[i];
            int other = core == bound->core ? -1 : find_needed(occurrences, core);

            if (core == bound->core)
                continue;
            *text = other < 0
                        ? NULL
                        : zsql_template_set(planner->arena, *text, (size_t)other, ZSQL_EMPTY);
        }
    }
    return zsql_arena_has_failed(planner->arena) ? ZS_NOMEM : ZS_OK;
}

/* Is it the table on the right of `LEFT JOIN table ON ...`, and so the whole member of FROM? */
static bool is_left_joined(
    const struct zsql_planner *planner, const struct zsql_occurrence *occurrence)
{
    const struct zsql_core *core = planner->bound->core;
    const struct zsql_from *from = occurrence->from;

    return occurrence->core == core && from != NULL &&
           core->from.items[occurrence->source->item] == from &&
           (from->join & ZSQL_JOIN_LEFT) != 0 && !core->bound->has_right_join;
}

static int add_term(struct zsql_planner *planner, struct zsql_list *terms, size_t occurrence,
    int sign, enum zsql_form form, enum zsql_cost cost, const char *text)
{
    struct zsql_difference *term = zsql_arena_get(planner->arena, sizeof(*term));
    int rc = term == NULL ? ZS_NOMEM : zsql_list_append(planner->arena, terms, term);

    if (rc != ZS_OK)
        return rc;
    term->occurrence = occurrence;
    term->sign = sign;
    term->form = form;
    term->cost = cost;
    return zsql_template_cut(planner->arena, text, &term->text);
}

/* A term and its opposite, of the same text. */
static int add_pair(struct zsql_planner *planner, struct zsql_list *terms, size_t occurrence,
    enum zsql_form plus, enum zsql_form minus, enum zsql_cost cost, const char *text)
{
    int rc = add_term(planner, terms, occurrence, 1, plus, cost, text);

    return rc == ZS_OK ? add_term(planner, terms, occurrence, -1, minus, cost, text) : rc;
}

/* " WHERE " and what the table is joined on. */
static int append_match(struct zsql_planner *planner, struct zs_buffer *out,
    const struct zsql_occurrence *occurrence)
{
    const struct zsql_list *merged = &occurrence->source->merged;
    const struct zsql_expr *on = occurrence->from->on;
    bool is_apart = true;
    int rc = ZS_OK;

    if (on != NULL) {
        rc = zsql_text_append_piece(out, "WHERE", true);
        return rc == ZS_OK ? zsql_text_append_span(
                                 out, planner->text, &planner->edits, on->span, &is_apart)
                           : rc;
    }
    for (size_t i = 0; rc == ZS_OK && i < merged->n; i++) {
        struct zsql_expr *x, *y;
        const char *left, *right, *text = NULL;

        rc = zsql_merged_pair(planner->arena, occurrence->core->bound, occurrence->source,
            merged->items[i], &x, &y);
        if (rc == ZS_OK)
            rc = zsql_plan_write(planner, x, &left);
        if (rc == ZS_OK)
            rc = zsql_plan_write(planner, y, &right);
        if (rc == ZS_OK)
            text = zsql_text_format(
                planner->arena, "%s %s = %s", i == 0 ? "WHERE" : "AND", left, right);
        if (rc == ZS_OK)
            rc = text == NULL ? ZS_NOMEM : zsql_text_append_piece(out, text, true);
    }
    return rc;
}

/* "affected AND NOT EXISTS (SELECT 1 FROM table AS name WHERE on)" */
static int write_unmatched(struct zsql_planner *planner,
    const struct zsql_occurrence *occurrence, size_t i, enum zsql_form form,
    const char *affected, const char **text)
{
    const struct zsql_from *from = occurrence->from;
    struct zs_buffer out;
    bool is_apart = true;
    uint32_t end = zsql_from_end(from);
    int rc;

    zs_buffer_init(&out, zsql_arena_table(planner->arena));
    rc = zsql_text_append_piece(&out, affected != NULL ? affected : "", false);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out,
            affected != NULL ? "AND NOT EXISTS (SELECT 1 FROM" : "NOT EXISTS (SELECT 1 FROM",
            true);
    if (rc == ZS_OK)
        rc = zsql_text_append_span(&out, planner->text, &planner->edits,
            (struct zsql_span){from->span.start, end}, &is_apart);
    if (rc == ZS_OK)
        rc = append_match(planner, &out, occurrence);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, ")", false);
    *text = NULL;
    if (rc == ZS_OK)
        *text = zsql_arena_copy(planner->arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    if (*text != NULL)
        *text = zsql_template_set(planner->arena, *text, i, form);
    return rc == ZS_OK && *text == NULL ? ZS_NOMEM : rc;
}

/* The right side of a left join changes the rows that match it, as an inner join's does, and
** those on the left that have no match now or had none in the past: these stand with NULLs. */
static int add_left_joined(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, size_t i, const char *affected,
    struct zsql_list *terms)
{
    const struct zsql_occurrence *occurrence = occurrences->items[i];
    const char *matched, *looked_up = NULL, *unmatched = NULL, *text = NULL;
    int rc = zsql_present(planner, occurrence, i, &matched);

    if (rc == ZS_OK)
        rc = zsql_affected_looked_up(planner, occurrences, i, &looked_up);
    if (rc == ZS_OK && looked_up != NULL) {
        matched = zsql_text_format(planner->arena, "%s AND %s", matched, looked_up);
        rc = matched == NULL ? ZS_NOMEM : ZS_OK;
    }
    if (rc == ZS_OK)
        rc = write_text(planner, join, occurrences, matched, &text);
    if (rc == ZS_OK) {
        text = zsql_template_show_weight(planner->arena, text, i);
        rc = text == NULL ? ZS_NOMEM : ZS_OK;
    }
    if (rc == ZS_OK)
        rc = add_pair(planner, terms, i, ZSQL_PLUS_OF, ZSQL_MINUS_OF, ZSQL_PER_CHANGE, text);
    for (int j = 0; rc == ZS_OK && j < 2; j++) {
        rc = write_unmatched(
            planner, occurrence, i, j == 0 ? ZSQL_NOW : ZSQL_PAST, affected, &unmatched);
        if (rc == ZS_OK)
            rc = write_text(planner, join, occurrences, unmatched, &text);
        if (rc == ZS_OK)
            rc = add_term(planner, terms, i, j == 0 ? 1 : -1, ZSQL_EMPTY,
                affected != NULL ? ZSQL_PER_KEY : ZSQL_PER_VIEW, text);
    }
    return rc;
}

/* Adds a condition to the WHERE of a core in a subquery, by edits. */
static int require(
    struct zsql_planner *planner, const struct zsql_core *core, const char *condition)
{
    const struct zsql_from *last = core->from.items[core->from.n - 1];
    struct zsql_token behind = zsql_lex(planner->text, last->whole.end);
    struct zsql_span at = {behind.start, core->where != NULL ? behind.end : behind.start};
    const char *text = zsql_text_format(
        planner->arena, core->where != NULL ? "WHERE %s AND (" : "WHERE %s", condition);
    int rc =
        text == NULL ? ZS_NOMEM : zsql_edits_add(planner->arena, &planner->edits, at, text);

    if (rc == ZS_OK && core->where != NULL) {
        at.start = at.end = zsql_lex(planner->text, core->where->span.end).start;
        rc = zsql_edits_add(planner->arena, &planner->edits, at, ")");
    }
    zsql_edits_sort(&planner->edits);
    return rc;
}

/* The text in which a core within keeps only the rows that the change of an occurrence can have
** touched. *text is NULL where these can't be told. */
static int write_within(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, size_t i, const struct zsql_bound *within,
    const char **text)
{
    const struct zsql_edits edits = planner->edits;
    const char *affected = NULL;
    int rc = zsql_affected(planner, occurrences, i, within->core, &affected);

    *text = NULL;
    if (rc != ZS_OK || affected == NULL)
        return rc;
    rc = zsql_edits_copy(planner->arena, &edits, &planner->edits);
    if (rc == ZS_OK)
        rc = require(planner, within->core, affected);
    if (rc == ZS_OK)
        rc = write_text(planner, join, occurrences, NULL, text);
    planner->edits = edits;
    return rc == ZS_OK ? leave_out_others(planner, occurrences, within, text) : rc;
}

/* The terms of one occurrence. */
static int add_terms(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, size_t i, struct zsql_list *terms)
{
    const struct zsql_occurrence *occurrence = occurrences->items[i];
    const struct zsql_bound *linear = find_linear(planner, occurrence);
    const char *affected = NULL, *text = NULL;
    int rc = ZS_OK;

    if (linear == planner->bound && occurrence->core->bound == linear &&
        !occurrence->source->is_nullable)
        rc = zsql_affected_by_member(planner, occurrences, i, &affected);
    if (rc == ZS_OK && affected != NULL)
        rc = write_text(planner, join, occurrences, affected, &text);
    if (rc != ZS_OK || affected != NULL)
        return rc != ZS_OK
                   ? rc
                   : add_pair(planner, terms, i, ZSQL_NOW, ZSQL_PAST, ZSQL_PER_KEY, text);
    if (linear == occurrence->core->bound && !occurrence->source->is_nullable) {
        if (linear == planner->bound)
            rc = zsql_affected_looked_up(planner, occurrences, i, &affected);
        if (rc == ZS_OK)
            rc = write_text(planner, join, occurrences, affected, &text);
        if (rc == ZS_OK)
            rc = leave_out_others(planner, occurrences, linear, &text);
        if (rc != ZS_OK || text != NULL)
            return rc != ZS_OK ? rc
                               : add_pair(planner, terms, i, ZSQL_PLUS_OF, ZSQL_MINUS_OF,
                                     ZSQL_PER_CHANGE, text);
    } else if (linear != planner->bound) {
        rc = write_within(planner, join, occurrences, i, linear, &text);
        if (rc != ZS_OK || text != NULL)
            return rc != ZS_OK
                       ? rc
                       : add_pair(planner, terms, i, ZSQL_NOW, ZSQL_PAST, ZSQL_PER_KEY, text);
    }
    rc = zsql_affected(planner, occurrences, i, planner->bound->core, &affected);
    if (rc == ZS_OK && is_left_joined(planner, occurrence))
        return add_left_joined(planner, join, occurrences, i, affected, terms);
    if (rc == ZS_OK)
        rc = write_text(planner, join, occurrences, affected, &text);
    if (planner->is_over_groups && zsql_occurrence_is_of_value(occurrence))
        affected = NULL; /* no index is on what is computed of groups: all are gone through */
    return rc == ZS_OK ? add_pair(planner, terms, i, ZSQL_NOW, ZSQL_PAST,
                             affected != NULL ? ZSQL_PER_KEY : ZSQL_PER_VIEW, text)
                       : rc;
}

/* A list of structs, each in memory of its own, as an array; NULL without memory. */
static void *array_of(struct zsql_arena *arena, const struct zsql_list *list, size_t size)
{
    char *array = zsql_arena_get(arena, list->n * size);

    for (size_t i = 0; array != NULL && i < list->n; i++)
        memcpy(array + i * size, list->items[i], size);
    return array;
}

/* Where all rows are wanted, IN is left to SQLite, which makes its list once. */
static int write_whole(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, const char **text)
{
    struct zsql_operator whole = *join;
    int rc = zsql_plan_write_where(planner, &whole.condition);

    return rc == ZS_OK ? write_text(planner, &whole, occurrences, NULL, text) : rc;
}

int zsql_plan_join_end(struct zsql_planner *planner, const struct zsql_list *occurrences,
    struct zsql_operator *join)
{
    struct zsql_arena *arena = planner->arena;
    size_t n = occurrences->n;
    struct zsql_read *reads = zsql_arena_get(arena, n * sizeof(*reads));
    struct zsql_list terms = {0}, lookups = {0};
    const char *text;
    int rc = reads == NULL ? ZS_NOMEM : write_whole(planner, join, occurrences, &text);

    if (rc == ZS_OK)
        rc = zsql_template_cut(arena, text, &join->text);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        const struct zsql_occurrence *occurrence = occurrences->items[i];
        reads[i] = (struct zsql_read){occurrence->from->made, occurrence->table};
        if (!occurrence->is_never_read)
            rc = add_terms(planner, join, occurrences, i, &terms);
    }
    if (rc == ZS_OK)
        rc = zsql_lookups_find(arena, planner->bound->core, occurrences, &lookups);
    if (rc != ZS_OK)
        return rc;
    join->reads = reads;
    join->n_reads = n;
    join->differences = array_of(arena, &terms, sizeof(*join->differences));
    join->n_differences = terms.n;
    join->lookups = array_of(arena, &lookups, sizeof(*join->lookups));
    join->n_lookups = lookups.n;
    return join->differences == NULL || join->lookups == NULL ? ZS_NOMEM : ZS_OK;
}
