/* Tables by pragma_table_xinfo and sqlite3_table_column_metadata, functions by
** pragma_function_list. */
#include "tests/sql_catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    struct table *next;
    char *schema;
    char *name;
    struct zsql_column *columns;
    size_t n_columns;
    char *create; /* of a view */
    bool has_names;
};

struct sql_catalogue {
    sqlite3 *db;
    struct table *tables;
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "test catalogue: %s\n", what);
    abort();
}

struct sql_catalogue *sql_catalogue_new(sqlite3 *db)
{
    struct sql_catalogue *catalogue = calloc(1, sizeof(*catalogue));
    must(catalogue != NULL, "no memory");
    catalogue->db = db;
    return catalogue;
}

void sql_catalogue_free(struct sql_catalogue *catalogue)
{
    while (catalogue->tables != NULL) {
        struct table *table = catalogue->tables;
        catalogue->tables = table->next;
        for (size_t i = 0; i < table->n_columns; i++) {
            free((char *)table->columns[i].name);
            free((char *)table->columns[i].type);
            free((char *)table->columns[i].collation);
        }
        free(table->columns);
        free(table->create);
        free(table->schema);
        free(table->name);
        free(table);
    }
    free(catalogue);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const char *first)
{
    sqlite3_stmt *stmt;

    must(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, sqlite3_errmsg(db));
    must(sqlite3_bind_text(stmt, 1, first, -1, SQLITE_TRANSIENT) == SQLITE_OK, "no memory");
    return stmt;
}

static char *text_of(sqlite3_stmt *stmt, int i)
{
    const char *text = (const char *)sqlite3_column_text(stmt, i);
    return strdup(text != NULL ? text : "");
}

/* The columns, whether the primary key is one INTEGER column, and that column's number. */
static void read_columns(sqlite3 *db, struct table *table, int *key, bool *is_integer_key)
{
    sqlite3_stmt *stmt = prepare(db,
        "SELECT name, type, hidden, pk, (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE pk),"
        " \"notnull\" FROM pragma_table_xinfo(?1)",
        table->name);

    *key = -1;
    *is_integer_key = false;
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        struct zsql_column *column;
        const char *collation = "BINARY";
        size_t n = table->n_columns++;

        table->columns = realloc(table->columns, (n + 1) * sizeof(*table->columns));
        column = &table->columns[n];
        *column = (struct zsql_column){.name = text_of(stmt, 0)};
        column->type = text_of(stmt, 1);
        column->is_hidden = sqlite3_column_int(stmt, 2) == 1;
        column->is_not_null = sqlite3_column_int(stmt, 5) != 0;
        sqlite3_table_column_metadata(
            db, table->schema, table->name, column->name, NULL, &collation, NULL, NULL, NULL);
        column->collation = strdup(collation != NULL ? collation : "BINARY");
        if (sqlite3_column_int(stmt, 3) == 1 && sqlite3_column_int(stmt, 4) == 1) {
            *key = (int)n;
            *is_integer_key = sqlite3_stricmp(column->type, "INTEGER") == 0;
        }
    }
    sqlite3_finalize(stmt);
}

/* The SELECT behind the first AS. */
static const char *view_text(sqlite3 *db, struct table *table)
{
    sqlite3_stmt *stmt =
        prepare(db, "SELECT sql FROM sqlite_schema WHERE name = ?1", table->name);
    const char *as;

    must(sqlite3_step(stmt) == SQLITE_ROW, "no such view");
    table->create = text_of(stmt, 0);
    sqlite3_finalize(stmt);
    as = strstr(table->create, " AS ");
    must(as != NULL, "a view's text has an AS");
    table->has_names = memchr(table->create, '(', (size_t)(as - table->create)) != NULL;
    return as + 4;
}

static int find_relation(void *ctx, const char *schema, const char *name,
    struct zsql_relation *relation, bool *is_found)
{
    struct sql_catalogue *catalogue = ctx;
    struct table *table;
    bool is_integer_key;
    int key;
    sqlite3_stmt *stmt = prepare(catalogue->db,
        "SELECT schema, name, type, wr FROM pragma_table_list WHERE name = ?1 COLLATE NOCASE"
        " AND schema = ifnull(?2, schema) COLLATE NOCASE",
        name);

    sqlite3_bind_text(stmt, 2, schema, -1, SQLITE_TRANSIENT);
    *is_found = sqlite3_step(stmt) == SQLITE_ROW;
    if (!*is_found) {
        sqlite3_finalize(stmt);
        return ZS_OK;
    }
    table = calloc(1, sizeof(*table));
    table->next = catalogue->tables;
    catalogue->tables = table;
    table->schema = text_of(stmt, 0);
    table->name = text_of(stmt, 1);
    read_columns(catalogue->db, table, &key, &is_integer_key);
    relation->kind =
        strcmp((const char *)sqlite3_column_text(stmt, 2), "view") == 0
            ? ZSQL_VIEW
            : (strcmp((const char *)sqlite3_column_text(stmt, 2), "virtual") == 0 ? ZSQL_VIRTUAL
                                                                                  : ZSQL_TABLE);
    relation->select = relation->kind == ZSQL_VIEW ? view_text(catalogue->db, table) : NULL;
    relation->has_names = table->has_names;
    relation->schema = table->schema;
    relation->name = table->name;
    relation->has_rowid = relation->kind == ZSQL_TABLE && sqlite3_column_int(stmt, 3) == 0;
    relation->rowid_column = relation->has_rowid && is_integer_key ? key : -1;
    relation->columns = table->columns;
    relation->n_columns = table->n_columns;
    sqlite3_finalize(stmt);
    return ZS_OK;
}

