/* What an operator does, and what a change costs it. What is said of a join is what SQLite says
** of each of its differences now: an index more or less, or ANALYZE, changes it. */
#include "ext/explain_private.h"

#include <string.h>

#include "ext/indexes.h"
#include "ext/lacking.h"
#include "ext/statement.h"

static const char *const cost_names[] = {"per change", "per key", "per view"};

/* Joins. */

/* Is it the same table or operator that stands at two occurrences? */
static bool is_same_read(const struct zsql_read *a, const struct zsql_read *b)
{
    return a->made == b->made && (a->made != NULL || a->table == b->table);
}

/* What stands at an occurrence, as a name that SQL could have. Free with sqlite3_free. */
static char *read_name(
    const struct ls_view *view, const struct zsql_operator *join, size_t occurrence)
{
    const struct zsql_read *read = &join->reads[occurrence];

    return read->made != NULL
               ? sqlite3_mprintf("\"operator %d\"",
                     (int)ls_operator_number(view->definition->plan, read->made))
               : sqlite3_mprintf("\"%w\"", view->definition->tables[read->table]->name);
}

/* The same, with a number where it is not the first occurrence. */
static void append_read(const struct ls_view *view, const struct zsql_operator *join,
    size_t occurrence, sqlite3_str *text)
{
    char *name = read_name(view, join, occurrence);
    int n = 1;

    for (size_t i = 0; i < occurrence; i++)
        n += is_same_read(&join->reads[i], &join->reads[occurrence]);
    sqlite3_str_appendf(text, n > 1 ? "%s #%d" : "%s", name, n);
    sqlite3_free(name);
}

/* The text with the names put in. An alias that is the name was put there by the planner. */
static int append_template(
    const struct ls_view *view, const struct zsql_operator *join, sqlite3_str *text)
{
    char *alias = NULL;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < join->text.n_pieces; i++) {
        const struct zsql_piece *piece = &join->text.pieces[i];
        size_t len = alias == NULL ? 0 : strlen(alias);
        char *name;

        sqlite3_str_appendall(
            text, piece->text + (len > 0 && strncmp(piece->text, alias, len) == 0 ? len : 0));
        sqlite3_free(alias);
        alias = NULL;
        if (piece->occurrence < 0)
            continue;
        name = read_name(view, join, (size_t)piece->occurrence);
        alias = sqlite3_mprintf(" AS %s", name);
        rc = name == NULL || alias == NULL ? SQLITE_NOMEM : SQLITE_OK;
        sqlite3_str_appendf(text, "%s", name);
        sqlite3_free(name);
    }
    sqlite3_free(alias);
    return rc;
}

/* What the differences of an occurrence look at; false where it has none. */
static bool cost_of(const struct zsql_operator *join, size_t occurrence, enum zsql_cost *cost)
{
    bool is_found = false;

    *cost = ZSQL_PER_CHANGE;
    for (size_t i = 0; i < join->n_differences; i++)
        if (join->differences[i].occurrence == occurrence) {
            is_found = true;
            if (join->differences[i].cost > *cost)
                *cost = join->differences[i].cost;
        }
    return is_found;
}

static bool has_lookup(const struct zsql_operator *join, size_t table)
{
    for (size_t i = 0; i < join->n_lookups; i++) {
        const struct zsql_read *read = &join->reads[join->lookups[i].occurrence];
        if (read->made == NULL && read->table == table)
            return true;
    }
    return false;
}

/* "each change of "users" scans "posts": no index serves "posts"("author"): CREATE ..." */
static void append_lack(struct ls_view *view, const struct zsql_operator *join,
    const struct ls_lack *lack, sqlite3_str *text)
{
    const struct ls_table *table = view->definition->tables[lack->table];

    sqlite3_str_appendf(text, "\neach change of ");
    append_read(view, join, lack->changed, text);
    sqlite3_str_appendf(text, " scans \"%w\": ", table->name);
    if (lack->lookup == NULL) {
        sqlite3_str_appendf(text, has_lookup(join, lack->table)
                                      ? "SQLite prefers that to an index"
                                      : "no equality finds the rows");
        return;
    }
    sqlite3_str_appendf(text, "no index serves ");
    ls_lookup_append(text, table, lack->lookup);
    sqlite3_str_appendf(text, "; CREATE INDEX \"%w_%w\" ON ", table->name,
        table->columns[lack->lookup->columns[0]].name);
    ls_lookup_append(text, table, lack->lookup);
    sqlite3_str_appendf(text, " would help");
}

