/* Aggregates that SQLite computes: SELECT group_concat(c0, c1) FROM a batch table, whose rows
** come in the order that the query gives them, and in ascending order. Where it gives none any
** would do, but this one is easy on people, and the same for the same rows. */
#include "ext/refold.h"

#include <string.h>

#include "ext/statement.h"

/* Of one spec; table is NULL where it is no ZS_REFOLD. */
struct refold {
    struct zsql_operator arguments; /* as if they were an operator's output */
    struct ls_batchtable *table;
    sqlite3_stmt *statement;
};

struct ls_refolds {
    sqlite3 *db;
    const struct zsql_operator *output;
    int code;
    struct refold each[]; /* by the specs' numbers */
};

static bool has_refold(const struct zsql_operator *output)
{
    for (size_t i = 0; i < output->n_specs; i++)
        if (output->specs[i].kind == ZS_REFOLD)
            return true;
    return false;
}

static int make_one(struct ls_refolds *refolds, struct ls_batchtable **tables, unsigned number)
{
    const struct zsql_operator *output = refolds->output;
    const struct zs_fold_spec *spec = &output->specs[number];
    struct refold *refold = &refolds->each[number];

    refold->arguments.columns =
        output->input->columns + output->n_keys + output->n_bare + spec->argument;
    refold->arguments.n_columns = spec->n_arguments;
    return ls_batchtable_take(refolds->db, tables, &refold->arguments, &refold->table);
}

int ls_refolds_new(sqlite3 *db, struct ls_batchtable **tables,
    const struct zsql_operator *output, struct ls_refolds **refolds)
{
    struct ls_refolds *made;
    int rc = ZS_OK;

    *refolds = NULL;
    if (!has_refold(output))
        return ZS_OK;
    made = zs_alloc_zeroed(&ls_alloc, sizeof(*made) + output->n_specs * sizeof(made->each[0]));
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->output = output;
    for (unsigned i = 0; rc == ZS_OK && i < output->n_specs; i++)
        if (output->specs[i].kind == ZS_REFOLD)
            rc = make_one(made, tables, i);
    if (rc == ZS_OK)
        *refolds = made;
    else
        ls_refolds_free(made);
    return rc;
}

void ls_refolds_free(struct ls_refolds *refolds)
{
    if (refolds == NULL)
        return;
    for (size_t i = 0; i < refolds->output->n_specs; i++) {
        sqlite3_finalize(refolds->each[i].statement);
        ls_batchtable_give_back(refolds->each[i].table);
    }
    sqlite3_free(refolds);
}

/* The statement's one value. */
static int read_value(sqlite3_stmt *statement, struct zs_buffer *value)
{
    struct zs_value read = ls_column(statement, 0);

    int rc = ls_read_status(&read);

    return rc == ZS_OK ? zs_row_append_identity(value, &read) : rc;
}

static int run(
    struct refold *refold, const struct zs_batch *rows, struct zs_buffer *value, int *code)
{
    int status = ZS_OK;

    ls_batchtable_repeat(refold->table, rows);
    if (sqlite3_step(refold->statement) == SQLITE_ROW)
        status = read_value(refold->statement, value);
    *code = sqlite3_reset(refold->statement);
    ls_batchtable_set(refold->table, NULL, 0);
    return status;
}

static void append_columns(sqlite3_str *text, const char *format, size_t n)
{
    for (int i = 0; i < (int)n; i++) {
        sqlite3_str_appendf(text, "%s", i > 0 ? ", " : "");
        sqlite3_str_appendf(text, format, i, i);
    }
}

/* Prepares a statement of the text that number is computed by. */
static int prepare(struct ls_refolds *refolds, unsigned number, sqlite3_stmt **statement)
{
    const struct refold *refold = &refolds->each[number];
    sqlite3_str *text = sqlite3_str_new(refolds->db);

    sqlite3_str_appendf(text, "SELECT %s FROM (SELECT ", refolds->output->refolds[number]);
    append_columns(text, "c%d AS c%d", refold->arguments.n_columns);
    sqlite3_str_appendf(text, " FROM \"%w\" ORDER BY ", ls_batchtable_name(refold->table));
    if (*refolds->output->refold_orders[number] != '\0')
        sqlite3_str_appendf(text, "%s, ", refolds->output->refold_orders[number]);
    append_columns(text, "c%d", refold->arguments.n_columns);
    sqlite3_str_appendf(text, ")");
    return ls_prepare_text(refolds->db, statement, sqlite3_str_finish(text));
}

/* Puts SQLite's message in value, if the statement failed through its data. */
static int read_error(struct ls_refolds *refolds, sqlite3_stmt *statement,
    struct zs_buffer *value, bool *is_error)
{
    const char *said = sqlite3_errmsg(refolds->db);
    int rc;

    zs_buffer_reset(value);
    rc = zs_buffer_append(value, said, strlen(said));
    *is_error = ls_is_fault_of_data(statement, &refolds->code);
    return rc;
}

static int say_malformed(struct zs_buffer *value)
{
    zs_buffer_reset(value);
    return zs_buffer_append(value, LS_MALFORMED_TEXT, strlen(LS_MALFORMED_TEXT));
}

int ls_refold(void *ctx, unsigned number, const struct zs_batch *rows, struct zs_buffer *value,
    bool *is_error)
{
    struct ls_refolds *refolds = ctx;
    struct refold *refold = &refolds->each[number];
    int status = ZS_OK;

    refolds->code = SQLITE_OK;
    *is_error = false;
    if (refold->statement == NULL)
        refolds->code = prepare(refolds, number, &refold->statement);
    if (refolds->code == SQLITE_OK) {
        status = run(refold, rows, value, &refolds->code);
        *is_error = status == ZS_REFUSED;
        if (*is_error)
            status = say_malformed(value);
        if (refolds->code != SQLITE_OK)
            status = read_error(refolds, refold->statement, value, is_error);
    }
    if (*is_error)
        refolds->code = SQLITE_OK; /* it is the group's */
    if (refolds->code == SQLITE_OK)
        return status;
    return refolds->code == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

int ls_refolds_code(const struct ls_refolds *refolds)
{
    return refolds != NULL ? refolds->code : SQLITE_OK;
}
