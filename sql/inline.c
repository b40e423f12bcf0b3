/* Spelling out, by rounds: each parses the text and puts in one common table expression, or a
** layer of views, until there is none left. An expression goes in when it reads no other of its
** WITH; innermost WITHs go first, so that no name is taken for one of an outer WITH. */
#include "sql/inline.h"

#include <string.h>

#include "sql/edit.h"
#include "sql/explicit.h"
#include "sql/lex.h"
#include "sql/naming.h"
#include "sql/text.h"

enum { MAX_ROUNDS = 1000, MAX_VIEWS = 50 };
#define MAX_LENGTH (1u << 20)

struct inliner {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    struct zsql_message *message;
    const char *text; /* of this round */
    struct zsql_edits edits;
    const char *schema; /* of a view's tables; NULL for the user's own text */
    unsigned depth;     /* of views in views */
};

static int add_edit(struct inliner *inliner, struct zsql_span span, const char *text)
{
    return text == NULL ? ZS_NOMEM
                        : zsql_edits_add(inliner->arena, &inliner->edits, span, text);
}

/* The text with the edits made. */
static int apply(struct inliner *inliner, const char **text)
{
    *text = zsql_text_apply(inliner->arena, inliner->text, &inliner->edits);
    inliner->edits = (struct zsql_edits){{NULL, 0, 0}};
    if (*text == NULL)
        return ZS_NOMEM;
    return strlen(*text) <= MAX_LENGTH
               ? ZS_OK
               : zsql_refuse(inliner->message,
                     "its text is too long when views and common table expressions are put in");
}

/* "(select) AS name", over the name in FROM. */
static int put_in(struct inliner *inliner, const struct zsql_from *from, const char *select)
{
    const char *name = zsql_text_quoted(inliner->arena, from->name.text, '"');
    const char *text;
    int rc = zsql_edits_drop_hint(inliner->arena, inliner->text, &inliner->edits, from);

    if (rc != ZS_OK || name == NULL)
        return rc != ZS_OK ? rc : ZS_NOMEM;
    text = from->alias.text != NULL
               ? zsql_text_format(inliner->arena, "(%s)", select)
               : zsql_text_format(inliner->arena, "(%s) AS %s", select, name);
    return add_edit(inliner, from->span, text);
}

/* Common table expressions. */

struct cte_search {
    const struct zsql_cte *cte;
    bool is_found;
};

static bool is_read_as(
    const struct zsql_name *schema, const char *name, const struct zsql_cte *cte)
{
    return schema->text == NULL && zsql_same_name(name, cte->name.text);
}

static int find_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct cte_search *search = ctx;

    (void)core;
    if (from->kind == ZSQL_FROM_TABLE &&
        is_read_as(&from->schema, from->name.text, search->cte))
        search->is_found = true;
    return ZS_OK;
}

static int find_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct cte_search *search = ctx;

    (void)descend;
    if (expr->kind == ZSQL_IN_TABLE && is_read_as(&expr->schema, expr->name.text, search->cte))
        search->is_found = true;
    return ZS_OK;
}

static bool reads(struct zsql_select *select, const struct zsql_cte *cte)
{
    struct cte_search search = {cte, false};
    int rc = zsql_select_walk_from(select, find_in_from, &search);

    if (rc == ZS_OK)
        rc = zsql_select_walk(select, find_in_expr, &search);
    return rc == ZS_OK && search.is_found;
}

/* One that reads no other of the same WITH, nor itself. */
static const struct zsql_cte *find_leaf(const struct zsql_select *select)
{
    for (size_t i = 0; i < select->ctes.n; i++) {
        const struct zsql_cte *cte = select->ctes.items[i];
        bool is_leaf = true;

        for (size_t j = 0; is_leaf && j < select->ctes.n; j++)
            is_leaf = !reads(cte->select, select->ctes.items[j]);
        if (is_leaf)
            return cte;
    }
    return NULL;
}

struct replacement {
    struct inliner *inliner;
    const struct zsql_cte *cte;
    const char *select;
};

