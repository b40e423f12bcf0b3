/* Creating a view.
**
** CREATE makes, in this order: the SQLite VIEW <view>_query (SQLite judges the SELECT), the
** tables <view>_state, <view>_trace and <view>_data with its indexes, the logs of the base
** tables and their triggers where there are none yet, the view's positions in the logs, and the
** first state. All of it is one statement of SQLite's: whatever fails leaves nothing behind. */
#include "ext/create.h"

#include <string.h>

#include "ext/called.h"
#include "ext/capture.h"
#include "ext/selection.h"
#include "ext/shadow.h"
#include "ext/statement.h"

int ls_view_check_name(struct ls_view *view, const char *name)
{
    return sqlite3_strnicmp(name, "lockstep_", 9) != 0
               ? SQLITE_OK
               : ls_view_fail(
                     view, SQLITE_ERROR, "names that begin with lockstep_ are Lockstep's own");
}

/* The name must be free for all that a view makes. */
static int check_names(struct ls_view *view)
{
    static const char *const suffixes[] = {"query", "data", "trace", "state"};
    sqlite3_int64 n;
    int rc = ls_view_check_name(view, view->name);

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

/* What SQLite says of <view>_query, where that does not tell what to do about the view, in
** other words. */
static int fail_on_query(struct ls_view *view, int rc)
{
    static const char elsewhere[] = "cannot reference objects in database ";
    const char *message = sqlite3_errmsg(view->connection->db);
    const char *database = strstr(message, elsewhere);

    if (strstr(message, "called recursively") != NULL)
        return ls_view_fail(view, SQLITE_ERROR, "it can't read itself");
    if (database == NULL)
        return ls_view_fail_with(view, rc, NULL);
    database += sizeof(elsewhere) - 1;
    return ls_view_fail(view, rc,
        "its query names the database %s: a view must be created in the database of its"
        " tables, as %s.%s",
        database, database, view->name);
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
    return rc == SQLITE_OK ? SQLITE_OK : fail_on_query(view, rc);
}

/* "CREATE INDEX ... ON ...(". Indexes keep their names when a view is renamed, so that the
** usual one may be another view's. */
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
        rc = create == NULL ? SQLITE_NOMEM : ls_called_exec(view, create);
    sqlite3_free(create);
    return rc;
}

/* The next key of groups from *i on that the view shows, as a column; -1 where there is none.
** Rows of a table have no index by their key unless it is asked for. */
static int next_key(const struct ls_view *view, const struct zsql_plan *plan, size_t *i)
{
    while (plan->is_keyed && !plan->is_keyed_by_row && *i < plan->n_keys) {
        int column = plan->key_columns[(*i)++];

        if (column >= 0 && column < view->n_columns)
            return column;
    }
    return -1;
}

