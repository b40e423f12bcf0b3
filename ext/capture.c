/* Writing the capture triggers of a table. See capture.h for what they log, and why. */
#include "ext/capture.h"

#include <string.h>

#include "ext/pool.h"
#include "ext/statement.h"

enum { N_TRIGGERS = 8 };

static const char *const suffixes[N_TRIGGERS] = {
    "insert",
    "delete",
    "update",
    "before_insert",
    "before_update",
    "before_move",
    "before_delete",
    "before_rowid",
};

/* One CREATE TRIGGER in the making. */
struct trigger {
    const struct ls_table *table;
    const struct ls_logged *logged;
    sqlite3_str *text;
    bool has_body;
};

static const struct ls_unique *key_of(const struct ls_table *table)
{
    return table->key < 0 ? NULL : &table->uniques[table->key];
}

/* Is the rowid what names a row in the log? */
static bool is_keyed_by_rowid(const struct ls_table *table)
{
    return table->key < 0 && table->rowid_name != NULL;
}

void ls_capture_add_key(const struct ls_table *table, struct ls_logged *logged)
{
    const struct ls_unique *key = key_of(table);

    for (int i = 0; key != NULL && i < key->n_terms; i++)
        logged->columns[key->terms[i].column] = true;
    if (key == NULL && table->rowid_column >= 0)
        logged->columns[table->rowid_column] = true;
    else if (is_keyed_by_rowid(table))
        logged->has_rowid = true;
}

/* ", old.a, old.b": the logged columns with a prefix ("old.", "new." or ""). */
static void append_images(struct trigger *trigger, const char *prefix)
{
    const struct ls_table *table = trigger->table;

    for (int i = 0; i < table->n_columns; i++)
        if (trigger->logged->columns[i])
            sqlite3_str_appendf(trigger->text, ", %s\"%w\"", prefix, table->columns[i].name);
    if (trigger->logged->has_rowid)
        sqlite3_str_appendf(trigger->text, ", %s%s", prefix, table->rowid_name);
}

static void begin_insert(struct trigger *trigger)
{
    const struct ls_table *table = trigger->table;

    trigger->has_body = true;
    sqlite3_str_appendf(
        trigger->text, " INSERT INTO lockstep_log_%d(lockstep_weight", table->log);
    for (int i = 0; i < table->n_columns; i++)
        if (trigger->logged->columns[i])
            sqlite3_str_appendf(trigger->text, ", \"%w\"", table->columns[i].name);
    sqlite3_str_appendf(
        trigger->text, "%s)", trigger->logged->has_rowid ? ", lockstep_rowid" : "");
}

static void append_sink(struct trigger *trigger)
{
    if (trigger->logged->has_sink)
        sqlite3_str_appendf(
            trigger->text, " INSERT INTO lockstep_sink(log) VALUES(%d);", trigger->table->log);
}

/* The value that a column will have once NOT NULL ON CONFLICT REPLACE has put its default in.
 */
static void append_new(struct trigger *trigger, int i)
{
    const struct ls_column *column = &trigger->table->columns[i];

    if (column->is_not_null && column->default_text != NULL)
        sqlite3_str_appendf(trigger->text,
            "CASE WHEN new.\"%w\" IS NULL THEN %s ELSE new.\"%w\" END", column->name,
            column->default_text, column->name);
    else
        sqlite3_str_appendf(trigger->text, "new.\"%w\"", column->name);
}

/* The new row's value of an indexed expression: evaluated over a row of the columns' names. */
static void append_new_expression(struct trigger *trigger, const char *expression)
{
    sqlite3_str_appendf(trigger->text, "(SELECT %s FROM (SELECT ", expression);
    for (int i = 0; i < trigger->table->n_columns; i++) {
        sqlite3_str_appendf(trigger->text, "%s", i > 0 ? ", " : "");
        append_new(trigger, i);
        sqlite3_str_appendf(trigger->text, " AS \"%w\"", trigger->table->columns[i].name);
    }
    sqlite3_str_appendf(trigger->text, "))");
}