static int replace_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct replacement *replacement = ctx;

    (void)core;
    if (from->kind != ZSQL_FROM_TABLE ||
        !is_read_as(&from->schema, from->name.text, replacement->cte))
        return ZS_OK;
    return put_in(replacement->inliner, from, replacement->select);
}

static int replace_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct replacement *replacement = ctx;

    (void)descend;
    if (expr->kind != ZSQL_IN_TABLE ||
        !is_read_as(&expr->schema, expr->name.text, replacement->cte))
        return ZS_OK;
    return add_edit(replacement->inliner, expr->name.span,
        zsql_text_format(replacement->inliner->arena, "(%s)", replacement->select));
}

/* Takes the expression out of its WITH, or the WITH away with the last. */
static int drop_definition(
    struct inliner *inliner, const struct zsql_select *select, const struct zsql_cte *cte)
{
    const struct zsql_cte *first = select->ctes.items[0];
    struct zsql_span span = {cte->name.span.start, cte->end};

    if (select->ctes.n == 1) {
        span.start = select->with_start;
    } else if (cte == first) {
        const struct zsql_cte *next = select->ctes.items[1];
        span.end = next->name.span.start;
    } else {
        size_t i = 0;
        while (select->ctes.items[i + 1] != cte)
            i++;
        span.start = ((const struct zsql_cte *)select->ctes.items[i])->end;
    }
    return add_edit(inliner, span, "");
}

static int put_in_cte(struct inliner *inliner, struct zsql_select *select)
{
    const struct zsql_cte *cte = find_leaf(select);
    struct replacement replacement = {inliner, cte, NULL};
    struct zsql_list names = {0};
    int rc = ZS_OK;

    if (cte == NULL) {
        cte = select->ctes.items[0];
        return zsql_refuse(inliner->message,
            "the recursive common table expression %s is not maintained yet: say it where the "
            "view is read",
            cte->name.text);
    }
    replacement.select = zsql_text_copy(inliner->arena, inliner->text, cte->body);
    if (replacement.select == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < cte->columns.n; i++) {
        const struct zsql_name *name = cte->columns.items[i];
        rc = zsql_list_append(inliner->arena, &names, (void *)name->text);
    }
    if (rc == ZS_OK && names.n > 0)
        rc = zsql_name_columns(inliner->arena, inliner->catalogue, replacement.select, &names,
            NULL, inliner->message, &replacement.select);
    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, replace_in_from, &replacement);
    if (rc == ZS_OK)
        rc = zsql_select_walk(select, replace_in_expr, &replacement);
    return rc == ZS_OK ? drop_definition(inliner, select, cte) : rc;
}

/* The innermost SELECT that has a WITH: of two that do, the one within the other comes
** later. */
struct with_search {
    struct zsql_select *found;
};

static void note_with(struct with_search *search, struct zsql_select *select)
{
    if (select->ctes.n > 0 &&
        (search->found == NULL || select->with_start > search->found->with_start))
        search->found = select;
}

static int find_with_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    if (from->select != NULL)
        note_with(ctx, from->select);
    return ZS_OK;
}

static int find_with_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    if (expr->select != NULL)
        note_with(ctx, expr->select);
    return ZS_OK;
}

static int find_with(struct zsql_select *select, struct zsql_select **found)
{
    struct with_search search = {NULL};
    int rc;

    note_with(&search, select);
    for (size_t i = 0; search.found == select && i < select->ctes.n; i++) {
        const struct zsql_cte *cte = select->ctes.items[i];
        note_with(&search, cte->select);
    }
    rc = zsql_select_walk_from(select, find_with_in_from, &search);
    if (rc == ZS_OK)
        rc = zsql_select_walk(select, find_with_in_expr, &search);
    *found = search.found;
    return rc;
}

/* Views. */

static int inline_text(
    struct inliner *inliner, const char *text, const char **spelled, uint32_t *error_at);

static int spell_view(
    struct inliner *inliner, const struct zsql_relation *relation, const char **select)
{
    struct inliner inner = {.arena = inliner->arena,
        .catalogue = inliner->catalogue,
        .message = inliner->message,
        .schema = relation->schema,
        .depth = inliner->depth + 1};
    struct zsql_list names = {0};
    uint32_t error_at;
    int rc = ZS_OK;

