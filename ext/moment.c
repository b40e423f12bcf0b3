/* In the middle of a write statement, table and log agree whenever something of the user's can
** look: our AFTER triggers are the first to fire. But TEMP triggers, and those that are newer
** than ours, precede them, and so do actions of foreign keys, and what RETURNING asks for. Where
** they may read a view (bystander.h) no step can help: what the row was is not logged yet, and
** nowhere else any more.
**
** What our BEFORE triggers log as candidates is displaced, or not, before the statement goes on
** to anything that can look, unless triggers of the user's come between, or a constraint calls
** a function that does. SQLite itself computes two things there: DO UPDATE SET, which nothing
** is displaced behind but what the update then logs itself; and, once more, the rowid of
** VALUES, for which it has kept what subqueries gave. */
#include "ext/moment.h"

#include "ext/cursor.h"
#include "ext/spelling.h"

/* Can anything look between a change of a table's row and our AFTER trigger? Of several statements
** one may be run by a function, which a constraint calls, or a trigger whose function was SQLite's own
** when it was judged. */
static bool runs_before_ours(
    sqlite3 *db, const struct ls_definition *definition, bool are_several)
{
    int has_foreign_keys = 0;

    for (size_t i = 0; i < definition->plan->n_tables; i++) {
        const struct ls_table *table = definition->tables[i];
        bool has_others = table->has_temp_triggers || table->has_newer_triggers;

        if (table->has_watched_actions || (table->has_actions && are_several))
            sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &has_foreign_keys);
        if (table->is_watched || (has_others && are_several) || has_foreign_keys != 0)
            return true;
    }
    return false;
}

/* Can anything of the schema run between our BEFORE triggers and the change? */
static bool runs_behind_ours(const struct ls_definition *definition)
{
    for (size_t i = 0; i < definition->plan->n_tables; i++)
        if (definition->tables[i]->has_early_triggers)
            return true;
    return false;
}

/* Is it a statement of our own, by which a view is read? That may be the view's query, and read
** others. */
static bool is_reader(
    const struct ls_connection *connection, const sqlite3_stmt *statement, bool *is_query)
{
    *is_query = false;
    for (const struct ls_view *view = connection->views; view != NULL; view = view->next)
        for (const struct ls_cursor *cursor = view->cursors; cursor != NULL;
             cursor = cursor->next)
            if (cursor->reader.statement == statement) {
                *is_query = cursor->phase == LS_QUERIED;
                return true;
            }
    return false;
}

/* May a statement that writes return rows of a table of the view? It has columns where it
** returns some, and names its table. */
static bool may_return(sqlite3_stmt *statement, const struct ls_definition *definition)
{
    const char *text = sqlite3_sql(statement);

    if (sqlite3_column_count(statement) == 0)
        return false;
    for (size_t i = 0; i < definition->plan->n_tables; i++)
        if (text == NULL || ls_text_spells(text, definition->tables[i]->name))
            return true;
    return false;
}

void ls_moment_now(const struct ls_view *view, bool in_write, struct ls_moment *moment)
{
    sqlite3 *db = view->connection->db;
    const struct ls_definition *definition = view->definition;
    sqlite3_stmt *statement = NULL;
    bool returns = false, runs_before, is_own, is_query;
    int n_users = 0, n_able = 0;

    *moment = (struct ls_moment){.in_write = in_write, .inserts_into = -1};
    moment->is_autocommit = sqlite3_get_autocommit(db) != 0;
    moment->is_readonly = sqlite3_db_readonly(db, view->schema) != 0;
    if (view->connection->is_working)
        return; /* xSync: every row is written, though its statement is not over */
    while ((statement = sqlite3_next_stmt(db, statement)) != NULL) {
        if (!sqlite3_stmt_busy(statement))
            continue;
        moment->n_running++;
        is_own = is_reader(view->connection, statement, &is_query);
        n_users += !is_own;
        n_able += !is_own || is_query;
        if (!is_own)
            moment->alone = statement;
        if (sqlite3_stmt_readonly(statement))
            continue;
        moment->n_writing++;
        returns = returns || definition == NULL || may_return(statement, definition);
    }
    if (n_able != 1)
        moment->alone = NULL;
    runs_before = moment->n_writing > 0 && definition != NULL &&
                  runs_before_ours(db, definition, n_users > 1);
    moment->is_between_row_and_log = returns || runs_before;
    /* A statement beside the one that writes may be run by a function that a constraint
    ** calls. */
    moment->is_within_changes = moment->n_writing > 0 && (n_users > 1 || definition == NULL ||
                                                             runs_behind_ours(definition));
    if (returns && !runs_before && !moment->is_within_changes && moment->alone != NULL)
        moment->returning = moment->alone;
}
