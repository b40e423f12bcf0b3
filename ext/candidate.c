/* Which rows are in the new row's way. A BEFORE trigger's NEW is not quite the row to come:
**
** - NOT NULL ON CONFLICT REPLACE has not put defaults in, nor has an INSERT its rowid (-1 stands
**   for it), and generated columns and expressions were computed without them. A default that is a
**   literal is looked for; for others every row is a candidate. That is rare, and for other
**   statements a condition is false before the scan begins.
** - In an UPDATE, SQLite fetches those unchanged columns only that some trigger names, and
**   computes generated columns from NULL for others: all that an index rests on are named.
** - NEW.a compares without a's affinity: expressions are evaluated over a compound SELECT, whose
**   columns have the affinities of its first part. Newer SQLites give a column TEXT affinity only
**   where all parts have it: hence a CAST, and every row where a blob would suffer from
** that. */
#include "ext/candidate.h"

#include "sql/lex.h"

void ls_candidate_begin(struct trigger *trigger)
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

void ls_candidate_images(struct trigger *trigger, const char *prefix)
{
    const struct ls_table *table = trigger->table;

    for (int i = 0; i < table->n_columns; i++)
        if (trigger->logged->columns[i])
            sqlite3_str_appendf(trigger->text, ", %s\"%w\"", prefix, table->columns[i].name);
    if (trigger->logged->has_rowid)
        sqlite3_str_appendf(trigger->text, ", %s%s", prefix, table->rowid_name);
}

static bool may_take_default(const struct ls_column *column)
{
    return column->is_not_null && column->default_text != NULL;
}

/* The value that a column will have once its default has been put in; without affinity. */
static void append_new(struct trigger *trigger, int i)
{
    const struct ls_column *column = &trigger->table->columns[i];

    if (may_take_default(column))
        sqlite3_str_appendf(trigger->text,
            "CASE WHEN new.\"%w\" IS NULL THEN %s ELSE new.\"%w\" END", column->name,
            column->default_text, column->name);
    else
        sqlite3_str_appendf(trigger->text, "new.\"%w\"", column->name);
}

void ls_candidate_new_images(struct trigger *trigger)
{
    for (int i = 0; i < trigger->table->n_columns; i++)
        if (trigger->logged->columns[i]) {
            sqlite3_str_appendf(trigger->text, ", ");
            append_new(trigger, i);
        }
    if (trigger->logged->has_rowid)
        sqlite3_str_appendf(trigger->text, ", new.%s", trigger->table->rowid_name);
}

static bool is_text(const struct ls_column *column)
{
    return ls_affinity_of(column->type) == LS_TEXT;
}

/* An indexed expression over the new row: over a row of the columns that it may name. */
static void append_new_expression(
    struct trigger *trigger, const struct ls_unique *unique, const char *expression)
{
    const struct ls_table *table = trigger->table;

    sqlite3_str_appendf(trigger->text, "(SELECT %s FROM (SELECT 0", expression);
    for (int i = 0; i < table->n_columns; i++)
        if (unique->rests_on[i])
            sqlite3_str_appendf(trigger->text, ", \"%w\" AS \"%w\"", table->columns[i].name,
                table->columns[i].name);
    sqlite3_str_appendf(trigger->text, " FROM \"%w\" WHERE 0 UNION ALL SELECT 0", table->name);
    for (int i = 0; i < table->n_columns; i++)
        if (unique->rests_on[i])
            sqlite3_str_appendf(trigger->text,
                is_text(&table->columns[i]) ? ", CAST(new.\"%w\" AS TEXT)" : ", new.\"%w\"",
                table->columns[i].name);
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
            append_new_expression(trigger, unique, term->expression);
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

/* Names all that a generated column of the index may be made from: a SELECT of nothing's
** use. */
static void append_names(struct trigger *trigger, const struct ls_unique *unique)
{
    const struct ls_table *table = trigger->table;
    const char *separator = " SELECT ";
    bool is_generated = false;

    for (int i = 0; i < table->n_columns; i++)
        is_generated = is_generated || (unique->rests_on[i] && table->columns[i].is_generated);
    for (int i = 0; is_generated && i < table->n_columns; i++)
        if (unique->rests_on[i] && !table->columns[i].is_generated) {
            sqlite3_str_appendf(
                trigger->text, "%snew.\"%w\"", separator, table->columns[i].name);
            separator = ", ";
        }
    if (separator[0] == ',')
        sqlite3_str_appendf(trigger->text, ";");
}

void ls_candidate_lookup(
    struct trigger *trigger, const struct ls_unique *unique, bool is_update)
{
    const struct ls_table *table = trigger->table;

    if (is_update && unique != NULL)
        append_names(trigger, unique);
    ls_candidate_begin(trigger);
    sqlite3_str_appendf(trigger->text, " SELECT 0");
    ls_candidate_images(trigger, "");
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

static bool has_expression(const struct ls_unique *unique)
{
    for (int i = 0; i < unique->n_terms; i++)
        if (unique->terms[i].column < 0)
            return true;
    return false;
}

/* Does a text call a function, which may give another value each time? */
static bool calls(const char *text)
{
    struct zsql_token token = zsql_lex(text, 0);

    while (token.kind != TK_END_OF_TEXT && token.kind != TK_LP)
        token = zsql_lex(text, token.end);
    return token.kind == TK_LP;
}

/* The conditions under which a column makes unsure what is displaced. */
struct doubt {
    bool of_default, of_rowid;
    bool
        of_blob; /* a blob is greater than any text: a function would cost a statement journal */
};

static struct doubt doubt_of(const struct ls_table *table, int i)
{
    const struct ls_column *column = &table->columns[i];
    struct doubt doubt = {false, false, false};

    for (int k = 0; k < table->n_uniques; k++) {
        const struct ls_unique *unique = &table->uniques[k];

        if (!unique->rests_on[i])
            continue;
        if (may_take_default(column) && (unique->is_computed || calls(column->default_text)))
            doubt.of_default = true;
        if (unique->is_computed && i == table->rowid_column)
            doubt.of_rowid = true;
        if (has_expression(unique) && is_text(column))
            doubt.of_blob = true;
    }
    return doubt;
}

void ls_candidate_all_rows(struct trigger *trigger, bool is_insert)
{
    static const char *const conditions[] = {
        "%snew.\"%w\" IS NULL", "%snew.\"%w\" = -1", "%snew.\"%w\" >= x''"};
    const struct ls_table *table = trigger->table;
    bool is_first = true;

    for (int i = 0; i < table->n_columns; i++) {
        struct doubt doubt = doubt_of(table, i);
        bool holds[] = {doubt.of_default, doubt.of_rowid && is_insert, doubt.of_blob};

        for (int k = 0; k < 3; k++) {
            if (!holds[k])
                continue;
            if (is_first) {
                ls_candidate_begin(trigger);
                sqlite3_str_appendf(trigger->text, " SELECT 0");
                ls_candidate_images(trigger, "");
                sqlite3_str_appendf(trigger->text, " FROM \"%w\" WHERE ", table->name);
            }
            sqlite3_str_appendf(
                trigger->text, conditions[k], is_first ? "" : " OR ", table->columns[i].name);
            is_first = false;
        }
    }
    if (!is_first)
        sqlite3_str_appendf(trigger->text, ";");
}
