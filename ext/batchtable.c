/* A batch as an eponymous virtual table. One scan at a time reads it. */
#include "ext/batchtable.h"

#include <string.h>

#include "ext/statement.h"

struct ls_batchtable {
    sqlite3 *db;
    char *name;
    char *declaration;
    int n_columns;
    const struct zs_batch *batch; /* borrowed */
    size_t first;
    size_t at;
};

struct table {
    sqlite3_vtab base;
    struct ls_batchtable *owner;
};

/* Where each column of the current item begins, as far as has been read. */
struct cursor {
    sqlite3_vtab_cursor base;
    struct ls_batchtable *owner;
    int n_known;
    size_t starts[];
};

static int batch_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    struct ls_batchtable *owner = aux;
    struct table *table;
    int rc = sqlite3_declare_vtab(db, owner->declaration);

    (void)argc;
    (void)argv;
    (void)error;
    *vtab = NULL;
    if (rc != SQLITE_OK)
        return rc;
    table = zs_alloc_zeroed(&ls_alloc, sizeof(*table));
    if (table == NULL)
        return SQLITE_NOMEM;
    table->owner = owner;
    *vtab = &table->base;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    return SQLITE_OK;
}

static int batch_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

static int batch_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    info->estimatedCost = 1000;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

static int batch_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **opened)
{
    struct ls_batchtable *owner = ((struct table *)vtab)->owner;
    struct cursor *cursor = zs_alloc_zeroed(
        &ls_alloc, sizeof(*cursor) + ((size_t)owner->n_columns + 1) * sizeof(size_t));

    *opened = NULL;
    if (cursor == NULL)
        return SQLITE_NOMEM;
    cursor->owner = owner;
    *opened = &cursor->base;
    return SQLITE_OK;
}

static int batch_close(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int batch_filter(
    sqlite3_vtab_cursor *base, int number, const char *text, int argc, sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;

    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    cursor->owner->at = cursor->owner->first;
    cursor->n_known = 0;
    return SQLITE_OK;
}

static int batch_next(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    cursor->owner->at++;
    cursor->n_known = 0;
    return SQLITE_OK;
}

static int batch_eof(sqlite3_vtab_cursor *base)
{
    struct ls_batchtable *owner = ((struct cursor *)base)->owner;
    return owner->batch == NULL || owner->at >= zs_batch_len(owner->batch);
}

static int batch_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    struct cursor *cursor = (struct cursor *)base;
    struct zs_bytes row = zs_batch_items(cursor->owner->batch)[cursor->owner->at].value;
    struct zs_value value;
    size_t at;

    while (cursor->n_known < i) {
        at = cursor->starts[cursor->n_known];
        if (zs_row_skip(row, &at) != ZS_OK)
            return SQLITE_CORRUPT_VTAB;
        cursor->starts[++cursor->n_known] = at;
    }
    at = cursor->starts[i];
    if (zs_row_read(row, &at, &value) != ZS_OK)
        return SQLITE_CORRUPT_VTAB;
    ls_result(context, &value);
    return SQLITE_OK;
}

static int batch_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
    *rowid = (sqlite3_int64)((struct cursor *)base)->owner->at;
    return SQLITE_OK;
}

/* xCreate is NULL: the table is there under its module's name, and only so. */
static const sqlite3_module batch_module = {
    .xConnect = batch_connect,
    .xBestIndex = batch_best_index,
    .xDisconnect = batch_disconnect,
    .xOpen = batch_open,
    .xClose = batch_close,
    .xFilter = batch_filter,
    .xNext = batch_next,
    .xEof = batch_eof,
    .xColumn = batch_column,
    .xRowid = batch_rowid,
};

static char *declaration_of(const struct zsql_operator *output)
{
    static const char *const collations[] = {
        [ZS_BINARY] = "BINARY",
        [ZS_NOCASE] = "NOCASE",
        [ZS_RTRIM] = "RTRIM",
        [ZS_BINARY_16LE] = "BINARY",
        [ZS_BINARY_16BE] = "BINARY",
    };
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "CREATE TABLE x(");
    for (size_t i = 0; i < output->n_columns; i++)
        sqlite3_str_appendf(text, "%sc%d %s COLLATE %s", i > 0 ? ", " : "", (int)i,
            output->columns[i].type, collations[output->columns[i].collation]);
    sqlite3_str_appendf(text, "%s)", output->n_columns == 0 ? "c" : "");
    return sqlite3_str_finish(text);
}

int ls_batchtable_new(
    sqlite3 *db, const struct zsql_operator *output, struct ls_batchtable **table)
{
    struct ls_batchtable *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc = made == NULL ? ZS_NOMEM : ZS_OK;

    *table = NULL;
    if (rc != ZS_OK)
        return rc;
    made->db = db;
    made->n_columns = (int)output->n_columns;
    made->declaration = declaration_of(output);
    made->name = sqlite3_mprintf("lockstep_batch_%p", (void *)made);
    if (made->declaration == NULL || made->name == NULL ||
        sqlite3_create_module_v2(db, made->name, &batch_module, made, NULL) != SQLITE_OK) {
        sqlite3_free(made->name);
        made->name = NULL;
        rc = ZS_NOMEM;
    }
    if (rc == ZS_OK)
        *table = made;
    else
        ls_batchtable_free(made);
    return rc;
}

void ls_batchtable_free(struct ls_batchtable *table)
{
    if (table == NULL)
        return;
    if (table->name != NULL)
        (void)sqlite3_create_module_v2(table->db, table->name, NULL, NULL, NULL);
    sqlite3_free(table->name);
    sqlite3_free(table->declaration);
    sqlite3_free(table);
}

const char *ls_batchtable_name(const struct ls_batchtable *table)
{
    return table->name;
}

void ls_batchtable_set(struct ls_batchtable *table, const struct zs_batch *batch, size_t first)
{
    table->batch = batch;
    table->first = first;
    table->at = first;
}

size_t ls_batchtable_at(const struct ls_batchtable *table)
{
    return table->at;
}
