/* A source: from a log to the rows of the plan's first map.
**
** One SELECT list and condition, the plan's, over four FROM items that have the columns c0,
** c1...:
** a run of the log, one row of the log, one row of the base table by its key, all of the base
** table. Reconciling (capture.h says why): a key that has a candidate counts with the row as it
** is
** now minus its oldest image; the images of other keys add up. */
#include "ext/source.h"

#include <string.h>

#include "core/cells.h"
#include "ext/statement.h"

enum { RUN, ONE, BY_KEY, ALL, LAST, KEYS, LIST, NAME_OF_ONE, N_STATEMENTS };

/* A weighed statement's first column is the weight, the second says for a run of the log
** whether
** the row asks for more than adding up; then come the map's columns. */
enum { WEIGHT_COLUMN, SPECIAL_COLUMN, FIRST_COLUMN };

struct ls_source {
    sqlite3 *db;
    const struct ls_table *table;
    const struct zsql_operator *input;
    const struct zsql_operator *map;
    const struct ls_encoder *encoder;
    int n_key; /* how many columns a row's key has */
    sqlite3_stmt *statements[N_STATEMENTS];
    struct zs_buffer key;
    struct zs_buffer value;
};

/* The name of the i-th key column in the base table, or in the log. */
static const char *key_name(const struct ls_source *source, int i, bool is_log)
{
    const struct ls_table *table = source->table;

    if (table->key >= 0)
        return table->columns[table->uniques[table->key].terms[i].column].name;
    if (is_log && table->rowid_column < 0)
        return "lockstep_rowid";
    return table->rowid_name;
}

static const char *key_collation(const struct ls_source *source, int i)
{
    const struct ls_table *table = source->table;
    return table->key >= 0 ? table->uniques[table->key].terms[i].collation : "BINARY";
}

/* "(SELECT <weight> AS w, "region" AS c0, ... FROM <item>)" */
static void append_columns(
    const struct ls_source *source, sqlite3_str *text, const char *weight, bool is_log)
{
    const struct ls_table *table = source->table;

    sqlite3_str_appendf(text, " FROM (SELECT %s AS lockstep_w", weight);
    if (weight[0] == '?')
        sqlite3_str_appendf(text, ", 0 AS lockstep_s");
    else
        sqlite3_str_appendf(text, ", lockstep_weight IS NULL OR lockstep_weight = 0");
    if (weight[0] != '?' && table->key < 0)
        sqlite3_str_appendf(text, " OR \"%w\" = -1", key_name(source, 0, true));
    if (weight[0] != '?')
        sqlite3_str_appendf(text, " AS lockstep_s");
    for (size_t i = 0; i < source->input->n_columns; i++) {
        int column = source->input->source_columns[i];
        const char *name = column >= 0                ? table->columns[column].name
                           : table->rowid_column >= 0 ? table->rowid_name
                           : is_log                   ? "lockstep_rowid"
                                                      : table->rowid_name;
        sqlite3_str_appendf(text, ", \"%w\" AS c%d", name, (int)i);
    }
}

static void append_key_match(const struct ls_source *source, sqlite3_str *text)
{
    for (int i = 0; i < source->n_key; i++)
        sqlite3_str_appendf(text, "%s\"%w\" = ?%d COLLATE \"%w\"", i == 0 ? " WHERE " : " AND ",
            key_name(source, i, false), i + 1, key_collation(source, i));
}

static void append_from(const struct ls_source *source, sqlite3_str *text, int which)
{
    const struct ls_table *table = source->table;
    bool is_log = which == RUN || which == ONE;

    append_columns(source, text, which == RUN ? "lockstep_weight" : "?100", is_log);
    if (is_log)
        sqlite3_str_appendf(text, " FROM \"%w\".lockstep_log_%d", table->schema, table->log);
    else
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", table->schema, table->name);
    if (which == RUN)
        sqlite3_str_appendf(text, " WHERE lockstep_seq BETWEEN ?1 AND ?2");
    else if (which == ONE)
        sqlite3_str_appendf(text, " WHERE lockstep_seq = ?1");
    else if (which == BY_KEY)
        append_key_match(source, text);
    sqlite3_str_appendf(text, ")");
}

