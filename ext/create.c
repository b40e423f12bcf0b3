/* Creating a view.
**
** CREATE makes, in this order: the SQLite VIEW <view>_query (SQLite judges the SELECT), the
** tables <view>_state, <view>_trace and <view>_data with its indexes, the logs of the base
** tables and their triggers where there are none yet, the view's positions in the logs, and the
** first state. All of it is one statement of SQLite's: whatever fails leaves nothing behind. */
#include "ext/create.h"

#include <string.h>

#include "ext/capture.h"
#include "ext/selection.h"
#include "ext/state.h"
#include "ext/statement.h"
#include "sql/options.h"
static char *join_arguments(int argc, const char *const *argv)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 3; i < argc; i++)
        sqlite3_str_appendf(text, "%s%s", i > 3 ? "," : "", argv[i]);
    return sqlite3_str_finish(text);
}

/* The name must be free for all that a view makes. */
static int check_names(struct ls_view *view)
{
    static const char *const suffixes[] = {"query", "data", "trace", "state"};
    sqlite3_int64 n;
    int rc = SQLITE_OK;

    if (sqlite3_strnicmp(view->name, "lockstep_", 9) == 0)
        return ls_view_fail(
            view, SQLITE_ERROR, "names that begin with lockstep_ are Lockstep's own");
    for (size_t i = 0; rc == SQLITE_OK && i < 4; i++) {
        rc = ls_query_integer(view->connection->db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name = '%q_%s' COLLATE NOCASE",
            view->schema, view->name, suffixes[i]);
        if (rc == SQLITE_OK && n > 0)
            return ls_view_fail(view, SQLITE_ERROR,
                "it needs the name %s_%s, which is taken: choose another name for the view",
                view->name, suffixes[i]);
    }
    return rc;
}

