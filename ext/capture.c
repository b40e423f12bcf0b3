/* Logs and their triggers as they stand in the schema: reading them, making them, mending
** them. */
#include "ext/capture.h"

#include <string.h>

#include "ext/aside.h"
#include "ext/declared.h"
#include "ext/pool.h"
#include "ext/statement.h"
#include "ext/trigger.h"

/* Is the log's column as the table's? A table may come back with other columns, and have its
** triggers, ours among them, made again. */
static int compare_column(
    sqlite3 *db, const struct ls_table *table, const struct ls_column *column, bool *is_alike)
{
    char log[32];

    sqlite3_snprintf(sizeof(log), log, "lockstep_log_%d", table->log);
    return ls_declared_so(
        db, table->schema, log, column->name, column->type, column->collation, is_alike);
}

/* Which columns the log has, by name. *is_known is false where one is none of the table's. */
static int read_logged(
    sqlite3 *db, struct ls_table *table, struct ls_logged *logged, bool *is_known)
{
    static const char *const own[] = {"lockstep_seq", "lockstep_weight"};
    sqlite3_stmt *statement;
    int n = 0;
    int rc = ls_prepare(db, &statement,
        "SELECT name FROM pragma_table_info('lockstep_log_%d', %Q)", table->log, table->schema);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        int i = name == NULL ? -1 : ls_table_column(table, name);
        int place = n++;
        bool is_alike = true;

        if (i >= 0)
            rc = compare_column(db, table, &table->columns[i], &is_alike);
        *is_known = *is_known && is_alike;
        if (place < 2 && name != NULL && strcmp(name, own[place]) == 0)
            continue;
        if (place >= 2 && i >= 0)
            logged->columns[i] = true;
        else if (place >= 2 && name != NULL && strcmp(name, "lockstep_rowid") == 0)
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

static enum ls_care care_of(const struct ls_table *table)
{
    return table->has_temp_triggers || table->is_wary ? LS_WARY
           : table->has_early_triggers                ? LS_FULL
                                                      : LS_CHEAP;
}

/* Does an index rest on several columns? An UPDATE may set one, and a trigger another. */
static bool rests_on_several(const struct ls_table *table, const struct ls_unique *unique)
{
    int n = unique->rests_on_rowid;

    for (int i = 0; i < table->n_columns; i++)
        n += unique->rests_on[i] && !table->columns[i].is_generated && i != table->rowid_column;
    return n > 1;
}

bool ls_capture_must_foresee(const struct ls_table *table, int column)
{
    if (care_of(table) == LS_CHEAP || table->columns[column].is_generated)
        return false;
    for (int i = 0; i < table->n_uniques; i++)
        if (table->uniques[i].rests_on[column] && rests_on_several(table, &table->uniques[i]))
            return true;
    return false;
}

static bool shows_the_foreseen(const struct ls_table *table, const struct ls_logged *logged)
{
    for (int i = 0; i < table->n_columns; i++)
        if (ls_capture_must_foresee(table, i) && !logged->columns[i])
            return false;
    return true;
}

/* Is one of the triggers' names a user's? Then another log has triggers that are called
** otherwise. */
static int find_foreign(sqlite3 *db, const struct ls_table *table, bool *has_one)
{
    sqlite3_str *text = sqlite3_str_new(db);
    sqlite3_int64 n = 0;
    char *names;
    int rc;

    for (int i = 0; i < LS_N_TRIGGERS; i++)
        sqlite3_str_appendf(text, "%s'lockstep_log_%d_%s'", i == 0 ? "" : ", ", table->log,
            ls_trigger_suffixes[i]);
    rc = sqlite3_str_errcode(text);
    names = sqlite3_str_finish(text);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND name COLLATE NOCASE IN (%s) AND NOT " LS_IS_CAPTURE(""),
            table->schema, names);
    sqlite3_free(names);
    *has_one = n > 0;
    return rc;
}

/* Are the triggers just those? */
static int compare_triggers(sqlite3 *db, const struct ls_table *table,
    const struct ls_logged *logged, enum ls_care care, bool *are_same)
{
    int rc = SQLITE_OK;

    *are_same = true;
    for (int i = 0; rc == SQLITE_OK && *are_same && i < LS_N_TRIGGERS; i++) {
        char *text = ls_trigger_text(table, logged, care, i, &rc);
        sqlite3_int64 n = 0;

        if (rc == SQLITE_OK)
            rc = ls_query_integer(db, 0, &n,
                "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
                " AND name = 'lockstep_log_%d_%s' AND (%Q IS NULL OR tbl_name <> %Q COLLATE"
                " NOCASE OR sql <> 'CREATE TRIGGER ' || %Q)",
                table->schema, table->log, ls_trigger_suffixes[i], text, table->name, text);
        *are_same = n == 0;
        if (rc == SQLITE_OK && text != NULL && *are_same)
            rc = ls_query_integer(db, 0, &n,
                "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
                " AND name = 'lockstep_log_%d_%s'",
                table->schema, table->log, ls_trigger_suffixes[i]);
        if (text != NULL)
            *are_same = *are_same && n == 1;
        sqlite3_free(text);
    }
    return rc;
}

