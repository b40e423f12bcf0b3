/* The values of an expression that a change of one occurrence can touch, as a subquery that
** gives them: over what changed of the occurrence, or, where it is deeper, over the rows for
** which the condition holds. */
#include "sql/affected_private.h"

#include <string.h>

#include "sql/head.h"
#include "sql/present.h"
#include "sql/template.h"

static int append_span(
    struct zsql_inquiry *inquiry, struct zs_buffer *out, struct zsql_span span)
{
    bool is_apart = true;
    return zsql_text_append_span(
        out, inquiry->planner->text, &inquiry->planner->edits, span, &is_apart);
}

/* Ends a buffer: its text in the arena, NULL without memory. */
static const char *finish(struct zsql_inquiry *inquiry, struct zs_buffer *out, int rc)
{
    const char *text = NULL;

    if (rc == ZS_OK)
        text = zsql_arena_copy(inquiry->planner->arena, (const char *)out->data, out->len);
    zs_buffer_clear(out);
    return text;
}

const char *zsql_affected_write(struct zsql_inquiry *inquiry, struct zsql_expr *expr)
{
    const char *text;
    int rc = zsql_plan_write(inquiry->planner, expr, &text);
    return rc == ZS_OK ? text : NULL;
}

/* The row of the occurrence is one that changed, and no left join's NULLs. */
static int append_presence(struct zsql_inquiry *inquiry, struct zs_buffer *out)
{
    const char *text;
    int rc;

    if (!inquiry->occurrence->source->is_nullable)
        return ZS_OK;
    rc = zsql_present(inquiry->planner, inquiry->occurrence, inquiry->number, &text);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(out, "WHERE", true);
    return rc == ZS_OK ? zsql_text_append_piece(out, text, true) : rc;
}

/* The core in a subquery of this core that holds the occurrence, at any depth. */
const struct zsql_bound *zsql_affected_inner(
    const struct zsql_inquiry *inquiry, const struct zsql_core *core)
{
    const struct zsql_bound *inner = inquiry->occurrence->core->bound;

    while (inner->place.around != core)
        inner = inner->place.around->bound;
    return inner;
}

/* "SELECT Y FROM" */
static int begin_values(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zs_buffer *out, struct zsql_expr *y)
{
    const char *select = zsql_head_is_from_apart(core) ? ZSQL_APART_VALUES "SELECT" : "SELECT";
    const char *value = zsql_affected_write(inquiry, y);
    int rc = value == NULL ? ZS_NOMEM : zsql_text_append_piece(out, select, true);

    if (rc == ZS_OK)
        rc = zsql_text_append_piece(out, value, true);
    return rc == ZS_OK ? zsql_text_append_piece(out, "FROM", true) : rc;
}

/* The occurrence is a source of core: FROM as far as to it and to all that Y reads, over what
** changed of it. */
static int values_beside(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *y, const struct zsql_reach *reach, const char **text)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    size_t item = occurrence->source->item, last_item = item;
    const struct zsql_from *first = core->from.items[0], *last;
    struct zs_buffer out;
    uint32_t end;
    int rc;

    while (!zsql_reach_is_within(reach, 0, last_item + 1))
        last_item++;
    last = core->from.items[last_item];
    end = zsql_from_end(last);
    zs_buffer_init(&out, zsql_arena_table(inquiry->planner->arena));
    rc = begin_values(inquiry, core, &out, y);
    if (rc == ZS_OK && last->is_made_alone) {
        const char *alone = zsql_occurrence_alone(inquiry->planner->arena, inquiry->number);
        rc = alone == NULL ? ZS_NOMEM : zsql_text_append_piece(&out, alone, true);
    } else if (rc == ZS_OK && zsql_reach_is_within(reach, item, item + 1) &&
               last == occurrence->from) {
        rc = append_span(inquiry, &out, (struct zsql_span){last->span.start, end});
    } else if (rc == ZS_OK) {
        rc =
            append_span(inquiry, &out, (struct zsql_span){first->whole.start, last->whole.end});
        if (rc == ZS_OK)
            rc = append_presence(inquiry, &out);
    }
    *text = finish(inquiry, &out, rc);
    if (*text != NULL)
        *text = zsql_template_show_weight(inquiry->planner->arena, *text, inquiry->number);
    if (*text != NULL)
        *text = zsql_template_set(inquiry->planner->arena, *text, inquiry->number, ZSQL_BATCH);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_write_from(
    struct zsql_inquiry *inquiry, const struct zsql_core *core, const char **text)
{
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(inquiry->planner->arena));
    rc = zsql_plan_append_from(inquiry->planner, inquiry->occurrences, core, &out);
    *text = finish(inquiry, &out, rc);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* A member of FROM without what it is joined on. */
static int append_member(
    struct zsql_inquiry *inquiry, const struct zsql_from *member, struct zs_buffer *out)
{
    return append_span(
        inquiry, out, (struct zsql_span){member->span.start, zsql_from_end(member)});
}

