/* The arguments of a read. */
#include "ext/argument.h"

#include "ext/selection.h"
#include "ext/statement.h"

enum {
    MOST = 1 << 14, /* values that an IN may have; ls_argument_letter has letters for so many */
    BYTES_OF_VALUE = 16, /* that it takes in a statement's text, at most */
};

int ls_argument_n_parameters(const struct ls_argument *argument)
{
    size_t n = 1;

    if (!argument->is_several)
        return 1;
    if (argument->is_any || argument->n == 0)
        return 0;
    while (n < argument->n)
        n *= 2;
    return (int)n;
}

char ls_argument_letter(const struct ls_argument *argument)
{
    static const char letters[] = {[SQLITE_INTEGER] = 'n',
        [SQLITE_FLOAT] = 'n',
        [SQLITE_TEXT] = 't',
        [SQLITE_BLOB] = 'b',
        [SQLITE_NULL] = '0'};
    int letter = '@'; /* which is 64: 15 numbers of parameters, four kinds of each */

    if (!argument->is_several)
        return letters[sqlite3_value_type(argument->value)];
    if (argument->is_any)
        return '*';
    for (int n = ls_argument_n_parameters(argument); n > 0; n /= 2)
        letter += 4;
    return (char)(letter + argument->has_number * 2 + argument->has_text);
}

static int add(struct ls_argument *argument, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    int status = zs_alloc_reserve(
        &ls_alloc, &argument->values, &argument->cap, argument->n + 1, sizeof(value));

    if (status != ZS_OK)
        return SQLITE_NOMEM;
    argument->values[argument->n] = sqlite3_value_dup(value);
    if (argument->values[argument->n] == NULL)
        return SQLITE_NOMEM;
    argument->n++;
    argument->has_number =
        argument->has_number || type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    argument->has_text = argument->has_text || type == SQLITE_TEXT;
    return SQLITE_OK;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many values a statement that has so many arguments can have of each: they take less than twice
** as many parameters, and there is one for the rows that are hidden. */
static size_t most_of(sqlite3 *db, int n_arguments)
{
    size_t n = 2 * (size_t)n_arguments;
    int most = sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);
    size_t parameters = most > 0 ? (size_t)(most - 1) / n : 0;
    size_t length = (size_t)sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, -1) / 2;

    return least(MOST, least(parameters, length / (n * BYTES_OF_VALUE)));
}

/* NULL is in no set. */
static int read_several(struct ls_argument *argument, size_t most)
{
    sqlite3_value *value = NULL;
    int rc = sqlite3_vtab_in_first(argument->value, &value);

    argument->is_several = true;
    while (rc == SQLITE_OK && value != NULL) {
        if (sqlite3_value_type(value) != SQLITE_NULL && argument->n == most) {
            argument->is_any = true;
            return SQLITE_OK;
        }
        if (sqlite3_value_type(value) != SQLITE_NULL)
            rc = add(argument, value);
        if (rc == SQLITE_OK)
            rc = sqlite3_vtab_in_next(argument->value, &value);
    }
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int ls_arguments_read(struct ls_arguments *arguments, sqlite3 *db, const char *items, int argc,
    sqlite3_value **argv)
{
    static const int n_few = sizeof(arguments->few) / sizeof(*arguments->few);
    struct ls_item item;
    int rc = SQLITE_OK;

    *arguments = (struct ls_arguments){.items = arguments->few};
    if (argc > n_few)
        arguments->items = zs_alloc_zeroed(&ls_alloc, (size_t)argc * sizeof(*arguments->items));
    if (arguments->items == NULL)
        return SQLITE_NOMEM;
    for (; rc == SQLITE_OK && arguments->n < argc && ls_item_next(&items, &item);
         arguments->n++) {
        struct ls_argument *argument = &arguments->items[arguments->n];

        argument->value = argv[arguments->n];
        if (item.op == LS_SEVERAL)
            rc = read_several(argument, most_of(db, argc));
    }
    return rc;
}

void ls_arguments_clear(struct ls_arguments *arguments)
{
    for (int i = 0; i < arguments->n; i++) {
        struct ls_argument *argument = &arguments->items[i];

        for (size_t k = 0; k < argument->n; k++)
            sqlite3_value_free(argument->values[k]);
        sqlite3_free(argument->values);
    }
    if (arguments->items != arguments->few)
        sqlite3_free(arguments->items);
}
