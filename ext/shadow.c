/* A table's columns are compared by their names, in order. */
#include "ext/shadow.h"

#include "ext/create.h"
#include "ext/selection.h"
#include "ext/state.h"
#include "ext/statement.h"

enum table { DATA, TRACE, STATE, POSITION, N_TABLES };

static const char *const columns_of[N_TABLES] = {
    [TRACE] = "k,v",
    [STATE] = "format,token,cookie,level,dirty,sqlite,maintain,indexes,declaration",
    [POSITION] = "view,log,seq",
};

static char *name_of(const struct ls_view *view, enum table table)
{
    static const char *const suffixes[] = {"data", "trace", "state"};

    return table == POSITION ? sqlite3_mprintf("lockstep_position")
                             : sqlite3_mprintf("%s_%s", view->name, suffixes[table]);
}

/* What is told of each table. */
enum condition { IS_WHOLE, IS_LACKING, IS_ALIEN };

static enum condition compare(const char *has, const char *should)
{
    if (has == NULL)
        return IS_LACKING;
    return sqlite3_stricmp(has, should) == 0 ? IS_WHOLE : IS_ALIEN;
}

static int read_names(sqlite3 *db, const char *schema, const char *table, char **names)
{
    return ls_query_text(db, names,
        "SELECT group_concat(name) FROM"
        " (SELECT name FROM pragma_table_info(%Q, %Q) ORDER BY cid)",
        table, schema);
}

/* The names that <view>_data should have. */
static char *data_names(const struct ls_view *view)
{
    const struct zsql_plan *plan = view->definition->plan;
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 0; i < view->n_columns; i++)
        sqlite3_str_appendf(text, "%s,", view->columns[i].name);
    for (size_t i = 0; i < plan->n_hidden; i++)
        sqlite3_str_appendf(text, LS_ORDER_COLUMN ",", (int)i + 1);
    sqlite3_str_appendf(text, "lockstep_weight,lockstep_row");
    return sqlite3_str_finish(text);
}

static int judge(struct ls_view *view, enum table table, enum condition *condition)
{
    char *name = name_of(view, table), *names = NULL;
    char *should = table == DATA ? data_names(view) : sqlite3_mprintf("%s", columns_of[table]);
    int rc = name == NULL || should == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK)
        rc = read_names(view->connection->db, view->schema, name, &names);
    *condition = rc == SQLITE_OK ? compare(names, should) : IS_WHOLE;
    if (rc != SQLITE_OK)
        rc = ls_view_fail_with(view, rc, NULL);
    else if (*condition == IS_ALIEN)
        rc = ls_view_fail(view, SQLITE_CORRUPT_VTAB,
            "its table %s has other columns than Lockstep's: DROP TABLE \"%w\", then"
            " INSERT INTO \"%w\"(lockstep) VALUES('rebuild')",
            name, name, view->name);
    sqlite3_free(name);
    sqlite3_free(should);
    sqlite3_free(names);
    return rc;
}

int ls_shadow_check(struct ls_view *view)
{
    int rc = SQLITE_OK;

    view->lacks_tables = view->has_no_data = false;
    for (int table = DATA; rc == SQLITE_OK && table < N_TABLES; table++) {
        enum condition condition;

        rc = judge(view, (enum table)table, &condition);
        view->lacks_tables |= condition == IS_LACKING;
        view->has_no_data |= condition == IS_LACKING && table == DATA;
    }
    return rc;
}

int ls_shadow_has_positions(sqlite3 *db, const char *schema, bool *has_them)
{
    char *names;
    int rc = read_names(db, schema, "lockstep_position", &names);

    *has_them = rc == SQLITE_OK && compare(names, columns_of[POSITION]) == IS_WHOLE;
    sqlite3_free(names);
    return rc;
}

/* Columns. */