/* "WHERE u = new.u AND ...": the rows that the new one may displace by a unique index. */
static void append_conflict(struct trigger *trigger, const struct ls_unique *unique)
{
    for (int i = 0; i < unique->n_terms; i++) {
        const struct ls_unique_term *term = &unique->terms[i];

        sqlite3_str_appendf(trigger->text, "%s", i == 0 ? " WHERE " : " AND ");
        if (term->column < 0) {
            sqlite3_str_appendf(
                trigger->text, "(%s) COLLATE \"%w\" = ", term->expression, term->collation);
            append_new_expression(trigger, term->expression);
        } else {
            sqlite3_str_appendf(trigger->text,
                "\"%w\" COLLATE \"%w\" = ", trigger->table->columns[term->column].name,
                term->collation);
            append_new(trigger, term->column);
        }
    }
    if (unique->condition != NULL)
        sqlite3_str_appendf(trigger->text, " AND (%s)", unique->condition);
}

/* Logs as candidates the rows that a unique index (NULL: the rowid) says are in the way. */
static void append_lookup(
    struct trigger *trigger, const struct ls_unique *unique, bool is_update)
{
    const struct ls_table *table = trigger->table;

    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " SELECT 0");
    append_images(trigger, "");
    sqlite3_str_appendf(trigger->text, " FROM \"%w\"", table->name);
    if (unique != NULL)
        append_conflict(trigger, unique);
    else
        sqlite3_str_appendf(
            trigger->text, " WHERE \"%w\" = new.\"%w\"", table->rowid_name, table->rowid_name);
    if (is_update && unique != NULL && table->rowid_name != NULL)
        sqlite3_str_appendf(
            trigger->text, " AND \"%w\" <> old.\"%w\"", table->rowid_name, table->rowid_name);
    sqlite3_str_appendf(trigger->text, ";");
}