/* Makes <view>_query. SQLite's message on a SELECT that it refuses is the user's. */
static int create_query(struct ls_view *view, const char *select)
{
    sqlite3 *db = view->connection->db;
    sqlite3_stmt *statement = NULL;
    const char *tail = "";
    char *text = sqlite3_mprintf(
        "CREATE VIEW \"%w\".\"%w_query\" AS %s", view->schema, view->name, select);
    int rc = text == NULL ? SQLITE_NOMEM : sqlite3_prepare_v2(db, text, -1, &statement, &tail);

    while (rc == SQLITE_OK && strchr(" \t\r\n\f;", *tail) != NULL && *tail != '\0')
        tail++;
    if (rc == SQLITE_OK && *tail != '\0') {
        sqlite3_finalize(statement);
        sqlite3_free(text);
        return ls_view_fail(view, SQLITE_ERROR, "one SELECT and nothing behind it is expected");
    }
    if (rc == SQLITE_OK)
        rc = ls_run(statement);
    sqlite3_finalize(statement);
    sqlite3_free(text);
    if (rc == SQLITE_OK) {
        rc = ls_prepare(
            db, &statement, "SELECT * FROM \"%w\".\"%w_query\"", view->schema, view->name);
        sqlite3_finalize(statement);
    }
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

/* Names as the VIEW has them, then LS_ORDER_COLUMN for what the order alone reads. Types as the
** VIEW declares them, or else those that give the plan's affinity; in <view>_data none instead of
** NUMERIC, which would make 5 of a 5.0 that a CAST gave. */
static int append_columns(struct ls_view *view, const struct zsql_plan *plan, sqlite3_str *data,
    sqlite3_str *declaration)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    sqlite3_stmt *statement;
    size_t n = root->n_columns - plan->n_hidden, i = 0;
    int rc = ls_prepare(view->connection->db, &statement,
        "SELECT name, type FROM pragma_table_xinfo('%q_query', %Q) ORDER BY cid", view->name,
        view->schema);

    while (rc == SQLITE_OK && i < n && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        const char *type = (const char *)sqlite3_column_text(statement, 1);
        const struct zsql_output_column *column = &root->columns[i++];

        if (name == NULL)
            rc = SQLITE_NOMEM;
        else if (sqlite3_stricmp(name, "lockstep") == 0 ||
                 sqlite3_strnicmp(name, "lockstep_", 9) == 0)
            rc = ls_view_fail(view, SQLITE_ERROR,
                "the column name %s is Lockstep's own: give the column another with AS", name);
        if (rc != SQLITE_OK)
            break;
        if (type == NULL || ls_affinity_of(type) != ls_affinity_of(column->type))
            type = column->type;
        sqlite3_str_appendf(
            declaration, "\"%w\" %s COLLATE \"%w\", ", name, type, column->collation_name);
        sqlite3_str_appendf(data, "\"%w\" %s COLLATE \"%w\", ", name,
            ls_affinity_of(type) == LS_NUMERIC ? "" : type, column->collation_name);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    if (rc == SQLITE_OK && i != n)
        rc = SQLITE_ERROR;
    for (; rc == SQLITE_OK && i < root->n_columns; i++) {
        const struct zsql_output_column *column = &root->columns[i];

        sqlite3_str_appendf(data, "\"" LS_ORDER_COLUMN "\" %s COLLATE \"%w\", ",
            (int)(i - n) + 1, ls_affinity_of(column->type) == LS_NUMERIC ? "" : column->type,
            column->collation_name);
    }
    return rc;
}

static int create_state(
    struct ls_view *view, const struct zsql_options *options, const char *declaration)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE \"%w\".\"%w_trace\"(k BLOB PRIMARY KEY, v BLOB NOT NULL)"
        " WITHOUT ROWID;"
        "CREATE TABLE \"%w\".\"%w_state\"(format INTEGER NOT NULL, token INTEGER NOT NULL,"
        " cookie INTEGER NOT NULL, dirty INTEGER NOT NULL, sqlite TEXT NOT NULL,"
        " maintain TEXT NOT NULL, indexes INTEGER NOT NULL, declaration TEXT NOT NULL);"
        "INSERT INTO \"%w\".\"%w_state\" VALUES(%d, 0, 0, 1, %Q, %Q, %d, %Q);"
        "CREATE TABLE IF NOT EXISTS \"%w\".lockstep_position(view TEXT NOT NULL,"
        " log INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(view, log)) WITHOUT ROWID",
        view->schema, view->name, view->schema, view->name, view->schema, view->name, LS_FORMAT,
        sqlite3_libversion(), options->maintain == ZSQL_MAINTAIN_COMMIT ? "commit" : "read",
        !options->makes_no_index, declaration, view->schema);
}

static int create_tables(
    struct ls_view *view, const struct zsql_plan *plan, const struct zsql_options *options)
{
    sqlite3 *db = view->connection->db;
    sqlite3_str *data = sqlite3_str_new(db), *declared = sqlite3_str_new(db);
    char *create, *declaration;
    int rc;

    sqlite3_str_appendf(data, "CREATE TABLE \"%w\".\"%w_data\"(", view->schema, view->name);
    sqlite3_str_appendf(declared, "CREATE TABLE x(");
    rc = append_columns(view, plan, data, declared);
    sqlite3_str_appendf(
        data, "lockstep_weight INTEGER NOT NULL, lockstep_row INTEGER PRIMARY KEY)");
    sqlite3_str_appendf(declared, "%s", LS_HIDDEN_COLUMNS);
    create = sqlite3_str_finish(data);
    declaration = sqlite3_str_finish(declared);
    if (rc == SQLITE_OK && (create == NULL || declaration == NULL))
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, create, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = create_state(view, options, declaration);
    sqlite3_free(create);
    sqlite3_free(declaration);
    return rc;
}

