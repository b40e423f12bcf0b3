/* Bare columns are SQLite's own; aggregates that are computed anew are not run here.
**
** Operator number i writes the table o<i>; its column `rows` keeps it from having none. */
#include "tests/plan_run.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs the text and frees it. */
static bool run(sqlite3 *db, char *sql)
{
    char *message = NULL;
    bool is_done = sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK;

    if (!is_done)
        fprintf(stderr, "%s: %s\n", sql, message);
    sqlite3_free(message);
    free(sql);
    return is_done;
}

static bool create(sqlite3 *db, const struct zsql_operator *operator, size_t number)
{
    char *sql = NULL;
    size_t len;
    FILE *out = open_memstream(&sql, &len);

    fprintf(out, "DROP TABLE IF EXISTS temp.o%zu; CREATE TEMP TABLE o%zu(rows", number, number);
    for (size_t i = 0; i < operator->n_columns; i++)
        fprintf(out, ", c%zu %s COLLATE \"%s\"",
            i, operator->columns[i].type, operator->columns[i].collation_name);
    fprintf(out, ")");
    fclose(out);
    return run(db, sql);
}

static void write_source(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, "SELECT 1");
    for (size_t i = 0; i < operator->n_columns; i++) {
        if (operator->source_columns[i]<0)
            fprintf(out, ", _rowid_");
        else
            fprintf(out, ", \"%s\"", operator->columns[i].name);
    }
    fprintf(out, " FROM \"%s\"", operator->table);
}

static void write_map(FILE *out, const struct zsql_operator *operator, size_t input)
{
    fprintf(out, "SELECT 1");
    for (size_t i = 0; i < operator->n_columns; i++)
        fprintf(out, ", %s AS x%zu", operator->expressions[i], i);
    fprintf(out, " FROM temp.o%zu", input);
    if (operator->condition != NULL)
        fprintf(out, " WHERE %s", operator->condition);
}

static const char *collation_name(enum zs_collation collation)
{
    return collation == ZS_NOCASE ? "NOCASE" : collation == ZS_RTRIM ? "RTRIM" : "BINARY";
}

static void write_fold(
    FILE *out, const struct zsql_operator *operator, const struct zs_fold_spec * spec)
{
    static const char *const names[] = {
        "", "count", "sum", "total", "avg", "min", "max", "unanimous"};

    if (spec->kind == ZS_COUNT_ROWS)
        fprintf(out, ", count(*)");
    else
        fprintf(out, ", %s(%sc%zu COLLATE %s)", names[spec->kind],
            spec->is_distinct ? "DISTINCT " : "",
            operator->n_keys + operator->n_bare + spec->argument,
            collation_name(spec->collation));
}

static void write_groups(FILE *out, const struct zsql_operator *operator, size_t input)
{
    fprintf(out, "SELECT count(*)");
    for (size_t i = 0; i < operator->n_keys + operator->n_bare; i++)
        fprintf(out, ", c%zu", i);
    for (size_t i = 0; i < operator->n_specs; i++)
        write_fold(out, operator, & operator->specs[i]);
    fprintf(out, " FROM temp.o%zu", input);
    for (size_t i = 0; i < operator->n_keys; i++)
        fprintf(out, "%s c%zu COLLATE %s", i == 0 ? " GROUP BY" : ",", i,
            collation_name(operator->columns[i].collation));
}

static void write_top(FILE *out, const struct zsql_operator *operator, size_t input)
{
    fprintf(out, "SELECT 1");
    for (size_t i = 0; i < operator->n_columns; i++)
        fprintf(out, ", c%zu", i);
    fprintf(out, " FROM temp.o%zu", input);
    for (size_t i = 0; i < operator->n_order; i++) {
        const struct zsql_order *order = &operator->order[i];
        fprintf(out, "%s c%zu COLLATE %s %s NULLS %s", i == 0 ? " ORDER BY" : ",",
            order->column, order->collation_name, order->is_descending ? "DESC" : "ASC",
            order->has_nulls_last ? "LAST" : "FIRST");
    }
    fprintf(out, " LIMIT %lld OFFSET %lld", (long long)operator->limit,
        (long long)operator->offset);
}

static bool fill(sqlite3 *db, const struct zsql_operator *operator, size_t number)
{
    char *sql = NULL;
    size_t len;
    FILE *out = open_memstream(&sql, &len);

    fprintf(out, "INSERT INTO temp.o%zu ", number);
    if (operator->kind == ZSQL_SOURCE)
        write_source(out, operator);
    else if (operator->kind == ZSQL_MAP)
        write_map(out, operator, number - 1);
    else if (operator->kind == ZSQL_TOP)
        write_top(out, operator, number - 1);
    else
        write_groups(out, operator, number - 1);
    fclose(out);
    return run(db, sql);
}

char *plan_run(sqlite3 *db, const struct zsql_plan *plan)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    char *sql = NULL;
    size_t len;
    FILE *out;

    for (size_t i = 0; i < plan->n_operators; i++) {
        if (!create(db, plan->operators[i], i) || !fill(db, plan->operators[i], i))
            return NULL;
    }
    out = open_memstream(&sql, &len);
    for (size_t i = 0; i < root->n_columns - plan->n_hidden; i++)
        fprintf(out, i == 0 ? "SELECT c%zu" : ", c%zu", i);
    fprintf(out, " FROM temp.o%zu", plan->n_operators - 1);
    fclose(out);
    return sql;
}
