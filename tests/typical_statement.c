/* Random statements over the tables of the typical views. Values come from small pools by the
** column's name, so that rows meet, groups die and return, and thresholds are crossed. */
#include "tests/typical_statement.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"1", "2", "3", "4", "5", "6", "7", NULL};
static const char *const references[] = {"1", "2", "3", "4", "5", "6", "9", "NULL", NULL};
static const char *const flags[] = {"0", "1", "0", "1", "NULL", "2", NULL};
static const char *const rarely[] = {"NULL", "NULL", "NULL", "7", NULL};
static const char *const dates[] = {"'2024-01-01'", "'2024-01-01T10:00'", "'2024-01-02'",
    "'2024-02-29'", "'2023-12-31 23:59'", "''", "NULL", NULL};
static const char *const moments[] = {"0", "10", "86399", "86400", "90000", "-1", "NULL", NULL};
static const char *const states[] = {
    "'todo'", "'doing'", "'done'", "'archived'", "'approved'", "'approved'", "NULL", NULL};
static const char *const kinds[] = {"'in'", "'out'", "'adjust'", "'lost'", "NULL", NULL};
static const char *const lists[] = {"'[\"x\",\"y\"]'", "'[\"x\"]'", "'[]'", "'[\"x\",\"x\",1]'",
    "'[null,\"z\"]'", "'{\"k\":\"y\"}'", "NULL", NULL};
static const char *const reals[] = {
    "0.5", "1.25", "2", "-3.75", "10", "0.1", "0.2", "-0.3", "1e16", "NULL", NULL};
static const char *const names[] = {
    "'a'", "'b'", "'c'", "'A'", "'B'", "'a b'", "''", "NULL", NULL};
static const char *const plans[] = {"'pro'", "'pro'", "'free'", NULL};
static const char *const skus[] = {"'s1'", "'s2'", "'s3'", "'s4'", "'s5'", "'s6'", NULL};
static const char *const numbers[] = {
    "0", "1", "2", "3", "5", "-2", "4", "100", "9007199254740993", "NULL", NULL};

static const struct pool {
    const char *column; /* or the end of its name, after an underscore */
    const char *const *values;
} pools[] = {{"id", references}, {"on_date", dates}, {"at", dates}, {"aired", dates},
    {"added", dates}, {"d", dates}, {"ts", moments}, {"status", states}, {"kind", kinds},
    {"tags", lists}, {"plan", plans}, {"amount", reals}, {"ms", reals}, {"cost", reals},
    {"close", reals}, {"value", reals}, {"is_member", flags}, {"is_public", flags},
    {"bot", flags}, {"ok", flags}, {"active", flags}, {"pinned", flags}, {"blocked", flags},
    {"done", flags}, {"is_read", flags}, {"is_fav", flags}, {"deleted_at", rarely},
    {"sku", skus}, {"name", names}, {"title", names}, {"customer", names}, {"path", names},
    {"visitor", names}, {"tool", names}, {"unit", names}, {"ticker", names},
    {"merchant", names}, {"warehouse", names}, {"slot", names}, {NULL, numbers}};

struct writer {
    const struct typical_table *table;
    struct diff_random *random;
    struct diff_text *out;
};

static void read_columns(struct typical_table *table, sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(db, "SELECT name, pk FROM pragma_table_info(?)", -1, &statement, NULL);
    sqlite3_bind_text(statement, 1, table->name, -1, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW && table->n_columns < TYPICAL_COLUMNS) {
        snprintf(table->columns[table->n_columns++], sizeof table->columns[0], "%s",
            (const char *)sqlite3_column_text(statement, 0));
        table->n_keys += sqlite3_column_int(statement, 1) > 0;
    }
    sqlite3_finalize(statement);
}