/* Names as the VIEW has them. Types as it declares them, or else those that give the plan's
** affinity; in <view>_data none instead of NUMERIC, which would make 5 of a 5.0 that a CAST gave. */
static int append_column(struct ls_view *view, const char *name, const char *type,
    const struct zsql_output_column *column, size_t *cap, sqlite3_str *declaration)
{
    if (name == NULL)
        return SQLITE_NOMEM;
    if (sqlite3_stricmp(name, "lockstep") == 0 || sqlite3_strnicmp(name, "lockstep_", 9) == 0)
        return ls_view_fail(view, SQLITE_ERROR,
            "the column name %s is Lockstep's own: give the column another with AS", name);
    if (type == NULL || ls_affinity_of(type) != ls_affinity_of(column->type))
        type = column->type;
    sqlite3_str_appendf(
        declaration, "\"%w\" %s COLLATE \"%w\", ", name, type, column->collation_name);
    return ls_view_add_column(view, name, ls_affinity_of(type) == LS_NUMERIC ? "" : type,
        column->collation_name, cap);
}

/* Reads them anew, beside those that there are. */
static int read_columns(struct ls_view *view, const struct zsql_plan *plan,
    const struct ls_view_column *old, sqlite3_str *declaration)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    int n = (int)(root->n_columns - plan->n_hidden), i = 0;
    sqlite3_stmt *statement;
    size_t cap = 0;
    int rc = ls_prepare(view->connection->db, &statement,
        "SELECT name, type FROM pragma_table_xinfo('%q_query', %Q) ORDER BY cid", view->name,
        view->schema);

    for (; rc == SQLITE_OK && i < n && sqlite3_step(statement) == SQLITE_ROW; i++)
        rc = append_column(view,
            old != NULL ? old[i].name : (const char *)sqlite3_column_text(statement, 0),
            (const char *)sqlite3_column_text(statement, 1), &root->columns[i], &cap,
            declaration);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK && i != n ? SQLITE_ERROR : rc;
}

int ls_shadow_columns(
    struct ls_view *view, const struct zsql_plan *plan, bool keeps_names, char **declaration)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    struct ls_view_column *old = view->columns;
    int n_old = view->n_columns;
    bool has_names = keeps_names && (size_t)n_old == root->n_columns - plan->n_hidden;
    int rc;

    view->columns = NULL;
    view->n_columns = 0;
    sqlite3_str_appendf(text, "CREATE TABLE x(");
    rc = read_columns(view, plan, has_names ? old : NULL, text);
    sqlite3_str_appendf(text, "%s", LS_HIDDEN_COLUMNS);
    ls_view_free_columns(old, n_old);
    *declaration = sqlite3_str_finish(text);
    return rc == SQLITE_OK && *declaration == NULL ? SQLITE_NOMEM : rc;
}

int ls_shadow_columns_of_query(struct ls_view *view, bool keeps_names, char **declaration)
{
    sqlite3 *db = view->connection->db;
    struct ls_definition *definition = NULL;
    char *text = NULL, *message = NULL;
    int rc = ls_definition_text(db, view->schema, view->name, &text);

    *declaration = NULL;
    if (rc == SQLITE_OK)
        rc = text == NULL ? SQLITE_ERROR
                          : ls_definition_read(db, view->schema, text, &definition, &message);
    if (rc == SQLITE_OK)
        rc = ls_shadow_columns(view, definition->plan, keeps_names, declaration);
    sqlite3_free(text);
    sqlite3_free(message);
    ls_definition_free(definition);
    return rc;
}

/* Making them. */

