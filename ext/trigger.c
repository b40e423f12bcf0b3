/* Writing the capture triggers of a table. */
#include "ext/trigger.h"

#include <string.h>

#include "ext/candidate.h"

const char *const ls_trigger_suffixes[LS_N_TRIGGERS] = {
    "insert",
    "delete",
    "update",
    "before_insert",
    "before_update",
    "before_move",
    "before_delete",
    "move",
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
    for (int i = 0; i < table->n_columns; i++)
        if (ls_capture_must_foresee(table, i))
            logged->columns[i] = true;
}

static void append_sink(struct trigger *trigger)
{
    if (trigger->logged->has_sink)
        sqlite3_str_appendf(
            trigger->text, " INSERT INTO lockstep_sink(log) VALUES(%d);", trigger->table->log);
}

/* Logs that the new row's key names no row, or one that an older entry speaks of. */
static void append_absence(struct trigger *trigger)
{
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " SELECT NULL");
    ls_candidate_new_images(trigger);
    sqlite3_str_appendf(trigger->text, ";");
}

static void append_old_image(struct trigger *trigger)
{
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(0");
    ls_candidate_images(trigger, "old.");
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

/* A row that comes to be before another statement's row is written may be displaced by that
** one, which has looked before: it is a candidate, then. */
static void write_insert(struct trigger *trigger, enum ls_care care)
{
    sqlite3_str_appendf(trigger->text, "AFTER INSERT ON \"%w\" BEGIN", trigger->table->name);
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(%s",
        care == LS_CHEAP || trigger->table->has_false_images ? "1" : "NULL");
    ls_candidate_images(trigger, "new.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_delete(struct trigger *trigger, enum ls_care care)
{
    (void)care;
    sqlite3_str_appendf(trigger->text, "AFTER DELETE ON \"%w\" BEGIN", trigger->table->name);
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(-1");
    ls_candidate_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, ");");
    append_sink(trigger);
}

static void write_update(struct trigger *trigger, enum ls_care care)
{
    sqlite3_str_appendf(trigger->text, "AFTER UPDATE");
    if (!append_update_of(trigger, trigger->logged->columns) && care == LS_CHEAP)
        return;
    sqlite3_str_appendf(trigger->text, " ON \"%w\" BEGIN", trigger->table->name);
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " VALUES(-1");
    ls_candidate_images(trigger, "old.");
    sqlite3_str_appendf(trigger->text, "), (1");
    ls_candidate_images(trigger, "new.");
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
        ls_candidate_lookup(trigger, NULL, false);
    for (int i = 0; i < table->n_uniques; i++)
        ls_candidate_lookup(trigger, &table->uniques[i], false);
    ls_candidate_all_rows(trigger, true);
    if (care == LS_WARY || table->has_false_images)
        append_absence(trigger);
}

/* " OF a, b": the columns that unique indexes rest on, and for generated ones those that they
** are made from; nothing where an index rests on the rowid, which has names that OF does not
** know. */
static void append_unique_of(struct trigger *trigger)
{
    const struct ls_table *table = trigger->table;
    bool is_first = true;

    for (int i = 0; i < table->n_uniques; i++)
        if (table->uniques[i].rests_on_rowid)
            return;
    for (int i = 0; i < table->n_columns; i++) {
        bool is_needed = false;

        for (int k = 0; k < table->n_uniques; k++)
            is_needed = is_needed || table->uniques[k].rests_on[i];
        if (!is_needed || table->columns[i].is_generated)
            continue;
        sqlite3_str_appendf(
            trigger->text, "%s\"%w\"", is_first ? " OF " : ", ", table->columns[i].name);
        is_first = false;
    }
}

/* An update can displace rows by a unique index. */
static void write_before_update(struct trigger *trigger, enum ls_care care)
{
    const struct ls_table *table = trigger->table;

    if (table->n_uniques == 0 && care == LS_CHEAP)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE UPDATE");
    if (care == LS_CHEAP)
        append_unique_of(trigger);
    sqlite3_str_appendf(trigger->text, " ON \"%w\" BEGIN", table->name);
    if (care != LS_CHEAP)
        append_old_image(trigger);
    for (int i = 0; i < table->n_uniques; i++)
        ls_candidate_lookup(trigger, &table->uniques[i], true);
    ls_candidate_all_rows(trigger, false);
    if (care != LS_CHEAP)
        append_absence(trigger);
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
    ls_candidate_lookup(trigger, NULL, true);
    if (is_keyed_by_rowid(table))
        append_absence(trigger);
}

static void write_before_delete(struct trigger *trigger, enum ls_care care)
{
    if (care == LS_CHEAP)
        return;
    sqlite3_str_appendf(trigger->text, "BEFORE DELETE ON \"%w\" BEGIN", trigger->table->name);
    append_old_image(trigger);
}

/* Where the sink is written at every change, a move of the rowid alone must reach it too. */
static void write_move(struct trigger *trigger, enum ls_care care)
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
        write_move,
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
