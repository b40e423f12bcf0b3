/* Does a view show what its query gives? Both are read into one Z-set, the query's rows with
** weight -1: what is left over differs. Where the query has several right answers they are then
** compared loosely. */
#include "ext/compare.h"

#include <stdlib.h>

#include "core/batch.h"
#include "ext/encoder.h"
#include "ext/statement.h"

/* Reads a statement's rows into the batch: the key is what is compared. */
struct reader {
    const struct ls_view *view;
    const struct zsql_plan *plan;
    int utf16;
    bool is_loose; /* compare what is certain, as SQL does under NOCASE and RTRIM at once */
    struct zs_buffer key;
};

/* Is the column a group's key, which any equal member may show? */
static bool is_key(const struct zsql_plan *plan, int column)
{
    for (size_t i = 0; plan->is_keyed && i < plan->n_keys; i++)
        if (plan->key_columns[i] == column)
            return true;
    return false;
}

static enum zsql_certainty certainty_of(const struct zsql_plan *plan, int column)
{
    return plan->certainty != NULL ? plan->certainty[column] : ZSQL_CERTAIN;
}

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int append_equal(struct zs_buffer *key, const struct zs_value *value)
{
    struct zs_value trimmed = *value;

    while (trimmed.type == ZS_TEXT && trimmed.bytes.len > 0 &&
           trimmed.bytes.data[trimmed.bytes.len - 1] == ' ')
        trimmed.bytes.len--;
    return zs_row_append_comparison(key, &trimmed, ZS_NOCASE);
}

/* A list in another order has the same bytes in another order. */
static int append_in_any_order(struct zs_buffer *key, const struct zs_value *value)
{
    size_t start = key->len;
    int rc = zs_row_append_comparison(key, value, ZS_NOCASE);

    if (rc == ZS_OK)
        qsort(key->data + start, key->len - start, 1, compare_bytes);
    return rc;
}

static int append_loosely(const struct zsql_plan *plan, int column, struct zs_buffer *key,
    const struct zs_value *value)
{
    switch (certainty_of(plan, column)) {
    case ZSQL_ANY_VALUE:
        return ZS_OK;
    case ZSQL_ANY_ORDER:
        return append_in_any_order(key, value);
    default:
        return append_equal(key, value);
    }
}

static int add_row(
    struct reader *reader, sqlite3_stmt *statement, int weight, struct zs_batch *batch)
{
    const struct zsql_operator *root = reader->plan->operators[reader->plan->n_operators - 1];
    int rc = ZS_OK;

    zs_buffer_reset(&reader->key);
    for (int i = 0; rc == ZS_OK && i < reader->view->n_columns; i++) {
        struct zs_value value = ls_column(statement, i);

        if (ls_is_out_of_memory(&value))
            return ZS_NOMEM;
        if (reader->is_loose)
            rc = append_loosely(reader->plan, i, &reader->key, &value);
        else if (is_key(reader->plan, i))
            rc = zs_row_append_comparison(&reader->key, &value,
                ls_database_collation(root->columns[i].collation, reader->utf16));
        else
            rc = zs_row_append_identity(&reader->key, &value);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add(
            batch, zs_buffer_bytes(&reader->key), (struct zs_bytes){NULL, 0}, weight);
    return rc;
}

static int read_all(struct reader *reader, const char *text, int weight, struct zs_batch *batch)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = ls_prepare(reader->view->connection->db, &statement, "%s", text);

    while (rc == SQLITE_OK && status == ZS_OK && sqlite3_step(statement) == SQLITE_ROW)
        status = add_row(reader, statement, weight, batch);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc != SQLITE_OK ? rc : status != ZS_OK ? SQLITE_NOMEM : SQLITE_OK;
}

/* The columns of a compared key as SQL literals, for people; keys that are comparison-encoded
** are shown as "..". */
static char *describe(const struct reader *reader, struct zs_bytes key)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    size_t at = 0;
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < reader->view->n_columns; i++) {
        struct zs_value value = {.type = ZS_NULL};

        sqlite3_str_appendf(text, "%s", i > 0 ? ", " : "");
        if (reader->is_loose) {
            sqlite3_str_appendf(text, "..");
            continue;
        }
        if (is_key(reader->plan, i)) {
            rc = zs_row_skip_comparison(key, &at);
            sqlite3_str_appendf(text, "..");
            continue;
        }
        rc = zs_row_read(key, &at, &value);
        if (value.type == ZS_INTEGER)
            sqlite3_str_appendf(text, "%lld", (long long)value.integer);
        else if (value.type == ZS_REAL)
            sqlite3_str_appendf(text, "%!.17g", value.real);
        else if (value.type == ZS_TEXT)
            sqlite3_str_appendf(text, "'%.*q'", (int)value.bytes.len, value.bytes.data);
        else
            sqlite3_str_appendf(text, "%s", value.type == ZS_NULL ? "NULL" : "a blob");
    }
    return sqlite3_str_finish(text);
}

static int first_difference(struct reader *reader, struct zs_batch *batch, char **difference)
{
    const struct zs_item *item;
    char *row;

    if (zs_batch_consolidate(batch) != ZS_OK)
        return SQLITE_NOMEM;
    if (zs_batch_len(batch) == 0)
        return SQLITE_OK;
    item = zs_batch_items(batch);
    row = describe(reader, item->key);
    *difference =
        sqlite3_mprintf("%s a row (%s) %s", item->weight > 0 ? "it shows" : "it lacks", row,
            item->weight > 0 ? "that its query does not give" : "that its query gives");
    sqlite3_free(row);
    return *difference == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static int compare(
    struct reader *reader, const char *query, const char *shown, char **difference)
{
    struct zs_batch *batch = NULL;
    int rc = zs_batch_new(&ls_alloc, &batch) == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;

    if (rc == SQLITE_OK)
        rc = read_all(reader, query, -1, batch);
    if (rc == SQLITE_OK)
        rc = read_all(reader, shown, 1, batch);
    if (rc == SQLITE_OK)
        rc = first_difference(reader, batch, difference);
    zs_batch_free(batch);
    return rc;
}

static bool is_top(const struct zsql_plan *plan)
{
    return plan->operators[plan->n_operators - 1]->kind == ZSQL_TOP;
}

int ls_compare(struct ls_view *view, char **difference)
{
    struct reader reader = {.view = view};
    const char *query;
    char *shown;
    int rc;

    *difference = NULL;
    rc = ls_view_open(view);
    if (rc != SQLITE_OK)
        return rc;
    reader.plan = view->definition->plan;
    query = reader.plan->exact_text;
    shown = sqlite3_mprintf("SELECT * FROM \"%w\".\"%w\"", view->schema, view->name);
    zs_buffer_init(&reader.key, &ls_alloc);
    if (shown == NULL)
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = ls_text_encoding(view->connection->db, view->schema, &reader.utf16);
    if (rc == SQLITE_OK)
        rc = compare(&reader, query, shown, difference);
    if (rc == SQLITE_OK && *difference != NULL &&
        (reader.plan->is_keyed || reader.plan->certainty != NULL || is_top(reader.plan))) {
        /* Another member may stand for a group, and what is computed from it differ; and of rows
        ** that are equal any may be among the first. */
        char *loose = NULL;

        reader.is_loose = true;
        if (!reader.plan->may_have_other_rows)
            rc = compare(&reader, query, shown, &loose);
        if (loose == NULL) {
            sqlite3_free(*difference);
            *difference = NULL;
        }
        sqlite3_free(loose);
    }
    zs_buffer_clear(&reader.key);
    sqlite3_free(shown);
    return rc;
}