static void append_map(const struct ls_source *source, sqlite3_str *text, int which)
{
    sqlite3_str_appendf(text, "SELECT lockstep_w, lockstep_s");
    for (size_t i = 0; i < source->map->n_columns; i++)
        sqlite3_str_appendf(text, ", %s", source->map->expressions[i]);
    append_from(source, text, which);
    if (source->map->condition != NULL)
        sqlite3_str_appendf(text, " WHERE lockstep_s OR (%s)", source->map->condition);
}

/* "a, b" of the key, with something around each. */
static void append_keys(
    const struct ls_source *source, sqlite3_str *text, const char *format, bool is_log)
{
    for (int i = 0; i < source->n_key; i++)
        sqlite3_str_appendf(text, format, key_name(source, i, is_log));
}

static void append_text(const struct ls_source *source, sqlite3_str *text, int which)
{
    const struct ls_table *table = source->table;

    switch (which) {
    case LAST:
        sqlite3_str_appendf(text, "SELECT max(lockstep_seq) FROM \"%w\".lockstep_log_%d",
            table->schema, table->log);
        break;
    case KEYS:
        sqlite3_str_appendf(text, "SELECT lockstep_seq, lockstep_weight");
        append_keys(source, text, ", \"%w\"", true);
        sqlite3_str_appendf(text,
            " FROM \"%w\".lockstep_log_%d WHERE lockstep_seq BETWEEN ?1 AND ?2"
            " ORDER BY lockstep_seq",
            table->schema, table->log);
        break;
    case LIST:
        sqlite3_str_appendf(text, "SELECT 0, 0");
        append_keys(source, text, ", \"%w\"", false);
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", table->schema, table->name);
        break;
    case NAME_OF_ONE: /* "row id=5" */
        sqlite3_str_appendf(text, "SELECT 'row '");
        for (int i = 0; i < source->n_key; i++)
            sqlite3_str_appendf(text, "||%Q||%Q||'='||quote(?%d)", i == 0 ? "" : ", ",
                key_name(source, i, false), i + 1);
        break;
    default:
        append_map(source, text, which);
    }
}

static int prepared(struct ls_source *source, int which, sqlite3_stmt **statement)
{
    int rc = SQLITE_OK;

    if (source->statements[which] == NULL) {
        sqlite3_str *text = sqlite3_str_new(source->db);
        append_text(source, text, which);
        rc = ls_prepare_text(source->db, &source->statements[which], sqlite3_str_finish(text));
    }
    *statement = source->statements[which];
    return rc;
}

int ls_source_new(sqlite3 *db, const struct ls_table *table, const struct zsql_operator *input,
    const struct zsql_operator *map, const struct ls_encoder *encoder,
    struct ls_source **source)
{
    struct ls_source *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *source = made;
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->table = table;
    made->input = input;
    made->map = map;
    made->encoder = encoder;
    made->n_key = table->key < 0 ? 1 : table->uniques[table->key].n_terms;
    zs_buffer_init(&made->key, &ls_alloc);
    zs_buffer_init(&made->value, &ls_alloc);
    return ZS_OK;
}

void ls_source_free(struct ls_source *source)
{
    if (source == NULL)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(source->statements[i]);
    zs_buffer_clear(&source->key);
    zs_buffer_clear(&source->value);
    sqlite3_free(source);
}

static int code_of(int status)
{
    return status == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
}

int ls_source_end(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 *last)
{
    sqlite3_stmt *statement;
    int rc = prepared(source, LAST, &statement);

    *last = from;
    if (rc != SQLITE_OK)
        return rc;
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) > from)
        *last = sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}

