/* A source: from a log to the rows of the plan's first map. Where nothing was displaced, and no
** row fails, that is one scan of the log; else keys are reconciled, one by one. */
#include <string.h>

#include "ext/overlay.h"
#include "ext/result.h"
#include "ext/source_private.h"
#include "ext/statement.h"

int ls_source_prepared(struct ls_source *source, int which, sqlite3_stmt **statement)
{
    int rc = SQLITE_OK;

    if (source->statements[which] == NULL) {
        sqlite3_str *text = sqlite3_str_new(source->db);
        ls_source_append_text(source, text, which);
        rc = ls_prepare_text(source->db, &source->statements[which], sqlite3_str_finish(text));
    }
    *statement = source->statements[which];
    return rc;
}

int ls_source_new(sqlite3 *db, const struct zs_alloc *alloc, const struct ls_table *table,
    size_t number, const struct zsql_operator *input, const struct zsql_operator *map,
    const struct ls_encoder *encoder, struct ls_source **source)
{
    struct ls_source *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *source = made;
    if (made == NULL)
        return ZS_NOMEM;
    made->db = db;
    made->alloc = alloc;
    made->table = table;
    made->number = number;
    made->input = input;
    made->map = map;
    made->encoder = encoder;
    made->takes_inside = map->n_columns <= LS_MOST_ARGUMENTS;
    made->n_key = table->key < 0 ? 1 : table->uniques[table->key].n_terms;
    zs_buffer_init(&made->key, &ls_alloc);
    zs_buffer_init(&made->value, &ls_alloc);
    return zs_delta_init(&made->ahead, alloc);
}

void ls_source_free(struct ls_source *source)
{
    if (source == NULL)
        return;
    for (int i = 0; i < LS_N_SOURCE_STATEMENTS; i++)
        sqlite3_finalize(source->statements[i]);
    zs_buffer_clear(&source->key);
    zs_buffer_clear(&source->value);
    zs_delta_clear(&source->ahead);
    ls_source_end_levels(source, 0);
    sqlite3_free(source->kept);
    sqlite3_free(source);
}

int ls_source_end(struct ls_source *source, sqlite3_int64 *last)
{
    sqlite3_stmt *statement;
    int rc = ls_source_prepared(source, LS_LAST, &statement);

    return rc == SQLITE_OK ? ls_step_integer(statement, last) : rc;
}

int ls_source_size(struct ls_source *source, sqlite3_int64 *rows)
{
    sqlite3_stmt *statement;
    int rc;

    *rows = -1;
    if (source->table->rowid_name == NULL)
        return SQLITE_OK;
    rc = ls_source_prepared(source, LS_SIZE, &statement);
    return rc == SQLITE_OK ? ls_step_integer(statement, rows) : rc;
}

/* Adds the rows of a weighed statement whose parameters are bound, and which has so many at
** most, and resets it. Stops at a row that asks for more than adding up. *n is how many there
** were that a trigger can have written. */
static int add_rows(struct ls_source *source, sqlite3_stmt *statement, sqlite3_int64 most,
    struct zs_delta *delta, bool *has_special, sqlite3_int64 *n)
{
    int status = ZS_OK;
    int rc;

    *has_special = false;
    *n = 0;
    for (; status == ZS_OK && most > 0 && sqlite3_step(statement) == SQLITE_ROW; most--) {
        int64_t weight = sqlite3_column_int64(statement, LS_WEIGHT_COLUMN);

        *has_special = weight == 0;
        if (*has_special)
            break;
        *n += weight == 1 || weight == -1;
        status = ls_encode(
            source->encoder, statement, LS_FIRST_COLUMN, &source->key, &source->value);
        if (status == ZS_OK)
            status = zs_batch_add(delta->rows, zs_buffer_bytes(&source->key),
                zs_buffer_bytes(&source->value), weight);
    }
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? rc : ls_code_of(status);
}

/* The key of a row that fails, as bytes after LS_ERROR_OF_ROW. Of a row that was looked up, its
** own: what the log has compares equal, and may differ in the case of letters. */
static int append_failing_key(struct ls_source *source, int which, const struct zs_value *key)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc;

    zs_buffer_reset(&source->value);
    status = zs_buffer_append_byte(&source->value, LS_ERROR_OF_ROW);
    if (status == ZS_OK)
        status = zs_buffer_append_varint(&source->value, source->number);
    for (int i = 0; which != LS_BY_KEY && status == ZS_OK && i < source->n_key; i++)
        status = zs_row_append_identity(&source->value, &key[i]);
    if (status != ZS_OK || which != LS_BY_KEY)
        return ls_code_of(status);
    rc = ls_source_prepared(source, LS_OWN_KEY, &statement);
    for (int i = 0; rc == SQLITE_OK && i < source->n_key; i++)
        rc = ls_bind(statement, i + 1, &key[i]);
    if (rc != SQLITE_OK)
        return rc;
    if (sqlite3_step(statement) == SQLITE_ROW)
        status = ls_row_of_columns(&source->value, statement, 0, source->n_key);
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? rc : ls_code_of(status);
}

