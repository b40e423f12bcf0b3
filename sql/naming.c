/* Naming columns. Mostly it is written behind each column, where it has another name: AS "a"; a `*` is
** written out before. But what else names columns in that SELECT may mean another then, as ORDER
** BY x does in SELECT x AS "g", g AS "x", or none. So with such a SELECT around it says the names. */
#include "sql/naming.h"

#include "sql/bind.h"
#include "sql/edit.h"
#include "sql/lex.h"
#include "sql/text.h"

struct naming {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    const char *text;
    struct zsql_select *select;
    struct zsql_core *core; /* the first, whose names count */
    bool is_bound;
    const struct zsql_list *names;
    const char *maintained;
    struct zsql_message *message;
};

static bool has_star(const struct zsql_core *core)
{
    for (size_t i = 0; i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        if (result->kind != ZSQL_RESULT)
            return true;
    }
    return false;
}

/* What a result column is called, as far as its text alone tells; else NULL. COLLATE leaves a
** column its name. */
static const char *called(const struct zsql_result *result)
{
    const struct zsql_expr *expr = result->expr;

    while (expr->kind == ZSQL_COLLATE)
        expr = expr->operands.items[0];
    return result->alias.text != NULL ? result->alias.text
           : expr->kind == ZSQL_NAME  ? expr->name.text
                                      : NULL;
}

static bool is_called(const struct zsql_result *result, const char *name)
{
    const char *old = called(result);

    return old != NULL && zsql_same_name(old, name);
}

/* Behind the columns. */

struct mention {
    const struct zsql_select *select;
    const char *name;
    bool is_bound, is_found;
};

/* Result columns don't see each other's names. */
static bool is_in_results(const struct zsql_select *select, uint32_t at)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];
        if (!core->is_values && at >= core->start && at < zsql_results_end(core))
            return true;
    }
    return false;
}

/* A whole term of ORDER BY: there the name of a result column goes before a column. */
static bool is_term(const struct zsql_select *select, const struct zsql_expr *expr)
{
    for (size_t i = 0; i < select->order.n; i++) {
        const struct zsql_expr *whole = ((struct zsql_term *)select->order.items[i])->expr;

        while (whole->kind == ZSQL_COLLATE)
            whole = whole->operands.items[0];
        if (whole == expr)
            return true;
    }
    return false;
}

/* Elsewhere what is a column stays one. */
static int find_mention(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct mention *mention = ctx;

    (void)descend;
    if (expr->kind != ZSQL_NAME || expr->table.text != NULL ||
        !zsql_same_name(expr->name.text, mention->name) ||
        is_in_results(mention->select, expr->span.start))
        return ZS_OK;
    if (!mention->is_bound || expr->binding != ZSQL_COLUMN || is_term(mention->select, expr))
        mention->is_found = true;
    return ZS_OK;
}

static bool is_mentioned(const struct naming *naming, const char *name)
{
    struct mention mention = {naming->select, name, naming->is_bound, false};
    int rc = zsql_select_walk(naming->select, find_mention, &mention);

    return rc != ZS_OK || mention.is_found;
}

/* Can names be written in their places, so that all else of the SELECT means what it meant? ORDER
** BY of a compound finds a column also by the name that it has without AS. */
static bool can_name_each(const struct naming *naming)
{
    if (naming->core->is_values || has_star(naming->core) ||
        naming->core->results.n != naming->names->n)
        return false;
    for (size_t i = 0; i < naming->names->n; i++) {
        const struct zsql_result *result = naming->core->results.items[i];
        const char *name = naming->names->items[i];
        const char *old = naming->select->cores.n > 1 ? called(result) : result->alias.text;

        if (!is_called(result, name) &&
            (is_mentioned(naming, name) || (old != NULL && is_mentioned(naming, old))))
            return false;
    }
    return true;
}