static int find_table_function(
    void *ctx, const char *name, struct zsql_relation *relation, bool *is_found)
{
    struct sql_catalogue *catalogue = ctx;
    struct table *table = calloc(1, sizeof(*table));
    bool is_integer_key;
    int key;

    table->next = catalogue->tables;
    catalogue->tables = table;
    table->schema = strdup("main");
    table->name = strdup(name);
    read_columns(catalogue->db, table, &key, &is_integer_key);
    *is_found = table->n_columns > 0;
    *relation = (struct zsql_relation){.kind = ZSQL_VIRTUAL,
        .name = table->name,
        .rowid_column = -1,
        .columns = table->columns,
        .n_columns = table->n_columns};
    return ZS_OK;
}

static int find_function(void *ctx, const char *name, int n_arguments,
    struct zsql_function *function, bool *is_found)
{
    static const char *const only_window[] = {"row_number", "rank", "dense_rank", "ntile",
        "percent_rank", "cume_dist", "lag", "lead", "first_value", "last_value", "nth_value"};
    struct sql_catalogue *catalogue = ctx;
    sqlite3_stmt *stmt = prepare(catalogue->db,
        "SELECT type, builtin, flags FROM pragma_function_list"
        " WHERE name = ?1 COLLATE NOCASE AND (narg = ?2 OR narg < 0)"
        " ORDER BY narg = ?2 DESC, builtin",
        name);

    sqlite3_bind_int(stmt, 2, n_arguments);
    *is_found = sqlite3_step(stmt) == SQLITE_ROW;
    if (*is_found) {
        char type = *(const char *)sqlite3_column_text(stmt, 0);
        function->kind = type == 's' ? ZSQL_SCALAR : ZSQL_AGGREGATE;
        function->is_builtin = sqlite3_column_int(stmt, 1) != 0;
        function->is_deterministic = (sqlite3_column_int(stmt, 2) & SQLITE_DETERMINISTIC) != 0;
        for (size_t i = 0; i < sizeof(only_window) / sizeof(only_window[0]); i++) {
            if (sqlite3_stricmp(name, only_window[i]) == 0)
                function->kind = ZSQL_WINDOW_ONLY;
        }
    }
    sqlite3_finalize(stmt);
    return ZS_OK;
}

static int find_limit(void *ctx, const char *expression, int64_t *number, bool *is_number)
{
    struct sql_catalogue *catalogue = ctx;
    char *sql = sqlite3_mprintf(
        "SELECT CAST(CAST((%s) AS NUMERIC) AS INTEGER) LIMIT (%s)", expression, expression);
    sqlite3_stmt *stmt;

    must(sqlite3_prepare_v2(catalogue->db, sql, -1, &stmt, NULL) == SQLITE_OK,
        sqlite3_errmsg(catalogue->db));
    *number = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    *is_number = sqlite3_finalize(stmt) == SQLITE_OK;
    sqlite3_free(sql);
    return ZS_OK;
}

static int find_answers(void *ctx, const char *select, int *answers, int n)
{
    struct sql_catalogue *catalogue = ctx;
    sqlite3_stmt *stmt;

    must(sqlite3_prepare_v2(catalogue->db, select, -1, &stmt, NULL) == SQLITE_OK,
        sqlite3_errmsg(catalogue->db));
    must(sqlite3_step(stmt) == SQLITE_ROW, select);
    for (int i = 0; i < n; i++)
        answers[i] = sqlite3_column_int(stmt, i);
    sqlite3_finalize(stmt);
    return ZS_OK;
}

struct zsql_catalogue sql_catalogue_face(struct sql_catalogue *catalogue)
{
    return (struct zsql_catalogue){
        find_relation, find_table_function, find_function, find_limit, find_answers, catalogue};
}

static void do_nothing(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)context;
    (void)n;
    (void)values;
}

static void end_null(sqlite3_context *context)
{
    sqlite3_result_null(context);
}

static int compare_bytes(void *ctx, int n, const void *a, int m, const void *b)
{
    int order = memcmp(a, b, (size_t)(n < m ? n : m));

    (void)ctx;
    return order != 0 ? order : n - m;
}

static void add_function(
    sqlite3 *db, const char *name, int n_arguments, bool is_aggregate, bool is_deterministic)
{
    int flags = SQLITE_UTF8 | (is_deterministic ? SQLITE_DETERMINISTIC : 0);

    must(sqlite3_create_function(db, name, n_arguments, flags, NULL,
             is_aggregate ? NULL : do_nothing, is_aggregate ? do_nothing : NULL,
             is_aggregate ? end_null : NULL) == SQLITE_OK,
        sqlite3_errmsg(db));
}

void sql_catalogue_add_functions(sqlite3 *db)
{
    static const char *const names[] = {
        "exact_sum", "exact_avg", "exact_total", "unanimous", "own"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        add_function(db, names[i], 1, true, true);
    add_function(db, "lockstep_timeless", 1, false, true);
    add_function(db, "lockstep_json", 1, false, true);
    add_function(db, "own2", 1, false, true);
    add_function(db, "drifting", 1, false, false);
    add_function(db, "regexp", 2, false, false);
    must(sqlite3_create_collation(db, "fr", SQLITE_UTF8, NULL, compare_bytes) == SQLITE_OK,
        sqlite3_errmsg(db));
}