/* "CREATE INDEX ... ON ...(". Indexes keep their names when a view is renamed, so that the usual one
** may be another view's. */
static int begin_index(struct ls_view *view, const char *suffix, sqlite3_str **text)
{
    sqlite3 *db = view->connection->db;
    char *name = NULL;
    sqlite3_int64 n_taken = 0;
    int n = 0;
    int rc;

    *text = sqlite3_str_new(db);
    do {
        sqlite3_free(name);
        name = ++n == 1 ? sqlite3_mprintf("%s_data_%s", view->name, suffix)
                        : sqlite3_mprintf("%s_data_%s_%d", view->name, suffix, n);
        rc = name == NULL ? SQLITE_NOMEM
                          : ls_query_integer(db, 0, &n_taken,
                                "SELECT count(*) FROM \"%w\".sqlite_schema"
                                " WHERE name = %Q COLLATE NOCASE",
                                view->schema, name);
    } while (rc == SQLITE_OK && n_taken > 0);
    sqlite3_str_appendf(
        *text, "CREATE INDEX \"%w\".\"%w\" ON \"%w_data\"(", view->schema, name, view->name);
    sqlite3_free(name);
    return rc;
}

static int end_index(struct ls_view *view, sqlite3_str *text, int rc)
{
    char *create;

    sqlite3_str_appendf(text, ")");
    create = sqlite3_str_finish(text);
    if (rc == SQLITE_OK)
        rc = create == NULL ? SQLITE_NOMEM
                            : sqlite3_exec(view->connection->db, create, NULL, NULL, NULL);
    sqlite3_free(create);
    return rc;
}

/* Those of the option index=(a, b). */
static int create_index(struct ls_view *view, const struct zsql_index *index, int number)
{
    char suffix[24];
    sqlite3_str *text;
    int rc;

    sqlite3_snprintf(sizeof(suffix), suffix, "index_%d", number);
    rc = begin_index(view, suffix, &text);
    for (size_t i = 0; i < index->n_columns; i++)
        sqlite3_str_appendf(text, "%s\"%w\"%s", i > 0 ? ", " : "", index->columns[i].name,
            index->columns[i].is_descending ? " DESC" : "");
    return end_index(view, text, rc);
}

/* The view's own order. */
static int create_order(struct ls_view *view, const struct zsql_plan *plan)
{
    sqlite3_str *text;
    int rc;

    if (plan->n_order == 0)
        return SQLITE_OK;
    rc = begin_index(view, "order", &text);
    ls_selection_append_order(text, view, plan);
    return end_index(view, text, rc);
}

/* The indexes of <view>_data: over the keys that it shows, its order, and those that the user asked
** for. */
static int create_indexes(
    struct ls_view *view, const struct zsql_plan *plan, const struct zsql_options *options)
{
    sqlite3_str *text;
    bool has_keys = false;
    int rc = begin_index(view, "key", &text);

    for (size_t i = 0; plan->is_keyed && i < plan->n_keys; i++)
        if (plan->key_columns[i] >= 0 && plan->key_columns[i] < view->n_columns) {
            sqlite3_str_appendf(text, "%s\"%w\"", has_keys ? ", " : "",
                view->columns[plan->key_columns[i]].name);
            has_keys = true;
        }
    if (has_keys)
        rc = end_index(view, text, rc);
    else
        sqlite3_free(sqlite3_str_finish(text));
    if (rc == SQLITE_OK)
        rc = create_order(view, plan);
    for (size_t i = 0; rc == SQLITE_OK && i < options->n_indexes; i++)
        rc = create_index(view, &options->indexes[i], (int)i + 1);
    return rc;
}

static int check_indexes(struct ls_view *view, const struct zsql_options *options)
{
    for (size_t i = 0; i < options->n_indexes; i++)
        for (size_t j = 0; j < options->indexes[i].n_columns; j++) {
            const char *name = options->indexes[i].columns[j].name;

            if (ls_view_column(view, name) < 0)
                return ls_view_fail(
                    view, SQLITE_ERROR, "index=(%s): the view has no such column", name);
        }
    return SQLITE_OK;
}

