/* Joins: a core over several tables as one statement and its differences.
**
** Let Q(t1, ..., tn) be the rows of the core, with ti the occurrences of its tables. What changes
** when the tables go from past to now is the sum over i of
**   Q(past..., now_i, now...) - Q(past..., past_i, now...),
** those before i in the past, those behind it now. Where ti is joined by an inner join, or stands
** on the left of a left join, Q is linear in it, and the difference is Q(d+) - Q(d-): d+ are the
** rows that came, d- those that went. Elsewhere, on the right of a left join or in a subquery, it
** is not, and both terms are computed over the rows that the change can have touched; see
** affected.h. The weights of what is in both cancel. */
#include "sql/affected.h"
#include "sql/exact_text.h"
#include "sql/planner.h"
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

int zsql_plan_join_begin(struct zsql_planner *planner, struct zsql_list *occurrences)
{
    struct zsql_core *core = planner->bound->core;
    int rc = zsql_occurrences_find(planner->arena, planner->catalogue, core, occurrences);

    for (size_t i = 0; rc == ZS_OK && i < occurrences->n; i++) {
        struct zsql_occurrence *occurrence = occurrences->items[i];
        rc = zsql_plan_use(planner, &occurrence->relation,
            occurrence->source != NULL ? occurrence->source->is_used : NULL,
            &occurrence->table);
    }
    if (rc == ZS_OK)
        rc = zsql_occurrences_mark(
            planner->arena, planner->text, core, occurrences, &planner->edits);
    if (rc == ZS_OK)
        rc = zsql_exact_edits(planner->arena, planner->text, core, &planner->edits);
    if (rc == ZS_OK)
        rc = zsql_settle(planner->arena, planner->text, core, &planner->edits);
    zsql_edits_sort(&planner->edits);
    return rc;
}

/* "SELECT a, b FROM ... WHERE ... AND affected" */
static int write_text(struct zsql_planner *planner, const struct zsql_operator *join,
    const char *affected, const char **text)
{
    const struct zsql_list *from = &planner->bound->core->from;
    struct zs_buffer out;
    bool is_apart = true;
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
    if (rc == ZS_OK && from->n > 0)
        rc = zsql_text_append_piece(&out, "FROM", true);
    if (rc == ZS_OK && from->n > 0) {
        const struct zsql_from *first = from->items[0];
        const struct zsql_from *last = from->items[from->n - 1];
        rc = zsql_text_append_span(&out, planner->text, &planner->edits,
            (struct zsql_span){first->whole.start, last->whole.end}, &is_apart);
    }
    if (rc == ZS_OK && (join->condition != NULL || affected != NULL))
        rc = zsql_text_append_piece(&out, "WHERE", true);
    if (rc == ZS_OK && join->condition != NULL) {
        const char *condition = zsql_text_format(planner->arena, "(%s)", join->condition);
        rc = condition == NULL ? ZS_NOMEM : zsql_text_append_piece(&out, condition, true);
        if (rc == ZS_OK && affected != NULL)
            rc = zsql_text_append_piece(&out, "AND", true);
    }
    if (rc == ZS_OK && affected != NULL)
        rc = zsql_text_append_piece(&out, affected, true);
    if (rc == ZS_OK)
        *text = zsql_arena_copy(planner->arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return rc == ZS_OK && *text == NULL ? ZS_NOMEM : rc;
}

static bool is_linear(
    const struct zsql_planner *planner, const struct zsql_occurrence *occurrence)
{
    return occurrence->core == planner->bound->core && occurrence->source != NULL &&
           !occurrence->source->is_nullable;
}

/* The two terms of one occurrence. */
static int add_terms(struct zsql_planner *planner, const struct zsql_operator *join,
    const struct zsql_list *occurrences, size_t i, struct zsql_difference *terms)
{
    const struct zsql_occurrence *occurrence = occurrences->items[i];
    bool adds_up = is_linear(planner, occurrence);
    const char *affected = NULL, *text;
    int rc = ZS_OK;

    if (!adds_up)
        rc = zsql_affected(planner, occurrences, i, &affected);
    if (rc == ZS_OK)
        rc = write_text(planner, join, affected, &text);
    for (int j = 0; rc == ZS_OK && j < 2; j++) {
        terms[j].occurrence = i;
        terms[j].sign = j == 0 ? 1 : -1;
        terms[j].form = j == 0 ? (adds_up ? ZSQL_PLUS_OF : ZSQL_NOW)
                               : (adds_up ? ZSQL_MINUS_OF : ZSQL_PAST);
        rc = zsql_template_cut(planner->arena, text, &terms[j].text);
    }
    return rc;
}

int zsql_plan_join_end(struct zsql_planner *planner, const struct zsql_list *occurrences,
    struct zsql_operator *join)
{
    size_t n = occurrences->n;
    struct zsql_difference *differences =
        zsql_arena_get(planner->arena, 2 * n * sizeof(*differences));
    size_t *tables = zsql_arena_get(planner->arena, n * sizeof(*tables));
    const char *text;
    int rc = zsql_arena_has_failed(planner->arena) ? ZS_NOMEM
                                                   : write_text(planner, join, NULL, &text);

    if (rc == ZS_OK)
        rc = zsql_template_cut(planner->arena, text, &join->text);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        const struct zsql_occurrence *occurrence = occurrences->items[i];
        tables[i] = occurrence->table;
        rc = add_terms(planner, join, occurrences, i, &differences[2 * i]);
    }
    join->occurrences = tables;
    join->n_occurrences = n;
    join->differences = differences;
    join->n_differences = 2 * n;
    return rc;
}
