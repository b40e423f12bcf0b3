/* SQLite changes a row in this order: BEFORE triggers; rows in the way of the new one vanish,
** with the actions of foreign keys that follow from that; the change; actions that follow from
** it; AFTER triggers. TEMP triggers come first, then the newest: ours precede those of the
** user's that are older. */
#include "ext/meddling.h"

#include "ext/bystander.h"
#include "ext/statement.h"
#include "ext/trigger.h"
#include "sql/lex.h"

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

enum { MOST_JUDGED = 30 }; /* as each costs the schema */

/* Notes one of the user's triggers, the n-th of its schema. */
static int note_trigger(sqlite3 *db, struct ls_table *table, const char *schema, int n,
    const char *create, bool is_newer)
{
    bool is_temp = schema != table->schema, stands_by = false, reads_none = false;
    int rc = create == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK && n < MOST_JUDGED)
        rc = ls_bystander_trigger(db, table, schema, create, &stands_by);
    table->has_newer_triggers = table->has_newer_triggers || is_newer;
    table->has_temp_triggers = table->has_temp_triggers || is_temp;
    if (rc != SQLITE_OK || stands_by)
        return rc;
    if (n < MOST_JUDGED)
        rc = ls_bystander_reads_none(db, table, schema, create, &reads_none);
    table->has_onlookers = table->has_onlookers || !reads_none;
    if (!is_temp && fires_before(create))
        table->has_early_triggers = true;
    table->is_watched = table->is_watched || is_newer || is_temp;
    return rc;
}

/* Those of a schema; behind a rowid of sqlite_schema are newer ones than ours. */
static int read_users_triggers(
    sqlite3 *db, struct ls_table *table, const char *schema, sqlite3_int64 ours)
{
    sqlite3_stmt *statement;
    int rc =
        ls_prepare(db, &statement, "SELECT sql, rowid" LS_USERS_TRIGGERS, schema, table->name);

    for (int n = 0; rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW; n++)
        rc = note_trigger(db, table, schema, n, (const char *)sqlite3_column_text(statement, 0),
            sqlite3_column_int64(statement, 1) > ours);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

/* Our triggers of a table: arguments are schema, name. */
#define OURS                                                                                   \
    " FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND tbl_name = %Q COLLATE NOCASE"       \
    " AND " LS_IS_CAPTURE("")

/* The highest log that this table's triggers name, and the others of its triggers. Order of
** rowids in sqlite_schema is the order of creation, newest last. */
static int read_triggers(sqlite3 *db, struct ls_table *table)
{
    sqlite3_int64 n_log = 0, log = 0, ours = 0;
    int rc = ls_query_integer(db, 0, &log, "SELECT max(CAST(substr(name, 14) AS INTEGER))" OURS,
        table->schema, table->name);

    table->log = (int)log;
    if (rc == SQLITE_OK)
        rc = ls_query_integer(
            db, INT64_MAX, &ours, "SELECT min(rowid)" OURS, table->schema, table->name);
    if (rc == SQLITE_OK)
        rc = read_users_triggers(db, table, table->schema, ours);
    if (rc == SQLITE_OK && sqlite3_stricmp(table->schema, "temp") != 0)
        rc = read_users_triggers(db, table, "temp", INT64_MAX);
    if (rc == SQLITE_OK && log > 0)
        rc = ls_query_integer(db, 0, &n_log,
            "SELECT (SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = 'lockstep_log_%d' COLLATE NOCASE)"
            " + (SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = 'lockstep_log_%d' COLLATE NOCASE)",
            table->schema, table->log, table->log);
    table->is_watched = table->is_watched || n_log > 0;
    return rc;
}

/* Does a foreign key of the schema act on behalf of this table? SQLite carries the action out,
** with the triggers of the rows that it meets, before this table's AFTER triggers. */
static int read_actions(sqlite3 *db, struct ls_table *table)
{
    bool stand_by = true;
    int rc = ls_bystander_actions(db, table, &table->has_actions, &stand_by);

    table->has_watched_actions = table->has_actions && !stand_by;
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
        " SELECT count(*) FROM reached WHERE name = %Q COLLATE NOCASE AND action <> 'CASCADE'",
        table->schema, table->schema, table->name, table->name);

    table->has_early_triggers =
        table->has_early_triggers || table->has_watched_actions || n > 0;
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
