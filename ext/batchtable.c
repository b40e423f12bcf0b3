/* A batch as an eponymous virtual table. One scan at a time reads it. */
#include "ext/batchtable.h"

#include <string.h>

#include "ext/checksum.h"
#include "ext/eponym.h"
#include "ext/statement.h"

enum { PREFETCH = 16 }; /* how many items ahead */

struct ls_batchtable {
    struct ls_batchtable *next;
    bool is_used;
    char *name;
    char *declaration;
    int n_columns;
    const struct zs_batch *batch; /* borrowed; NULL: */
    const struct zs_pile *pile;   /* borrowed; NULL: */
    ls_pair_fn *pair;             /* or NULL too */
    void *ctx;
    size_t n_pairs;
    size_t first;
    size_t at;
    bool repeats;   /* each item as often as its weight says ... */
    int64_t n_seen; /* ... and how often that at has come before */
    bool has_pairs; /* a row is not in an item's value, but is its key and its value */
};

/* The current item and its columns, as far as they have been read. */
struct cursor {
    sqlite3_vtab_cursor base;
    struct ls_batchtable *owner;
    struct zs_item item;
    sqlite3_int64 row; /* repetitions are rows of their own: SQLite may tell rows by it */
    int n_read;
    size_t at; /* in the item's row: where the next begins */
    struct zs_value values[];
};

static int batch_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    struct ls_batchtable *owner = aux;

    (void)argc;
    (void)argv;
    return ls_eponym_connect(db, owner->declaration, true, owner, vtab, error);
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
    struct ls_batchtable *owner = ls_eponym_owner(vtab);
    struct cursor *cursor;
    int rc = ls_eponym_open(
        sizeof(*cursor) + (size_t)owner->n_columns * sizeof(*cursor->values), opened);

    cursor = (struct cursor *)*opened;
    if (rc == SQLITE_OK)
        cursor->owner = owner;
    return rc;
}

static size_t n_items(const struct ls_batchtable *owner)
{
    return owner->pile != NULL    ? zs_pile_len(owner->pile)
           : owner->batch != NULL ? zs_batch_len(owner->batch)
                                  : owner->n_pairs;
}

/* What was sorted lies about, and is asked for ahead. */
static int read_item(struct cursor *cursor)
{
    const struct ls_batchtable *owner = cursor->owner;
    size_t ahead = owner->at + PREFETCH;

    cursor->n_read = 0;
    cursor->at = 0;
    if (owner->at >= n_items(owner))
        return SQLITE_OK;
    if (owner->pair != NULL)
        return ls_code_of(
            owner->pair(owner->ctx, owner->at, &cursor->item.key, &cursor->item.value));
    if (owner->pile != NULL) {
        cursor->item = zs_pile_item(owner->pile, owner->at);
        zs_pile_prefetch(owner->pile, ahead);
    } else {
        cursor->item = zs_batch_items(owner->batch)[owner->at];
        if (ahead < zs_batch_len(owner->batch))
            __builtin_prefetch(zs_batch_items(owner->batch)[ahead].value.data);
    }
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
    cursor->owner->n_seen = 0;
    cursor->row = 0;
    return read_item(cursor);
}

static int batch_next(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;
    struct ls_batchtable *owner = cursor->owner;

    cursor->row++;
    if (owner->repeats && ++owner->n_seen < cursor->item.weight)
        return SQLITE_OK;
    owner->n_seen = 0;
    owner->at++;
    return read_item(cursor);
}

static int batch_eof(sqlite3_vtab_cursor *base)
{
    const struct ls_batchtable *owner = ((struct cursor *)base)->owner;

    return owner->at >= n_items(owner);
}

void ls_batchtable_number(int64_t number, uint8_t key[LS_NUMBER_SIZE])
{
    for (int i = 0; i < LS_NUMBER_SIZE; i++)
        key[i] = (uint8_t)((uint64_t)number >> (56 - 8 * i));
}

static int64_t number_of(struct zs_bytes key)
{
    uint64_t number = 0;

    for (size_t i = 0; i < LS_NUMBER_SIZE; i++)
        number = number << 8 | key.data[i];
    return (int64_t)number;
}

/* The first n columns. */
static int read_values(struct cursor *cursor, int n)
{
    for (; cursor->n_read < n; cursor->n_read++)
        if (zs_row_read(cursor->item.value, &cursor->at, &cursor->values[cursor->n_read]) !=
            ZS_OK)
            return SQLITE_CORRUPT_VTAB;
    return SQLITE_OK;
}

/* An item stays where it is for as long as a statement reads it, and so needs no copies. */
static int value_column(struct cursor *cursor, sqlite3_context *context, int i)
{
    int rc = read_values(cursor, i + 1);

    if (rc == SQLITE_OK)
        ls_result_borrowed(context, &cursor->values[i]);
    return rc;
}

static int pair_column(sqlite3_context *context, struct zs_bytes bytes)
{
    if (bytes.len == 0)
        sqlite3_result_zeroblob(context, 0);
    else
        sqlite3_result_blob64(context, bytes.data, bytes.len, SQLITE_STATIC);
    return SQLITE_OK;
}