/* The view's columns, then LS_ORDER_COLUMN for what the order alone reads. */
static int make_data(struct ls_view *view, const struct zsql_plan *plan)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    char *create;
    int rc;

    sqlite3_str_appendf(text, "CREATE TABLE \"%w\".\"%w_data\"(", view->schema, view->name);
    for (int i = 0; i < view->n_columns; i++)
        sqlite3_str_appendf(text, "\"%w\" %s COLLATE \"%w\", ", view->columns[i].name,
            view->columns[i].type, view->columns[i].collation);
    for (size_t i = 0; i < plan->n_hidden; i++) {
        const struct zsql_output_column *column =
            &root->columns[root->n_columns - plan->n_hidden + i];

        sqlite3_str_appendf(text, "\"" LS_ORDER_COLUMN "\" %s COLLATE \"%w\", ", (int)i + 1,
            ls_affinity_of(column->type) == LS_NUMERIC ? "" : column->type,
            column->collation_name);
    }
    sqlite3_str_appendf(
        text, "lockstep_weight INTEGER NOT NULL, lockstep_row INTEGER PRIMARY KEY)");
    create = sqlite3_str_finish(text);
    rc = create == NULL ? SQLITE_NOMEM
                        : sqlite3_exec(view->connection->db, create, NULL, NULL, NULL);
    sqlite3_free(create);
    return rc;
}

static int make_trace(struct ls_view *view)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE IF NOT EXISTS \"%w\".\"%w_trace\"(k BLOB PRIMARY KEY, v BLOB NOT NULL)"
        " WITHOUT ROWID",
        view->schema, view->name);
}

static int count_states(struct ls_view *view, sqlite3_int64 *n)
{
    return ls_query_integer(view->connection->db, 0, n,
        "SELECT count(*) FROM \"%w\".\"%w_state\"", view->schema, view->name);
}

/* The one row is made anew where there is none, or are several. */
static int make_state(
    struct ls_view *view, const struct zsql_options *options, const char *declaration)
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 n = 0;
    int rc = ls_exec(db,
        "CREATE TABLE IF NOT EXISTS \"%w\".\"%w_state\"(format INTEGER NOT NULL,"
        " token INTEGER NOT NULL, cookie INTEGER NOT NULL, level INTEGER NOT NULL,"
        " dirty INTEGER NOT NULL,"
        " sqlite TEXT NOT NULL, maintain TEXT NOT NULL, indexes INTEGER NOT NULL,"
        " declaration TEXT NOT NULL)",
        view->schema, view->name);

    if (rc == SQLITE_OK)
        rc = count_states(view, &n);
    if (rc != SQLITE_OK || n == 1)
        return rc;
    return ls_exec(db,
        "DELETE FROM \"%w\".\"%w_state\";"
        "INSERT INTO \"%w\".\"%w_state\" VALUES(%d, 0, 0, 0, 1, %Q, %Q, %d, %Q)",
        view->schema, view->name, view->schema, view->name, LS_FORMAT, sqlite3_libversion(),
        options->maintain == ZSQL_MAINTAIN_COMMIT ? "commit" : "read", !options->makes_no_index,
        declaration);
}

int ls_shadow_is_whole(struct ls_view *view, bool *is_whole)
{
    sqlite3_int64 n = 0;
    int rc = view->lacks_tables ? SQLITE_OK : count_states(view, &n);

    *is_whole = n == 1;
    return rc;
}

static int make_positions(struct ls_view *view)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE IF NOT EXISTS \"%w\".lockstep_position(view TEXT NOT NULL,"
        " log INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(view, log)) WITHOUT ROWID",
        view->schema);
}

int ls_shadow_make(struct ls_view *view, const struct zsql_plan *plan,
    const struct zsql_options *options, const char *declaration, bool *has_made_data)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(view->connection->db, 0, &n,
        "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name = '%q_data' COLLATE NOCASE",
        view->schema, view->name);

    *has_made_data = rc == SQLITE_OK && n == 0;
    if (*has_made_data)
        rc = make_data(view, plan);
    if (rc == SQLITE_OK)
        rc = make_trace(view);
    if (rc == SQLITE_OK)
        rc = make_state(view, options, declaration);
    return rc == SQLITE_OK ? make_positions(view) : rc;
}