/* A view over tables of another database would miss other connections' commits. */
static int check_place(struct ls_view *view, const struct ls_definition *definition)
{
    for (size_t i = 0; i < definition->plan->n_tables; i++) {
        const struct ls_table *table = definition->tables[i];

        if (sqlite3_stricmp(view->schema, table->schema) != 0)
            return ls_view_fail(view, SQLITE_ERROR,
                "table %s is in database %s: a view must be created in the database of its"
                " tables, as %s.%s",
                table->name, table->schema, table->schema, view->name);
    }
    return SQLITE_OK;
}

static int create_all(struct ls_view *view, const struct zsql_options *options)
{
    struct ls_definition *definition = NULL;
    char *message = NULL, *text = NULL;
    sqlite3 *db = view->connection->db;
    int rc;

    if (options->is_deferred)
        return ls_view_fail(view, SQLITE_ERROR, "build=deferred is not supported yet");
    if (options->allows_recompute)
        return ls_view_fail(view, SQLITE_ERROR, "allow=recompute is not supported yet");
    if (sqlite3_stricmp(view->schema, "temp") == 0)
        return ls_view_fail(view, SQLITE_ERROR,
            "TEMP views are not maintained: create the view in the database of its tables");
    rc = check_names(view);
    if (rc == SQLITE_OK)
        rc = create_query(view, options->select);
    if (rc == SQLITE_OK)
        rc = ls_definition_text(db, view->schema, view->name, &text);
    if (rc == SQLITE_OK)
        rc = ls_definition_read(db, view->schema, text, &definition, &message);
    sqlite3_free(text);
    if (rc != SQLITE_OK && view->base.zErrMsg == NULL)
        rc = ls_view_fail_with(view, rc, message);
    if (rc == SQLITE_OK)
        rc = check_place(view, definition);
    if (rc == SQLITE_OK)
        rc = create_tables(view, definition->plan, options);
    if (rc == SQLITE_OK)
        rc = ls_view_read_columns(view);
    if (rc == SQLITE_OK)
        rc = check_indexes(view, options);
    view->maintain = options->maintain == ZSQL_MAINTAIN_COMMIT ? LS_ON_COMMIT : LS_ON_READ;
    if (rc == SQLITE_OK)
        rc = ls_view_open(view);
    if (rc == SQLITE_OK)
        rc = ls_view_rebuild(view);
    if (rc != SQLITE_OK && view->is_failing) {
        ls_view_forgive(view);
        rc = SQLITE_OK;
    }
    /* Last, as SQLite sorts for an index over rows that are there. */
    if (rc == SQLITE_OK)
        rc = create_indexes(view, definition->plan, options);
    ls_definition_free(definition);
    return rc;
}

int ls_view_create(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    int rc = SQLITE_OK;
    struct ls_view *view = ls_view_new(connection, argv, &rc);
    struct zsql_options *options = NULL;
    char *text = join_arguments(argc, argv), *message = NULL;
    int status = ZS_OK;

    (void)db;
    if (rc == SQLITE_OK && argc <= 3)
        rc = ls_view_fail(view, SQLITE_ERROR,
            "a SELECT is expected: CREATE VIRTUAL TABLE %s USING lockstep(SELECT ...)",
            view->name);
    else if (rc == SQLITE_OK && text == NULL)
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK) {
        status = zsql_options_new(&ls_alloc, text, &options, &message);
        if (status == ZS_NOMEM)
            rc = SQLITE_NOMEM;
        else if (status != ZS_OK)
            rc = ls_view_fail_with(view, SQLITE_ERROR, message);
    }
    if (rc == SQLITE_OK)
        rc = create_all(view, options);
    zsql_options_free(options);
    sqlite3_free(text);
    return ls_view_finish(view, rc, vtab, error);
}