/* Adds the rows of a weighed statement whose parameters are bound, and resets it. Stops at a
** row
** that asks for more than adding up. */
static int add_rows(struct ls_source *source, sqlite3_stmt *statement, struct zs_delta *delta,
    bool *has_special)
{
    int status = ZS_OK;
    int rc;

    *has_special = false;
    while (status == ZS_OK && sqlite3_step(statement) == SQLITE_ROW) {
        if (sqlite3_column_int(statement, SPECIAL_COLUMN) != 0) {
            *has_special = true;
            break;
        }
        status =
            ls_encode(source->encoder, statement, FIRST_COLUMN, &source->key, &source->value);
        if (status == ZS_OK)
            status = zs_batch_add(delta->rows, zs_buffer_bytes(&source->key),
                zs_buffer_bytes(&source->value),
                sqlite3_column_int64(statement, WEIGHT_COLUMN));
    }
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? rc : code_of(status);
}

/* An error stands for the row that caused it: what SQLite said, and the row's key. */
static int add_error(struct ls_source *source, const struct zs_value *key, const char *said,
    int64_t weight, struct zs_delta *delta)
{
    struct zs_bytes message;
    sqlite3_stmt *name;
    char *text = NULL;
    int rc = prepared(source, NAME_OF_ONE, &name);

    for (int i = 0; rc == SQLITE_OK && i < source->n_key; i++)
        rc = ls_bind(name, i + 1, &key[i]);
    if (rc == SQLITE_OK && sqlite3_step(name) == SQLITE_ROW)
        text = sqlite3_mprintf("%s (%s of %s)", said,
            (const char *)sqlite3_column_text(name, 0), source->table->name);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(name);
    if (rc == SQLITE_OK && text == NULL)
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK) {
        message = (struct zs_bytes){(const uint8_t *)text, strlen(text)};
        rc = code_of(zs_batch_add(delta->errors, (struct zs_bytes){NULL, 0}, message, weight));
    }
    sqlite3_free(text);
    return rc;
}

/* A failing statement is the data's fault only if its text still compiles. */
static bool is_fault_of_data(struct ls_source *source, int rc, int which)
{
    sqlite3_stmt *probe;
    sqlite3_str *text;
    bool is_data;

    if (!ls_is_data_error(rc))
        return false;
    text = sqlite3_str_new(source->db);
    append_text(source, text, which);
    is_data = ls_prepare_text(source->db, &probe, sqlite3_str_finish(text)) == SQLITE_OK;
    sqlite3_finalize(probe);
    return is_data;
}

/* One row of the log (ONE, by position) or of the table (BY_KEY), with a weight of our own. */
static int add_one(struct ls_source *source, int which, sqlite3_int64 seq,
    const struct zs_value *key, int64_t weight, struct zs_delta *delta)
{
    sqlite3_stmt *statement;
    bool has_special;
    int rc = prepared(source, which, &statement);

    if (rc == SQLITE_OK && which == ONE)
        rc = sqlite3_bind_int64(statement, 1, seq);
    for (int i = 0; rc == SQLITE_OK && which == BY_KEY && i < source->n_key; i++)
        rc = ls_bind(statement, i + 1, &key[i]);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 100, weight);
    if (rc == SQLITE_OK)
        rc = add_rows(source, statement, delta, &has_special);
    if (ls_is_data_error(rc)) {
        char *said = sqlite3_mprintf("%s", sqlite3_errmsg(source->db));

        if (said == NULL)
            rc = SQLITE_NOMEM;
        else if (is_fault_of_data(source, rc, which))
            rc = add_error(source, key, said, weight, delta);
        sqlite3_free(said);
    }
    return rc;
}

