/* A map between two operators: one cached SQL statement over the batch, or, where it only picks
** columns and adds constants, a copy of their bytes. */
#include "ext/map.h"

#include <stdlib.h>
#include <string.h>

#include "ext/statement.h"

enum { DIGITS_MAX = 18 }; /* of a number that surely has 64 bits */

/* Of a column: its bytes are those of an input column, or a constant's. */
struct pick {
    int column; /* negative: */
    size_t at, len;
};

struct ls_map {
    sqlite3 *db;
    const struct zsql_operator *output;
    const struct ls_encoder *encoder;
    struct ls_batchtable *table;
    sqlite3_stmt *statement;
    struct zs_buffer key;
    struct zs_buffer value;
    struct pick *picks; /* of the output's columns, where that is all the map does; else NULL */
    struct zs_buffer constants;
    bool is_whole;  /* all input columns, as they come */
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

/* Is it NULL, or some digits? */
static bool is_constant(const char *text, struct zs_value *value)
{
    size_t n = strspn(text, "0123456789");

    if (strcmp(text, "NULL") == 0) {
        *value = (struct zs_value){.type = ZS_NULL};
        return true;
    }
    if (n == 0 || n > DIGITS_MAX || text[n] != '\0')
        return false;
    *value = (struct zs_value){.type = ZS_INTEGER, .integer = strtoll(text, NULL, 10)};
    return true;
}

static int read_pick(struct ls_map *map, const char *text, struct pick *pick, bool *is_one)
{
    struct zs_value value;
    int rc;

    *is_one = is_column(text, map->output->input->n_columns, &pick->column);
    if (*is_one)
        return ZS_OK;
    *is_one = is_constant(text, &value);
    if (!*is_one)
        return ZS_OK;
    pick->column = -1;
    pick->at = map->constants.len;
    rc = zs_row_append_identity(&map->constants, &value);
    pick->len = map->constants.len - pick->at;
    return rc;
}

/* Finds out whether the map only picks columns. */
static int read_picks(struct ls_map *map)
{
    const struct zsql_operator *output = map->output;
    bool is_one = true;
    int rc = ZS_OK;

    if (output->condition != NULL)
        return ZS_OK;
    map->picks = zs_alloc_zeroed(&ls_alloc, output->n_columns * sizeof(*map->picks));
    map->starts =
        zs_alloc_zeroed(&ls_alloc, (output->input->n_columns + 1) * sizeof(*map->starts));
    if (map->picks == NULL || map->starts == NULL)
        return ZS_NOMEM;
    map->is_whole = output->n_columns == output->input->n_columns && !map->encoder->is_keyed;
    for (size_t i = 0; rc == ZS_OK && is_one && i < output->n_columns; i++) {
        rc = read_pick(map, output->expressions[i], &map->picks[i], &is_one);
        map->is_whole = map->is_whole && map->picks[i].column == (int)i;
    }
    if (!is_one) {
        sqlite3_free(map->picks);
        map->picks = NULL;
    }
    return rc;
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
    zs_buffer_init(&made->constants, &ls_alloc);
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
    zs_buffer_clear(&map->constants);
    sqlite3_free(map->picks);
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

static int append_pick(struct ls_map *map, struct zs_bytes row, const struct pick *pick)
{
    const size_t *start;

    if (pick->column < 0)
        return zs_buffer_append(&map->value, map->constants.data + pick->at, pick->len);
    start = &map->starts[pick->column];
    return zs_buffer_append(&map->value, row.data + start[0], start[1] - start[0]);
}

/* The picked columns of one item, copied. */
static int pick_item(struct ls_map *map, const struct zs_item *item, struct zs_delta *out)
{
    size_t n_columns = map->output->input->n_columns;
    struct zs_bytes key = item->key;
    size_t at = 0;
    int rc = ZS_OK;

    zs_buffer_reset(&map->value);
    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++) {
        map->starts[i] = at;
        rc = zs_row_skip(item->value, &at);
    }
    map->starts[n_columns] = at;
    for (size_t i = 0; rc == ZS_OK && i < map->output->n_columns; i++)
        rc = append_pick(map, item->value, &map->picks[i]);
    if (rc == ZS_OK && map->encoder->is_keyed) {
        rc = ls_encoder_key(map->encoder, zs_buffer_bytes(&map->value), &map->key);
        key = zs_buffer_bytes(&map->key);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add(out->rows, key, zs_buffer_bytes(&map->value), item->weight);
    return rc;
}

static int pick_all(struct ls_map *map, const struct zs_batch *in, struct zs_delta *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++)
        rc = pick_item(map, &zs_batch_items(in)[i], out);
    return rc;
}

int ls_map_step(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct ls_map *map = ctx;
    size_t first = 0, failing;
    int status = ZS_OK;
    int rc = SQLITE_OK;

    map->code = SQLITE_OK;
    if (map->picks != NULL)
        return pick_all(map, in, out);
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

bool ls_map_changes_nothing(const struct ls_map *map)
{
    return map->picks != NULL && map->is_whole;
}

int ls_map_code(const struct ls_map *map)
{
    return map->code;
}