static int name_each(const struct naming *naming, const char **named)
{
    struct zsql_edits edits = {{NULL, 0, 0}};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < naming->names->n; i++) {
        const struct zsql_result *result = naming->core->results.items[i];
        uint32_t at = zsql_lex(naming->text, result->expr->span.end).start;
        const char *name = zsql_text_quoted(naming->arena, naming->names->items[i], '"');
        bool has_alias = result->alias.text != NULL;

        if (is_called(result, naming->names->items[i]))
            continue;
        if (name != NULL && !has_alias)
            name = zsql_text_format(naming->arena, " AS %s ", name);
        rc = name == NULL
                 ? ZS_NOMEM
                 : zsql_edits_add(naming->arena, &edits,
                       has_alias ? result->alias.span : (struct zsql_span){at, at}, name);
    }
    if (rc != ZS_OK || edits.list.n == 0)
        return rc;
    *named = zsql_text_apply(naming->arena, naming->text, &edits);
    return *named == NULL ? ZS_NOMEM : ZS_OK;
}

/* Instead of `*`. */

/* May it be said as source.column? Not what USING makes of several, nor by names that two have. */
static bool is_plain_column(const struct naming *naming, const struct zsql_expr *expr)
{
    const struct zsql_list *sources = &naming->core->bound->sources;
    const struct zsql_source *source;
    size_t n = 0;

    if (expr->kind != ZSQL_NAME || expr->binding != ZSQL_COLUMN || expr->column < 0 ||
        expr->is_merged)
        return false;
    source = zsql_bound_source(expr);
    if (source->name == NULL || source->join_name != NULL)
        return false;
    for (size_t i = 0; i < sources->n; i++) {
        const struct zsql_source *other = sources->items[i];
        n += other->name != NULL && zsql_same_name(other->name, source->name);
    }
    for (size_t i = 0; i < source->relation.n_columns; i++)
        n += zsql_same_name(source->relation.columns[i].name, expr->name.text);
    return n == 2; /* the source and its column */
}

/* The columns that a `*` stands for, from the output number first on; NULL where they can't be said
** so, and without memory. */
static const char *spell_star(
    const struct naming *naming, const struct zsql_result *star, size_t first)
{
    const char *text = star->n_outputs > 0 ? "" : NULL;

    for (size_t i = 0; text != NULL && i < star->n_outputs; i++) {
        const struct zsql_output *output = naming->core->bound->outputs.items[first + i];
        const char *table, *column;

        if (!is_plain_column(naming, output->expr))
            return NULL;
        table = zsql_text_quoted(naming->arena, zsql_bound_source(output->expr)->name, '"');
        column = zsql_text_quoted(naming->arena, output->expr->name.text, '"');
        text = table == NULL || column == NULL ? NULL
                                               : zsql_text_format(naming->arena, "%s%s%s.%s",
                                                     text, i > 0 ? ", " : "", table, column);
    }
    return text;
}

/* The text without `*`; *spelled is NULL where there is none, or it can't be said. */
static int spell_stars(const struct naming *naming, const char **spelled)
{
    struct zsql_edits edits = {{NULL, 0, 0}};
    size_t at = 0;

    *spelled = NULL;
    for (size_t i = 0; i < naming->core->results.n; i++) {
        const struct zsql_result *result = naming->core->results.items[i];
        bool is_star = result->kind != ZSQL_RESULT;
        const char *text = is_star ? spell_star(naming, result, at) : NULL;
        int rc =
            text == NULL ? ZS_OK : zsql_edits_add(naming->arena, &edits, result->span, text);

        if (zsql_arena_has_failed(naming->arena))
            return ZS_NOMEM;
        if (rc != ZS_OK || (is_star && text == NULL))
            return rc;
        at += result->n_outputs;
    }
    if (edits.list.n == 0)
        return ZS_OK;
    *spelled = zsql_text_apply(naming->arena, naming->text, &edits);
    return *spelled == NULL ? ZS_NOMEM : ZS_OK;
}

/* Around them. */

static size_t count_columns(const struct zsql_core *core)
{
    const struct zsql_expr *row = core->is_values ? core->rows.items[0] : NULL;

    return row != NULL ? row->operands.n : core->bound->outputs.n;
}

/* As SQLite calls it; NULL without memory. */
static const char *name_within(const struct naming *naming, size_t i)
{
    const struct zsql_core *core = naming->core;

    return core->is_values ? zsql_text_format(naming->arena, "column%zu", i + 1)
                           : ((struct zsql_output *)core->bound->outputs.items[i])->name;
}

static bool has_names(const struct naming *naming)
{
    for (size_t i = 0; i < naming->names->n; i++) {
        const char *name = name_within(naming, i);
        if (name == NULL || !zsql_same_name(name, naming->names->items[i]))
            return false;
    }
    return true;
}

