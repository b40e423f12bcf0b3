/* What result columns are called where a subquery or a view has them, as SQLite calls them.
**
** By its alias, else by the column that it is, be that under a COLLATE, else by its text. `true`
** and `false` are no names: column<n> is. A name that is taken gets a number, `a:1`; the sixth
** of a name gets a random one. */
#include "sql/binder.h"

#include <ctype.h>
#include <string.h>

#include "sql/text.h"

enum { MOST_OF_A_NAME = 5 };

int zsql_bind_name(struct zsql_binder *binder, const struct zsql_expr *expr, const char **name)
{
    const struct zsql_expr *called = expr;

    while (called->kind == ZSQL_COLLATE)
        called = called->operands.items[0];
    *name = NULL;
    if (called->binding == ZSQL_COLUMN) {
        const struct zsql_column *column = zsql_bound_column(called);
        *name = column != NULL ? column->name : "rowid";
    }
    if (*name == NULL)
        *name = zsql_text_copy(binder->arena, binder->text, expr->span);
    return *name != NULL ? ZS_OK : ZS_NOMEM;
}

static bool is_taken(const struct zsql_list *outputs, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++) {
        const struct zsql_output *output = outputs->items[i];
        if (zsql_same_name(output->name, name))
            return true;
    }
    return false;
}

/* How long a name is without a number behind it. */
static size_t length_of_stem(const char *name)
{
    size_t n = strlen(name), at = n > 0 ? n - 1 : 0;

    while (at > 0 && isdigit((unsigned char)name[at]))
        at--;
    return n > 0 && name[at] == ':' ? at : n;
}

int zsql_bind_tell_apart(struct zsql_binder *binder)
{
    const struct zsql_list *outputs = &binder->bound->outputs;

    for (size_t i = 0; i < outputs->n; i++) {
        struct zsql_output *output = outputs->items[i];
        const char *name = output->name;

        if (zsql_same_name(name, "true") || zsql_same_name(name, "false"))
            name = zsql_text_format(binder->arena, "column%zu", i + 1);
        for (size_t n = 1; name != NULL && is_taken(outputs, i, name); n++) {
            output->is_called_at_random = n >= MOST_OF_A_NAME;
            if (n == MOST_OF_A_NAME)
                n += i; /* as a rule that one is free */
            name =
                zsql_text_format(binder->arena, "%.*s:%zu", (int)length_of_stem(name), name, n);
        }
        if (name == NULL)
            return ZS_NOMEM;
        output->name = name;
    }
    return ZS_OK;
}

int zsql_bind_check_names(struct zsql_binder *binder)
{
    for (size_t i = 0; i < binder->bound->sources.n; i++) {
        const struct zsql_source *source = binder->bound->sources.items[i];
        const struct zsql_select *select = source->from->select;
        const struct zsql_core *core = select != NULL ? select->cores.items[0] : NULL;

        for (size_t j = 0; core != NULL && !core->is_values && j < core->bound->outputs.n;
             j++) {
            const struct zsql_output *output = core->bound->outputs.items[j];
            if (output->is_called_at_random && source->is_used[j])
                return zsql_refuse(binder->message,
                    "a subquery in FROM, or a view, has more than %d columns of the name %.*s: "
                    "give them names of their own",
                    MOST_OF_A_NAME, (int)length_of_stem(output->name), output->name);
        }
    }
    return ZS_OK;
}