/* An error stands for the row that caused it, and holds nothing but the row's key: a retraction
** must give the same, and names and what SQLite says may be others by then. */
static int add_error(struct ls_source *source, int which, const struct zs_value *key,
    int64_t weight, struct zs_delta *delta)
{
    int rc = append_failing_key(source, which, key);

    if (rc != SQLITE_OK)
        return rc;
    return ls_code_of(zs_batch_add(
        delta->errors, (struct zs_bytes){NULL, 0}, zs_buffer_bytes(&source->value), weight));
}

/* One row of the log (LS_ONE, by position) or of the table (LS_BY_KEY), with a weight of our
** own. */
int ls_source_add_one(struct ls_source *source, int which, sqlite3_int64 seq,
    const struct zs_value *key, int64_t weight, struct zs_delta *delta)
{
    sqlite3_stmt *statement;
    sqlite3_int64 n;
    bool has_special;
    int rc = ls_source_prepared(source, which, &statement);

    if (rc == SQLITE_OK && which == LS_ONE)
        rc = sqlite3_bind_int64(statement, 1, seq);
    for (int i = 0; rc == SQLITE_OK && which == LS_BY_KEY && i < source->n_key; i++)
        rc = ls_bind(statement, i + 1, &key[i]);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, LS_WEIGHT_PARAMETER, weight);
    if (rc == SQLITE_OK)
        rc = add_rows(source, statement, 1, delta, &has_special, &n);
    if (ls_is_fault_of_data(statement, &rc))
        rc = add_error(source, which, key, weight, delta);
    return rc;
}

int ls_source_prepared_run(struct ls_source *source, int which, sqlite3_int64 from,
    sqlite3_int64 last, sqlite3_stmt **statement)
{
    int rc = ls_source_prepared(source, which, statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(*statement, 1, from + 1);
    return rc == SQLITE_OK ? sqlite3_bind_int64(*statement, 2, last) : rc;
}

/* A log has no gaps: SQLite gives each row the next number, and takes back the last ones
** only. */
static int find_loss(
    struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last, bool *is_lost)
{
    sqlite3_stmt *statement;
    sqlite3_int64 n = 0;
    int rc;

    *is_lost = false;
    if (last - from == 1)
        return SQLITE_OK; /* the last row is there */
    rc = ls_source_prepared_run(source, LS_COUNT, from, last, &statement);
    if (rc == SQLITE_OK)
        rc = ls_step_integer(statement, &n);
    *is_lost = rc == SQLITE_OK && n != last - from;
    return rc;
}

/* Adds rows of the log as SQLite gives them out: *n, which may be less than there are. */
static int add_given(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain, sqlite3_int64 *n)
{
    bool has_special = false;
    sqlite3_stmt *statement;
    int rc = ls_source_prepared_run(source, LS_GIVEN, from, last, &statement);

    if (rc == SQLITE_OK)
        rc = add_rows(source, statement, last - from, delta, &has_special, n);
    *is_plain = rc == SQLITE_OK ? !has_special : !ls_is_fault_of_data(statement, &rc);
    return rc != SQLITE_OK && *is_plain ? rc : SQLITE_OK;
}

/* Adds rows of the log, where none of them asks for more than adding up, or fails: *is_plain.
** With *is_lost the delta holds anything. */
static int add_plain(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain, bool *is_lost)
{
    sqlite3_int64 n = 0;
    int rc = source->takes_inside ? ls_source_run(source, from, last, delta, is_plain, &n)
                                  : add_given(source, from, last, delta, is_plain, &n);

    *is_lost = false;
    if (rc == SQLITE_OK && n != last - from) /* WHERE may have left some out */
        return find_loss(source, from, last, is_lost);
    return rc;
}

int ls_source_add(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain)
{
    bool is_lost;
    int rc = add_plain(source, from, last, delta, is_plain, &is_lost);

    *is_plain = *is_plain && !is_lost;
    return rc;
}

int ls_source_take(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, struct zs_delta *delta, bool *has_candidates, bool *is_lost)
{
    bool is_plain = true, is_counted = false;
    int rc = SQLITE_OK;

    *has_candidates = *is_lost = false;
    if (from < last)
        rc = add_plain(source, from, last, delta, &is_plain, is_lost);
    if (rc != SQLITE_OK || *is_lost)
        return rc;
    if (is_plain)
        return ls_source_take_ahead(source, false, delta);
    zs_delta_reset(delta);
    /* Rows displaced without a trigger, or one whose expressions fail: go one by one. */
    *has_candidates = true;
    if (may_be_moved && source->table->key < 0 && source->table->rowid_column < 0) {
        *is_lost = true;
        return SQLITE_OK;
    }
    rc = ls_source_reconcile(source, from, last, delta, &is_counted, is_lost);
    return rc == SQLITE_OK ? ls_source_take_ahead(source, is_counted, delta) : rc;
}

int ls_source_scan_by_key(struct ls_source *source, struct zs_delta *delta, size_t rows,
    ls_piece_fn *piece, void *ctx)
{
    struct zs_value *key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*key));
    sqlite3_stmt *statement;
    int rc = key == NULL ? SQLITE_NOMEM : ls_source_prepared(source, LS_LIST, &statement);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = ls_source_read_key(source, statement, key);
        if (rc == SQLITE_OK)
            rc = ls_source_add_one(source, LS_BY_KEY, 0, key, 1, delta);
        if (rc == SQLITE_OK && zs_batch_len(delta->rows) + zs_batch_len(delta->errors) >= rows)
            rc = piece(ctx);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (source->statements[LS_LIST] != NULL)
        (void)sqlite3_reset(source->statements[LS_LIST]);
    sqlite3_free(key);
    return rc;
}

