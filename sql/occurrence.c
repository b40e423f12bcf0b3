/* Finding occurrences, and the edits that mark them. */
#include "sql/occurrence.h"

#include "sql/lex.h"
#include "sql/template.h"
#include "sql/text.h"

struct finder {
    struct zsql_arena *arena;
    struct zsql_list *list;
};

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct finder *finder = ctx;
    struct zsql_occurrence *found;

    if (from->kind != ZSQL_FROM_TABLE)
        return ZS_OK;
    found = zsql_arena_get(finder->arena, sizeof(*found));
    if (found == NULL)
        return ZS_NOMEM;
    found->from = from;
    found->core = core;
    for (size_t i = 0; i < core->bound->sources.n; i++) {
        const struct zsql_source *source = core->bound->sources.items[i];
        if (source->from == from)
            found->source = source;
    }
    return zsql_list_append(finder->arena, finder->list, found);
}

int zsql_occurrences_find(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list)
{
    struct finder finder = {arena, list};

    return zsql_core_walk_from(core, visit_from, &finder);
}

/* Marks. */

struct marker {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits *edits;
};

static int mark_table(
    struct marker *marker, const struct zsql_occurrence *occurrence, size_t number)
{
    const struct zsql_from *from = occurrence->from;
    const char *mark = zsql_template_mark(marker->arena, number);
    const char *name;

    if (mark != NULL && from->alias.text == NULL) {
        name = zsql_text_quoted(marker->arena, from->name.text, '"');
        mark = name == NULL ? NULL : zsql_text_format(marker->arena, "%s AS %s", mark, name);
    }
    return mark == NULL ? ZS_NOMEM
                        : zsql_edits_add(marker->arena, marker->edits, from->span, mark);
}

/* INDEXED BY name, NOT INDEXED: what stands behind the name and the alias. */
static int drop_hint(struct marker *marker, const struct zsql_from *from)
{
    uint32_t at = from->alias.text != NULL ? from->alias.span.end : from->span.end;
    uint32_t start = zsql_lex(marker->text, at).start;
    uint32_t end = from->indexed_by.span.end;

    if (!from->is_not_indexed && from->indexed_by.text == NULL)
        return ZS_OK;
    if (from->is_not_indexed)
        end = zsql_lex(marker->text, zsql_lex(marker->text, start).end).end;
    return zsql_edits_add(marker->arena, marker->edits, (struct zsql_span){start, end}, "");
}

static int mark_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct marker *marker = ctx;
    int rc = from->kind == ZSQL_FROM_TABLE ? drop_hint(marker, from) : ZS_OK;

    (void)core;
    if (rc == ZS_OK && (from->join & ZSQL_JOIN_CROSS) != 0)
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
    return rc == ZS_OK ? zsql_core_walk(core, mark_expr, &marker) : rc;
}