/* Reads the key that stands in columns 2.. of a statement. The values are borrowed from it. */
static int read_key(struct ls_source *source, sqlite3_stmt *statement, struct zs_value *key)
{
    for (int i = 0; i < source->n_key; i++) {
        key[i] = ls_column(statement, 2 + i);
        if (ls_is_out_of_memory(&key[i]))
            return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}

static enum zs_collation collation_of(const char *name)
{
    return sqlite3_stricmp(name, "NOCASE") == 0  ? ZS_NOCASE
           : sqlite3_stricmp(name, "RTRIM") == 0 ? ZS_RTRIM
                                                 : ZS_BINARY;
}

/* What is known of one key while reconciling. */
struct history {
    int64_t oldest_seq;
    int8_t has_image; /* the oldest entry shows a row that stood there */
    int8_t is_candidate;
};

/* Notes each key's oldest entry and whether it has a candidate, under its comparison encoding.
 */
static int note_entry(struct ls_source *source, sqlite3_stmt *statement,
    const struct zs_value *key, struct zs_cells *histories)
{
    bool is_null = sqlite3_column_type(statement, 1) == SQLITE_NULL;
    int weight = sqlite3_column_int(statement, 1);
    struct history history;
    struct zs_bytes cell;
    bool found;
    int rc = ZS_OK;

    zs_buffer_reset(&source->key);
    for (int i = 0; rc == ZS_OK && i < source->n_key; i++)
        rc = zs_row_append_comparison(
            &source->key, &key[i], collation_of(key_collation(source, i)));
    if (rc == ZS_OK)
        rc = zs_cells_get(histories, zs_buffer_bytes(&source->key), &cell, &found);
    if (rc != ZS_OK)
        return code_of(rc);
    if (found)
        memcpy(&history, cell.data, sizeof(history));
    else
        history = (struct history){
            sqlite3_column_int64(statement, 0), !is_null && weight != 1, false};
    if (is_null || weight == 0)
        history.is_candidate = true;
    /* A rowid of -1 may have been given by hand, which before_insert does not see. */
    if (source->table->key < 0 && key[0].type == ZS_INTEGER && key[0].integer == -1)
        history.is_candidate = true;
    cell = (struct zs_bytes){(const uint8_t *)&history, sizeof(history)};
    return code_of(zs_cells_put(histories, zs_buffer_bytes(&source->key), cell));
}

static int is_lost_key(
    const struct ls_source *source, const struct zs_value *key, const struct history *history)
{
    return source->table->key < 0 && key[0].type == ZS_INTEGER && key[0].integer == -1 &&
           !history->has_image;
}

/* The second pass over the entries: an image of a key without candidates adds up; at a
** candidate
** key's oldest entry the net change is made, and its other entries say nothing. */
static int settle_entry(struct ls_source *source, sqlite3_stmt *statement,
    const struct zs_value *key, struct zs_cells *histories, struct zs_delta *delta,
    bool *is_lost)
{
    sqlite3_int64 seq = sqlite3_column_int64(statement, 0);
    struct history history;
    struct zs_bytes cell;
    bool found;
    int rc = ZS_OK;

    zs_buffer_reset(&source->key);
    for (int i = 0; rc == ZS_OK && i < source->n_key; i++)
        rc = zs_row_append_comparison(
            &source->key, &key[i], collation_of(key_collation(source, i)));
    if (rc == ZS_OK)
        rc = zs_cells_get(histories, zs_buffer_bytes(&source->key), &cell, &found);
    if (rc != ZS_OK || !found)
        return SQLITE_NOMEM;
    memcpy(&history, cell.data, sizeof(history));
    if (!history.is_candidate)
        return add_one(source, ONE, seq, key, sqlite3_column_int64(statement, 1), delta);
    if (history.oldest_seq != seq)
        return SQLITE_OK;
    if (is_lost_key(source, key, &history))
        *is_lost = true;
    rc = history.has_image ? add_one(source, ONE, seq, key, -1, delta) : SQLITE_OK;
    return rc != SQLITE_OK ? rc : add_one(source, BY_KEY, 0, key, 1, delta);
}

/* Walks the entries of a run of the log, in order. */
static int walk(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_cells *histories, struct zs_delta *delta, bool *is_lost)
{
    struct zs_value *key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*key));
    sqlite3_stmt *statement;
    int rc = key == NULL ? SQLITE_NOMEM : prepared(source, KEYS, &statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, from + 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, last);
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = read_key(source, statement, key);
        if (rc == SQLITE_OK)
            rc = delta == NULL
                     ? note_entry(source, statement, key, histories)
                     : settle_entry(source, statement, key, histories, delta, is_lost);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (key != NULL && source->statements[KEYS] != NULL)
        (void)sqlite3_reset(source->statements[KEYS]);
    sqlite3_free(key);
    return rc;
}

