/* Connecting to a view that was created: its columns and indexes are those of <view>_data. */
#include "ext/create.h"

#include <string.h>

#include "ext/absent.h"
#include "ext/cursor.h"
#include "ext/declaration.h"
#include "ext/declared.h"
#include "ext/shadow.h"
#include "ext/state.h"
#include "ext/statement.h"

int ls_view_shadow_name(const char *suffix)
{
    static const char *const suffixes[] = {"data", "trace", "state"};

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
        if (sqlite3_stricmp(suffix, suffixes[i]) == 0)
            return 1;
    return 0;
}

/* argv: module, schema, view, then what stood between the parentheses, cut at commas. */
static char *join_arguments(int argc, const char *const *argv)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 3; i < argc; i++)
        sqlite3_str_appendf(text, "%s%s", i > 3 ? "," : "", argv[i]);
    if (sqlite3_str_length(text) == 0)
        sqlite3_str_appendall(text, " "); /* finished, an empty one is NULL */
    return sqlite3_str_finish(text);
}

struct ls_view *ls_view_new(
    struct ls_connection *connection, int argc, const char *const *argv, int *rc)
{
    struct ls_view *view = zs_alloc_zeroed(&ls_alloc, sizeof(*view));

    if (view != NULL) {
        view->connection = connection;
        view->schema = sqlite3_mprintf("%s", argv[1]);
        view->file = sqlite3_stricmp(argv[1], "main") == 0 ? NULL : view->schema;
        view->name = sqlite3_mprintf("%s", argv[2]);
        view->arguments = join_arguments(argc, argv);
        view->token = -1;
        connection->references++;
        if (view->schema != NULL && view->name != NULL && view->arguments != NULL)
            return view;
    }
    *rc = SQLITE_NOMEM;
    return view;
}

void ls_view_free_columns(struct ls_view_column *columns, int n)
{
    for (int i = 0; i < n; i++) {
        sqlite3_free(columns[i].name);
        sqlite3_free(columns[i].type);
        sqlite3_free(columns[i].collation);
    }
    sqlite3_free(columns);
}

void ls_view_forget_columns(struct ls_view *view)
{
    ls_view_free_columns(view->columns, view->n_columns);
    view->columns = NULL;
    view->n_columns = 0;
}

void ls_view_free(struct ls_view *view)
{
    if (view == NULL)
        return;
    ls_view_close(view);
    sqlite3_finalize(view->witness);
    ls_cursor_free(view->spare);
    ls_view_forget_columns(view);
    for (int i = 0; i < view->n_indexes; i++) {
        sqlite3_free(view->indexes[i].columns);
        sqlite3_free(view->indexes[i].is_descending);
    }
    sqlite3_free(view->indexes);
    sqlite3_free(view->marks);
    sqlite3_free(view->schema);
    sqlite3_free(view->name);
    sqlite3_free(view->arguments);
    sqlite3_free(view->base.zErrMsg);
    ls_connection_release(view->connection);
    sqlite3_free(view);
}

int ls_view_add_column(struct ls_view *view, const char *name, const char *type,
    const char *collation, size_t *cap)
{
    struct ls_view_column *column;

    if (zs_alloc_reserve(&ls_alloc, &view->columns, cap, (size_t)view->n_columns + 1,
            sizeof(*view->columns)) != ZS_OK)
        return SQLITE_NOMEM;
    column = &view->columns[view->n_columns++];
    *column = (struct ls_view_column){
        .name = sqlite3_mprintf("%s", name),
        .type = sqlite3_mprintf("%s", type),
        .collation = sqlite3_mprintf("%s", collation),
    };
    return column->name == NULL || column->type == NULL || column->collation == NULL
               ? SQLITE_NOMEM
               : SQLITE_OK;
}

/* A column of <view>_data or, where that is missing, of the query. */
static int add_column(struct ls_view *view, const char *name, const char *type, size_t *cap)
{
    const char *collation = "BINARY"; /* or one that is borrowed from the schema */
    char *table = sqlite3_mprintf("%s_data", view->name);
    char *declared = type == NULL ? NULL : ls_declared_type(type);
    int rc = table == NULL || name == NULL || declared == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK && !view->has_no_data)
        rc = sqlite3_table_column_metadata(view->connection->db, view->schema, table, name,
            NULL, &collation, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = ls_view_add_column(view, name, declared, collation, cap);
    sqlite3_free(table);
    sqlite3_free(declared);
    return rc;
}