int ls_source_scan(struct ls_source *source, bool is_sorted, ls_row_fn *row, void *ctx,
    bool *has_failing_row, char **message)
{
    sqlite3_str *text = sqlite3_str_new(source->db);

    ls_source_append_text(source, text, is_sorted ? LS_SORTED : LS_ALL);
    return ls_each_row(source->db, text, source->encoder, row, ctx, has_failing_row, message);
}

/* "row id=5 of t". */
static int name_row(struct ls_source *source, const struct zs_value *key, char **name)
{
    sqlite3_stmt *statement;
    int rc = ls_source_prepared(source, LS_NAME_OF_ONE, &statement);

    for (int i = 0; rc == SQLITE_OK && i < source->n_key; i++)
        rc = ls_bind(statement, i + 1, &key[i]);
    if (rc != SQLITE_OK)
        return rc;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *name =
            sqlite3_mprintf("%s of %s", sqlite3_column_text(statement, 0), source->table->name);
    rc = sqlite3_reset(statement);
    return rc == SQLITE_OK && *name == NULL ? SQLITE_NOMEM : rc;
}

static bool has_malformed_text(sqlite3_stmt *row)
{
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        struct zs_value value = ls_column(row, i);

        if (ls_read_status(&value) == ZS_REFUSED)
            return true;
    }
    return false;
}

/* Computes the row again for what SQLite says. */
static int fail_again(struct ls_source *source, const struct zs_value *key, char **said)
{
    sqlite3_stmt *statement;
    bool is_malformed = false;
    int rc = ls_source_prepared(source, LS_BY_KEY, &statement);

    for (int i = 0; rc == SQLITE_OK && i < source->n_key; i++)
        rc = ls_bind(statement, i + 1, &key[i]);
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        is_malformed = has_malformed_text(statement);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    if (rc != SQLITE_OK && !ls_is_data_error(rc))
        return rc;
    *said = is_malformed      ? sqlite3_mprintf("%s", LS_MALFORMED_TEXT)
            : rc == SQLITE_OK ? sqlite3_mprintf("could not be computed once, and can be now:"
                                                " the command 'rebuild' makes the view anew")
                              : sqlite3_mprintf("%s", sqlite3_errmsg(source->db));
    return *said == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int ls_source_explain(struct ls_source *source, struct zs_bytes key, char **said)
{
    struct zs_value *values = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*values));
    char *name = NULL, *fault = NULL;
    size_t at = 0;
    int status = values == NULL ? ZS_NOMEM : ZS_OK;
    int rc;

    for (int i = 0; status == ZS_OK && i < source->n_key; i++)
        status = zs_row_read(key, &at, &values[i]);
    rc = ls_code_of(status);
    if (rc == SQLITE_OK)
        rc = name_row(source, values, &name);
    if (rc == SQLITE_OK)
        rc = fail_again(source, values, &fault);
    if (rc == SQLITE_OK) {
        *said = sqlite3_mprintf("%s (%s)", fault, name);
        rc = *said == NULL ? SQLITE_NOMEM : SQLITE_OK;
    }
    sqlite3_free(name);
    sqlite3_free(fault);
    sqlite3_free(values);
    return rc;
}
