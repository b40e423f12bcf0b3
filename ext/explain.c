/* The lines of a plan: what is read, what is kept. */
#include <string.h>

#include "ext/explain_private.h"
#include "ext/pipeline_private.h"
#include "ext/pool.h"
#include "ext/statement.h"

static const struct zsql_plan *plan_of(const struct ls_view *view)
{
    return view->definition->plan;
}

size_t ls_operator_number(const struct zsql_plan *plan, const struct zsql_operator *sought)
{
    size_t i = 0;

    while (plan->operators[i] != sought)
        i++;
    return i;
}

static int set_detail(struct ls_explanation *all, struct ls_line *line, sqlite3_str *text)
{
    int rc = SQLITE_OK;

    line->detail = (char *)ls_pool_take(&all->pool, sqlite3_str_finish(text), &rc);
    return rc;
}

/* Inputs. */

static int make_inputs(struct ls_explanation *all, struct ls_line *line, size_t n)
{
    line->inputs = ls_pool_get(&all->pool, n * sizeof(*line->inputs));
    return line->inputs == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static bool has_input(const struct ls_line *line, const struct ls_input *input)
{
    for (size_t i = 0; i < line->n_inputs; i++)
        if (line->inputs[i].table != NULL && input->table != NULL
                ? strcmp(line->inputs[i].table, input->table) == 0
                : line->inputs[i].table == input->table && line->inputs[i].line == input->line)
            return true;
    return false;
}

static int add_table(struct ls_explanation *all, struct ls_line *line, const char *table)
{
    int rc = SQLITE_OK;
    struct ls_input input = {ls_pool_copy(&all->pool, table, &rc), 0, false};

    if (rc == SQLITE_OK && !has_input(line, &input))
        line->inputs[line->n_inputs++] = input;
    return rc;
}

static void add_operator(const struct zsql_plan *plan, struct ls_line *line,
    const struct zsql_operator *made, bool is_looked_up)
{
    struct ls_input input = {NULL, ls_operator_number(plan, made), is_looked_up};

    if (!has_input(line, &input))
        line->inputs[line->n_inputs++] = input;
}

static int read_inputs(struct ls_view *view, const struct zsql_operator *operator,
    struct ls_explanation * all, struct ls_line *line)
{
    const struct zsql_plan *plan = plan_of(view);
    int rc = make_inputs(all, line, operator->n_inputs + operator->n_reads + 1);

    if (rc == SQLITE_OK && operator->kind == ZSQL_SOURCE)
        rc = add_table(all, line, view->definition->tables[0]->name);
    if (rc == SQLITE_OK && operator->input != NULL)
        add_operator(plan, line, operator->input, false);
    for (size_t i = 0; rc == SQLITE_OK && i < operator->n_inputs; i++)
        add_operator(plan, line, operator->inputs[i], false);
    for (size_t i = 0; rc == SQLITE_OK && i < operator->n_reads; i++) {
        const struct zsql_read *read = &operator->reads[i];

        if (read->made != NULL)
            add_operator(plan, line, read->made, true);
        else
            rc = add_table(all, line, view->definition->tables[read->table]->name);
    }
    return rc;
}

static void keep(struct ls_line *line, int number, unsigned from, unsigned until)
{
    line->kept_from[number] = from;
    line->kept_until[number] = until > 0xffff ? 0xffff : until;
}

static int explain_operator(
    struct ls_view *view, size_t i, struct ls_explanation *all, struct ls_line *line)
{
    const struct zsql_operator *operator= plan_of(view)->operators[i];
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    int rc = ls_explain_operator(view, i, line, text);

    if (operator->kind == ZSQL_AGGREGATE_BY || operator->kind == ZSQL_TOP)
        keep(line, 0, (GROUPS + 2 * (unsigned)i) << 8, (GROUPS + 2 * (unsigned)i + 2) << 8);
    if (operator->is_read)
        keep(line, 1, (MADE << 8) + (unsigned)i, (MADE << 8) + (unsigned)i + 1);
    if (rc == SQLITE_OK)
        rc = set_detail(all, line, text);
    else
        sqlite3_free(sqlite3_str_finish(text));
    return rc == SQLITE_OK ? read_inputs(view, operator, all, line) : rc;
}

/* The last line: the view's rows. */
static int explain_result(
    struct ls_view *view, struct ls_explanation *all, struct ls_line *line)
{
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    size_t n = plan_of(view)->n_operators;

    *line = (struct ls_line){.operator= "store", .cost = "per change", .is_result = true};
    sqlite3_str_appendf(text, "\"%w_data\"", view->name);
    if (make_inputs(all, line, 1) != SQLITE_OK) {
        sqlite3_free(sqlite3_str_finish(text));
        return SQLITE_NOMEM;
    }
    add_operator(plan_of(view), line, plan_of(view)->operators[n - 1], false);
    return set_detail(all, line, text);
}

static int explain(struct ls_view *view, struct ls_explanation *all)
{
    size_t n = plan_of(view)->n_operators;
    int rc = SQLITE_OK;

    all->db = view->connection->db;
    all->schema = sqlite3_mprintf("%s", view->schema);
    all->view = sqlite3_mprintf("%s", view->name);
    all->lines = ls_pool_get(&all->pool, (n + 1) * sizeof(*all->lines));
    if (all->schema == NULL || all->view == NULL || all->lines == NULL)
        return SQLITE_NOMEM;
    for (; rc == SQLITE_OK && all->n < n; all->n++)
        rc = explain_operator(view, all->n, all, &all->lines[all->n]);
    return rc == SQLITE_OK ? explain_result(view, all, &all->lines[all->n++]) : rc;
}

/* The view. */

/* Looks for it in the databases, in SQLite's own order; reading each schema sees to it that it
** is not stale. */
static int find_view(struct ls_connection *connection, const char *schema, const char *name,
    struct ls_view **view)
{
    sqlite3_stmt *schemas;
    int rc = ls_prepare(connection->db, &schemas,
        "SELECT name FROM pragma_database_list WHERE %Q IS NULL OR name = %Q COLLATE NOCASE"
        " ORDER BY name <> 'temp', seq",
        schema, schema);

    *view = NULL;
    while (rc == SQLITE_OK && *view == NULL && sqlite3_step(schemas) == SQLITE_ROW) {
        const char *in = (const char *)sqlite3_column_text(schemas, 0);
        sqlite3_int64 n = 0;

        rc = ls_query_integer(connection->db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name = %Q COLLATE NOCASE", in,
            name);
        if (rc == SQLITE_OK && n > 0)
            rc = ls_connection_view(connection, in, name, view);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(schemas);
    sqlite3_finalize(schemas);
    return rc;
}

static int open_and_explain(struct ls_connection *connection, const char *schema,
    const char *name, struct ls_explanation *all, char **message)
{
    struct ls_view *view;
    int rc = find_view(connection, schema, name, &view);

    if (rc == SQLITE_OK && view == NULL) {
        *message =
            schema == NULL
                ? sqlite3_mprintf("lockstep: there is no maintained view %s", name)
                : sqlite3_mprintf(
                      "lockstep: there is no maintained view %s in database %s", name, schema);
        return SQLITE_ERROR;
    }
    if (rc == SQLITE_OK)
        rc = ls_view_open(view);
    if (rc == SQLITE_OK)
        rc = explain(view, all);
    if (rc == SQLITE_OK)
        return rc;
    *message = view != NULL && view->base.zErrMsg != NULL
                   ? sqlite3_mprintf("%s", view->base.zErrMsg)
                   : sqlite3_mprintf("lockstep: %s", ls_said(connection->db, rc));
    return rc;
}

int ls_explain(struct ls_connection *connection, const char *schema, const char *view,
    struct ls_explanation **explanation, char **message)
{
    struct ls_explanation *all = zs_alloc_zeroed(&ls_alloc, sizeof(*all));
    bool holds_views = connection->holds_views;
    int rc;

    *explanation = NULL;
    *message = NULL;
    if (all == NULL)
        return SQLITE_NOMEM;
    ls_connection_hold(connection);
    rc = open_and_explain(connection, schema, view, all, message);
    if (!holds_views)
        ls_connection_let_go(connection);
    if (rc == SQLITE_OK)
        *explanation = all;
    else
        ls_explanation_free(all);
    return rc;
}

void ls_explanation_free(struct ls_explanation *explanation)
{
    if (explanation == NULL)
        return;
    ls_pool_free(explanation->pool);
    sqlite3_free(explanation->schema);
    sqlite3_free(explanation->view);
    sqlite3_free(explanation);
}

/* What is kept. */

enum { MOST_ADDED = 100 };

bool ls_line_keeps(const struct ls_line *line)
{
    return line->is_result || line->kept_until[0] > 0 || line->kept_until[1] > 0;
}

/* The lengths are added up in parts: SQLite allows expressions of some depth only. */
static char *rows_text(const struct ls_explanation *all)
{
    sqlite3_stmt *columns;
    sqlite3_str *text = sqlite3_str_new(all->db);
    int n = 0;
    int rc;

    sqlite3_str_appendf(text, "SELECT count(*), total(0");
    rc = ls_prepare(all->db, &columns, "SELECT name FROM pragma_table_info('%q_data', %Q)",
        all->view, all->schema);
    while (rc == SQLITE_OK && sqlite3_step(columns) == SQLITE_ROW)
        sqlite3_str_appendf(text, "%s + ifnull(length(CAST(\"%w\" AS BLOB)), 0)",
            ++n % MOST_ADDED == 0 ? ") + total(0" : "",
            (const char *)sqlite3_column_text(columns, 0));
    sqlite3_finalize(columns);
    sqlite3_str_appendf(text, ") FROM \"%w\".\"%w_data\"", all->schema, all->view);
    return sqlite3_str_finish(text);
}

/* Two bytes, or one, where the second is 0: a key may be its tag alone. */
static void append_bytes(sqlite3_str *text, unsigned bytes)
{
    if ((bytes & 0xff) == 0)
        sqlite3_str_appendf(text, "x'%02x'", bytes >> 8);
    else
        sqlite3_str_appendf(text, "x'%04x'", bytes);
}

static char *cells_text(const struct ls_explanation *all, const struct ls_line *line)
{
    sqlite3_str *text = sqlite3_str_new(all->db);

    sqlite3_str_appendf(text, "SELECT count(*), total(length(k) + length(v)) FROM (");
    for (int i = 0; i < 2; i++) {
        sqlite3_str_appendf(text,
            "%sSELECT k, v FROM \"%w\".\"%w_trace\" WHERE k >= ", i > 0 ? " UNION ALL " : "",
            all->schema, all->view);
        append_bytes(text, line->kept_from[i]);
        sqlite3_str_appendf(text, " AND k < ");
        append_bytes(text, line->kept_until[i]);
    }
    sqlite3_str_appendf(text, ")");
    return sqlite3_str_finish(text);
}

int ls_line_kept(const struct ls_explanation *explanation, const struct ls_line *line,
    sqlite3_int64 *cells, sqlite3_int64 *bytes)
{
    sqlite3_stmt *statement;
    int rc;

    *cells = *bytes = 0;
    if (!ls_line_keeps(line))
        return SQLITE_OK;
    rc = ls_prepare_text(explanation->db, &statement,
        line->is_result ? rows_text(explanation) : cells_text(explanation, line));
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        *cells = sqlite3_column_int64(statement, 0);
        *bytes = sqlite3_column_int64(statement, 1);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

void ls_line_append_inputs(const struct ls_line *line, sqlite3_str *text)
{
    for (size_t i = 0; i < line->n_inputs; i++) {
        const char *comma = i > 0 ? ", " : "";

        if (line->inputs[i].table != NULL)
            sqlite3_str_appendf(text, "%s%s", comma, line->inputs[i].table);
        else
            sqlite3_str_appendf(text, "%s%d", comma, (int)line->inputs[i].line);
    }
}
