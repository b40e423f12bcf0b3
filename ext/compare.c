/* Does a view show what its query gives? SQLite sorts the rows of both, those of the query with
** weight -1, which takes no more memory than it allows its sorter; what does not add up to 0
** differs. Where the query has several right answers they are then compared loosely. */
#include "ext/compare.h"

#include <stdlib.h>

#include "ext/check.h"
#include "ext/encoder.h"
#include "ext/selection.h"
#include "ext/statement.h"

#define POINTER "lockstep reader" /* the type of a bound one */

enum { MOST_VALUES = 90 }; /* that a call of the function is given: SQLite may allow 127 */

/* What the rows are compared by. */
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
    for (size_t i = 0; plan->is_keyed && !plan->is_keyed_by_row && i < plan->n_keys; i++)
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

/* What is compared of a column. */
static int append_column(struct reader *reader, int column, const struct zs_value *value)
{
    const struct zsql_plan *plan = reader->plan;
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];

    if (reader->is_loose)
        return append_loosely(plan, column, &reader->key, value);
    if (!is_key(plan, column))
        return zs_row_append_identity(&reader->key, value);
    return zs_row_append_comparison(&reader->key, value,
        ls_database_collation(root->columns[column].collation, reader->utf16));
}

/* lockstep_compared(reader, first, value, ...): what is compared of a row's columns from first
** on; or, with a first below 0, such pieces in a row. */
static void compared(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct reader *reader = argc > 1 ? sqlite3_value_pointer(argv[0], POINTER) : NULL;
    int first, rc = ZS_OK;

    if (reader == NULL)
        return; /* a statement of the user's */
    first = sqlite3_value_int(argv[1]);
    zs_buffer_reset(&reader->key);
    for (int i = 2; rc == ZS_OK && i < argc; i++) {
        struct zs_value value = ls_value(argv[i]);

        rc = ls_read_status(&value);
        if (rc == ZS_OK)
            rc = first < 0 ? zs_buffer_append(&reader->key, value.bytes.data, value.bytes.len)
                           : append_column(reader, first + i - 2, &value);
    }
    if (rc == ZS_OK)
        sqlite3_result_blob64(context, reader->key.data, reader->key.len, SQLITE_TRANSIENT);
    else
        sqlite3_result_error_code(context, ls_code_of(rc));
}

int ls_compare_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "lockstep_compared", -1,
        SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, compared, NULL, NULL, NULL);
}

/* The function's call for columns of a row c0, c1, ... */
static void append_piece(sqlite3_str *text, int first, int n)
{
    sqlite3_str_appendf(text, "lockstep_compared(?1, %d", first);
    for (int i = first; i < first + n; i++)
        sqlite3_str_appendf(text, ", c%d", i);
    sqlite3_str_appendf(text, ")");
}

/* For all: piece by piece where there are many. */
static void append_call(sqlite3_str *text, int n_columns)
{
    if (n_columns <= MOST_VALUES) {
        append_piece(text, 0, n_columns);
        return;
    }
    sqlite3_str_appendf(text, "lockstep_compared(?1, -1");
    for (int first = 0; first < n_columns; first += MOST_VALUES) {
        int left = n_columns - first;

        sqlite3_str_appendf(text, ", ");
        append_piece(text, first, left < MOST_VALUES ? left : MOST_VALUES);
    }
    sqlite3_str_appendf(text, ")");
}

static void append_names(sqlite3_str *text, int n_columns)
{
    for (int i = 0; i < n_columns; i++)
        sqlite3_str_appendf(text, "%sc%d", i == 0 ? "(" : ", ", i);
    sqlite3_str_appendf(text, ")");
}

/* The first of what differs, and what its weight is. */
static char *statement_text(const struct reader *reader)
{
    const struct ls_view *view = reader->view;
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "WITH lockstep_asked");
    append_names(text, view->n_columns);
    sqlite3_str_appendf(text, " AS (");
    ls_selection_append_exact(text, view);
    sqlite3_str_appendf(text, "), lockstep_shown");
    append_names(text, view->n_columns);
    sqlite3_str_appendf(text,
        " AS (SELECT * FROM \"%w\".\"%w\") SELECT k, sum(w) FROM (SELECT ", view->schema,
        view->name);
    append_call(text, view->n_columns);
    sqlite3_str_appendf(text, " AS k, -1 AS w FROM lockstep_asked UNION ALL SELECT ");
    append_call(text, view->n_columns);
    sqlite3_str_appendf(text,
        ", 1 FROM lockstep_shown) GROUP BY k HAVING sum(w) <> 0 ORDER BY k"
        " LIMIT 1");
    return sqlite3_str_finish(text);
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
        ls_append_literal(text, &value);
    }
    return sqlite3_str_finish(text);
}

static int tell(struct reader *reader, sqlite3_stmt *statement, char **difference)
{
    struct zs_bytes key = {sqlite3_column_blob(statement, 0), 0};
    bool is_shown = sqlite3_column_int64(statement, 1) > 0;
    char *row;

    key.len = (size_t)sqlite3_column_bytes(statement, 0);
    row = describe(reader, key);
    *difference = sqlite3_mprintf("%s a row (%s) %s", is_shown ? "it shows" : "it lacks", row,
        is_shown ? "that its query does not give" : "that its query gives");
    sqlite3_free(row);
    return *difference == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static int compare(struct reader *reader, char **difference)
{
    sqlite3_stmt *statement;
    int rc = ls_prepare_text(reader->view->connection->db, &statement, statement_text(reader));
    int told = SQLITE_OK;

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_pointer(statement, 1, reader, POINTER, NULL);
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        told = tell(reader, statement, difference);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK ? told : rc;
}

/* Does it choose among rows or values that are equal: the first ones, a group's member, a
** maximum? */
static bool chooses(const struct zsql_plan *plan)
{
    for (size_t i = 0; i < plan->n_operators; i++)
        if (plan->operators[i]->kind == ZSQL_TOP ||
            plan->operators[i]->kind == ZSQL_AGGREGATE_BY)
            return true;
    return false;
}

int ls_compare(struct ls_view *view, char **difference)
{
    struct reader reader = {.view = view};
    struct ls_definition *definition;
    int rc;

    *difference = NULL;
    rc = ls_view_open(view);
    if (rc != SQLITE_OK)
        return rc;
    /* What the query calls may have the view read anew. */
    definition = ls_definition_hold(view->definition);
    reader.plan = definition->plan;
    zs_buffer_init(&reader.key, &ls_alloc);
    rc = ls_text_encoding(view->connection->db, view->schema, &reader.utf16);
    if (rc == SQLITE_OK)
        rc = compare(&reader, difference);
    if (rc == SQLITE_OK && *difference != NULL &&
        (reader.plan->certainty != NULL || chooses(reader.plan))) {
        /* Another member may stand for a group, and what is computed from it differ; and of
        ** rows that are equal any may be among the first. */
        char *loose = NULL;

        reader.is_loose = true;
        if (!reader.plan->may_have_other_rows)
            rc = compare(&reader, &loose);
        if (loose == NULL) {
            sqlite3_free(*difference);
            *difference = NULL;
        }
        sqlite3_free(loose);
    }
    zs_buffer_clear(&reader.key);
    ls_definition_free(definition);
    return rc;
}
