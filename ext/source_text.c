/* The SQL of a source: one SELECT list and condition, the plan's, over FROM items that have the
** columns c0, c1, ... */
#include "ext/source_private.h"

/* The name of the i-th key column in the base table, or in the log. */
static const char *key_name(const struct ls_source *source, int i, bool is_log)
{
    const struct ls_table *table = source->table;

    if (table->key >= 0)
        return table->columns[table->uniques[table->key].terms[i].column].name;
    if (is_log && table->rowid_column < 0)
        return "lockstep_rowid";
    return table->rowid_name;
}

const char *ls_source_key_collation(const struct ls_source *source, int i)
{
    const struct ls_table *table = source->table;
    return table->key >= 0 ? table->uniques[table->key].terms[i].collation : "BINARY";
}

/* The weight of a row of the log, or 0 or NULL if it is a candidate. A rowid of -1 is taken for
** one: it may have been given by hand, which before_insert does not see. */
static void append_log_weight(const struct ls_source *source, sqlite3_str *text)
{
    if (source->table->key < 0)
        sqlite3_str_appendf(text, "CASE WHEN \"%w\" = -1 THEN 0 ELSE lockstep_weight END",
            key_name(source, 0, true));
    else
        sqlite3_str_appendf(text, "lockstep_weight");
}

static bool is_run(int which)
{
    return which == LS_RUN || which == LS_GIVEN;
}

/* " FROM (SELECT <weight> AS lockstep_w, "region" AS c0, ..." */
static void append_columns(const struct ls_source *source, sqlite3_str *text, int which)
{
    const struct ls_table *table = source->table;
    bool is_log = is_run(which) || which == LS_ONE;

    sqlite3_str_appendf(text, " FROM (SELECT ");
    if (is_run(which))
        append_log_weight(source, text);
    else
        sqlite3_str_appendf(text, "?%d", LS_WEIGHT_PARAMETER);
    sqlite3_str_appendf(text, " AS lockstep_w");
    if (which == LS_RUN)
        sqlite3_str_appendf(text, ", lockstep_seq AS lockstep_s");
    for (size_t i = 0; i < source->input->n_columns; i++) {
        int column = source->input->source_columns[i];
        const char *name = column >= 0                ? table->columns[column].name
                           : table->rowid_column >= 0 ? table->rowid_name
                           : is_log                   ? "lockstep_rowid"
                                                      : table->rowid_name;
        sqlite3_str_appendf(text, ", \"%w\" AS c%d", name, (int)i);
    }
}

static void append_key_match(const struct ls_source *source, sqlite3_str *text)
{
    for (int i = 0; i < source->n_key; i++)
        sqlite3_str_appendf(text, "%s\"%w\" = ?%d COLLATE \"%w\"", i == 0 ? " WHERE " : " AND ",
            key_name(source, i, false), i + 1, ls_source_key_collation(source, i));
}

static void append_from(const struct ls_source *source, sqlite3_str *text, int which)
{
    const struct ls_table *table = source->table;

    append_columns(source, text, which);
    if (is_run(which) || which == LS_ONE)
        sqlite3_str_appendf(text, " FROM \"%w\".lockstep_log_%d", table->schema, table->log);
    else
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", table->schema, table->name);
    if (is_run(which))
        sqlite3_str_appendf(text, " WHERE lockstep_seq BETWEEN ?1 AND ?2");
    else if (which == LS_ONE)
        sqlite3_str_appendf(text, " WHERE lockstep_seq = ?1");
    else if (which == LS_BY_KEY)
        append_key_match(source, text);
    /* One row at most, as there is anyway. Without the limit SQLite puts the key's value for
    ** its column into the expressions, and computes them although there may be no such row. */
    if (which == LS_ONE || which == LS_BY_KEY)
        sqlite3_str_appendf(text, " LIMIT 1");
    sqlite3_str_appendf(text, ")");
}

/* How many rows of a run a trigger can have written. */
static void append_count(const struct ls_source *source, sqlite3_str *text)
{
    sqlite3_str_appendf(text,
        "SELECT count(*) FROM \"%w\".lockstep_log_%d WHERE lockstep_seq BETWEEN ?1 AND ?2"
        " AND ifnull(lockstep_weight, 0) BETWEEN -1 AND 1",
        source->table->schema, source->table->log);
}