/* "SELECT "x" AS "a", ... FROM (select)". */
static int wrap(const struct naming *naming, const char **named)
{
    const char *text = "SELECT";

    for (size_t i = 0; text != NULL && i < naming->names->n; i++) {
        const char *name = zsql_text_quoted(naming->arena, naming->names->items[i], '"');
        const char *old = name_within(naming, i);

        old = old == NULL ? NULL : zsql_text_quoted(naming->arena, old, '"');
        text = name == NULL || old == NULL ? NULL
                                           : zsql_text_format(naming->arena, "%s%s %s AS %s",
                                                 text, i > 0 ? "," : "", old, name);
    }
    if (text != NULL)
        text = zsql_text_format(naming->arena, "%s FROM (%s)", text, naming->text);
    *named = text;
    return text == NULL ? ZS_NOMEM : ZS_OK;
}

static int name_in_other_ways(const struct naming *naming, const char **named)
{
    const char *spelled = NULL;
    int rc = ZS_OK;

    if (has_names(naming))
        return ZS_OK;
    if (!naming->core->is_values)
        rc = spell_stars(naming, &spelled);
    if (rc != ZS_OK || spelled == NULL)
        return rc == ZS_OK ? wrap(naming, named) : rc;
    return zsql_name_columns(naming->arena, naming->catalogue, spelled, naming->names,
        naming->maintained, naming->message, named);
}

/* Are the names there, in their order, and what came to them behind all others of its source, as
** ADD COLUMN has it? If not, there is no telling which column is which. */
static bool have_come_last(const struct naming *naming)
{
    const struct zsql_list *outputs = &naming->core->bound->outputs;
    const struct zsql_expr *new = NULL;
    size_t n = 0;

    for (size_t i = 0; i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];

        if (n == naming->names->n || !zsql_same_name(output->name, naming->names->items[n]))
            new = output->expr;
        else if (new != NULL &&new->source == output->expr->source)
            return false;
        else
            n++;
    }
    return n == naming->names->n;
}

static int name_all(const struct naming *naming, const char **named)
{
    size_t n = count_columns(naming->core);

    if (n == naming->names->n)
        return name_in_other_ways(naming, named);
    if (naming->maintained == NULL)
        return zsql_refuse(naming->message, "a view names more or fewer columns than it has");
    if (!naming->core->is_values && have_come_last(naming))
        return ZS_OK;
    return zsql_refuse(naming->message,
        "view %s gives %zu columns now, not %zu, and must be created again", naming->maintained,
        n, naming->names->n);
}

/* Of a common table expression in a subquery that names what is outside: what follows from a name
** there the text does not tell. Without an ORDER BY a column goes before what AS names. */
static int name_after_refusal(
    const struct naming *naming, const struct zsql_message *refusal, const char **named)
{
    if (naming->core->is_values || has_star(naming->core) ||
        naming->core->results.n != naming->names->n || naming->select->order.n > 0)
        return zsql_refuse(naming->message, "%s", refusal->text);
    return name_each(naming, named);
}

int zsql_name_columns(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, const struct zsql_list *names, const char *maintained,
    struct zsql_message *message, const char **named)
{
    struct naming naming = {.arena = arena,
        .catalogue = catalogue,
        .text = text,
        .names = names,
        .maintained = maintained,
        .message = message};
    struct zsql_message refusal = {message->alloc, NULL};
    uint32_t error_at;
    int rc = zsql_select_parse(arena, text, &naming.select, &error_at);

    *named = text;
    if (rc != ZS_OK)
        return rc;
    naming.core = naming.select->cores.items[0];
    if (can_name_each(&naming))
        return name_each(&naming, named);
    if (!naming.core->is_values)
        rc = zsql_bind(arena, catalogue, text, naming.select, &refusal);
    naming.is_bound = rc == ZS_OK;
    if (rc == ZS_OK)
        rc = can_name_each(&naming) ? name_each(&naming, named) : name_all(&naming, named);
    else if (rc == ZS_REFUSED)
        rc = name_after_refusal(&naming, &refusal, named);
    zs_alloc_free(message->alloc, refusal.text);
    return rc;
}