int zsql_affected_write_member(
    struct zsql_inquiry *inquiry, const struct zsql_core *core, size_t item, const char **text)
{
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(inquiry->planner->arena));
    rc = append_member(inquiry, core->from.items[item], &out);
    *text = finish(inquiry, &out, rc);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_all(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_items items, struct zsql_expr *x, const char **text)
{
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(inquiry->planner->arena));
    rc = begin_values(inquiry, core, &out, x);
    if (rc == ZS_OK && items.first > 0)
        rc = append_member(inquiry, core->from.items[items.first], &out);
    else if (rc == ZS_OK)
        rc = zsql_plan_append_from(inquiry->planner, inquiry->occurrences, core, &out);
    *text = finish(inquiry, &out, rc);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* What is longer is told by nothing: each of several within one another would be written several
** times. */
enum { MOST_TEXT = 1 << 16 };

/* The occurrence is deeper: FROM where the condition holds, with the occurrence as it is now
** and, where FROM reads it, as it was. */
static int values_around(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *y, const char *condition, const char **text)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *now, *past;
    int rc = zsql_affected_all(inquiry, core, (struct zsql_items){0, core->from.n}, y, text);

    if (rc != ZS_OK)
        return rc;
    *text = zsql_text_format(arena, "%s WHERE %s", *text, condition);
    if (*text == NULL)
        return ZS_NOMEM;
    now = zsql_template_set(arena, *text, inquiry->number, ZSQL_NOW);
    past = zsql_template_set(arena, *text, inquiry->number, ZSQL_PAST);
    if (now == NULL || past == NULL)
        return ZS_NOMEM;
    if (strcmp(now, past) != 0)
        *text = zsql_text_format(arena, "%s UNION ALL %s", now, past);
    if (*text == NULL)
        return ZS_NOMEM;
    if (strlen(*text) > MOST_TEXT)
        *text = NULL;
    return ZS_OK;
}

/* A left join also brings and takes away rows in which the occurrence's columns are NULL, and
** what is joined behind it is then other rows. Do such rows count for Y, whatever it is in
** them? */
static bool has_other_rows(const struct zsql_source *source, const struct zsql_expr *y,
    const struct zsql_reach *reach, enum zsql_nulls nulls)
{
    if (!source->is_nullable || zsql_reach_is_within(reach, 0, source->item))
        return false;
    if (!zsql_reach_is_within(reach, 0, source->item + 1) || nulls == ZSQL_NULLS_COUNT)
        return true;
    while (y->kind == ZSQL_COLLATE)
        y = y->operands.items[0];
    return nulls == ZSQL_NULLS_MATCH_NOTHING &&
           zsql_bound_target((struct zsql_expr *)y)->binding != ZSQL_COLUMN;
}

int zsql_affected_values(struct zsql_inquiry *inquiry, struct zsql_core *core,
    struct zsql_expr *y, enum zsql_nulls nulls, const char **text)
{
    const struct zsql_source *source = inquiry->occurrence->source;
    const struct zsql_bound *inner;
    const struct zsql_expr *target;
    const char *condition = NULL;
    struct zsql_reach reach = zsql_reach_of(core->bound, y);
    int rc;

    *text = NULL;
    if (!zsql_reach_is_own(&reach) || core->from.n == 0)
        return ZS_OK;
    if (inquiry->occurrence->core != core) {
        inner = zsql_affected_inner(inquiry, core);
        target = zsql_bound_target(y);
        if (inner->place.from != NULL && target->binding == ZSQL_COLUMN &&
            zsql_bound_source(target)->from == inner->place.from) {
            rc = zsql_affected_column(inquiry, inner, (size_t)target->column, nulls, text);
            if (rc != ZS_OK || *text != NULL)
                return rc;
        }
        rc = zsql_affected_condition(inquiry, core, &condition);
        return rc != ZS_OK || condition == NULL
                   ? rc
                   : values_around(inquiry, core, y, condition, text);
    }
    if (core->bound->has_right_join || has_other_rows(source, y, &reach, nulls))
        return ZS_OK;
    return values_beside(inquiry, core, y, &reach, text);
}

/* The values of result column j of a SELECT that the change touches. */
int zsql_affected_column(struct zsql_inquiry *inquiry, const struct zsql_bound *bound, size_t j,
    enum zsql_nulls nulls, const char **text)
{
    const struct zsql_output *output = j < bound->outputs.n ? bound->outputs.items[j] : NULL;
    bool is_key = !bound->is_aggregate;

    *text = NULL;
    if (output == NULL || bound->select->limit != NULL ||
        !zsql_traits_are_uniform(bound->select, j))
        return ZS_OK;
    for (size_t i = 0; i < bound->group_by.n; i++)
        is_key = is_key || zsql_bound_equal(bound->group_by.items[i], output->expr);
    return is_key ? zsql_affected_values(inquiry, bound->core, output->expr, nulls, text)
                  : ZS_OK;
}
