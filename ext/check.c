/* Rows and cells are looked at one by one, and counted. */
#include "ext/check.h"

#include "ext/compare.h"
#include "ext/shadow.h"
#include "ext/statement.h"

void ls_append_literal(sqlite3_str *text, const struct zs_value *value)
{
    switch (value->type) {
    case ZS_INTEGER:
        sqlite3_str_appendf(text, "%lld", (long long)value->integer);
        break;
    case ZS_REAL:
        sqlite3_str_appendf(text, "%!.17g", value->real);
        break;
    case ZS_TEXT:
        sqlite3_str_appendf(text, "'%.*q'", (int)value->bytes.len, value->bytes.data);
        break;
    default:
        sqlite3_str_appendf(text, "%s", value->type == ZS_NULL ? "NULL" : "a blob");
    }
}

/* The row that a statement stands on. */
static char *describe(const struct ls_view *view, sqlite3_stmt *statement)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 0; i < view->n_columns; i++) {
        struct zs_value value = ls_column(statement, i);

        sqlite3_str_appendf(text, "%s", i > 0 ? ", " : "");
        ls_append_literal(text, &value);
    }
    return sqlite3_str_finish(text);
}

static int say_row(const struct ls_view *view, sqlite3_stmt *statement, char **fault)
{
    char *text = describe(view, statement);

    *fault = sqlite3_mprintf(
        "its table %s_data has a row (%s) that was not written so", view->name, text);
    sqlite3_free(text);
    return *fault == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static int say_count(
    const struct ls_view *view, const char *suffix, int64_t has, int64_t should, char **fault)
{
    if (has == should)
        return SQLITE_OK;
    *fault = sqlite3_mprintf("its table %s_%s has %lld rows, not %lld", view->name, suffix,
        (long long)has, (long long)should);
    return *fault == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static int check_rows(struct ls_view *view, char **fault)
{
    sqlite3_stmt *statement;
    int64_t n = 0, weight;
    int rc = ls_prepare(view->connection->db, &statement, "SELECT * FROM \"%w\".\"%w_data\"",
        view->schema, view->name);
    int n_columns = sqlite3_column_count(statement) - LS_N_OWN_COLUMNS;

    for (; rc == SQLITE_OK && *fault == NULL && sqlite3_step(statement) == SQLITE_ROW; n++) {
        int status = ls_result_check(statement, n_columns, NULL, &weight);
        rc = status == ZS_CORRUPT ? say_row(view, statement, fault) : ls_code_of(status);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK && *fault == NULL
               ? say_count(view, "data", n, view->counts.rows, fault)
               : rc;
}

static int check_cells(struct ls_view *view, char **fault)
{
    int64_t n;
    int rc = ls_pipeline_check(view->pipeline, &n);

    if (rc == SQLITE_CORRUPT_VTAB) {
        *fault =
            sqlite3_mprintf("its table %s_trace has a row that was not written so", view->name);
        return *fault == NULL ? SQLITE_NOMEM : SQLITE_OK;
    }
    return rc == SQLITE_OK ? say_count(view, "trace", n, view->counts.cells, fault) : rc;
}

static int check_stored(struct ls_view *view, char **fault)
{
    int rc = check_rows(view, fault);
    return rc == SQLITE_OK && *fault == NULL ? check_cells(view, fault) : rc;
}

int ls_check(struct ls_view *view, bool with_query)
{
    char *fault = NULL;
    enum ls_answer answer;
    int rc = ls_view_refresh(view, NULL, &answer);

    if (rc == SQLITE_OK && answer == LS_BY_STATE)
        rc = check_stored(view, &fault);
    if (rc == SQLITE_OK && fault == NULL && with_query)
        rc = ls_compare(view, &fault);
    if (rc != SQLITE_OK && view->base.zErrMsg == NULL)
        rc = ls_view_fail_with(view, rc, NULL);
    if (rc == SQLITE_OK && fault != NULL)
        rc = ls_view_fail(view, SQLITE_CORRUPT_VTAB,
            "%s; INSERT INTO \"%w\"(lockstep) VALUES('rebuild') makes it anew", fault,
            view->name);
    sqlite3_free(fault);
    return rc;
}

/* What is no reason to call a view damaged, and none to go on either. */
static bool must_end(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
    case SQLITE_INTERRUPT:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return true;
    default:
        return false;
    }
}

/* Does a connection look at its integrity? In a shared cache SQLite (3.54 still) hands the PRAGMA
** of one connection the views of another, whose locks it does not have: it would wait for
** ever. */
static bool is_checking(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;

    while ((statement = sqlite3_next_stmt(db, statement)) != NULL) {
        const char *text = sqlite3_stmt_busy(statement) ? sqlite3_sql(statement) : NULL;

        if (text != NULL && (sqlite3_strlike("%integrity_check%", text, 0) == 0 ||
                                sqlite3_strlike("%quick_check%", text, 0) == 0))
            return true;
    }
    return false;
}

int ls_check_integrity(
    sqlite3_vtab *vtab, const char *schema, const char *name, int flags, char **problem)
{
    struct ls_view *view = (struct ls_view *)vtab;
    int rc;

    (void)schema;
    (void)name;
    *problem = NULL;
    if (view->is_busy || view->connection->is_working || !is_checking(view->connection->db))
        return SQLITE_OK;
    view->connection->is_looking = true;
    rc = ls_check(view, (flags & 1) == 0);
    view->connection->is_looking = false;
    if ((rc & 0xff) == SQLITE_CORRUPT) {
        *problem = view->base.zErrMsg;
        rc = *problem == NULL ? SQLITE_NOMEM : SQLITE_OK;
    } else {
        sqlite3_free(view->base.zErrMsg); /* SQLite asks for none here */
    }
    view->base.zErrMsg = NULL;
    return must_end(rc) ? rc : SQLITE_OK;
}
