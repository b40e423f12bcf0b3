/* lockstep_plan, a table-valued function: an eponymous virtual table whose hidden columns are
** its arguments. A row an operator; what is kept is only counted where it is asked for. */
#include "ext/plantable.h"

#include "ext/eponym.h"
#include "ext/explain.h"
#include "ext/statement.h"

enum { ID, OPERATOR, DETAIL, INPUTS, CELLS, BYTES, COST, VIEW, SCHEMA };

/* idxNum: the arguments that there are, in this order. */
enum { HAS_VIEW = 1, HAS_SCHEMA = 2 };

struct cursor {
    sqlite3_vtab_cursor base;
    struct ls_explanation *explanation;
    size_t at;
};

static int plan_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    (void)argc;
    (void)argv;
    return ls_eponym_connect(db,
        "CREATE TABLE x(id INTEGER, operator TEXT, detail TEXT, inputs TEXT, cells INTEGER,"
        " bytes INTEGER, cost TEXT, view TEXT HIDDEN, schema TEXT HIDDEN)",
        false, aux, vtab, error);
}

/* The usable constraint that gives an argument, or -1; *is_told where there is any. */
static int argument_of(const sqlite3_index_info *info, int column, bool *is_told)
{
    int found = -1;

    for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn != column ||
            info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        *is_told = true;
        if (info->aConstraint[i].usable)
            found = i;
    }
    return found;
}

static int plan_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    bool tells_view = false, tells_schema = false;
    int view = argument_of(info, VIEW, &tells_view);
    int schema = argument_of(info, SCHEMA, &tells_schema);
    int n = 0;

    (void)vtab;
    if ((tells_view && view < 0) || (tells_schema && schema < 0))
        return SQLITE_CONSTRAINT;
    info->estimatedCost = 1000;
    info->estimatedRows = 10;
    if (view >= 0) {
        info->idxNum |= HAS_VIEW;
        info->aConstraintUsage[view].argvIndex = ++n;
        info->aConstraintUsage[view].omit = 1;
    }
    if (schema >= 0) {
        info->idxNum |= HAS_SCHEMA;
        info->aConstraintUsage[schema].argvIndex = ++n;
        info->aConstraintUsage[schema].omit = 1;
    }
    return SQLITE_OK;
}

static int plan_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    (void)vtab;
    return ls_eponym_open(sizeof(struct cursor), cursor);
}

static int plan_close(sqlite3_vtab_cursor *base)
{
    ls_explanation_free(((struct cursor *)base)->explanation);
    return ls_eponym_close(base);
}

static int fail(sqlite3_vtab *vtab, int rc, char *message /* owned */)
{
    sqlite3_free(vtab->zErrMsg);
    vtab->zErrMsg = message;
    return rc;
}

/* A view that is NULL has no plan, as pragma_table_info has no columns of one. */
static int plan_filter(
    sqlite3_vtab_cursor *base, int given, const char *plan, int argc, sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;
    const char *view = NULL, *schema = NULL;
    char *message;
    int rc;

    (void)plan;
    ls_explanation_free(cursor->explanation);
    cursor->explanation = NULL;
    cursor->at = 0;
    if ((given & HAS_VIEW) == 0)
        return fail(base->pVtab, SQLITE_ERROR,
            sqlite3_mprintf("lockstep_plan: which view? SELECT * FROM lockstep_plan('view')"));
    view = (const char *)sqlite3_value_text(argv[0]);
    if ((given & HAS_SCHEMA) != 0)
        schema = (const char *)sqlite3_value_text(argv[argc - 1]);
    if (view == NULL)
        return SQLITE_OK;
    rc = ls_explain(ls_eponym_owner(base->pVtab), schema, view, &cursor->explanation, &message);
    return rc == SQLITE_OK ? rc : fail(base->pVtab, rc, message);
}

static int plan_next(sqlite3_vtab_cursor *base)
{
    ((struct cursor *)base)->at++;
    return SQLITE_OK;
}

static int plan_eof(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (struct cursor *)base;
    return cursor->explanation == NULL || cursor->at >= cursor->explanation->n;
}

static int show_kept(const struct cursor *cursor, sqlite3_context *context, int column)
{
    const struct ls_line *line = &cursor->explanation->lines[cursor->at];
    sqlite3_int64 cells, bytes;
    int rc = ls_line_kept(cursor->explanation, line, &cells, &bytes);

    if (rc == SQLITE_OK && ls_line_keeps(line))
        sqlite3_result_int64(context, column == CELLS ? cells : bytes);
    if (rc == SQLITE_OK || rc == SQLITE_NOMEM)
        return rc;
    sqlite3_result_error(context, sqlite3_errmsg(sqlite3_context_db_handle(context)), -1);
    sqlite3_result_error_code(context, rc);
    return rc;
}

static int show_inputs(const struct ls_line *line, sqlite3_context *context)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *inputs;

    ls_line_append_inputs(line, text);
    inputs = sqlite3_str_finish(text);
    if (inputs != NULL)
        sqlite3_result_text(context, inputs, -1, sqlite3_free);
    return inputs == NULL && line->n_inputs > 0 ? SQLITE_NOMEM : SQLITE_OK;
}

static void show_text(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static int plan_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *cursor = (struct cursor *)base;
    const struct ls_line *line = &cursor->explanation->lines[cursor->at];

    switch (column) {
    case ID:
        sqlite3_result_int64(context, (sqlite3_int64)cursor->at);
        break;
    case OPERATOR:
        show_text(context, line->operator);
        break;
    case DETAIL:
        show_text(context, line->detail);
        break;
    case INPUTS:
        return show_inputs(line, context);
    case CELLS:
    case BYTES:
        return show_kept(cursor, context, column);
    case COST:
        show_text(context, line->cost);
        break;
    case VIEW:
        show_text(context, cursor->explanation->view);
        break;
    case SCHEMA:
        show_text(context, cursor->explanation->schema);
        break;
    }
    return SQLITE_OK;
}

static int plan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
    *rowid = (sqlite3_int64)((struct cursor *)base)->at;
    return SQLITE_OK;
}

static const sqlite3_module plan_module = {
    .xConnect = plan_connect,
    .xBestIndex = plan_best_index,
    .xDisconnect = ls_eponym_disconnect,
    .xOpen = plan_open,
    .xClose = plan_close,
    .xFilter = plan_filter,
    .xNext = plan_next,
    .xEof = plan_eof,
    .xColumn = plan_column,
    .xRowid = plan_rowid,
};

int ls_plantable_register(struct ls_connection *connection)
{
    connection->references++;
    return sqlite3_create_module_v2(
        connection->db, "lockstep_plan", &plan_module, connection, ls_connection_release);
}
