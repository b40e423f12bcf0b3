/* Finding tables that are damaged, and giving them another name. */
#include "ext/aside.h"

#include "ext/statement.h"

/* SQLite renames in views and triggers, too, unless it is told to do as it did of old: theirs
** is what comes in the table's place. */
static int set_aside(sqlite3 *db, const char *schema, const char *table)
{
    int was_legacy = 0, is_legacy = 0;
    sqlite3_int64 highest = 0;
    int rc = ls_query_integer(db, 0, &highest,
        "SELECT max(CAST(substr(name, 18) AS INTEGER)) FROM \"%w\".sqlite_schema"
        " WHERE name GLOB 'lockstep_damaged_[0-9]*'",
        schema);

    if (rc != SQLITE_OK)
        return rc;
    sqlite3_db_config(db, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, -1, &was_legacy);
    sqlite3_db_config(db, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1, &is_legacy);
    rc = ls_exec(db, "ALTER TABLE \"%w\".\"%w\" RENAME TO lockstep_damaged_%lld", schema, table,
        highest + 1);
    sqlite3_db_config(db, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, was_legacy, &is_legacy);
    return rc;
}

/* Can SQLite walk the table, and its indexes? */
static int judge(sqlite3 *db, const char *schema, const char *table, bool *is_damaged)
{
    char *verdict = NULL;
    int rc = ls_query_text(db, &verdict, "PRAGMA \"%w\".quick_check(\"%w\")", schema, table);

    *is_damaged = (rc & 0xff) == SQLITE_CORRUPT ||
                  (verdict != NULL && sqlite3_stricmp(verdict, "ok") != 0);
    sqlite3_free(verdict);
    return *is_damaged ? SQLITE_OK : rc;
}

/* The next by name, behind *name: of the view's tables, those that all views share, and the
** logs. */
static int next_table(const struct ls_view *view, char **name)
{
    char *last = *name;
    int rc = ls_query_text(view->connection->db, name,
        "SELECT name FROM \"%w\".sqlite_schema WHERE type = 'table' AND name > %Q"
        " AND (lower(name) IN (lower('%q_data'), lower('%q_trace'), lower('%q_state'),"
        " 'lockstep_position', 'lockstep_index') OR name GLOB 'lockstep_log_[0-9]*')"
        " ORDER BY name LIMIT 1",
        view->schema, last == NULL ? "" : last, view->name, view->name, view->name);

    sqlite3_free(last);
    return rc;
}

int ls_aside_damaged(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    char *name = NULL;
    int rc = next_table(view, &name);

    while (rc == SQLITE_OK && name != NULL) {
        bool is_damaged;

        rc = judge(db, view->schema, name, &is_damaged);
        if (rc == SQLITE_OK && is_damaged)
            rc = set_aside(db, view->schema, name);
        if (rc == SQLITE_OK)
            rc = next_table(view, &name);
    }
    sqlite3_free(name);
    return rc;
}

int ls_aside_drop(sqlite3 *db, const char *schema, const char *table)
{
    int rc = ls_exec(db, "DROP TABLE IF EXISTS \"%w\".\"%w\"", schema, table);

    return (rc & 0xff) == SQLITE_CORRUPT ? set_aside(db, schema, table) : rc;
}
