/* Bare columns: a SELECT that shows columns of one row of each group, the one with the least or
** the greatest of something, or any. Its members are all the rows that may be shown. */
#include "tests/diff_compose.h"

#include <string.h>

struct bare {
    struct diff_composer *m;
    struct diff_view *view;
    struct diff_scope scope;
    struct diff_composed_column key;
    struct diff_composed_column argument;
    const char *function; /* NULL: any row */
    bool is_global;
    unsigned keys;          /* columns that show the key, as bits */
    struct diff_text shown; /* the SELECT's columns */
    struct diff_text named; /* what its members are made of, as c0, c1, ... */
};

static void add_column(struct bare *bare, const char *shown, const char *value, char spec)
{
    unsigned i = bare->view->n_columns++;

    diff_text_add(&bare->shown, "%s%s AS c%u", i > 0 ? ", " : "", shown, i);
    diff_text_add(&bare->named, "%s%s AS c%u", i > 0 ? ", " : "", value, i);
    bare->view->columns[i] =
        (struct diff_view_column){.text = diff_compose_print(bare->m, "%s", shown),
            .alias = diff_compose_print(bare->m, "c%u", i),
            .spec = spec,
            .member_spec = 'E',
            .collation = 'B',
            .affinity = '?'};
}

static char letter_of(const struct diff_composed_column *column)
{
    return column->is_firm ? 'E' : column->letter;
}

/* Over no rows a column is NULL, and an expression anything. Of a key that merges unlike
** values, any may be shown, whichever row stands for the group: then it is read alone. */
static struct diff_composed_column bare_value(struct bare *bare)
{
    struct diff_composed_column value;

    if (!bare->is_global) {
        value = diff_compose_scalar(bare->m, &bare->scope, 3);
        return !bare->key.is_firm && strstr(value.text, bare->key.text) != NULL ? bare->key
                                                                                : value;
    }
    if (!diff_compose_pick(bare->m, &bare->scope, &value))
        value.text = "NULL";
    return value;
}

/* Key, min or max, one to three bare values. */
static void choose_columns(struct bare *bare)
{
    static const char *const functions[] = {NULL, "min", "max"};
    struct diff_composer *m = bare->m;

    bare->is_global = diff_chance(m, 20) || !diff_compose_pick(m, &bare->scope, &bare->key);
    if (!bare->is_global && diff_chance(m, 30)) {
        bare->key.text = diff_compose_print(m, "length(%s)", bare->key.text);
        bare->key.is_firm = true;
    }
    bare->function = functions[diff_choose(m, 3)];
    if (bare->function != NULL && !diff_compose_pick(m, &bare->scope, &bare->argument))
        bare->function = NULL;
    bare->keys = 1;
    if (!bare->is_global)
        add_column(bare, bare->key.text, bare->key.text, letter_of(&bare->key));
    if (bare->function != NULL)
        add_column(bare, diff_compose_print(m, "%s(%s)", bare->function, bare->argument.text),
            bare->argument.text, letter_of(&bare->argument));
    for (unsigned n = 1 + diff_choose(m, 2); n > 0; n--) {
        struct diff_composed_column value = bare_value(bare);
        if (!bare->is_global && strcmp(value.text, bare->key.text) == 0)
            bare->keys |= 1u << bare->view->n_columns;
        add_column(bare, value.text, value.text, '?');
    }
    if (bare->function == NULL && bare->is_global)
        add_column(bare, "count(*)", "(SELECT count(*) FROM w)", 'E');
}

/* All rows of w that may be shown; of no rows at all, one of NULLs. */
static void add_members(struct bare *bare, struct diff_text *out)
{
    unsigned argument = bare->is_global ? 0 : 1;
    bool is_merged = !bare->is_global && !bare->key.is_firm;

    for (unsigned i = 0; i < bare->view->n_columns; i++)
        diff_text_add(out, "%s%s.c%u", i > 0 ? ", " : "SELECT ",
            is_merged && (bare->keys >> i & 1) != 0 ? "q" : "r", i);
    diff_text_add(out, " FROM (SELECT * FROM w AS r");
    if (bare->function != NULL)
        diff_text_add(out, " WHERE r.c%u IS (SELECT %s(s.c%u) FROM w AS s%s)", argument,
            bare->function, argument, bare->is_global ? "" : " WHERE s.c0 IS r.c0");
    diff_text_add(out, ") AS r%s", is_merged ? " JOIN w AS q ON q.c0 IS r.c0" : "");
    if (!bare->is_global)
        return;
    diff_text_add(out, " UNION ALL SELECT ");
    for (unsigned i = 0; i < bare->view->n_columns; i++)
        diff_text_add(out, "%s%s", i > 0 ? ", " : "",
            bare->view->columns[i].spec == 'E' && bare->function == NULL ? "0" : "NULL");
    diff_text_add(out, " WHERE NOT EXISTS (SELECT * FROM w)");
}

void diff_compose_bare(struct diff_composer *m, struct diff_view *view)
{
    struct bare bare = {.m = m, .view = view};
    struct diff_text from = {0}, text = {0}, members = {0};
    const char *where = NULL;

    view->n_columns = 0;
    diff_compose_from(m, &bare.scope, (struct diff_wish){.is_top = true}, &from);
    if (diff_chance(m, 40))
        where = diff_compose_condition(m, &bare.scope, 3);
    choose_columns(&bare);
    diff_text_reset(&text);
    if (m->ctes.data != NULL)
        diff_text_add_bytes(&text, m->ctes.data, m->ctes.len);
    diff_text_reset(&members);
    diff_text_add_bytes(&members, text.data, text.len);
    diff_text_add(&text, "SELECT %s%s", bare.shown.data, from.data);
    diff_text_add(&members, "%s w AS (SELECT %s%s", m->ctes.data != NULL ? ", " : "WITH ",
        bare.named.data, from.data);
    if (where != NULL) {
        diff_text_add(&text, " WHERE %s", where);
        diff_text_add(&members, " WHERE %s", where);
    }
    if (!bare.is_global)
        diff_text_add(&text, " GROUP BY %s", bare.key.text);
    diff_text_add(&members, ") ");
    add_members(&bare, &members);
    view->text = diff_arena_take(&m->c->arena, &text);
    view->members = diff_arena_take(&m->c->arena, &members);
    view->uses = m->uses;
    view->is_rough = m->is_rough;
    diff_text_free(&from);
    diff_text_free(&bare.shown);
    diff_text_free(&bare.named);
    diff_text_free(&m->ctes);
}
