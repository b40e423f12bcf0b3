/* RIGHT and FULL joins, taken apart. Let L be all that stands before R in FROM:
**
**   L FULL JOIN R ON c    L LEFT JOIN R ON c,  and  R where no row of L has c
**   L RIGHT JOIN R ON c   L JOIN R ON c,       and  R where no row of L has c
**
** A core with such joins is the sum of parts with none, each a core of its own, whose changes
** are found as those of inner and left joins and of NOT EXISTS are. In the second, where L's
** columns are NULL, its tables stand as `R LEFT JOIN t ON 0`: they are never read. L's own
** parts are taken one by one, so
**
**   no row of L has c     NOT EXISTS (SELECT 1 FROM <part> WHERE c) for each part of L
**
** and a whole FROM of n such joins has n + 1 parts. Where L is one table, L RIGHT JOIN R is R
** LEFT JOIN L.
**
** What USING and NATURAL compare, and what a column that they merge stands for, is spelled out,
** as SQLite finds it among the tables in their order in the text: see plan_outer_on.c. Of a
** core without such joins subqueries in FROM may be taken apart in the same way: see
** plan_arms.c. */
#include "sql/plan_outer.h"

#include "sql/binder.h"
#include "sql/reach.h"
#include "sql/strengthen.h"

/* Each part has all those before it within, and so each join doubles the text. */
enum { MOST_RIGHT_JOINS = 4 };

/* Can the core be taken apart? */

static size_t count_right_joins(const struct zsql_core *core)
{
    size_t n = 0;

    for (size_t i = 0; i < core->from.n; i++)
        n += (((const struct zsql_from *)core->from.items[i])->join & ZSQL_JOIN_RIGHT) != 0;
    return n;
}

static bool can_be_split(const struct zsql_core *core)
{
    const struct zsql_bound *bound = core->bound;

    for (size_t i = 0; i < bound->sources.n; i++) {
        if (!zsql_bound_is_named_once(bound, zsql_source_at(bound, i)))
            return false;
    }
    return bound->sources.n <= 64 && !bound->is_correlated;
}

/* Columns that are merged. */

static const char *write_merged(struct zsql_splitter *splitter, const char *name)
{
    struct zsql_columns columns = {.n = 0};

    zsql_outer_find_merged(splitter->core->bound, name, &columns);
    return zsql_outer_coalesce(splitter, &columns);
}

static int visit_merged(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct zsql_splitter *splitter = ctx;
    const char *name = zsql_outer_merged_name(splitter->core->bound, expr);
    const char *text;

    (void)descend;
    if (name == NULL || expr->span.end == 0)
        return ZS_OK;
    text = write_merged(splitter, name);
    return text == NULL
               ? ZS_NOMEM
               : zsql_edits_add(splitter->planner->arena, &splitter->edits, expr->span, text);
}