bool ls_capture_is_off(sqlite3 *db)
{
    int is_on = 1;

    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &is_on);
    return !is_on;
}

int ls_capture_read(sqlite3 *db, struct ls_table *table, struct ls_capture *capture)
{
    sqlite3_int64 n = 0;
    enum ls_care wanted;
    bool has_foreign;
    int rc = SQLITE_OK;

    *capture = (struct ls_capture){.is_known = table->log > 0};
    capture->logged.columns = ls_pool_get(&table->pool, (size_t)table->n_columns + 1);
    if (capture->logged.columns == NULL)
        return SQLITE_NOMEM;
    if (table->log == 0)
        return SQLITE_OK;
    rc = find_foreign(db, table, &has_foreign);
    if (rc == SQLITE_OK)
        rc = read_logged(db, table, &capture->logged, &capture->is_known);
    capture->is_known = capture->is_known && !has_foreign;
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND name = 'lockstep_log_%d_insert' AND sql LIKE '%%INSERT INTO lockstep_sink%%'",
            table->schema, table->log);
    capture->logged.has_sink = n > 0;
    if (rc != SQLITE_OK || !capture->is_known || table->has_newer_triggers ||
        !shows_the_foreseen(table, &capture->logged))
        return rc;
    wanted = care_of(table);
    for (int care = LS_WARY; rc == SQLITE_OK && !capture->is_whole && care >= (int)wanted;
         care--) {
        rc = compare_triggers(
            db, table, &capture->logged, (enum ls_care)care, &capture->is_whole);
        table->is_wary = capture->is_whole && care == LS_WARY;
        capture->is_exact = capture->is_whole && (care == (int)wanted || table->is_wary);
    }
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

/* Moves the rows of a log to the table's new one, positions kept. Columns that they lack are
** NULL there; the views that read those begin behind them. */
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

/* Empties a log that the table has no use for any more, unless it is a table of the user's. */
static int empty_log(sqlite3 *db, const char *schema, int log)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &n,
        "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = 'table'"
        " AND name = 'lockstep_log_%d' AND instr(sql, '(lockstep_seq INTEGER PRIMARY KEY') > 0",
        schema, log);

    return rc == SQLITE_OK && n > 0
               ? ls_exec(db, "DELETE FROM \"%w\".lockstep_log_%d", schema, log)
               : rc;
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
    return rc == SQLITE_OK ? empty_log(db, table->schema, old_log) : rc;
}

static int drop_triggers(sqlite3 *db, const char *schema, int log)
{
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK) {
        char *name;

        rc = ls_query_text(db, &name,
            "SELECT name FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
            " AND CAST(substr(name, 14) AS INTEGER) = %d AND " LS_IS_CAPTURE("") " LIMIT 1",
            schema, log);
        if (rc != SQLITE_OK || name == NULL)
            break;
        rc = ls_exec(db, "DROP TRIGGER \"%w\".\"%w\"", schema, name);
        sqlite3_free(name);
    }
    return rc;
}

int ls_capture_mend(sqlite3 *db, struct ls_table *table, const struct ls_capture *capture,
    const struct ls_logged *logged)
{
    int rc = SQLITE_OK;

    if (table->log > 0)
        rc = drop_triggers(db, table->schema, table->log);
    if (rc == SQLITE_OK)
        rc = mend_log(db, table, capture, logged);
    for (int i = 0; rc == SQLITE_OK && i < LS_N_TRIGGERS; i++) {
        char *text = ls_trigger_text(table, logged, care_of(table), i, &rc);

        if (text != NULL)
            rc = ls_exec(db, "CREATE TRIGGER \"%w\".%s", table->schema, text);
        sqlite3_free(text);
    }
    return rc;
}

int ls_capture_drop(sqlite3 *db, const char *schema, int log)
{
    char name[32];
    int rc = drop_triggers(db, schema, log);

    sqlite3_snprintf(sizeof(name), name, "lockstep_log_%d", log);
    if (rc == SQLITE_OK)
        rc = ls_aside_drop(db, schema, name);
    return rc;
}
