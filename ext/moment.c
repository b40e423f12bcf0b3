/* In the middle of a write statement, table and log agree whenever something of the user's can look:
** our AFTER triggers are the first to fire. But TEMP triggers, and those that are newer than ours,
** precede them, and so do actions of foreign keys, and what RETURNING asks for. */
#include "ext/moment.h"

#include "ext/spelling.h"

/* Can anything of the schema run between a change of a table's row and our AFTER trigger? */
static bool runs_before_ours(sqlite3 *db, const struct ls_definition *definition)
{
    int has_foreign_keys = 0;

    for (size_t i = 0; i < definition->plan->n_tables; i++) {
        const struct ls_table *table = definition->tables[i];

        if (table->has_actions)
            sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &has_foreign_keys);
        if (table->has_temp_triggers || table->has_newer_triggers || has_foreign_keys != 0)
            return true;
    }
    return false;
}

/* May a statement that writes return rows of a table of the view? It has columns where it returns
** some, and names its table. */
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
    bool returns = false;

    *moment = (struct ls_moment){.in_write = in_write};
    moment->is_autocommit = sqlite3_get_autocommit(db) != 0;
    moment->is_readonly = sqlite3_db_readonly(db, view->schema) != 0;
    if (view->connection->is_working)
        return; /* xSync: every row is written, though its statement is not over */
    while ((statement = sqlite3_next_stmt(db, statement)) != NULL) {
        if (!sqlite3_stmt_busy(statement))
            continue;
        moment->n_running++;
        if (sqlite3_stmt_readonly(statement))
            continue;
        moment->n_writing++;
        returns = returns || definition == NULL || may_return(statement, definition);
    }
    moment->is_between_row_and_log =
        moment->n_writing > 0 &&
        (returns || (definition != NULL && runs_before_ours(db, definition)));
}