/* Logs that the new row's key names no row, or one that an older entry speaks of. */
static void append_absence(struct trigger *trigger)
{
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(NULL");
    append_images(trigger, "new.");
    sqlite3_str_appendf(trigger->text, ");");
}

static void append_old_image(struct trigger *trigger)
{
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(0");
    append_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, ");");
}

/* " OF a, b" for the columns, or nothing, which stands for all of them, where one is generated:
** it
** changes with columns that are not known here. False where there is no column: no trigger is
** needed. The rowid does not count: write_before_move looks after it. */
static bool append_update_of(struct trigger *trigger, const bool *columns)
{
    const struct ls_table *table = trigger->table;
    bool is_first = true;

    for (int i = 0; i < table->n_columns; i++)
        if (columns[i] && table->columns[i].is_generated)
            return true;
    for (int i = 0; i < table->n_columns; i++) {
        if (!columns[i] || i == table->rowid_column)
            continue;
        sqlite3_str_appendf(
            trigger->text, "%s\"%w\"", is_first ? " OF " : ", ", table->columns[i].name);
        is_first = false;
    }
    return !is_first;
}

static void write_insert(struct trigger *trigger, bool is_full)
{
    (void)is_full;
    sqlite3_str_appendf(trigger->text, "AFTER INSERT ON \"%w\" BEGIN", trigger->table->name);
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(1");
    append_images(trigger, "new.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_delete(struct trigger *trigger, bool is_full)
{
    (void)is_full;
    sqlite3_str_appendf(trigger->text, "AFTER DELETE ON \"%w\" BEGIN", trigger->table->name);
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(-1");
    append_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_update(struct trigger *trigger, bool is_full)
{
    sqlite3_str_appendf(trigger->text, "AFTER UPDATE");
    if (!append_update_of(trigger, trigger->logged->columns) && !is_full)
        return;
    sqlite3_str_appendf(trigger->text, " ON \"%w\" BEGIN", trigger->table->name);
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(-1");
    append_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, "), (1");
    append_images(trigger, "new.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

/* A row that is inserted can displace others. Where only the rowid can do that, rowids that
** SQLite assigns (-1 in a BEFORE trigger) need no look. */
static void write_before_insert(struct trigger *trigger, bool is_full)
{
    const struct ls_table *table = trigger->table;

    if (table->rowid_name == NULL && table->n_uniques == 0)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE INSERT ON \"%w\"", table->name);
    if (table->n_uniques == 0)
        sqlite3_str_appendf(trigger->text, " WHEN new.\"%w\" <> -1", table->rowid_name);
    sqlite3_str_appendf(trigger->text, " BEGIN");
    if (table->rowid_name != NULL)
        append_lookup(trigger, NULL, false);
    for (int i = 0; i < table->n_uniques; i++)
        append_lookup(trigger, &table->uniques[i], false);
    if (is_full)
        append_absence(trigger);
}

/* The columns that a unique index rests on; false where that is not known (expressions). */
static bool columns_of(
    const struct ls_table *table, const struct ls_unique *unique, bool *columns)
{
    for (int i = 0; i < unique->n_terms; i++) {
        if (unique->terms[i].column < 0)
            return false;
        columns[unique->terms[i].column] = true;
    }
    (void)table;
    return unique->condition == NULL;
}

/* An update can displace rows by a unique index. */
static void write_before_update(struct trigger *trigger, bool is_full)
{
    const struct ls_table *table = trigger->table;
    bool *columns = NULL;
    bool is_known = true;

    if (table->n_uniques == 0 && !is_full)
        return;
    columns = sqlite3_malloc64((size_t)table->n_columns);
    if (columns == NULL) {
        sqlite3_str_appendf(trigger->text, "%*s", 0x7fffffff, ""); /* told as out of memory */
        return;
    }
    memset(columns, 0, (size_t)table->n_columns);
    for (int i = 0; i < table->n_uniques; i++)
        is_known = columns_of(table, &table->uniques[i], columns) && is_known;
    sqlite3_str_appendf(trigger->text, "BEFORE UPDATE");
    if (is_known && !is_full)
        (void)append_update_of(trigger, columns);
    sqlite3_free(columns);
    sqlite3_str_appendf(trigger->text, " ON \"%w\" BEGIN", table->name);
    if (is_full)
        append_old_image(trigger);
    for (int i = 0; i < table->n_uniques; i++)
        append_lookup(trigger, &table->uniques[i], true);
    if (is_full)
        append_absence(trigger);
}

/* A row that takes another rowid: where the rowid is its key, both keys become candidates;
** where
** the rowid is merely logged, the row's own key. */
static void write_before_move(struct trigger *trigger, bool is_full)
{
    const struct ls_table *table = trigger->table;

    (void)is_full;
    if (table->rowid_name == NULL)
        return;
    sqlite3_str_appendf(trigger->text,
        "BEFORE UPDATE ON \"%w\" WHEN new.\"%w\" <> old.\"%w\" BEGIN", table->name,
        table->rowid_name, table->rowid_name);
    if (is_keyed_by_rowid(table) || trigger->logged->has_rowid)
        append_old_image(trigger);
    append_lookup(trigger, NULL, true);
    if (is_keyed_by_rowid(table))
        append_absence(trigger);
}

static void write_before_delete(struct trigger *trigger, bool is_full)
{
    if (!is_full)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE DELETE ON \"%w\" BEGIN", trigger->table->name);
    append_old_image(trigger);
}

/* Where the sink is written at every change, a move of the rowid alone must reach it too. */
static void write_before_rowid(struct trigger *trigger, bool is_full)
{
    const struct ls_table *table = trigger->table;

    (void)is_full;
    if (!trigger->logged->has_sink || table->rowid_name == NULL)
        return;
    sqlite3_str_appendf(trigger->text,
        "AFTER UPDATE ON \"%w\" WHEN new.\"%w\" <> old.\"%w\" BEGIN", table->name,
        table->rowid_name, table->rowid_name);
    append_sink(trigger);
    trigger->has_body = true;
}

/* The text of one trigger behind its name; NULL where the table needs none (*rc says if that is
** for lack of memory). */
static char *trigger_text(const struct ls_table *table, const struct ls_logged *logged,
    bool is_full, int which, int *rc)
{
    static void (*const writers[N_TRIGGERS])(struct trigger *, bool) = {
        write_insert,
        write_delete,
        write_update,
        write_before_insert,
        write_before_update,
        write_before_move,
        write_before_delete,
        write_before_rowid,
    };
    struct trigger trigger = {table, logged, sqlite3_str_new(NULL), false};
    char *text;

    sqlite3_str_appendf(trigger.text, "\"lockstep_log_%d_%s\" ", table->log, suffixes[which]);
    writers[which](&trigger, is_full);
    sqlite3_str_appendf(trigger.text, " END");
    *rc = sqlite3_str_errcode(trigger.text);
    text = sqlite3_str_finish(trigger.text);
    if (*rc != SQLITE_OK || !trigger.has_body) {
        sqlite3_free(text);
        return NULL;
    }
    return text;
}

/* Which columns the log has, by name. *is_known is false where one is none of the table's. */
static int read_logged(
    sqlite3 *db, struct ls_table *table, struct ls_logged *logged, bool *is_known)
{
    sqlite3_stmt *statement;
    int n = 0;
    int rc = ls_prepare(db, &statement,
        "SELECT name FROM pragma_table_info('lockstep_log_%d', %Q)", table->log, table->schema);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        int i = name == NULL ? -1 : ls_table_column(table, name);

        if (n++ < 2)
            continue; /* lockstep_seq, lockstep_weight */
        if (i >= 0)
            logged->columns[i] = true;
        else if (name != NULL && strcmp(name, "lockstep_rowid") == 0)
            logged->has_rowid = true;
        else
            *is_known = false;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    if (n < 2)
        *is_known = false;
    return rc;
}

/* Are the triggers just those of cheap, or of full, capture? */
static int compare_triggers(sqlite3 *db, const struct ls_table *table,
    const struct ls_logged *logged, bool is_full, bool *are_same)
{
    int rc = SQLITE_OK;

    *are_same = true;
    for (int i = 0; rc == SQLITE_OK && *are_same && i < N_TRIGGERS; i++) {
        char *text = trigger_text(table, logged, is_full, i, &rc);
        sqlite3_int64 n = 0;

        if (rc == SQLITE_OK)
            rc = ls_query_integer(db, 0, &n,
                "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
                " AND name = 'lockstep_log_%d_%s' AND (%Q IS NULL OR tbl_name <> %Q COLLATE "
                "NOCASE"
                " OR sql <> 'CREATE TRIGGER ' || %Q)",
                table->schema, table->log, suffixes[i], text, table->name, text);
        *are_same = n == 0;
        if (rc == SQLITE_OK && text != NULL && *are_same)
            rc = ls_query_integer(db, 0, &n,
                "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
                " AND name = 'lockstep_log_%d_%s'",
                table->schema, table->log, suffixes[i]);
        if (text != NULL)
            *are_same = *are_same && n == 1;
        sqlite3_free(text);
    }
    return rc;
}

int ls_capture_read(sqlite3 *db, struct ls_table *table, struct ls_capture *capture)
{
    sqlite3_int64 n = 0;
    int rc = SQLITE_OK;

    *capture = (struct ls_capture){.is_known = table->log > 0};
    capture->logged.columns = ls_pool_get(&table->pool, (size_t)table->n_columns + 1);
    if (capture->logged.columns == NULL)
        return SQLITE_NOMEM;
    if (table->log == 0)
        return SQLITE_OK;
    rc = read_logged(db, table, &capture->logged, &capture->is_known);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND name = 'lockstep_log_%d_insert' AND sql LIKE '%%INSERT INTO lockstep_sink%%'",
            table->schema, table->log);
    capture->logged.has_sink = n > 0;
    if (rc != SQLITE_OK || !capture->is_known || table->has_newer_triggers)
        return rc;
    rc = compare_triggers(db, table, &capture->logged, true, &capture->is_whole);
    if (rc == SQLITE_OK && !capture->is_whole && !table->has_user_triggers)
        rc = compare_triggers(db, table, &capture->logged, false, &capture->is_whole);
    return rc;
}

static void append_column(sqlite3_str *text, const struct ls_column *column)
{
    sqlite3_str_appendf(
        text, "\"%w\" %s COLLATE \"%w\"", column->name, column->type, column->collation);
}

static int run_text(sqlite3 *db, sqlite3_str *text)
{
    char *finished = sqlite3_str_finish(text);
    int rc = finished == NULL ? SQLITE_NOMEM : sqlite3_exec(db, finished, NULL, NULL, NULL);

    sqlite3_free(finished);
    return rc;
}

static int create_log(sqlite3 *db, struct ls_table *table, const struct ls_logged *logged)
{
    sqlite3_str *text;
    sqlite3_int64 highest = 0;
    int rc = ls_query_integer(db, 0, &highest,
        "SELECT max(CAST(substr(name, 14) AS INTEGER)) FROM \"%w\".sqlite_schema"
        " WHERE name GLOB 'lockstep_log_[0-9]*'",
        table->schema);

    if (rc != SQLITE_OK)
        return rc;
    table->log = (int)highest + 1;
    text = sqlite3_str_new(db);
    sqlite3_str_appendf(text,
        "CREATE TABLE \"%w\".lockstep_log_%d(lockstep_seq INTEGER PRIMARY KEY, lockstep_weight",
        table->schema, table->log);
    for (int i = 0; i < table->n_columns; i++)
        if (logged->columns[i]) {
            sqlite3_str_appendf(text, ", ");
            append_column(text, &table->columns[i]);
        }
    sqlite3_str_appendf(text, "%s)", logged->has_rowid ? ", lockstep_rowid INTEGER" : "");
    return run_text(db, text);
}

static bool is_wide_enough(
    const struct ls_table *table, const struct ls_logged *has, const struct ls_logged *logged)
{
    for (int i = 0; i < table->n_columns; i++)
        if (logged->columns[i] && !has->columns[i])
            return false;
    return has->has_rowid || !logged->has_rowid;
}

/* Moves the rows of a log to the table's new one, positions kept. Columns that they lack are NULL
** there; the views that read those begin behind them. */
static int move_rows(
    sqlite3 *db, const struct ls_table *table, const struct ls_logged *has, int old_log)
{
    sqlite3_str *names = sqlite3_str_new(db);
    char *list;
    int rc;

    sqlite3_str_appendf(names, "lockstep_seq, lockstep_weight");
    for (int i = 0; i < table->n_columns; i++)
        if (has->columns[i])
            sqlite3_str_appendf(names, ", \"%w\"", table->columns[i].name);
    sqlite3_str_appendf(names, "%s", has->has_rowid ? ", lockstep_rowid" : "");
    list = sqlite3_str_finish(names);
    rc = list == NULL ? SQLITE_NOMEM
                      : ls_exec(db,
                            "INSERT INTO \"%w\".lockstep_log_%d(%s)"
                            " SELECT %s FROM \"%w\".lockstep_log_%d",
                            table->schema, table->log, list, list, table->schema, old_log);
    sqlite3_free(list);
    return rc;
}

/* Sees to the log itself: the same, a wider one with the same rows, or a new one. */
static int mend_log(sqlite3 *db, struct ls_table *table, const struct ls_capture *capture,
    const struct ls_logged *logged)
{
    int old_log = table->log;
    int rc = SQLITE_OK;

    if (capture->is_known && is_wide_enough(table, &capture->logged, logged))
        return capture->is_whole
                   ? SQLITE_OK
                   : ls_exec(db, "DELETE FROM \"%w\".lockstep_log_%d", table->schema, old_log);
    rc = create_log(db, table, logged);
    if (rc == SQLITE_OK && capture->is_whole)
        rc = move_rows(db, table, &capture->logged, old_log);
    if (rc == SQLITE_OK && capture->is_known)
        rc = ls_exec(db, "DELETE FROM \"%w\".lockstep_log_%d", table->schema, old_log);
    return rc;
}

static int drop_triggers(sqlite3 *db, const char *schema, int log)
{
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && i < N_TRIGGERS; i++)
        rc = ls_exec(db, "DROP TRIGGER IF EXISTS \"%w\".\"lockstep_log_%d_%s\"", schema, log,
            suffixes[i]);
    return rc;
}

int ls_capture_mend(sqlite3 *db, struct ls_table *table, const struct ls_capture *capture,
    const struct ls_logged *logged, bool *is_lost)
{
    int rc = SQLITE_OK;

    *is_lost = !capture->is_whole;
    if (table->log > 0)
        rc = drop_triggers(db, table->schema, table->log);
    if (rc == SQLITE_OK)
        rc = mend_log(db, table, capture, logged);
    for (int i = 0; rc == SQLITE_OK && i < N_TRIGGERS; i++) {
        char *text = trigger_text(table, logged, table->has_user_triggers, i, &rc);

        if (text != NULL)
            rc = ls_exec(db, "CREATE TRIGGER \"%w\".%s", table->schema, text);
        sqlite3_free(text);
    }
    return rc;
}

int ls_capture_drop(sqlite3 *db, const char *schema, int log)
{
    int rc = drop_triggers(db, schema, log);

    if (rc == SQLITE_OK)
        rc = ls_exec(db, "DROP TABLE IF EXISTS \"%w\".lockstep_log_%d", schema, log);
    return rc;
}
