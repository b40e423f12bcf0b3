/* A table's columns are compared by their names, in order; those of its key by their type and place
** in it, too: a table that was copied as SELECT gives it has none. */
#include "ext/shadow.h"

#include <string.h>

#include "ext/create.h"
#include "ext/declared.h"
#include "ext/selection.h"
#include "ext/state.h"
#include "ext/statement.h"

enum table { DATA, TRACE, STATE, POSITION, N_TABLES, INDEXES = N_TABLES };

/* Columns that there were from the first version on, and those that were added. */
static const struct columns {
    const char *first;
    const char *added;
} columns_of[N_TABLES + 1] = {
    [DATA] = {NULL, ",lockstep_checksum"}, /* the first are the view's: see data_names */
    [TRACE] = {"k BLOB 1,v", ""},
    [STATE] = {"format,token,cookie,dirty,sqlite,maintain,indexes,declaration",
        ",level,n_rows,n_cells,checksum"},
    [POSITION] = {"view TEXT 1,log INTEGER 2,seq", ",checksum"},
    [INDEXES] = {"view TEXT 1,number INTEGER 2", ""},
};

static char *name_of(const struct ls_view *view, enum table table)
{
    static const char *const suffixes[] = {"data", "trace", "state"};

    if (table >= POSITION)
        return sqlite3_mprintf("lockstep_%s", table == POSITION ? "position" : "index");
    return sqlite3_mprintf("%s_%s", view->name, suffixes[table]);
}

/* What is told of each table. */
enum condition { IS_WHOLE, LACKS_COLUMNS, IS_MISSING, IS_ALIEN };

static enum condition compare(const char *has, const char *first, const char *added)
{
    int len = (int)strlen(first);

    if (has == NULL)
        return IS_MISSING;
    if (sqlite3_strnicmp(has, first, len) != 0)
        return IS_ALIEN;
    return sqlite3_stricmp(has + len, added) == 0 ? IS_WHOLE
           : has[len] == '\0'                     ? LACKS_COLUMNS
                                                  : IS_ALIEN;
}

static int read_names(sqlite3 *db, const char *schema, const char *table, char **names)
{
    return ls_query_text(db, names,
        "SELECT group_concat(name || CASE pk WHEN 0 THEN '' ELSE ' ' || type || ' ' || pk END)"
        " FROM (SELECT name, type, pk FROM pragma_table_info(%Q, %Q) ORDER BY cid)",
        table, schema);
}

/* What read_names should tell of <view>_data. */
static char *data_names(const struct ls_view *view, const struct zsql_plan *plan)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 0; i < view->n_columns; i++)
        sqlite3_str_appendf(text, "%s,", view->columns[i].name);
    for (size_t i = 0; i < plan->n_hidden; i++)
        sqlite3_str_appendf(text, LS_ORDER_COLUMN ",", (int)i + 1);
    sqlite3_str_appendf(text, "lockstep_weight,lockstep_row INTEGER 1");
    return sqlite3_str_finish(text);
}

static int judge(struct ls_view *view, const struct zsql_plan *plan, enum table table,
    enum condition *condition)
{
    char *name = name_of(view, table), *names = NULL;
    char *first =
        table == DATA ? data_names(view, plan) : sqlite3_mprintf("%s", columns_of[table].first);
    int rc = name == NULL || first == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK)
        rc = read_names(view->connection->db, view->schema, name, &names);
    *condition = rc == SQLITE_OK ? compare(names, first, columns_of[table].added) : IS_WHOLE;
    if (rc != SQLITE_OK)
        rc = ls_view_fail_with(view, rc, NULL);
    else if (*condition == IS_ALIEN)
        rc = ls_view_fail(view, SQLITE_CORRUPT_VTAB,
            "its table %s has other columns than Lockstep's, or another key: DROP TABLE "
            "\"%w\", then"
            " INSERT INTO \"%w\"(lockstep) VALUES('rebuild')",
            name, name, view->name);
    sqlite3_free(name);
    sqlite3_free(first);
    sqlite3_free(names);
    return rc;
}

int ls_shadow_check(struct ls_view *view)
{
    int rc = SQLITE_OK;

    view->lacks_tables = view->has_no_data = false;
    for (int table = DATA; rc == SQLITE_OK && table < N_TABLES; table++) {
        enum condition condition;

        rc = judge(view, view->definition->plan, (enum table)table, &condition);
        view->lacks_tables |= condition != IS_WHOLE;
        view->has_no_data |= condition == IS_MISSING && table == DATA;
    }
    return rc;
}

int ls_shadow_check_register(struct ls_view *view)
{
    enum condition condition;
    return judge(view, NULL, INDEXES, &condition);
}

int ls_shadow_has_register(sqlite3 *db, const char *schema, bool *has_one)
{
    char *names;
    int rc = read_names(db, schema, "lockstep_index", &names);

    *has_one = compare(names, columns_of[INDEXES].first, "") == IS_WHOLE;
    sqlite3_free(names);
    return rc;
}

int ls_shadow_positions(sqlite3 *db, const char *schema, enum ls_positions *positions)
{
    char *names;
    int rc = read_names(db, schema, "lockstep_position", &names);
    enum condition condition =
        compare(names, columns_of[POSITION].first, columns_of[POSITION].added);

    *positions = rc != SQLITE_OK              ? LS_NO_POSITIONS
                 : condition == IS_WHOLE      ? LS_CHECKED_POSITIONS
                 : condition == LACKS_COLUMNS ? LS_OLD_POSITIONS
                                              : LS_NO_POSITIONS;
    sqlite3_free(names);
    return rc;
}