/* Is an index over columns that those of the keys begin with? Then theirs serves. */
static bool is_of_keys(
    const struct ls_view *view, const struct zsql_plan *plan, const struct zsql_index *index)
{
    size_t key = 0;

    for (size_t i = 0; i < index->n_columns; i++) {
        int column = next_key(view, plan, &key);

        if (column < 0 || index->columns[i].is_descending ||
            ls_view_column(view, index->columns[i].name) != column)
            return false;
    }
    return true;
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

/* The indexes of <view>_data: over the keys that it shows, its order, and those that the user
** asked for. */
static int create_indexes(
    struct ls_view *view, const struct zsql_plan *plan, const struct zsql_options *options)
{
    sqlite3_str *text;
    bool has_keys = false;
    size_t key = 0;
    int rc = begin_index(view, "key", &text);

    for (int column; (column = next_key(view, plan, &key)) >= 0; has_keys = true)
        sqlite3_str_appendf(text, "%s\"%w\"", has_keys ? ", " : "", view->columns[column].name);
    if (has_keys)
        rc = end_index(view, text, rc);
    else
        sqlite3_free(sqlite3_str_finish(text));
    if (rc == SQLITE_OK)
        rc = create_order(view, plan);
    for (size_t i = 0; rc == SQLITE_OK && i < options->n_indexes; i++)
        if (!is_of_keys(view, plan, &options->indexes[i]))
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

/* What is stored of a row, and logged of a table's, has columns of Lockstep's own besides. */
static int check_width(struct ls_view *view, const struct ls_definition *definition)
{
    const struct zsql_plan *plan = definition->plan;
    int n = (int)plan->operators[plan->n_operators - 1]->n_columns;
    int most = sqlite3_limit(view->connection->db, SQLITE_LIMIT_COLUMN, -1);

    if (n > most - LS_N_OWN_COLUMNS)
        return ls_view_fail(view, SQLITE_ERROR,
            "it has %d columns, with those of its ORDER BY: there can be %d", n,
            most - LS_N_OWN_COLUMNS);
    for (size_t i = 0; i < plan->n_tables; i++)
        if ((int)plan->tables[i].n_columns > most - LS_N_LOG_COLUMNS)
            return ls_view_fail(view, SQLITE_ERROR,
                "it reads %d columns of table %s: there can be %d",
                (int)plan->tables[i].n_columns, definition->tables[i]->name,
                most - LS_N_LOG_COLUMNS);
    return SQLITE_OK;
}

static int read_definition(struct ls_view *view, struct ls_definition **definition)
{
    sqlite3 *db = view->connection->db;
    char *message = NULL, *text = NULL;
    int rc = ls_definition_text(db, view->schema, view->name, &text);

    if (rc == SQLITE_OK && text == NULL) { /* an authorizer has SQLite read NULL there */
        message = sqlite3_mprintf("its query, the view %s_query, can't be read", view->name);
        rc = SQLITE_ERROR;
    } else if (rc == SQLITE_OK) {
        rc = ls_definition_read(db, view->schema, text, definition, &message);
    }
    sqlite3_free(text);
    return rc == SQLITE_OK ? rc : ls_view_fail_with(view, rc, message);
}

static int create_tables(struct ls_view *view, const struct ls_definition *definition,
    const struct zsql_options *options)
{
    bool has_made_data;
    char *declaration = NULL;
    int rc = check_place(view, definition);

    if (rc == SQLITE_OK)
        rc = check_width(view, definition);
    if (rc == SQLITE_OK)
        rc = ls_shadow_columns(view, definition->plan, false, &declaration);
    if (rc == SQLITE_OK)
        rc = ls_shadow_make(view, definition->plan, options, declaration, &has_made_data);
    sqlite3_free(declaration);
    return rc == SQLITE_OK ? check_indexes(view, options) : rc;
}

static int create_all(struct ls_view *view, const struct zsql_options *options)
{
    struct ls_definition *definition = NULL;
    int rc = check_names(view);

    if (rc == SQLITE_OK)
        rc = create_query(view, options->select);
    if (rc == SQLITE_OK)
        rc = read_definition(view, &definition);
    if (rc == SQLITE_OK)
        rc = create_tables(view, definition, options);
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

int ls_view_read_options(struct ls_view *view, struct zsql_options **options)
{
    char *message = NULL;
    int status = zsql_options_new(&ls_alloc, view->arguments, options, &message);

    if (status == ZS_OK)
        return SQLITE_OK;
    return ls_view_fail_with(view, status == ZS_NOMEM ? SQLITE_NOMEM : SQLITE_ERROR, message);
}

int ls_view_create(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    int rc = SQLITE_OK;
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(db);
    struct ls_view *view = ls_view_new(connection, argc, argv, &rc);
    struct zsql_options *options = NULL;

    if (rc == SQLITE_OK && argc <= 3)
        rc = ls_view_fail(view, SQLITE_ERROR,
            "a SELECT is expected: CREATE VIRTUAL TABLE %s USING lockstep(SELECT ...)",
            view->name);
    if (rc == SQLITE_OK)
        rc = ls_view_read_options(view, &options);
    if (rc == SQLITE_OK)
        rc = create_all(view, options);
    zsql_options_free(options);
    sqlite3_set_last_insert_rowid(db, last_rowid);
    return ls_view_finish(view, rc, vtab, error);
}

/* Making again what is missing. */

int ls_view_make_query(struct ls_view *view)
{
    struct zsql_options *options = NULL;
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(view->connection->db, 0, &n,
        "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name = '%q_query' COLLATE NOCASE",
        view->schema, view->name);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (n > 0)
        return SQLITE_OK;
    rc = ls_view_read_options(view, &options);
    if (rc == SQLITE_OK)
        rc = create_query(view, options->select);
    zsql_options_free(options);
    return rc;
}

int ls_view_make_tables(struct ls_view *view)
{
    const struct zsql_plan *plan = view->definition->plan;
    struct zsql_options *options = NULL;
    char *declaration = NULL;
    bool has_made_data = false;
    int rc = ls_view_read_options(view, &options);

    if (rc == SQLITE_OK)
        rc = ls_shadow_columns(view, plan, true, &declaration);
    if (rc == SQLITE_OK)
        rc = ls_shadow_make(view, plan, options, declaration, &has_made_data);
    if (rc == SQLITE_OK && has_made_data)
        rc = create_indexes(view, plan, options);
    zsql_options_free(options);
    sqlite3_free(declaration);
    return rc;
}
