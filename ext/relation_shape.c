/* The declarations of relations, and what their columns are.
**
** A relation is declared WITHOUT ROWID, so that SQLite tells rows by a primary key apart where
** it unites the scans of an OR, or notes which rows of a RIGHT JOIN have matched. Of a table's
** change it is the table's own key with lockstep_sign: a batch may have one key twice, with
** both signs. Of what an operator made it is the row to the letter, the number of its copy, and
** the sign. */
#include "ext/relation_private.h"

#include "ext/statement.h"

/* The rowid's names that no column has. */
static const char *rowid_name(const struct ls_table *table, int i)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};

    return table->has_rowid && ls_table_column(table, names[i]) < 0 ? names[i] : NULL;
}

static void append_column(
    const struct ls_change *change, int position, sqlite3_str *text, int *slots, int *n)
{
    const struct ls_table *table = ls_change_table(change);
    int number = ls_change_column(change, position);
    const struct ls_column *column = number < 0 ? NULL : &table->columns[number];

    if (column != NULL) {
        sqlite3_str_appendf(
            text, "\"%w\" %s COLLATE \"%w\", ", column->name, column->type, column->collation);
        slots[(*n)++] = position;
    }
    for (int i = 0; number == table->rowid_column && i < 3; i++)
        if (rowid_name(table, i) != NULL) {
            sqlite3_str_appendf(text, "%s INTEGER HIDDEN, ", rowid_name(table, i));
            slots[(*n)++] = position;
        }
}

/* Where the key is the rowid, and it is no column, any name of it will do. */
static void append_key(const struct ls_change *change, sqlite3_str *text)
{
    const struct ls_table *table = ls_change_table(change);

    for (int i = 0; i < ls_change_n_keys(change); i++) {
        int number = ls_change_column(change, ls_change_keys(change)[i]);

        sqlite3_str_appendf(text, "\"%w\" COLLATE BINARY, ",
            number < 0 ? table->rowid_name : table->columns[number].name);
    }
}

/* The declaration, and what its columns are. */
static char *declare_change(const struct ls_change *change, int *slots, int *n)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    *n = 0;
    sqlite3_str_appendf(text, "CREATE TABLE x(");
    for (int i = 0; i < ls_change_n_columns(change); i++)
        append_column(change, i, text, slots, n);
    sqlite3_str_appendf(text, "lockstep_weight INTEGER HIDDEN, lockstep_sign INTEGER HIDDEN,"
                              " PRIMARY KEY(");
    slots[(*n)++] = LS_WEIGHT_SLOT;
    slots[(*n)++] = LS_SIGN_SLOT;
    append_key(change, text);
    sqlite3_str_appendf(text, "lockstep_sign)) WITHOUT ROWID");
    return sqlite3_str_finish(text);
}

/* Which columns some index of the table begins with. */
static int find_indexes(sqlite3 *db, const struct ls_change *change, bool *has_index)
{
    const struct ls_table *table = ls_change_table(change);
    sqlite3_stmt *statement;
    int rc = ls_prepare(db, &statement,
        "SELECT x.cid FROM pragma_index_list(%Q, %Q) AS l, pragma_index_xinfo(l.name, %Q) AS x"
        " WHERE x.seqno = 0 AND NOT l.partial",
        table->name, table->schema, table->schema);

    for (int i = 0; i < ls_change_n_columns(change); i++)
        has_index[i] = table->has_rowid && ls_change_column(change, i) == table->rowid_column;
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < ls_change_n_columns(change); i++)
            if (ls_change_column(change, i) == sqlite3_column_int(statement, 0))
                has_index[i] = true;
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

void ls_shape_clear(struct ls_shape *shape)
{
    sqlite3_free(shape->declaration);
    sqlite3_free(shape->slots);
    sqlite3_free(shape->has_index);
    *shape = (struct ls_shape){NULL, NULL, 0, NULL};
}

int ls_shape_of_change(sqlite3 *db, const struct ls_change *change, struct ls_shape *shape)
{
    size_t n = (size_t)ls_change_n_columns(change);
    int rc = SQLITE_NOMEM;

    *shape = (struct ls_shape){.slots = zs_alloc_get(&ls_alloc, (n + 5) * sizeof(int)),
        .has_index = zs_alloc_get(&ls_alloc, n * sizeof(bool))};
    if (shape->slots != NULL && shape->has_index != NULL)
        shape->declaration = declare_change(change, shape->slots, &shape->n_slots);
    if (shape->declaration != NULL)
        rc = find_indexes(db, change, shape->has_index);
    if (rc != SQLITE_OK)
        ls_shape_clear(shape);
    return rc;
}

static char *declare_made(const struct zsql_operator *operator, struct ls_shape * shape)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "CREATE TABLE x(");
    for (size_t i = 0; i < operator->n_columns; i++) {
        sqlite3_str_appendf(text, "c%d %s COLLATE \"%w\", ",
            (int)i, operator->columns[i].type, operator->columns[i].collation_name);
        shape->slots[shape->n_slots++] = (int)i;
    }
    sqlite3_str_appendf(text, "lockstep_weight INTEGER HIDDEN, lockstep_sign INTEGER HIDDEN, "
                              "lockstep_row BLOB HIDDEN,"
                              " lockstep_copy INTEGER HIDDEN, PRIMARY KEY(lockstep_row, "
                              "lockstep_copy, lockstep_sign))"
                              " WITHOUT ROWID");
    shape->slots[shape->n_slots++] = LS_WEIGHT_SLOT;
    shape->slots[shape->n_slots++] = LS_SIGN_SLOT;
    shape->slots[shape->n_slots++] = LS_ROW_SLOT;
    shape->slots[shape->n_slots++] = LS_COPY_SLOT;
    return sqlite3_str_finish(text);
}

int ls_shape_of_made(const struct ls_made *made, struct ls_shape *shape)
{
    const struct zsql_operator *operator= ls_made_operator(made);

    *shape = (struct ls_shape){
        .slots = zs_alloc_get(&ls_alloc, (operator->n_columns + 4) * sizeof(int))};
    if (shape->slots != NULL)
        shape->declaration = declare_made(operator, shape);
    if (shape->declaration != NULL)
        return SQLITE_OK;
    ls_shape_clear(shape);
    return SQLITE_NOMEM;
}
