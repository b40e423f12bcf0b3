/* A map between two operators: one cached SQL statement over the batch, or, where it only picks
** columns, a copy of their bytes. */
#include "ext/map.h"

#include <stdlib.h>
#include <string.h>

#include "ext/statement.h"

struct ls_map {
    sqlite3 *db;
    const struct zsql_operator *output;
    const struct ls_encoder *encoder;
    struct ls_batchtable *table;
    sqlite3_stmt *statement;
    struct zs_buffer key;
    struct zs_buffer value;
    int *picked;    /* which input columns, where that is all the map does; else NULL */
    bool is_whole;  /* all of them, as they come */
    size_t *starts; /* of the input columns in a row */
    int code;
};

/* Is the text a column's name and nothing else? Then *column is its number. */
static bool is_column(const char *text, size_t n_columns, int *column)
{
    char *end;
    unsigned long number;

    if (text[0] != 'c' || text[1] < '0' || text[1] > '9')
        return false;
    number = strtoul(text + 1, &end, 10);
    *column = (int)number;
    return *end == '\0' && number < n_columns;
}

/* Finds out whether the map only picks columns. */
static int read_picks(struct ls_map *map)
{
    const struct zsql_operator *output = map->output;

    if (output->condition != NULL || map->encoder->is_keyed)
        return ZS_OK;
    map->picked = zs_alloc_zeroed(&ls_alloc, output->n_columns * sizeof(*map->picked));
    map->starts =
        zs_alloc_zeroed(&ls_alloc, (output->input->n_columns + 1) * sizeof(*map->starts));
    if (map->picked == NULL || map->starts == NULL)
        return ZS_NOMEM;
    map->is_whole = output->n_columns == output->input->n_columns;
    for (size_t i = 0; i < output->n_columns; i++) {
        if (!is_column(output->expressions[i], output->input->n_columns, &map->picked[i])) {
            sqlite3_free(map->picked);
            map->picked = NULL;
            break;
        }
        map->is_whole = map->is_whole && map->picked[i] == (int)i;
    }
    return ZS_OK;
}

int ls_map_new(sqlite3 *db, struct ls_batchtable **tables, const struct zsql_operator *output,
    const struct ls_encoder *encoder, struct ls_map **map)
{
    struct ls_map *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *map = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->output = output;
    made->encoder = encoder;
    zs_buffer_init(&made->key, &ls_alloc);
    zs_buffer_init(&made->value, &ls_alloc);
    rc = ls_batchtable_take(db, tables, output->input, &made->table);
    if (rc == ZS_OK)
        rc = read_picks(made);
    if (rc == ZS_OK)
        *map = made;
    else
        ls_map_free(made);
    return rc;
}

void ls_map_free(struct ls_map *map)
{
    if (map == NULL)
        return;
    sqlite3_finalize(map->statement);
    ls_batchtable_give_back(map->table);
    zs_buffer_clear(&map->key);
    zs_buffer_clear(&map->value);
    sqlite3_free(map->picked);
    sqlite3_free(map->starts);
    sqlite3_free(map);
}

static int prepare(struct ls_map *map)
{
    sqlite3_str *text = sqlite3_str_new(map->db);

    sqlite3_str_appendf(text, "SELECT ");
    for (size_t i = 0; i < map->output->n_columns; i++)
        sqlite3_str_appendf(text, "%s%s", i > 0 ? ", " : "", map->output->expressions[i]);
    sqlite3_str_appendf(text, " FROM \"%w\"", ls_batchtable_name(map->table));
    if (map->output->condition != NULL)
        sqlite3_str_appendf(text, " WHERE %s", map->output->condition);
    return ls_prepare_text(map->db, &map->statement, sqlite3_str_finish(text));
}

/* Runs from the item first on. Of an item that fails *failing is the index, and *said SQLite's
** message. */
static int run(struct ls_map *map, const struct zs_batch *in, size_t first,
    struct zs_delta *out, size_t *failing, const char **said)
{
    int status = ZS_OK;
    int rc;

    ls_batchtable_set(map->table, in, first);
    while (status == ZS_OK && sqlite3_step(map->statement) == SQLITE_ROW) {
        const struct zs_item *item = &zs_batch_items(in)[ls_batchtable_at(map->table)];

        status = ls_encode(map->encoder, map->statement, 0, &map->key, &map->value);
        if (status == ZS_OK)
            status = zs_batch_add(out->rows,
                map->encoder->is_keyed ? zs_buffer_bytes(&map->key) : item->key,
                zs_buffer_bytes(&map->value), item->weight);
    }
    *failing = ls_batchtable_at(map->table);
    rc = sqlite3_reset(map->statement);
    *said = status == ZS_REFUSED ? LS_MALFORMED_TEXT : sqlite3_errmsg(map->db);
    return status != ZS_OK ? ls_code_of(status) : rc;
}

/* The picked columns of one item, copied. */
static int pick(struct ls_map *map, const struct zs_item *item, struct zs_delta *out)
{
    size_t n_columns = map->output->input->n_columns;
    size_t at = 0;
    int rc = ZS_OK;

    zs_buffer_reset(&map->value);
    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++) {
        map->starts[i] = at;
        rc = zs_row_skip(item->value, &at);
    }
    map->starts[n_columns] = at;
    for (size_t i = 0; rc == ZS_OK && i < map->output->n_columns; i++) {
        const size_t *start = &map->starts[map->picked[i]];
        rc = zs_buffer_append(&map->value, item->value.data + start[0], start[1] - start[0]);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add(out->rows, item->key, zs_buffer_bytes(&map->value), item->weight);
    return rc;
}

int ls_map_step(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct ls_map *map = ctx;
    size_t first = 0, failing;
    int status = ZS_OK;
    int rc = SQLITE_OK;

    map->code = SQLITE_OK;
    if (map->picked != NULL && map->is_whole)
        return zs_batch_add_all(out->rows, in, 1);
    if (map->picked != NULL) {
        for (size_t i = 0; i < zs_batch_len(in) && status == ZS_OK; i++)
            status = pick(map, &zs_batch_items(in)[i], out);
        return status;
    }
    if (map->statement == NULL)
        rc = prepare(map);

    while (rc == SQLITE_OK && first < zs_batch_len(in) && status == ZS_OK) {
        const char *said;

        rc = run(map, in, first, out, &failing, &said);
        if (rc == SQLITE_OK)
            break;
        if (ls_is_data_error(rc) && failing < zs_batch_len(in)) {
            const struct zs_item *item = &zs_batch_items(in)[failing];

            status = zs_batch_add(out->errors, item->key,
                (struct zs_bytes){(const uint8_t *)said, strlen(said)}, item->weight);
            first = failing + 1;
            rc = SQLITE_OK;
        }
    }
    ls_batchtable_set(map->table, NULL, 0);
    map->code = rc;
    if (rc == SQLITE_OK)
        return status;
    return rc == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

int ls_map_code(const struct ls_map *map)
{
    return map->code;
}