void typical_schema_read(struct typical_schema *schema, sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;

    *schema = (struct typical_schema){0};
    sqlite3_prepare_v2(
        db, "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &statement, NULL);
    while (sqlite3_step(statement) == SQLITE_ROW && schema->n_tables < TYPICAL_TABLES) {
        struct typical_table *table = &schema->tables[schema->n_tables++];
        snprintf(table->name, sizeof table->name, "%s",
            (const char *)sqlite3_column_text(statement, 0));
        read_columns(table, db);
    }
    sqlite3_finalize(statement);
}

static bool percent(struct writer *w, unsigned chance)
{
    return diff_random_percent(w->random, chance);
}

static const char *const *pool_of(const char *column)
{
    size_t i = 0, n = strlen(column);
    for (; pools[i].column != NULL; i++) {
        size_t len = strlen(pools[i].column);
        if (strcmp(column, pools[i].column) == 0 ||
            (n > len && column[n - len - 1] == '_' &&
                strcmp(column + n - len, pools[i].column) == 0))
            break;
    }
    return pools[i].values;
}

static const char *literal(struct writer *w, unsigned column)
{
    bool is_rowid = column == 0 && w->table->n_keys == 1;
    if (is_rowid)
        return percent(w, 15) ? "NULL" : diff_random_word(w->random, keys);
    return diff_random_word(w->random, pool_of(w->table->columns[column]));
}

static unsigned some_column(struct writer *w)
{
    return diff_random_below(w->random, w->table->n_columns);
}

static unsigned some_value(struct writer *w)
{
    unsigned rest = w->table->n_columns - w->table->n_keys;
    return rest == 0 ? some_column(w) : w->table->n_keys + diff_random_below(w->random, rest);
}

static void write_rows(struct writer *w)
{
    for (unsigned n = 1 + diff_random_below(w->random, 3), i = 0; i < n; i++) {
        diff_text_add(w->out, i > 0 ? ", (" : " VALUES (");
        for (unsigned k = 0; k < w->table->n_columns; k++)
            diff_text_add(w->out, "%s%s", k > 0 ? ", " : "", literal(w, k));
        diff_text_add(w->out, ")");
    }
}

static void write_where(struct writer *w)
{
    unsigned column = percent(w, 60) ? 0 : some_column(w);
    const char *value = literal(w, column);
    diff_text_add(w->out, " WHERE %s %s %s", w->table->columns[column],
        strcmp(value, "NULL") == 0 ? "IS"
        : percent(w, 85)           ? "="
                                   : ">=",
        value);
}

static void insert(struct writer *w)
{
    static const char *const clauses[] = {"", "", "", " OR REPLACE", " OR IGNORE", NULL};
    diff_text_add(
        w->out, "INSERT%s INTO %s", diff_random_word(w->random, clauses), w->table->name);
    write_rows(w);
}

static void upsert(struct writer *w)
{
    unsigned column = some_value(w);
    diff_text_add(w->out, "INSERT INTO %s", w->table->name);
    write_rows(w);
    diff_text_add(w->out, " ON CONFLICT DO UPDATE SET %s = excluded.%s",
        w->table->columns[column], w->table->columns[column]);
}

static void update(struct writer *w)
{
    unsigned column = some_value(w);
    diff_text_add(w->out, "UPDATE %s%s SET %s = %s", percent(w, 15) ? "OR REPLACE " : "",
        w->table->name, w->table->columns[column], literal(w, column));
    if (percent(w, 40)) {
        column = some_value(w);
        diff_text_add(w->out, ", %s = %s", w->table->columns[column], literal(w, column));
    }
    if (percent(w, 92))
        write_where(w);
}

static void move_key(struct writer *w)
{
    const char *key = w->table->columns[0];
    if (w->table->n_keys != 1 || percent(w, 50))
        diff_text_add(w->out, "UPDATE OR REPLACE %s SET %s = %s", w->table->name, key,
            diff_random_word(w->random, keys));
    else
        diff_text_add(w->out, "UPDATE OR REPLACE %s SET %s = 8 - %s", w->table->name, key, key);
    if (percent(w, 80))
        write_where(w);
}

static void update_from(struct writer *w)
{
    unsigned column = some_value(w);
    diff_text_add(w->out, "UPDATE %s SET %s = o.%s FROM %s AS o WHERE o.%s = %s.%s + 1",
        w->table->name, w->table->columns[column], w->table->columns[column], w->table->name,
        w->table->columns[0], w->table->name, w->table->columns[0]);
}

static void insert_select(struct writer *w)
{
    diff_text_add(w->out, "INSERT OR IGNORE INTO %s SELECT ", w->table->name);
    for (unsigned i = 0; i < w->table->n_columns; i++) {
        const char *column = w->table->columns[i];
        diff_text_add(w->out, i == 0 ? "%s%s + 3" : "%s%s", i > 0 ? ", " : "", column);
    }
    diff_text_add(w->out, " FROM %s LIMIT 2", w->table->name);
}

static void erase(struct writer *w)
{
    diff_text_add(w->out, "DELETE FROM %s", w->table->name);
    if (percent(w, 94))
        write_where(w);
}

void typical_fill(
    const struct typical_table *table, struct diff_random *random, struct diff_text *out)
{
    struct writer w = {table, random, out};
    diff_text_add(out, "INSERT OR IGNORE INTO %s", table->name);
    write_rows(&w);
}

void typical_statement(
    const struct typical_table *table, struct diff_random *random, struct diff_text *out)
{
    static void (*const forms[])(struct writer *) = {
        insert, upsert, update, move_key, update_from, insert_select, erase};
    static const unsigned weights[] = {36, 6, 26, 5, 3, 3, 21};
    struct writer w = {table, random, out};
    forms[diff_random_weighted(random, weights, 7)](&w);
}