/* Columns. */

/* Names as the VIEW has them. Types as it declares them, or else those that give the plan's
** affinity; in <view>_data none instead of NUMERIC, which would make 5 of a 5.0 that a CAST
** gave. */
static int append_column(struct ls_view *view, const char *name, const char *type,
    const struct zsql_output_column *column, size_t *cap, sqlite3_str *declaration)
{
    char *declared;
    int rc;

    if (name == NULL)
        return SQLITE_NOMEM;
    if (sqlite3_stricmp(name, "lockstep") == 0 || sqlite3_strnicmp(name, "lockstep_", 9) == 0)
        return ls_view_fail(view, SQLITE_ERROR,
            "the column name %s is Lockstep's own: give the column another with AS", name);
    if (type == NULL || ls_affinity_of(type) != ls_affinity_of(column->type))
        declared = sqlite3_mprintf("%s", column->type);
    else
        declared = ls_declared_type(type);
    if (declared == NULL)
        return SQLITE_NOMEM;
    sqlite3_str_appendf(
        declaration, "\"%w\" %s COLLATE \"%w\", ", name, declared, column->collation_name);
    rc = ls_view_add_column(view, name, ls_affinity_of(declared) == LS_NUMERIC ? "" : declared,
        column->collation_name, cap);
    sqlite3_free(declared);
    return rc;
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
    *declaration = sqlite3_str_finish(text);
    if (rc == SQLITE_OK && *declaration == NULL)
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK) {
        ls_view_free_columns(old, n_old);
        return SQLITE_OK;
    }
    ls_view_free_columns(view->columns, view->n_columns);
    view->columns = old;
    view->n_columns = n_old;
    return rc;
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
    sqlite3_str_appendf(text, "lockstep_weight INTEGER NOT NULL, lockstep_row INTEGER PRIMARY "
                              "KEY, lockstep_checksum INTEGER)");
    create = sqlite3_str_finish(text);
    rc = create == NULL ? SQLITE_NOMEM
                        : sqlite3_exec(view->connection->db, create, NULL, NULL, NULL);
    sqlite3_free(create);
    return rc;
}

static int make_trace(struct ls_view *view)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE \"%w\".\"%w_trace\"(k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID",
        view->schema, view->name);
}

static int make_state(struct ls_view *view)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE \"%w\".\"%w_state\"(format INTEGER NOT NULL,"
        " token INTEGER NOT NULL, cookie INTEGER NOT NULL, dirty INTEGER NOT NULL,"
        " sqlite TEXT NOT NULL, maintain TEXT NOT NULL, indexes INTEGER NOT NULL,"
        " declaration TEXT NOT NULL, level INTEGER, n_rows INTEGER, n_cells INTEGER, checksum "
        "INTEGER)",
        view->schema, view->name);
}

static int make_positions(struct ls_view *view)
{
    return ls_exec(view->connection->db,
        "CREATE TABLE \"%w\".lockstep_position(view TEXT NOT NULL, log INTEGER NOT NULL,"
        " seq INTEGER NOT NULL, checksum INTEGER, PRIMARY KEY(view, log)) WITHOUT ROWID",
        view->schema);
}

/* Adds the columns that an older version has not made. */
static int add_columns(struct ls_view *view, enum table table)
{
    const char *name = columns_of[table].added;
    char *to = name_of(view, table);
    int rc = to == NULL ? SQLITE_NOMEM : SQLITE_OK;

    while (rc == SQLITE_OK && *name == ',') {
        int len = (int)strcspn(++name, ",");

        rc = ls_exec(view->connection->db, "ALTER TABLE \"%w\".\"%w\" ADD COLUMN %.*s INTEGER",
            view->schema, to, len, name);
        name += len;
    }
    sqlite3_free(to);
    return rc;
}

/* The one row of <view>_state, for a view that is to be made. */
static int write_state(
    struct ls_view *view, const struct zsql_options *options, const char *declaration)
{
    return ls_exec(view->connection->db,
        "DELETE FROM \"%w\".\"%w_state\";"
        "INSERT INTO \"%w\".\"%w_state\" VALUES(%d, 0, 0, 1, %Q, %Q, %d, %Q, 0, 0, 0, NULL)",
        view->schema, view->name, view->schema, view->name, LS_FORMAT, sqlite3_libversion(),
        options->maintain == ZSQL_MAINTAIN_COMMIT ? "commit" : "read", !options->makes_no_index,
        declaration);
}

int ls_shadow_make(struct ls_view *view, const struct zsql_plan *plan,
    const struct zsql_options *options, const char *declaration, bool *has_made_data)
{
    enum condition conditions[N_TABLES];
    int rc = SQLITE_OK;

    for (int table = DATA; rc == SQLITE_OK && table < N_TABLES; table++)
        rc = judge(view, plan, (enum table)table, &conditions[table]);
    *has_made_data = rc == SQLITE_OK && conditions[DATA] == IS_MISSING;
    if (*has_made_data)
        rc = make_data(view, plan);
    if (rc == SQLITE_OK && conditions[TRACE] == IS_MISSING)
        rc = make_trace(view);
    if (rc == SQLITE_OK && conditions[STATE] == IS_MISSING)
        rc = make_state(view);
    if (rc == SQLITE_OK && conditions[POSITION] == IS_MISSING)
        rc = make_positions(view);
    for (int table = DATA; rc == SQLITE_OK && table < N_TABLES; table++)
        if (conditions[table] == LACKS_COLUMNS)
            rc = add_columns(view, (enum table)table);
    return rc == SQLITE_OK ? write_state(view, options, declaration) : rc;
}