/* Of the rows of a run those that WHERE lets through are taken. */
static void append_run(const struct ls_source *source, sqlite3_str *text)
{
    const char *condition = source->map->condition;

    sqlite3_str_appendf(
        text, "SELECT lockstep_take(?%d, lockstep_s, lockstep_w", LS_SOURCE_PARAMETER);
    for (size_t i = 0; i < source->map->n_columns; i++)
        sqlite3_str_appendf(text, ", %s", source->map->expressions[i]);
    sqlite3_str_appendf(text, ")");
    if (condition != NULL)
        sqlite3_str_appendf(text,
            " FILTER (WHERE lockstep_w IS NOT TRUE OR (%s)),"
            " lockstep_pass(?%d, lockstep_s, lockstep_w)",
            condition, LS_SOURCE_PARAMETER);
    append_from(source, text, LS_RUN);
}

static void append_map(const struct ls_source *source, sqlite3_str *text, int which)
{
    bool is_all = which == LS_ALL || which == LS_SORTED;

    sqlite3_str_appendf(text, is_all ? "SELECT" : "SELECT lockstep_w");
    for (size_t i = 0; i < source->map->n_columns; i++)
        sqlite3_str_appendf(
            text, is_all && i == 0 ? " %s" : ", %s", source->map->expressions[i]);
    if (is_all && source->map->n_columns == 0)
        sqlite3_str_appendf(text, " NULL");
    append_from(source, text, which);
    if (source->map->condition != NULL)
        sqlite3_str_appendf(text, " WHERE %s OR (%s)",
            is_run(which) ? "lockstep_w IS NOT TRUE" : "0", source->map->condition);
    if (which == LS_SORTED)
        ls_runs_append_order(text, source->encoder, 1);
}

/* "a, b" of the key, with something around each. */
static void append_keys(
    const struct ls_source *source, sqlite3_str *text, const char *format, bool is_log)
{
    for (int i = 0; i < source->n_key; i++)
        sqlite3_str_appendf(text, format, key_name(source, i, is_log));
}

/* ", a, b": the columns that a BEFORE trigger must have foreseen. */
static void append_foreseen(const struct ls_source *source, sqlite3_str *text)
{
    for (int i = 0; i < source->table->n_columns; i++)
        if (ls_capture_must_foresee(source->table, i))
            sqlite3_str_appendf(text, ", \"%w\"", source->table->columns[i].name);
}

void ls_source_append_text(const struct ls_source *source, sqlite3_str *text, int which)
{
    const struct ls_table *table = source->table;

    switch (which) {
    case LS_RUN:
        append_run(source, text);
        break;
    case LS_LAST:
        sqlite3_str_appendf(text, "SELECT max(lockstep_seq) FROM \"%w\".lockstep_log_%d",
            table->schema, table->log);
        break;
    case LS_COUNT:
        append_count(source, text);
        break;
    case LS_SIZE:
        sqlite3_str_appendf(text,
            "SELECT (SELECT max(\"%w\") FROM \"%w\".\"%w\") - (SELECT min(\"%w\") FROM"
            " \"%w\".\"%w\") + 1",
            table->rowid_name, table->schema, table->name, table->rowid_name, table->schema,
            table->name);
        break;
    case LS_KEYS:
        sqlite3_str_appendf(text, "SELECT lockstep_seq, lockstep_weight");
        append_keys(source, text, ", \"%w\"", true);
        append_foreseen(source, text);
        sqlite3_str_appendf(text,
            " FROM \"%w\".lockstep_log_%d WHERE lockstep_seq BETWEEN ?1 AND ?2"
            " ORDER BY lockstep_seq",
            table->schema, table->log);
        break;
    case LS_LIST:
        sqlite3_str_appendf(text, "SELECT 0, 0");
        append_keys(source, text, ", \"%w\"", false);
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", table->schema, table->name);
        break;
    case LS_KEY_OF:
        sqlite3_str_appendf(text, "SELECT 0, 0");
        append_keys(source, text, ", \"%w\"", false);
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\" WHERE \"%w\" = ?1", table->schema,
            table->name, table->rowid_name);
        break;
    case LS_OWN_KEY:
        for (int i = 0; i < source->n_key; i++)
            sqlite3_str_appendf(
                text, "%s \"%w\"", i == 0 ? "SELECT" : ",", key_name(source, i, false));
        append_foreseen(source, text);
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", table->schema, table->name);
        append_key_match(source, text);
        break;
    case LS_NAME_OF_ONE: /* "row id=5" */
        sqlite3_str_appendf(text, "SELECT 'row '");
        for (int i = 0; i < source->n_key; i++)
            sqlite3_str_appendf(text, "||%Q||%Q||'='||quote(?%d)", i == 0 ? "" : ", ",
                key_name(source, i, false), i + 1);
        break;
    default:
        append_map(source, text, which);
    }
}
