/* Random statements of every kind over the tables of the typical views. */
#ifndef TYPICAL_STATEMENT_H
#define TYPICAL_STATEMENT_H

#include <sqlite3.h>

#include "tests/diff_random.h"
#include "tests/diff_text.h"

enum { TYPICAL_TABLES = 40, TYPICAL_COLUMNS = 10 };

struct typical_table {
    char name[32];
    char columns[TYPICAL_COLUMNS][32];
    unsigned n_columns;
    unsigned n_keys; /* the first columns; of one the key is an INTEGER PRIMARY KEY */
};

struct typical_schema {
    struct typical_table tables[TYPICAL_TABLES];
    unsigned n_tables;
};

/* Reads the tables of a database that has only these. */
void typical_schema_read(struct typical_schema *schema, sqlite3 *db);

/* Appends INSERT of some rows. */
void typical_fill(
    const struct typical_table *table, struct diff_random *random, struct diff_text *out);

/* Appends a statement that writes the table; it may fail. */
void typical_statement(
    const struct typical_table *table, struct diff_random *random, struct diff_text *out);

#endif
