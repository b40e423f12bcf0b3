/* Writing the capture triggers of a table. */
#include "ext/trigger.h"

#include <string.h>

const char *const ls_trigger_suffixes[LS_N_TRIGGERS] = {
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

/* Does a unique index rest on a generated column, or may it? */
static bool rests_on_generated(const struct ls_table *table, const struct ls_unique *unique)
{
    bool has_generated = false;

    for (int i = 0; i < table->n_columns; i++)
        has_generated = has_generated || table->columns[i].is_generated;
    for (int i = 0; has_generated && i < unique->n_terms; i++)
        if (unique->terms[i].column < 0 || table->columns[unique->terms[i].column].is_generated)
            return true;
    return has_generated && unique->condition != NULL;
}

/* Where NOT NULL ON CONFLICT REPLACE will put a default in, generated columns are not yet what they
** will be, and what they then displace is not known: every row is a candidate. A rare statement
** pays for that; for others the condition is false before the scan begins. */
static void append_all_rows(struct trigger *trigger)
{
    const struct ls_table *table = trigger->table;
    bool is_needed = false, is_first = true;

    for (int i = 0; i < table->n_uniques; i++)
        is_needed = is_needed || rests_on_generated(table, &table->uniques[i]);
    for (int i = 0; is_needed && i < table->n_columns; i++) {
        const struct ls_column *column = &table->columns[i];

        if (!column->is_not_null || column->default_text == NULL)
            continue;
        if (is_first) {
            begin_insert(trigger);
            sqlite3_str_appendf(trigger->text, " SELECT 0");
            append_images(trigger, "");
            sqlite3_str_appendf(trigger->text, " FROM \"%w\" WHERE ", table->name);
        }
        sqlite3_str_appendf(
            trigger->text, "%snew.\"%w\" IS NULL", is_first ? "" : " OR ", column->name);
        is_first = false;
    }
    if (!is_first)
        sqlite3_str_appendf(trigger->text, ";");
}

/* Logs that the new row's key names no row, or one that an older entry speaks of. */
static void append_absence(struct trigger *trigger, bool is_known)
{
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " SELECT NULL");
    append_images(trigger, "new.");
    if (!is_known)
        sqlite3_str_appendf(
            trigger->text, " WHERE new.\"%w\" <> -1", trigger->table->rowid_name);
    sqlite3_str_appendf(trigger->text, ";");
}

static void append_old_image(struct trigger *trigger)
{
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(0");
    append_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, ");");
}

/* " OF a, b" for the columns, or nothing, which stands for all of them, where one is generated:
** it changes with columns that are not known here. False where there is no column: no trigger
** is needed. The rowid does not count: write_before_move looks after it. */
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

static void write_insert(struct trigger *trigger, enum ls_care care)
{
    (void)care;
    sqlite3_str_appendf(trigger->text, "AFTER INSERT ON \"%w\" BEGIN", trigger->table->name);
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(1");
    append_images(trigger, "new.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_delete(struct trigger *trigger, enum ls_care care)
{
    (void)care;
    sqlite3_str_appendf(trigger->text, "AFTER DELETE ON \"%w\" BEGIN", trigger->table->name);
    begin_insert(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(-1");
    append_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_update(struct trigger *trigger, enum ls_care care)
{
    sqlite3_str_appendf(trigger->text, "AFTER UPDATE");
    if (!append_update_of(trigger, trigger->logged->columns) && care == LS_CHEAP)
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
** SQLite assigns (-1 in a BEFORE trigger) need no look, unless TEMP triggers may meddle. */
static void write_before_insert(struct trigger *trigger, enum ls_care care)
{
    const struct ls_table *table = trigger->table;

    if (table->rowid_name == NULL && table->n_uniques == 0)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE INSERT ON \"%w\"", table->name);
    if (table->n_uniques == 0 && care != LS_WARY)
        sqlite3_str_appendf(trigger->text, " WHEN new.\"%w\" <> -1", table->rowid_name);
    sqlite3_str_appendf(trigger->text, " BEGIN");
    if (table->rowid_name != NULL)
        append_lookup(trigger, NULL, false);
    for (int i = 0; i < table->n_uniques; i++)
        append_lookup(trigger, &table->uniques[i], false);
    append_all_rows(trigger);
    if (care != LS_CHEAP)
        append_absence(trigger, care == LS_WARY || !is_keyed_by_rowid(table));
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
static void write_before_update(struct trigger *trigger, enum ls_care care)
{
    const struct ls_table *table = trigger->table;
    bool *columns = NULL;
    bool is_known = true;

    if (table->n_uniques == 0 && care == LS_CHEAP)
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
    if (is_known && care == LS_CHEAP)
        (void)append_update_of(trigger, columns);
    sqlite3_free(columns);
    sqlite3_str_appendf(trigger->text, " ON \"%w\" BEGIN", table->name);
    if (care != LS_CHEAP)
        append_old_image(trigger);
    for (int i = 0; i < table->n_uniques; i++)
        append_lookup(trigger, &table->uniques[i], true);
    append_all_rows(trigger);
    if (care != LS_CHEAP)
        append_absence(trigger, true);
}

/* A row that takes another rowid: where the rowid is its key, both keys become candidates;
** where the rowid is merely logged, the row's own key. */
static void write_before_move(struct trigger *trigger, enum ls_care care)
{
    const struct ls_table *table = trigger->table;

    (void)care;
    if (table->rowid_name == NULL)
        return;
    sqlite3_str_appendf(trigger->text,
        "BEFORE UPDATE ON \"%w\" WHEN new.\"%w\" <> old.\"%w\" BEGIN", table->name,
        table->rowid_name, table->rowid_name);
    if (is_keyed_by_rowid(table) || trigger->logged->has_rowid)
        append_old_image(trigger);
    append_lookup(trigger, NULL, true);
    if (is_keyed_by_rowid(table))
        append_absence(trigger, true);
}

static void write_before_delete(struct trigger *trigger, enum ls_care care)
{
    if (care == LS_CHEAP)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE DELETE ON \"%w\" BEGIN", trigger->table->name);
    append_old_image(trigger);
}

/* Where the sink is written at every change, a move of the rowid alone must reach it too. */
static void write_before_rowid(struct trigger *trigger, enum ls_care care)
{
    const struct ls_table *table = trigger->table;

    (void)care;
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
char *ls_trigger_text(const struct ls_table *table, const struct ls_logged *logged,
    enum ls_care care, int which, int *rc)
{
    static void (*const writers[LS_N_TRIGGERS])(struct trigger *, enum ls_care) = {
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

    sqlite3_str_appendf(
        trigger.text, "\"lockstep_log_%d_%s\" ", table->log, ls_trigger_suffixes[which]);
    writers[which](&trigger, care);
    sqlite3_str_appendf(trigger.text, " END");
    *rc = sqlite3_str_errcode(trigger.text);
    text = sqlite3_str_finish(trigger.text);
    if (*rc != SQLITE_OK || !trigger.has_body) {
        sqlite3_free(text);
        return NULL;
    }
    return text;
}