static int reconcile(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_lost)
{
    struct zs_cells *histories;
    int rc = code_of(zs_memory_cells_new(&ls_alloc, &histories));

    if (rc == SQLITE_OK)
        rc = walk(source, from, last, histories, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = walk(source, from, last, histories, delta, is_lost);
    zs_cells_free(histories);
    return rc;
}

int ls_source_take(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, struct zs_delta *delta, bool *has_candidates, bool *is_lost)
{
    sqlite3_stmt *statement;
    int rc = prepared(source, RUN, &statement);

    *is_lost = false;
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, from + 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, last);
    if (rc == SQLITE_OK)
        rc = add_rows(source, statement, delta, has_candidates);
    if (rc == SQLITE_OK ? !*has_candidates : !is_fault_of_data(source, rc, RUN))
        return rc;
    zs_delta_reset(delta);
    /* Rows displaced without a trigger, or one whose expressions fail: go one by one. */
    *has_candidates = true;
    if (may_be_moved && source->table->key < 0 && source->table->rowid_column < 0) {
        *is_lost = true;
        return SQLITE_OK;
    }
    return reconcile(source, from, last, delta, is_lost);
}

/* Row by row, for a table of which some row fails. */
static int scan_by_key(struct ls_source *source, struct zs_delta *delta, size_t rows,
    ls_piece_fn *piece, void *ctx)
{
    struct zs_value *key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*key));
    sqlite3_stmt *statement;
    int rc = key == NULL ? SQLITE_NOMEM : prepared(source, LIST, &statement);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = read_key(source, statement, key);
        if (rc == SQLITE_OK)
            rc = add_one(source, BY_KEY, 0, key, 1, delta);
        if (rc == SQLITE_OK && zs_batch_len(delta->rows) + zs_batch_len(delta->errors) >= rows)
            rc = piece(ctx, delta);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (source->statements[LIST] != NULL)
        (void)sqlite3_reset(source->statements[LIST]);
    sqlite3_free(key);
    return rc;
}

static int scan_at_once(struct ls_source *source, struct zs_delta *delta, size_t rows,
    ls_piece_fn *piece, void *ctx)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = prepared(source, ALL, &statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 100, 1);
    while (rc == SQLITE_OK && status == ZS_OK && sqlite3_step(statement) == SQLITE_ROW) {
        status =
            ls_encode(source->encoder, statement, FIRST_COLUMN, &source->key, &source->value);
        if (status == ZS_OK)
            status = zs_batch_add(
                delta->rows, zs_buffer_bytes(&source->key), zs_buffer_bytes(&source->value), 1);
        if (status == ZS_OK && zs_batch_len(delta->rows) >= rows)
            rc = piece(ctx, delta);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (source->statements[ALL] != NULL)
        (void)sqlite3_reset(source->statements[ALL]);
    return rc != SQLITE_OK ? rc : code_of(status);
}

int ls_source_scan(struct ls_source *source, bool one_by_one, struct zs_delta *delta,
    size_t rows, ls_piece_fn *piece, void *ctx, bool *has_failing_row)
{
    int rc = one_by_one ? scan_by_key(source, delta, rows, piece, ctx)
                        : scan_at_once(source, delta, rows, piece, ctx);

    *has_failing_row = !one_by_one && is_fault_of_data(source, rc, ALL);
    if (rc == SQLITE_OK && zs_batch_len(delta->rows) + zs_batch_len(delta->errors) > 0)
        rc = piece(ctx, delta);
    return rc;
}
