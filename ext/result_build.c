/* The result of a view that is made anew. Its rows are added to a pile, under the homes of
** their locations, so that consolidated they are in the order of <view>_data, and go there in
** one statement. Only where a row is there already, or homes are the same, is each noted and
** stored as in a view that lives. */
#include "ext/result_private.h"
#include "ext/statement.h"

enum {
    SLICE = 10000, /* rows noted at a time, at least */
    PREFETCH = 16, /* how many rows ahead */
};

void ls_result_build(struct ls_result *result, struct ls_batchtable *rows)
{
    result->version++;
    ls_layer_build(&result->layer, rows != NULL);
    sqlite3_finalize(result->built.insert);
    result->built.insert = NULL;
    result->built.table = rows;
    result->built.has_met = false;
    ls_built_forget(result);
}

void ls_built_forget(struct ls_result *result)
{
    ls_gather_reset(result->built.rows);
}

int ls_built_add(
    struct ls_result *result, struct zs_bytes place, struct zs_bytes row, int64_t weight)
{
    return ls_gather_add(result->built.rows, ls_result_home(result, place), row, weight);
}

int ls_result_add(struct ls_result *result, struct zs_bytes row, int64_t weight)
{
    struct zs_bytes place;
    int rc = ls_result_place(result, row, &result->slot, &place);

    return rc == ZS_OK ? ls_built_add(result, place, row, weight) : rc;
}

size_t ls_result_size(const struct ls_result *result)
{
    return ls_gather_size(result->built.rows);
}

int ls_result_settle(struct ls_result *result)
{
    return ls_gather_settle(result->built.rows);
}

static int prepare_insert(struct ls_result *result)
{
    struct ls_built *built = &result->built;
    sqlite3_str *text = sqlite3_str_new(result->layer.db);

    sqlite3_str_appendf(text, "INSERT INTO \"%w\".\"%w_data\" SELECT ", result->layer.schema,
        result->layer.view);
    for (int i = 0; i < result->location->n_columns; i++)
        sqlite3_str_appendf(text, "c%d, ", i);
    sqlite3_str_appendf(text, "lockstep_weight, lockstep_number, lockstep_checksum FROM %s",
        ls_batchtable_name(built->table));
    return ls_prepare_text(result->layer.db, &built->insert, sqlite3_str_finish(text));
}

/* All rows, or none where one's place is taken. */
static int insert_all(struct ls_result *result, const struct zs_pile *rows, bool *is_taken)
{
    struct ls_built *built = &result->built;
    int rc = built->insert == NULL ? prepare_insert(result) : SQLITE_OK;

    *is_taken = false;
    if (rc != SQLITE_OK)
        return rc;
    ls_batchtable_set_pile(built->table, rows);
    rc = ls_run(built->insert);
    ls_batchtable_set(built->table, NULL, 0);
    *is_taken = rc != SQLITE_OK &&
                sqlite3_extended_errcode(result->layer.db) == SQLITE_CONSTRAINT_PRIMARYKEY;
    return *is_taken ? SQLITE_OK : rc;
}

static int note(struct ls_result *result, const struct zs_item *item)
{
    struct zs_bytes place;
    int rc = ls_result_place(result, item->value, &result->slot, &place);

    return rc == ZS_OK ? ls_result_note(result, place, item) : rc;
}

static bool is_last_of_number(const struct zs_pile *rows, size_t i, const struct zs_item *item)
{
    return i + 1 == zs_pile_len(rows) ||
           !zs_bytes_equal(item->key, zs_pile_item(rows, i + 1).key);
}

/* Each is noted and stored, with all others of its location. */
static int store_each(struct ls_result *result, const struct zs_pile *rows)
{
    size_t n = zs_pile_len(rows);
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < n; i++) {
        const struct zs_item item = zs_pile_item(rows, i);

        zs_pile_prefetch(rows, i + PREFETCH);
        rc = ls_result_code_of(result, note(result, &item));
        if (rc == SQLITE_OK && (i + 1 == n || (ls_layer_pending(&result->layer) >= SLICE &&
                                                  is_last_of_number(rows, i, &item)))) {
            rc = ls_result_store_noted(result);
            ls_layer_forget(&result->layer);
        }
    }
    return rc;
}

int ls_built_store(struct ls_result *result)
{
    struct ls_built *built = &result->built;
    const struct zs_pile *rows;
    bool is_taken = true;
    int rc = ls_code_of(ls_gather_rows(built->rows, &rows));

    /* Each the only row with its home may stand there. */
    if (rc == SQLITE_OK && !built->has_met && zs_pile_is_plain(rows)) {
        rc = insert_all(result, rows, &is_taken);
        built->has_met = is_taken;
    }
    return rc == SQLITE_OK && is_taken ? store_each(result, rows) : rc;
}
