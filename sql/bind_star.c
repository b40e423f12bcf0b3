/* What `*` stands for.
**
** A column that USING or NATURAL merges stands where the first member has it. Not so within
** parentheses, in SQLite's way: there those that the next member merges come before the columns
** of a member, and nowhere else. (Parentheses around the first members of FROM count for
** nothing.) Of several columns with one name that a join in parentheses has, the first alone is
** merged. */
#include "sql/binder.h"

#include "sql/text.h"

static int add_column(
    struct zsql_binder *binder, size_t source, size_t column, bool is_qualified)
{
    struct zsql_expr *expr =
        zsql_bound_new_column(binder->arena, binder->bound, source, column);

    if (expr == NULL)
        return ZS_NOMEM;
    expr->is_merged = !is_qualified && zsql_bind_is_coalesced(binder->bound, source, expr);
    return zsql_bind_output(binder, expr, expr->name.text, expr->name.text);
}

/* All columns of a source. */
static int add_source(struct zsql_binder *binder, size_t source)
{
    const struct zsql_source *from = binder->bound->sources.items[source];
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < from->relation.n_columns; i++) {
        if (!from->relation.columns[i].is_hidden)
            rc = add_column(binder, source, i, true);
    }
    return rc;
}

/* Members of FROM. */

/* A column of a member, which may be one that is shown elsewhere. */
struct entry {
    size_t source, column;
    const char *name;
    bool is_merged, is_shown;
};

static int append(struct zsql_binder *binder, size_t source, size_t column, bool is_merged,
    struct zsql_list *list)
{
    const struct zsql_source *from = binder->bound->sources.items[source];
    struct entry *entry = zsql_arena_get(binder->arena, sizeof(*entry));

    if (entry == NULL)
        return ZS_NOMEM;
    *entry =
        (struct entry){source, column, from->relation.columns[column].name, is_merged, true};
    return zsql_list_append(binder->arena, list, entry);
}

/* Hides the first column of each name, from a place in the list on. */
static void hide(const struct zsql_list *list, size_t from, const struct zsql_list *names)
{
    for (size_t i = 0; i < names->n; i++) {
        size_t j = from;

        while (j < list->n &&
               !zsql_same_name(((const struct entry *)list->items[j])->name, names->items[i]))
            j++;
        if (j < list->n)
            ((struct entry *)list->items[j])->is_shown = false;
    }
}

static size_t count_sources(const struct zsql_from *member)
{
    size_t n = member->kind != ZSQL_FROM_JOIN;

    for (size_t i = 0; i < member->items.n; i++)
        n += count_sources(member->items.items[i]);
    return n;
}

/* Appends the names that the member, whose sources begin at middle, merges with the sources
** from first to there. */
static int add_names(struct zsql_binder *binder, const struct zsql_from *member, size_t first,
    size_t middle, struct zsql_list *names)
{
    size_t end = middle + count_sources(member);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < member->using.n; i++)
        rc = zsql_list_append(binder->arena, names,
            (void *)((const struct zsql_name *)member->using.items[i])->text);
    for (size_t i = middle; (member->join & ZSQL_JOIN_NATURAL) != 0 && i < end; i++) {
        const struct zsql_source *source = binder->bound->sources.items[i];

        for (size_t j = 0; rc == ZS_OK && j < source->relation.n_columns; j++) {
            const struct zsql_column *column = &source->relation.columns[j];
            if (!column->is_hidden &&
                zsql_bind_has_column(binder->bound, first, middle, column->name))
                rc = zsql_list_append(binder->arena, names, (void *)column->name);
        }
    }
    return rc;
}

/* The column of that name of the first source that has it, once. */
static int append_merged(
    struct zsql_binder *binder, size_t first, const char *name, struct zsql_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct entry *entry = list->items[i];
        if (entry->is_merged && zsql_same_name(entry->name, name))
            return ZS_OK;
    }
    for (size_t i = first; i < binder->bound->sources.n; i++) {
        int column = zsql_bind_find(binder->bound->sources.items[i], name);
        if (column >= 0)
            return append(binder, i, (size_t)column, true, list);
    }
    return ZS_OK;
}

static int append_join(struct zsql_binder *binder, const struct zsql_from *join, size_t first,
    struct zsql_list *list);

/* A member whose sources begin at first. */
static int append_member(struct zsql_binder *binder, const struct zsql_from *member,
    size_t first, struct zsql_list *list)
{
    const struct zsql_source *source = binder->bound->sources.items[first];
    int rc = ZS_OK;

    if (member->kind == ZSQL_FROM_JOIN && member->items.n > 1)
        return append_join(binder, member, first, list);
    for (size_t i = 0; rc == ZS_OK && i < source->relation.n_columns; i++) {
        if (!source->relation.columns[i].is_hidden)
            rc = append(binder, first, i, false, list);
    }
    return rc;
}

static int append_join(struct zsql_binder *binder, const struct zsql_from *join, size_t first,
    struct zsql_list *list)
{
    size_t at = first;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < join->items.n; i++) {
        const struct zsql_from *member = join->items.items[i];
        size_t behind = at + count_sources(member), before;
        struct zsql_list names = {0};

        if (i + 1 < join->items.n)
            rc = add_names(binder, join->items.items[i + 1], first, behind, &names);
        for (size_t j = 0; rc == ZS_OK && j < names.n; j++)
            rc = append_merged(binder, first, names.items[j], list);
        before = list->n;
        if (rc == ZS_OK)
            rc = append_member(binder, member, at, list);
        if (rc == ZS_OK && i > 0)
            rc = add_names(binder, member, first, at, &names);
        hide(list, before, &names);
        at = behind;
    }
    return rc;
}

/* The columns of all sources. */
static int add_all(struct zsql_binder *binder)
{
    const struct zsql_list *members = &binder->bound->core->from;
    struct zsql_list list = {0};
    size_t at = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < members->n; i++) {
        const struct zsql_from *member = members->items[i];
        struct zsql_list names = {0};
        size_t before = list.n;

        rc = append_member(binder, member, at, &list);
        if (rc == ZS_OK && i > 0)
            rc = add_names(binder, member, 0, at, &names);
        hide(&list, before, &names);
        at += count_sources(member);
    }
    for (size_t i = 0; rc == ZS_OK && i < list.n; i++) {
        const struct entry *entry = list.items[i];
        if (entry->is_shown)
            rc = add_column(binder, entry->source, entry->column, false);
    }
    return rc;
}

int zsql_bind_star(struct zsql_binder *binder, const struct zsql_result *result)
{
    int rc = ZS_OK;

    if (result->kind == ZSQL_STAR)
        return add_all(binder);
    for (size_t i = 0; rc == ZS_OK && i < binder->bound->sources.n; i++) {
        if (zsql_bind_has_name(binder->bound->sources.items[i], result->table.text))
            rc = add_source(binder, i);
    }
    return rc;
}
