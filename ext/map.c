/* A map between two operators, as one cached SQL statement over the batch. */
#include "ext/map.h"

#include <string.h>

#include "ext/batchtable.h"
#include "ext/statement.h"

struct ls_map {
    sqlite3 *db;
    const struct zsql_operator *operator;
    const struct ls_encoder *encoder;
    struct ls_batchtable *table;
    sqlite3_stmt *statement;
    struct zs_buffer key;
    struct zs_buffer value;
    int code;
};

int ls_map_new(sqlite3 *db, const struct zsql_operator *operator,
    const struct ls_encoder * encoder, struct ls_map **map)
{
    struct ls_map *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *map = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->operator= operator;
    made->encoder = encoder;
    zs_buffer_init(&made->key, &ls_alloc);
    zs_buffer_init(&made->value, &ls_alloc);
    rc = ls_batchtable_new(db, operator->input, &made->table);
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
    ls_batchtable_free(map->table);
    zs_buffer_clear(&map->key);
    zs_buffer_clear(&map->value);
    sqlite3_free(map);
}

static int prepare(struct ls_map *map)
{
    sqlite3_str *text = sqlite3_str_new(map->db);

    sqlite3_str_appendf(text, "SELECT ");
    for (size_t i = 0; i < map->operator->n_columns; i++)
        sqlite3_str_appendf(text, "%s%s", i > 0 ? ", " : "", map->operator->expressions[i]);
    sqlite3_str_appendf(text, " FROM \"%w\"", ls_batchtable_name(map->table));
    if (map->operator->condition != NULL)
        sqlite3_str_appendf(text, " WHERE %s", map->operator->condition);
    return ls_prepare_text(map->db, &map->statement, sqlite3_str_finish(text));
}

/* Runs from the item first on. On a failing item *failing is its index. */
static int run(struct ls_map *map, const struct zs_batch *in, size_t first,
    struct zs_delta *out, size_t *failing)
{
    int status = ZS_OK;
    int rc;

    ls_batchtable_set(map->table, in, first);
    while (status == ZS_OK && sqlite3_step(map->statement) == SQLITE_ROW) {
        const struct zs_item *item = &zs_batch_items(in)[ls_batchtable_at(map->table)];

        status = ls_encode(map->encoder, map->statement, 0, &map->key, &map->value);
        if (status == ZS_OK)
            status = zs_batch_add(out->rows,
                map->encoder->n_keys > 0 ? zs_buffer_bytes(&map->key) : item->key,
                zs_buffer_bytes(&map->value), item->weight);
    }
    *failing = ls_batchtable_at(map->table);
    rc = sqlite3_reset(map->statement);
    if (status != ZS_OK)
        return SQLITE_NOMEM;
    return rc;
}

int ls_map_step(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct ls_map *map = ctx;
    size_t first = 0, failing;
    int status = ZS_OK;
    int rc = map->statement == NULL ? prepare(map) : SQLITE_OK;

    while (rc == SQLITE_OK && first < zs_batch_len(in) && status == ZS_OK) {
        rc = run(map, in, first, out, &failing);
        if (rc == SQLITE_OK)
            break;
        if (ls_is_data_error(rc) && failing < zs_batch_len(in)) {
            const struct zs_item *item = &zs_batch_items(in)[failing];
            const char *said = sqlite3_errmsg(map->db);

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
