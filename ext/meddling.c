/* SQLite changes a row in this order: BEFORE triggers; rows in the way of the new one vanish,
** with the actions of foreign keys that follow from that; the change; actions that follow from
** it; AFTER triggers. TEMP triggers come first, then the newest: ours precede those of the
** user's that are older. */
#include "ext/meddling.h"

#include "ext/statement.h"
#include "ext/trigger.h"
#include "sql/lex.h"

/* Triggers of a table that are not ours: arguments are schema, name. */
#define USERS_TRIGGERS                                                                         \
    " FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND tbl_name = %Q COLLATE NOCASE"       \
    " AND NOT " LS_IS_CAPTURE("")

/* Does a trigger fire before the change? SQLite stores "CREATE TRIGGER ", then the text from
** the name on, which may be qualified. What says no time is a BEFORE trigger. */
static bool fires_before(const char *create)
{
    struct zsql_token token = {0, 0, 0};

    for (int i = 0; i < 4; i++)
        token = zsql_lex(create, token.end);
    if (token.kind == TK_DOT)
        for (int i = 0; i < 2; i++)
            token = zsql_lex(create, token.end);
    return token.end - token.start != 5 ||
           sqlite3_strnicmp(create + token.start, "AFTER", 5) != 0;
}

static int read_early(sqlite3 *db, struct ls_table *table)
{
    sqlite3_stmt *statement;
    int rc =
        ls_prepare(db, &statement, "SELECT sql" USERS_TRIGGERS, table->schema, table->name);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *create = (const char *)sqlite3_column_text(statement, 0);

        if (create != NULL && fires_before(create))
            table->has_early_triggers = true;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

/* The highest log that this table's triggers name, and the others of its triggers. Order of
** rowids in sqlite_schema is the order of creation, newest last. */
static int read_triggers(sqlite3 *db, struct ls_table *table)
{
    sqlite3_int64 n_newer = 0, n_temp = 0, n_log = 0, log = 0;
    int rc = ls_query_integer(db, 0, &log,
        "SELECT max(CAST(substr(name, 14) AS INTEGER)) FROM \"%w\".sqlite_schema"
        " WHERE type = 'trigger' AND tbl_name = %Q COLLATE NOCASE AND " LS_IS_CAPTURE(""),
        table->schema, table->name);

    table->log = (int)log;
    if (rc == SQLITE_OK)
        rc = read_early(db, table);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n_newer,
            "SELECT count(*)" USERS_TRIGGERS
            " AND rowid > (SELECT min(rowid) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = %Q COLLATE NOCASE AND " LS_IS_CAPTURE("") ")",
            table->schema, table->name, table->schema, table->name);
    if (rc == SQLITE_OK && sqlite3_stricmp(table->schema, "temp") != 0)
        rc = ls_query_integer(db, 0, &n_temp,
            "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = %Q COLLATE NOCASE",
            table->name);
    if (rc == SQLITE_OK && log > 0)
        rc = ls_query_integer(db, 0, &n_log,
            "SELECT (SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = 'lockstep_log_%d' COLLATE NOCASE)"
            " + (SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = 'lockstep_log_%d' COLLATE NOCASE)",
            table->schema, table->log, table->log);
    table->has_newer_triggers = n_newer > 0;
    table->has_temp_triggers = n_temp > 0;
    table->has_log_triggers = n_log > 0;
    return rc;
}

/* Does a foreign key of the schema act on behalf of this table? SQLite carries the action out,
** with the triggers of the rows that it meets, before this table's AFTER triggers. */
static int read_actions(sqlite3 *db, struct ls_table *table)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &n,
        "SELECT count(*) FROM \"%w\".sqlite_schema AS child,"
        " pragma_foreign_key_list(child.name, %Q) AS reference WHERE child.type = 'table'"
        " AND child.sql LIKE '%%REFERENCES%%' AND reference.\"table\" = %Q COLLATE NOCASE"
        " AND (reference.on_delete NOT IN ('NO ACTION', 'RESTRICT')"
        " OR reference.on_update NOT IN ('NO ACTION', 'RESTRICT'))",
        table->schema, table->schema, table->name);

    table->has_actions = n > 0;
    return rc;
}