/* A zsql_replace_fn: a column that `*` stands for, and a term that the planner has dropped. */
static int replace(void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_splitter *splitter = ctx;
    bool is_merged = zsql_outer_merged_name(splitter->core->bound, expr) != NULL;

    (void)sight;
    if (expr->is_dropped)
        *text = "1";
    if (expr->is_dropped || expr->binding != ZSQL_COLUMN || expr->span.end > 0)
        return ZS_OK;
    /* t.* has no name of its own to tell that it is not merged */
    *text = is_merged && expr->is_merged
                ? write_merged(splitter, expr->name.text)
                : zsql_outer_column(splitter, expr->source, expr->name.text);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

const char *zsql_outer_write(struct zsql_splitter *splitter, struct zsql_expr *expr)
{
    const char *text = NULL;
    int rc = zsql_text_write(splitter->planner->arena, splitter->planner->text,
        &splitter->edits, expr, replace, splitter, &text);

    return rc == ZS_OK ? text : NULL;
}

/* FROM. */

static const struct zsql_from *member_at(const struct zsql_splitter *splitter, size_t i)
{
    return splitter->core->from.items[i];
}

const char *zsql_outer_member(struct zsql_splitter *splitter, size_t i)
{
    const struct zsql_planner *planner = splitter->planner;
    const struct zsql_from *member = member_at(splitter, i);

    return zsql_text_copy_edited(planner->arena, planner->text, &splitter->edits,
        (struct zsql_span){member->span.start, zsql_from_end(member)});
}

static int add_part(
    struct zsql_splitter *splitter, struct zsql_list *parts, struct zsql_outer_part part)
{
    struct zsql_outer_part *made = zsql_arena_get(splitter->planner->arena, sizeof(*made));

    if (made == NULL || part.from == NULL)
        return ZS_NOMEM;
    *made = part;
    return zsql_list_append(splitter->planner->arena, parts, made);
}

/* A row that the member, or an arm of it, is joined with is in no part but this. */
static int join_to(struct zsql_splitter *splitter, const struct zsql_outer_part *part, size_t i,
    const char *member, bool is_left, struct zsql_list *parts)
{
    bool is_never;
    const char *on = zsql_outer_on(splitter, part, i, &is_never);
    struct zsql_outer_part made = *part;

    if (member == NULL || on == NULL)
        return ZS_NOMEM;
    if (is_never && !is_left)
        return ZS_OK;
    made.from = zsql_text_format(splitter->planner->arena, "%s %sJOIN %s ON %s", part->from,
        is_left ? "LEFT " : "", member, is_never ? "0" : on);
    if (is_never)
        made.absent |= (uint64_t)1 << i;
    return add_part(splitter, parts, made);
}

/* "NOT EXISTS (SELECT 1 FROM from WHERE on AND other)", added to a condition. */
static int add_absence(struct zsql_splitter *splitter, const char *from, const char *on,
    const char *other, const char **where)
{
    if (from == NULL)
        return ZS_NOMEM;
    *where = zsql_text_format(splitter->planner->arena,
        "%s%sNOT EXISTS (SELECT 1 FROM %s WHERE (%s)%s%s)", *where != NULL ? *where : "",
        *where != NULL ? " AND " : "", from, on, other != NULL ? " AND " : "",
        other != NULL ? other : "");
    return *where == NULL ? ZS_NOMEM : ZS_OK;
}

/* The member where no row before it meets the condition. */
static int add_unmatched(struct zsql_splitter *splitter, size_t i,
    const struct zsql_list *before, struct zsql_list *parts)
{
    struct zsql_outer_part made = {
        .from = zsql_outer_member(splitter, i), .head = i, .absent = ((uint64_t)1 << i) - 1};
    int rc = ZS_OK;

    for (size_t j = 0; made.from != NULL && j < i; j++) {
        const char *member = zsql_outer_member(splitter, j);
        made.from = member == NULL ? NULL
                                   : zsql_text_format(splitter->planner->arena,
                                         "%s LEFT JOIN %s ON 0", made.from, member);
    }
    for (size_t j = 0; rc == ZS_OK && j < before->n; j++) {
        const struct zsql_outer_part *part = before->items[j];
        bool is_never;
        const char *on = zsql_outer_on(splitter, part, i, &is_never);

        if (on == NULL)
            return ZS_NOMEM;
        if (!is_never)
            rc = add_absence(splitter, part->from, on, part->where, &made.where);
    }
    return rc == ZS_OK ? add_part(splitter, parts, made) : rc;
}

/* A member that is taken apart: each of its arms, and of a left join the rows before it that
** meet none of them. */
static int join_arms(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    size_t i, struct zsql_list *parts)
{
    bool is_left = (member_at(splitter, i)->join & ZSQL_JOIN_LEFT) != 0, is_never;
    const char *on = zsql_outer_on(splitter, part, i, &is_never);
    const char *member = zsql_outer_member(splitter, i);
    struct zsql_outer_part made = *part;
    int rc = on == NULL || member == NULL ? ZS_NOMEM : ZS_OK;

    for (size_t arm = 0; rc == ZS_OK && arm < zsql_outer_arms(splitter, i); arm++) {
        const char *text = zsql_outer_arm(splitter, i, arm);

        rc = join_to(splitter, part, i, text, false, parts);
        if (rc == ZS_OK && !is_never)
            rc = add_absence(splitter, text, on, NULL, &made.where);
    }
    if (rc != ZS_OK || !is_left)
        return rc;
    made.absent |= (uint64_t)1 << i;
    made.from =
        zsql_text_format(splitter->planner->arena, "%s LEFT JOIN %s ON 0", part->from, member);
    return add_part(splitter, parts, made);
}

/* Of two tables the right one first. */
static int change_places(struct zsql_splitter *splitter, struct zsql_list *parts)
{
    struct zsql_outer_part made = {.head = 1, .has_changed_places = true};
    const char *left = zsql_outer_member(splitter, 0), *right = zsql_outer_member(splitter, 1);
    bool is_never;
    const char *on = zsql_outer_on(splitter, &made, 1, &is_never);

    if (left == NULL || right == NULL || on == NULL)
        return ZS_NOMEM;
    made.from =
        zsql_text_format(splitter->planner->arena, "%s LEFT JOIN %s ON %s", right, left, on);
    return add_part(splitter, parts, made);
}

/* The parts of FROM as far as member i, of those as far as the one before. */
static int join_member(struct zsql_splitter *splitter, size_t i, const struct zsql_list *before,
    struct zsql_list *parts)
{
    bool is_left = (member_at(splitter, i)->join & ZSQL_JOIN_LEFT) != 0;
    bool is_right = (member_at(splitter, i)->join & ZSQL_JOIN_RIGHT) != 0;
    int rc = ZS_OK;

    if (i == 1 && is_right && !is_left)
        return change_places(splitter, parts);
    for (size_t j = 0; rc == ZS_OK && j < before->n; j++)
        rc = zsql_outer_is_apart(splitter, i)
                 ? join_arms(splitter, before->items[j], i, parts)
                 : join_to(splitter, before->items[j], i, zsql_outer_member(splitter, i),
                       is_left, parts);
    return rc == ZS_OK && is_right ? add_unmatched(splitter, i, before, parts) : rc;
}

/* All parts. */

/* Does WHERE drop all rows of a part, since it asks for columns that are NULL there? */
static int is_void(
    struct zsql_splitter *splitter, const struct zsql_outer_part *part, bool *is_dropped)
{
    struct zsql_list terms = {0};
    int rc = zsql_expr_terms(splitter->planner->arena, splitter->core->where, &terms);

    *is_dropped = false;
    for (size_t i = 0; rc == ZS_OK && i < terms.n; i++) {
        for (size_t j = 0; j < splitter->core->from.n; j++)
            *is_dropped |= (part->absent >> j & 1) != 0 &&
                           zsql_null_rejected(splitter->core->bound, terms.items[i], j) != NULL;
    }
    return rc;
}

/* The parts of FROM. */
static int split_from(struct zsql_splitter *splitter, struct zsql_list *parts)
{
    int rc = ZS_OK;

    for (size_t arm = 0; rc == ZS_OK && arm < zsql_outer_arms(splitter, 0); arm++)
        rc = add_part(splitter, parts,
            (struct zsql_outer_part){.from = zsql_outer_arm(splitter, 0, arm)});
    for (size_t i = 1; rc == ZS_OK && i < splitter->core->from.n; i++) {
        struct zsql_list before = *parts;

        *parts = (struct zsql_list){0};
        rc = join_member(splitter, i, &before, parts);
    }
    return rc;
}

/* Is the core to be taken apart, and what of it? */
static bool choose(struct zsql_splitter *splitter)
{
    size_t n_right = count_right_joins(splitter->core);

    return can_be_split(splitter->core) && n_right <= MOST_RIGHT_JOINS &&
           (n_right > 0 || zsql_outer_choose(splitter));
}

bool zsql_plan_is_split(struct zsql_core *core)
{
    struct zsql_splitter splitter = {.core = core};

    return choose(&splitter);
}

int zsql_plan_split(
    struct zsql_planner *planner, struct zsql_core *core, struct zsql_list *parts)
{
    struct zsql_splitter splitter = {.planner = planner, .core = core};
    struct zsql_list froms = {0};
    int rc;

    *parts = (struct zsql_list){0};
    if (!choose(&splitter))
        return ZS_OK;
    rc = zsql_core_walk(core, visit_merged, &splitter);
    zsql_edits_sort(&splitter.edits);
    if (rc == ZS_OK)
        rc = split_from(&splitter, &froms);
    for (size_t i = 0; rc == ZS_OK && i < froms.n; i++) {
        bool is_dropped;

        rc = is_void(&splitter, froms.items[i], &is_dropped);
        if (rc == ZS_OK && !is_dropped)
            rc = zsql_outer_bind_part(&splitter, froms.items[i], parts);
    }
    return rc;
}