/* Reads the columns of <view>_data, which are the view's; where that table is missing, those of
** the query. */
static int read_columns(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    sqlite3_stmt *statement;
    sqlite3_int64 n_own;
    size_t cap = 0;
    int rc = ls_query_integer(db, 0, &n_own,
        "SELECT count(*) FROM pragma_table_info('%q_data', %Q)"
        " WHERE name IN ('lockstep_weight', 'lockstep_row')",
        view->name, view->schema);

    ls_view_forget_columns(view);
    if (rc != SQLITE_OK)
        return rc;
    view->has_no_data = n_own != 2;
    rc = ls_prepare(db, &statement,
        "SELECT name, type FROM pragma_table_info('%q_%s', %Q)"
        " WHERE substr(name, 1, 9) <> 'lockstep_' ORDER BY cid",
        view->name, view->has_no_data ? "query" : "data", view->schema);
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        rc = add_column(view, (const char *)sqlite3_column_text(statement, 0),
            (const char *)sqlite3_column_text(statement, 1), &cap);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

/* The columns as a stale schema has them. A statement that is never stepped tells them: SQLite
** finds out that the schema is stale when a statement starts. */
static int read_stale_columns(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    sqlite3_stmt *statement;
    size_t cap = 0;
    int rc = ls_prepare(
        db, &statement, "SELECT * FROM \"%w\".\"%w_data\"", view->schema, view->name);

    view->has_no_data = (rc & 0xff) == SQLITE_ERROR;
    if (view->has_no_data)
        rc = ls_prepare(
            db, &statement, "SELECT * FROM \"%w\".\"%w_query\"", view->schema, view->name);
    for (int i = 0; rc == SQLITE_OK && i < sqlite3_column_count(statement); i++) {
        const char *name = sqlite3_column_name(statement, i);
        const char *type = sqlite3_column_decltype(statement, i);

        if (name == NULL)
            rc = SQLITE_NOMEM;
        else if (sqlite3_strnicmp(name, "lockstep_", 9) != 0)
            rc = add_column(view, name, type == NULL ? "" : type, &cap);
    }
    sqlite3_finalize(statement);
    return rc;
}

/* The columns as SQLite names them now, if it still reads what CREATE was given. */
static int read_created_columns(struct ls_view *view)
{
    struct zsql_options *options = NULL;
    sqlite3_stmt *statement = NULL;
    size_t cap = 0;
    int rc = ls_view_read_options(view, &options);

    if (rc == SQLITE_OK)
        rc = ls_prepare(view->connection->db, &statement, "%s", options->select);
    for (int i = 0; rc == SQLITE_OK && i < sqlite3_column_count(statement); i++) {
        const char *type = sqlite3_column_decltype(statement, i);
        rc =
            add_column(view, sqlite3_column_name(statement, i), type == NULL ? "" : type, &cap);
    }
    sqlite3_finalize(statement);
    zsql_options_free(options);
    if ((rc & 0xff) == SQLITE_ERROR) { /* a view must have one, to be asked for */
        ls_view_forgive(view);
        rc = ls_view_add_column(view, "unknown", "", "BINARY", &cap);
    }
    return rc;
}

/* Can <view>_data hold the columns that were read from the query? They may be of other types by
** now than those that it was made for. */
static bool data_holds_them(const struct ls_view *view)
{
    char *data = sqlite3_mprintf("%s_data", view->name);
    bool holds = data != NULL;

    for (int i = 0; holds && i < view->n_columns; i++)
        if (ls_declared_so(view->connection->db, view->schema, data, view->columns[i].name,
                view->columns[i].type, view->columns[i].collation, &holds) != SQLITE_OK)
            break;
    sqlite3_free(data);
    return holds;
}

/* The declaration that CREATE wrote down, whatever has become of <view>_data. Where it is lost,
** the query tells it again. If not even that can be, whatever there is has to do: SQLite must
** be able to connect a view, or it could not be made anew or dropped. */
static int read_declaration(struct ls_view *view, char **declaration)
{
    int rc = ls_query_text(view->connection->db, declaration,
        "SELECT declaration FROM \"%w\".\"%w_state\" WHERE checksum = " LS_STATE_CHECKSUM(
            "level"),
        view->schema, view->name);
    bool is_lost = *declaration == NULL;

    if (ls_may_pass(rc))
        return rc;
    if (!is_lost)
        return !view->has_no_data && ls_declaration_matches(view, *declaration)
                   ? SQLITE_OK
                   : ls_declaration_read(view, *declaration);
    rc = view->is_stale ? SQLITE_ERROR
                        : ls_shadow_columns_of_query(view, !view->has_no_data, declaration);
    if (ls_may_pass(rc) || (rc == SQLITE_OK && (view->has_no_data || data_holds_them(view))))
        return rc;
    ls_view_forgive(view);
    sqlite3_free(*declaration);
    rc = view->is_stale ? SQLITE_OK : read_columns(view);
    if (rc == SQLITE_OK && view->n_columns == 0)
        rc = read_created_columns(view);
    *declaration = ls_declaration_make(view);
    return *declaration == NULL ? SQLITE_NOMEM : rc;
}

/* Tells SQLite the columns, the command column and the key that tells rows apart. */
static int declare(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    char *declaration = NULL;
    int rc = read_declaration(view, &declaration);

    if (rc == SQLITE_OK)
        rc = ls_absent_look(view);
    if (rc == SQLITE_OK && view->lacks_collations) {
        sqlite3_free(declaration);
        declaration = ls_declaration_make(view);
        rc = declaration == NULL ? SQLITE_NOMEM : SQLITE_OK;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_declare_vtab(db, declaration);
    /* What keeps SQLite from parsing is all one to it. */
    if (rc == SQLITE_ERROR && strcmp(sqlite3_errmsg(db), sqlite3_errstr(SQLITE_INTERRUPT)) == 0)
        rc = SQLITE_INTERRUPT;
    sqlite3_free(declaration);
    return rc;
}

static int read_index(struct ls_view *view, const char *name, struct ls_index *index)
{
    size_t most = (size_t)view->n_columns + 1;
    sqlite3_stmt *statement;
    int rc = ls_prepare(view->connection->db, &statement,
        "SELECT cid, desc, coll FROM pragma_index_xinfo(%Q, %Q) WHERE key ORDER BY seqno", name,
        view->schema);

    index->columns = zs_alloc_zeroed(&ls_alloc, most * sizeof(*index->columns));
    index->is_descending = zs_alloc_zeroed(&ls_alloc, most * sizeof(*index->is_descending));
    if (index->columns == NULL || index->is_descending == NULL)
        rc = SQLITE_NOMEM;
    while (rc == SQLITE_OK && index->n_columns < view->n_columns &&
           sqlite3_step(statement) == SQLITE_ROW) {
        int column = sqlite3_column_int(statement, 0);
        const char *collation = (const char *)sqlite3_column_text(statement, 2);

        if (column < 0 || column >= view->n_columns || collation == NULL ||
            sqlite3_stricmp(collation, view->columns[column].collation) != 0)
            column = -1;
        index->columns[index->n_columns] = column;
        index->is_descending[index->n_columns++] = sqlite3_column_int(statement, 1);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

static int read_indexes(struct ls_view *view)
{
    sqlite3_stmt *statement;
    size_t cap = 0;
    int rc = ls_prepare(view->connection->db, &statement,
        "SELECT name FROM pragma_index_list('%q_data', %Q)", view->name, view->schema);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        if (zs_alloc_reserve(&ls_alloc, &view->indexes, &cap, (size_t)view->n_indexes + 1,
                sizeof(*view->indexes)) != ZS_OK) {
            rc = SQLITE_NOMEM;
            break;
        }
        view->indexes[view->n_indexes] = (struct ls_index){.columns = NULL};
        rc = read_index(view, (const char *)sqlite3_column_text(statement, 0),
            &view->indexes[view->n_indexes++]);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

static int read_maintain(struct ls_view *view)
{
    struct zsql_options *options = NULL;
    int rc = ls_view_read_options(view, &options);

    if (rc == SQLITE_OK)
        view->maintain = options->maintain == ZSQL_MAINTAIN_COMMIT ? LS_ON_COMMIT : LS_ON_READ;
    zsql_options_free(options);
    return rc;
}

/* What create and connect end with. */
int ls_view_finish(struct ls_view *view, int rc, sqlite3_vtab **vtab, char **error)
{
    sqlite3 *db = view == NULL ? NULL : view->connection->db;

    if (rc == SQLITE_OK)
        rc = view->is_stale ? read_stale_columns(view) : read_columns(view);
    if (rc == SQLITE_OK)
        rc = declare(view);
    if (rc == SQLITE_OK && !view->is_stale)
        rc = read_indexes(view);
    if (rc == SQLITE_OK)
        rc = read_maintain(view);
    if (rc == SQLITE_OK) {
        sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
        view->next = view->connection->views;
        view->connection->views = view;
        *vtab = &view->base;
        return SQLITE_OK;
    }
    if (view != NULL) {
        if (view->base.zErrMsg == NULL)
            rc = ls_view_fail_with(view, rc, NULL);
        *error = view->base.zErrMsg;
        view->base.zErrMsg = NULL;
    }
    ls_view_free(view);
    return rc;
}

/* Another connection may have changed the schema, and SQLite not know yet: it connects a view
** when it prepares a statement, and looks at the file when it starts one. Every statement of
** ours gives SQLITE_SCHEMA then. A view that failed to connect so could not be used in a
** RETURNING: SQLite would try again with the schema read anew, but the table's triggers, which
** the same statement compiles next, keep it from reading. So the view is connected as the stale
** schema has it; when the statement starts, SQLite drops it with that schema. */
static int find_stale(struct ls_view *view)
{
    sqlite3_int64 n;
    int rc = ls_query_integer(view->connection->db, 0, &n,
        "SELECT 1 FROM \"%w\".sqlite_schema LIMIT 1", view->schema);

    view->is_stale = (rc & 0xff) == SQLITE_SCHEMA;
    return view->is_stale ? SQLITE_OK : rc;
}

int ls_view_connect(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    int rc = SQLITE_OK;
    struct ls_view *view = ls_view_new(connection, argc, argv, &rc);

    (void)db;
    if (rc == SQLITE_OK)
        rc = find_stale(view);
    return ls_view_finish(view, rc, vtab, error);
}

int ls_view_disconnect(sqlite3_vtab *vtab)
{
    struct ls_view *view = (struct ls_view *)vtab;

    ls_connection_remove(view->connection, view);
    return SQLITE_OK;
}