    if (inner.depth > MAX_VIEWS)
        return zsql_refuse(inliner->message,
            "it reads a view through more than %d others: keep one of them by itself, as the"
            " rows of a table",
            MAX_VIEWS);
    rc = inline_text(&inner, relation->select, select, &error_at);
    if (rc == ZS_SYNTAX)
        rc = zsql_refuse(
            inliner->message, "the text of the view %s can't be read", relation->name);
    for (size_t i = 0; rc == ZS_OK && relation->has_names && i < relation->n_columns; i++)
        if (!relation->columns[i].is_hidden)
            rc = zsql_list_append(inliner->arena, &names, (void *)relation->columns[i].name);
    return rc == ZS_OK && names.n > 0
               ? zsql_name_columns(inliner->arena, inliner->catalogue, *select, &names,
                     relation->kind == ZSQL_VIEW ? NULL : relation->name, inliner->message,
                     select)
               : rc;
}

static int put_in_view(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct inliner *inliner = ctx;
    struct zsql_relation relation = {0};
    bool is_found = false;
    const char *select, *schema;
    int rc;

    (void)core;
    if (from->kind != ZSQL_FROM_TABLE)
        return ZS_OK;
    rc = inliner->catalogue->relation(inliner->catalogue->ctx,
        from->schema.text != NULL ? from->schema.text : inliner->schema, from->name.text,
        &relation, &is_found);
    if (rc != ZS_OK || !is_found)
        return rc;
    if (relation.select != NULL) {
        rc = spell_view(inliner, &relation, &select);
        return rc == ZS_OK ? put_in(inliner, from, select) : rc;
    }
    if (inliner->schema == NULL || from->schema.text != NULL)
        return ZS_OK;
    schema = zsql_text_quoted(inliner->arena, inliner->schema, '"');
    return add_edit(inliner, (struct zsql_span){from->name.span.start, from->name.span.start},
        schema == NULL ? NULL : zsql_text_format(inliner->arena, "%s.", schema));
}

static int put_in_table(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct inliner *inliner = ctx;
    uint32_t start =
        expr->schema.text != NULL ? expr->schema.span.start : expr->name.span.start;
    struct zsql_span span = {start, expr->name.span.end};
    const char *name;

    (void)descend;
    if (expr->kind != ZSQL_IN_TABLE || expr->operands.n > 1)
        return ZS_OK;
    name = zsql_text_copy(inliner->arena, inliner->text, span);
    return add_edit(inliner, span,
        name == NULL ? NULL : zsql_text_format(inliner->arena, "(SELECT * FROM %s)", name));
}

/* Rounds. */

static int inline_text(
    struct inliner *inliner, const char *text, const char **spelled, uint32_t *error_at)
{
    int rc = ZS_OK;

    *spelled = text;
    *error_at = 0;
    for (unsigned round = 0; rc == ZS_OK && round < MAX_ROUNDS; round++) {
        struct zsql_select *select, *with = NULL;

        inliner->text = *spelled;
        rc = zsql_select_parse(inliner->arena, inliner->text, &select, error_at);
        if (rc != ZS_OK)
            return rc;
        rc = find_with(select, &with);
        if (rc == ZS_OK && with != NULL) {
            rc = put_in_cte(inliner, with);
        } else if (rc == ZS_OK) {
            rc = zsql_select_walk(select, put_in_table, inliner);
            if (rc == ZS_OK && inliner->edits.list.n == 0)
                rc = zsql_select_walk_from(select, put_in_view, inliner);
            if (rc == ZS_OK && inliner->edits.list.n == 0)
                return ZS_OK;
        }
        if (rc == ZS_OK)
            rc = apply(inliner, spelled);
    }
    return rc != ZS_OK ? rc
                       : zsql_refuse(inliner->message,
                             "too many views and common table expressions are read");
}

int zsql_inline(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled, uint32_t *error_at)
{
    struct inliner inliner = {.arena = arena, .catalogue = catalogue, .message = message};
    int rc = inline_text(&inliner, text, spelled, error_at);

    return rc == ZS_OK ? zsql_make_explicit(arena, spelled, error_at) : rc;
}