/* "name serves "posts"("author")", once. */
static int append_index(const char *name, const struct ls_table *table,
    const struct zsql_lookup *lookup, sqlite3_str *text)
{
    sqlite3_str *line = sqlite3_str_new(NULL);
    char *finished;

    sqlite3_str_appendf(line, "\n%s serves ", name);
    ls_lookup_append(line, table, lookup);
    finished = sqlite3_str_finish(line);
    if (finished == NULL)
        return SQLITE_NOMEM;
    if (sqlite3_str_value(text) != NULL && strstr(sqlite3_str_value(text), finished) == NULL)
        sqlite3_str_appendall(text, finished);
    sqlite3_free(finished);
    return SQLITE_OK;
}

/* Which of Lockstep's own indexes find rows. */
static int append_own(struct ls_view *view, const struct zsql_operator *join, sqlite3_str *text)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < join->n_lookups; i++) {
        const struct zsql_read *read = &join->reads[join->lookups[i].occurrence];
        const struct ls_table *table = view->definition->tables[read->table];
        char *name = NULL;
        int number = 0;

        if (read->made != NULL)
            continue;
        rc = ls_lookup_index(view->connection->db, table, &join->lookups[i], &name);
        if (rc == SQLITE_OK && name != NULL)
            rc = ls_indexes_number(view->connection->db, view->schema, name, &number);
        if (rc == SQLITE_OK && number > 0)
            rc = append_index(name, table, &join->lookups[i], text);
        sqlite3_free(name);
    }
    return rc;
}

static int explain_join(
    struct ls_view *view, size_t number, struct ls_line *line, sqlite3_str *text)
{
    static const char *const looks_at[] = {
        "the rows that join it", "the rows with its keys", "all rows"};
    const struct zsql_operator *join = view->definition->plan->operators[number];
    enum zsql_cost worst = ZSQL_PER_CHANGE;
    struct ls_lacks lacks;
    int rc = ls_lacks_find(view, number, &lacks);

    if (rc == SQLITE_OK)
        rc = append_template(view, join, text);
    for (size_t i = 0; i < join->n_reads; i++) {
        enum zsql_cost cost;

        if (!cost_of(join, i, &cost))
            continue;
        sqlite3_str_appendf(text, "\na change of ");
        append_read(view, join, i, text);
        sqlite3_str_appendf(text, " looks at %s", looks_at[cost]);
        worst = cost > worst ? cost : worst;
    }
    for (size_t i = 0; rc == SQLITE_OK && i < lacks.n; i++)
        append_lack(view, join, &lacks.items[i], text);
    line->cost = lacks.n > 0 && worst != ZSQL_PER_VIEW ? "per table" : cost_names[worst];
    sqlite3_free(lacks.items);
    return rc == SQLITE_OK ? append_own(view, join, text) : rc;
}

/* Other operators. */

static void explain_source(
    const struct ls_table *table, const struct zsql_operator *source, sqlite3_str *text)
{
    sqlite3_str_appendf(text, "SELECT ");
    for (size_t i = 0; i < source->n_columns; i++) {
        int column = source->source_columns[i];

        sqlite3_str_appendf(text, "%s\"%w\"", i > 0 ? ", " : "",
            column < 0 ? table->rowid_name : table->columns[column].name);
    }
    sqlite3_str_appendf(
        text, "%s FROM \"%w\"", source->n_columns == 0 ? "NULL" : "", table->name);
}

static void explain_map(const struct zsql_operator *map, sqlite3_str *text)
{
    for (size_t i = 0; i < map->n_columns; i++)
        sqlite3_str_appendf(text, "%s%s", i > 0 ? ", " : "SELECT ", map->expressions[i]);
    sqlite3_str_appendf(text, "%s%s%s", map->n_columns == 0 ? "SELECT NULL" : "",
        map->condition != NULL ? " WHERE " : "", map->condition != NULL ? map->condition : "");
}