/* Can actions that follow from a row that vanishes update rows of the same table, by themselves
** or through triggers of tables that they reach? Then that happens before the change, too. */
static int read_returning_actions(sqlite3 *db, struct ls_table *table)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &n,
        "WITH RECURSIVE acts AS MATERIALIZED (SELECT child.name AS child,"
        " reference.\"table\" AS parent, reference.on_delete AS action"
        " FROM \"%w\".sqlite_schema AS child,"
        " pragma_foreign_key_list(child.name, %Q) AS reference WHERE child.type = 'table'"
        " AND child.sql LIKE '%%REFERENCES%%'"
        " AND reference.on_delete NOT IN ('NO ACTION', 'RESTRICT')),"
        " reached(name, action) AS (SELECT child, action FROM acts"
        " WHERE parent = %Q COLLATE NOCASE UNION SELECT acts.child, acts.action FROM reached"
        " JOIN acts ON acts.parent = reached.name COLLATE NOCASE)"
        " SELECT count(*) FROM reached WHERE"
        " (name = %Q COLLATE NOCASE AND action <> 'CASCADE')"
        " OR EXISTS (SELECT 1 FROM \"%w\".sqlite_schema AS s WHERE s.type = 'trigger'"
        " AND s.tbl_name = reached.name COLLATE NOCASE"
        " AND NOT " LS_IS_CAPTURE(
            "s.") ")"
                  " OR EXISTS (SELECT 1 FROM temp.sqlite_schema AS s WHERE s.type = 'trigger'"
                  " AND s.tbl_name = reached.name COLLATE NOCASE)",
        table->schema, table->schema, table->name, table->name, table->schema);

    table->has_early_triggers = table->has_early_triggers || n > 0;
    return rc;
}

bool ls_meddling_turns_key(const char *child, const char *key)
{
    enum ls_affinity affinity = ls_affinity_of(key);

    return affinity != ls_affinity_of(child) && !ls_affinity_is_numeric(affinity);
}

/* Does a foreign key refer to this table by a column of another affinity? Looking for children
** by an index SQLite gives a key that affinity where it lies, and AFTER triggers then see 7 for
** '007'. Numbers compare with numbers as they are, and a rowid stays what it is. */
static int read_unlike_keys(sqlite3 *db, struct ls_table *table)
{
    sqlite3_stmt *statement;
    int rc = ls_prepare(db, &statement,
        "SELECT a.type, b.type FROM \"%w\".sqlite_schema AS child,"
        " pragma_foreign_key_list(child.name, %Q) AS reference,"
        " pragma_table_xinfo(child.name, %Q) AS a, pragma_table_xinfo(%Q, %Q) AS b"
        " WHERE child.type = 'table' AND child.sql LIKE '%%REFERENCES%%'"
        " AND reference.\"table\" = %Q COLLATE NOCASE"
        " AND a.name = reference.\"from\" COLLATE NOCASE"
        " AND" LS_IS_REFERRED_TO("b"),
        table->schema, table->schema, table->schema, table->name, table->schema, table->name);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        if (!ls_meddling_turns_key((const char *)sqlite3_column_text(statement, 0),
                (const char *)sqlite3_column_text(statement, 1)))
            continue;
        table->has_early_triggers = true;
        table->has_false_images = table->key >= 0;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

int ls_meddling_read(sqlite3 *db, struct ls_table *table)
{
    int rc = read_triggers(db, table);

    if (rc == SQLITE_OK)
        rc = read_actions(db, table);
    if (rc == SQLITE_OK && table->has_actions)
        rc = read_returning_actions(db, table);
    return rc == SQLITE_OK ? read_unlike_keys(db, table) : rc;
}