static int checksum_column(struct cursor *cursor, sqlite3_context *context)
{
    int n = cursor->owner->n_columns;
    int rc = read_values(cursor, n);
    uint64_t sum = ls_checksum_begin(number_of(cursor->item.key), cursor->item.weight);

    for (int i = 0; rc == SQLITE_OK && i < n; i++)
        sum = ls_checksum_add(sum, &cursor->values[i]);
    sqlite3_result_int64(context, (uint32_t)sum);
    return rc;
}

static int batch_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    struct cursor *cursor = (struct cursor *)base;
    const struct ls_batchtable *owner = cursor->owner;
    const struct zs_item *item = &cursor->item;

    if (owner->has_pairs)
        return pair_column(context, i == 0 ? item->key : item->value);
    if (i < owner->n_columns)
        return value_column(cursor, context, i);
    if (i > owner->n_columns + 1)
        return checksum_column(cursor, context);
    sqlite3_result_int64(context, i == owner->n_columns ? item->weight : number_of(item->key));
    return SQLITE_OK;
}

static int batch_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
    *rowid = ((struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module batch_module = {
    .xConnect = batch_connect,
    .xBestIndex = batch_best_index,
    .xDisconnect = ls_eponym_disconnect,
    .xOpen = batch_open,
    .xClose = ls_eponym_close,
    .xFilter = batch_filter,
    .xNext = batch_next,
    .xEof = batch_eof,
    .xColumn = batch_column,
    .xRowid = batch_rowid,
};

static char *declaration_of(const struct zsql_operator *output)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "CREATE TABLE x(");
    for (size_t i = 0; i < output->n_columns; i++)
        sqlite3_str_appendf(text, "%sc%d %s COLLATE \"%w\"", i > 0 ? ", " : "", (int)i,
            output->columns[i].type, output->columns[i].collation_name);
    sqlite3_str_appendf(text,
        "%slockstep_weight HIDDEN, lockstep_number HIDDEN, lockstep_checksum HIDDEN)",
        output->n_columns == 0 ? "" : ", ");
    return sqlite3_str_finish(text);
}

static void free_one(struct ls_batchtable *table)
{
    sqlite3_free(table->name);
    sqlite3_free(table->declaration);
    sqlite3_free(table);
}

/* Registers a new one. The declaration is its own from now on. */
static int register_one(sqlite3 *db, struct ls_batchtable **all, char *declaration,
    size_t n_columns, struct ls_batchtable **table)
{
    struct ls_batchtable *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    if (made == NULL) {
        sqlite3_free(declaration);
        return ZS_NOMEM;
    }
    made->declaration = declaration;
    made->n_columns = (int)n_columns;
    made->name = sqlite3_mprintf("lockstep_batch_%p", (void *)made);
    if (made->name == NULL ||
        sqlite3_create_module_v2(db, made->name, &batch_module, made, NULL) != SQLITE_OK) {
        free_one(made);
        return ZS_NOMEM;
    }
    made->next = *all;
    *all = made;
    *table = made;
    return ZS_OK;
}

int ls_batchtable_take(sqlite3 *db, struct ls_batchtable **all,
    const struct zsql_operator *output, struct ls_batchtable **table)
{
    char *declaration = declaration_of(output);
    int rc = ZS_OK;

    *table = NULL;
    if (declaration == NULL)
        return ZS_NOMEM;
    for (struct ls_batchtable *known = *all; known != NULL; known = known->next)
        if (!known->is_used && strcmp(known->declaration, declaration) == 0)
            *table = known;
    if (*table == NULL)
        rc = register_one(db, all, declaration, output->n_columns, table);
    else
        sqlite3_free(declaration);
    if (rc == ZS_OK)
        (*table)->is_used = true;
    return rc;
}

void ls_batchtable_give_back(struct ls_batchtable *table)
{
    if (table == NULL)
        return;
    ls_batchtable_set(table, NULL, 0);
    table->is_used = false;
}

void ls_batchtable_free_all(struct ls_batchtable *all)
{
    while (all != NULL) {
        struct ls_batchtable *next = all->next;
        free_one(all);
        all = next;
    }
}

const char *ls_batchtable_name(const struct ls_batchtable *table)
{
    return table->name;
}

void ls_batchtable_set(struct ls_batchtable *table, const struct zs_batch *batch, size_t first)
{
    table->batch = batch;
    table->pile = NULL;
    table->pair = NULL;
    table->n_pairs = 0;
    table->first = first;
    table->at = first;
    table->repeats = table->has_pairs = false;
}

void ls_batchtable_repeat(struct ls_batchtable *table, const struct zs_batch *batch)
{
    ls_batchtable_set(table, batch, 0);
    table->repeats = true;
}

void ls_batchtable_set_pairs(struct ls_batchtable *table, const struct zs_batch *batch)
{
    ls_batchtable_set(table, batch, 0);
    table->has_pairs = true;
}

void ls_batchtable_give_pairs(
    struct ls_batchtable *table, size_t n, ls_pair_fn *pair, void *ctx)
{
    ls_batchtable_set_pairs(table, NULL);
    table->pair = pair;
    table->ctx = ctx;
    table->n_pairs = n;
}

void ls_batchtable_set_pile(struct ls_batchtable *table, const struct zs_pile *pile)
{
    ls_batchtable_set(table, NULL, 0);
    table->pile = pile;
}

size_t ls_batchtable_at(const struct ls_batchtable *table)
{
    return table->at;
}