static void append_columns(size_t n, sqlite3_str *text)
{
    for (size_t i = 0; i < n; i++)
        sqlite3_str_appendf(text, "%sc%d", i > 0 ? ", " : "", (int)i);
}

static void append_fold(const struct zsql_operator *groups, size_t i, sqlite3_str *text)
{
    static const char *const names[] = {
        "count", "count", "sum", "total", "avg", "min", "max", "unanimous"};
    const struct zs_fold_spec *spec = &groups->specs[i];
    int argument = (int)(groups->n_keys + groups->n_bare + spec->argument);

    if (spec->kind == ZS_COUNT_ROWS) {
        sqlite3_str_appendf(text, "count(*)");
    } else if (spec->kind == ZS_REFOLD) {
        sqlite3_str_appendf(text, "(SELECT %s FROM (SELECT ", groups->refolds[i]);
        for (int j = 0; j < (int)spec->n_arguments; j++)
            sqlite3_str_appendf(text, "%sc%d AS c%d", j > 0 ? ", " : "", argument + j, j);
        if (*groups->refold_orders[i] != '\0')
            sqlite3_str_appendf(text, " ORDER BY %s", groups->refold_orders[i]);
        sqlite3_str_appendf(text, "))");
    } else {
        sqlite3_str_appendf(text, "%s(%sc%d)", names[spec->kind],
            spec->is_distinct ? "DISTINCT " : "", argument);
    }
}

static void explain_groups(
    const struct zsql_operator *groups, struct ls_line *line, sqlite3_str *text)
{
    size_t n_shown = groups->n_keys + groups->n_bare;

    if (groups->n_specs == 0 && groups->n_bare == 0 && !groups->is_global) {
        line->operator= "distinct";
        sqlite3_str_appendf(text, "SELECT DISTINCT ");
        append_columns(groups->n_keys, text);
        return;
    }
    sqlite3_str_appendf(text, "SELECT ");
    append_columns(n_shown, text);
    for (size_t i = 0; i < groups->n_specs; i++) {
        if (groups->specs[i].kind == ZS_REFOLD)
            line->cost = "per group";
        sqlite3_str_appendf(text, "%s", n_shown + i > 0 ? ", " : "");
        append_fold(groups, i, text);
    }
    if (groups->n_keys > 0)
        sqlite3_str_appendf(text, " GROUP BY ");
    append_columns(groups->n_keys, text);
}

static void explain_top(const struct zsql_operator *top, sqlite3_str *text)
{
    for (size_t i = 0; i < top->n_order; i++)
        sqlite3_str_appendf(text, "%sc%d%s", i > 0 ? ", " : "ORDER BY ",
            (int)top->order[i].column, top->order[i].is_descending ? " DESC" : "");
    sqlite3_str_appendf(text, " LIMIT %lld", (sqlite3_int64)top->limit);
    if (top->offset > 0)
        sqlite3_str_appendf(text, " OFFSET %lld", (sqlite3_int64)top->offset);
}

int ls_explain_operator(struct ls_view *view, size_t i, struct ls_line *line, sqlite3_str *text)
{
    static const char *const names[] = {"source", "join", "map", "aggregate", "plus", "top"};
    const struct zsql_operator *operator= view->definition->plan->operators[i];

    line->operator= names[operator->kind];
    line->cost = cost_names[ZSQL_PER_CHANGE];
    switch (operator->kind) {
    case ZSQL_SOURCE:
        explain_source(view->definition->tables[0], operator, text);
        break;
    case ZSQL_JOIN:
        return explain_join(view, i, line, text);
    case ZSQL_MAP:
        explain_map(operator, text);
        break;
    case ZSQL_AGGREGATE_BY:
        explain_groups(operator, line, text);
        break;
    case ZSQL_PLUS:
        sqlite3_str_appendf(text, "UNION ALL");
        break;
    case ZSQL_TOP:
        explain_top(operator, text);
        break;
    }
    return SQLITE_OK;
}
