/* A block is a batch whose keys and values are the two columns of <view>_trace. */
#include "ext/fill.h"

#include "ext/statement.h"

enum { REPLACE, INSERT, N_STATEMENTS };

struct ls_fill {
    sqlite3 *db;
    char *schema;
    char *view;
    struct ls_batchtable *table;
    sqlite3_stmt *statements[N_STATEMENTS];
    struct zs_batch *block;
};

int ls_fill_new(sqlite3 *db, struct ls_batchtable **all, const char *schema, const char *view,
    struct ls_fill **fill)
{
    struct zsql_output_column columns[] = {{.type = "BLOB", .collation_name = "BINARY"},
        {.type = "BLOB", .collation_name = "BINARY"}};
    const struct zsql_operator cells = {.columns = columns, .n_columns = 2};
    struct ls_fill *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *fill = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->schema = sqlite3_mprintf("%s", schema);
    made->view = sqlite3_mprintf("%s", view);
    rc = made->schema == NULL || made->view == NULL ? ZS_NOMEM : ZS_OK;
    if (rc == ZS_OK)
        rc = zs_batch_new(&ls_alloc, &made->block);
    if (rc == ZS_OK)
        rc = ls_batchtable_take(db, all, &cells, &made->table);
    if (rc == ZS_OK)
        *fill = made;
    else
        ls_fill_free(made);
    return rc;
}

void ls_fill_free(struct ls_fill *fill)
{
    if (fill == NULL)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(fill->statements[i]);
    ls_batchtable_give_back(fill->table);
    zs_batch_free(fill->block);
    sqlite3_free(fill->schema);
    sqlite3_free(fill->view);
    sqlite3_free(fill);
}

int ls_fill_add(struct ls_fill *fill, struct zs_bytes key, struct zs_bytes value)
{
    return zs_batch_add_last(fill->block, key, value, 1);
}

size_t ls_fill_len(const struct ls_fill *fill)
{
    return zs_batch_len(fill->block);
}

static int prepare(struct ls_fill *fill, int which)
{
    static const char *const verbs[N_STATEMENTS] = {[REPLACE] = "REPLACE", [INSERT] = "INSERT"};

    return fill->statements[which] != NULL
               ? SQLITE_OK
               : ls_prepare(fill->db, &fill->statements[which],
                     "%s INTO \"%w\".\"%w_trace\"(k, v) SELECT c0, c1 FROM %s", verbs[which],
                     fill->schema, fill->view, ls_batchtable_name(fill->table));
}

int ls_fill_replace(struct ls_fill *fill)
{
    int rc = prepare(fill, REPLACE);

    if (rc == SQLITE_OK) {
        ls_batchtable_set_pairs(fill->table, fill->block);
        rc = ls_run(fill->statements[REPLACE]);
        ls_batchtable_set(fill->table, NULL, 0);
    }
    zs_batch_reset(fill->block);
    return rc;
}

int ls_fill_insert(struct ls_fill *fill, size_t n, ls_pair_fn *cell, void *ctx, bool *is_taken)
{
    int rc = prepare(fill, INSERT);

    *is_taken = false;
    if (rc != SQLITE_OK)
        return rc;
    ls_batchtable_give_pairs(fill->table, n, cell, ctx);
    rc = ls_run(fill->statements[INSERT]);
    ls_batchtable_set(fill->table, NULL, 0);
    *is_taken =
        rc != SQLITE_OK && sqlite3_extended_errcode(fill->db) == SQLITE_CONSTRAINT_PRIMARYKEY;
    return *is_taken ? SQLITE_OK : rc;
}
