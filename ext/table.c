/* Reading what must be known of a base table, by SQLite's own pragmas. */
#include "ext/table.h"

#include <stdlib.h>
#include <string.h>

#include "ext/declared.h"
#include "ext/index_text.h"
#include "ext/meddling.h"
#include "ext/pool.h"
#include "ext/rests.h"
#include "ext/statement.h"
#include "sql/lex.h"

static bool holds(const char *type, const char *word)
{
    size_t n = strlen(word);

    for (; *type != '\0'; type++)
        if (sqlite3_strnicmp(type, word, (int)n) == 0)
            return true;
    return false;
}

enum ls_affinity ls_affinity_of(const char *type)
{
    if (type == NULL || *type == '\0')
        return LS_NONE;
    if (holds(type, "INT"))
        return LS_INTEGER;
    if (holds(type, "CHAR") || holds(type, "CLOB") || holds(type, "TEXT"))
        return LS_TEXT;
    if (holds(type, "BLOB"))
        return LS_NONE;
    return holds(type, "REAL") || holds(type, "FLOA") || holds(type, "DOUB") ? LS_REAL
                                                                             : LS_NUMERIC;
}

bool ls_affinity_is_numeric(enum ls_affinity affinity)
{
    return affinity >= LS_INTEGER;
}

bool ls_collation_of(const char *name, enum zs_collation *collation)
{
    static const char *const names[] = {
        [ZS_BINARY] = "BINARY", [ZS_NOCASE] = "NOCASE", [ZS_RTRIM] = "RTRIM"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (sqlite3_stricmp(name, names[i]) == 0) {
            *collation = (enum zs_collation)i;
            return true;
        }
    return false;
}

int ls_table_column(const struct ls_table *table, const char *name)
{
    for (int i = 0; i < table->n_columns; i++)
        if (sqlite3_stricmp(table->columns[i].name, name) == 0)
            return i;
    return -1;
}

static const char *text_of(struct ls_table *table, sqlite3_stmt *statement, int i, int *rc)
{
    return ls_pool_copy(&table->pool, (const char *)sqlite3_column_text(statement, i), rc);
}

/* The same of what is never NULL, unless there is no memory, or an authorizer of the user's has it
** read so. */
static const char *name_of(struct ls_table *table, sqlite3_stmt *statement, int i, int *rc)
{
    const char *name = text_of(table, statement, i, rc);

    if (name == NULL && *rc == SQLITE_OK)
        *rc = sqlite3_errcode(sqlite3_db_handle(statement)) == SQLITE_NOMEM ? SQLITE_NOMEM
                                                                            : SQLITE_AUTH;
    return name;
}

/* What follows the parentheses of a CREATE TABLE: WITHOUT ROWID, STRICT. */
static void read_options(struct ls_table *table, const char *create)
{
    struct zsql_token token = {0, 0, 0};
    int depth = 0;

    for (;;) {
        uint32_t len;

        token = zsql_lex(create, token.end);
        len = token.end - token.start;
        if (token.kind == TK_END_OF_TEXT)
            return;
        depth += token.kind == TK_LP ? 1 : token.kind == TK_RP ? -1 : 0;
        if (depth > 0)
            continue;
        if (len == 7 && sqlite3_strnicmp(create + token.start, "WITHOUT", 7) == 0)
            table->has_rowid = false;
        if (len == 6 && sqlite3_strnicmp(create + token.start, "STRICT", 6) == 0)
            table->is_strict = true;
    }
}

/* Kind, WITHOUT ROWID and STRICT, and the CREATE text. *found is false where there is nothing
** of that name. */
static int read_kind(sqlite3 *db, struct ls_table *table, const char **create, bool *found)
{
    sqlite3_stmt *statement;
    int rc = ls_prepare(db, &statement,
        "SELECT name, type, rootpage, sql FROM \"%w\".sqlite_schema"
        " WHERE name = %Q COLLATE NOCASE AND type IN ('table', 'view')",
        table->schema, table->name);

    *found = false;
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(statement, 1);

        *found = true;
        table->name = name_of(table, statement, 0, &rc);
        table->is_view = type != NULL && strcmp(type, "view") == 0;
        table->is_table = !table->is_view && sqlite3_column_int64(statement, 2) != 0;
        table->has_rowid = table->is_table;
        *create = name_of(table, statement, 3, &rc);
        if (table->is_table && *create != NULL)
            read_options(table, *create);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

static const char *type_of(struct ls_table *table, sqlite3_stmt *statement, int i, int *rc)
{
    const char *type = (const char *)sqlite3_column_text(statement, i);

    if (type == NULL || (table->is_strict && sqlite3_stricmp(type, "ANY") == 0))
        return "";
    return ls_pool_take(&table->pool, ls_declared_type(type), rc);
}

static const char *default_of(struct ls_table *table, sqlite3_stmt *statement, int i, int *rc)
{
    const char *text = (const char *)sqlite3_column_text(statement, i);

    return text == NULL ? NULL : ls_pool_take(&table->pool, ls_declared_default(text), rc);
}

static int read_columns(sqlite3 *db, struct ls_table *table)
{
    sqlite3_stmt *statement;
    size_t cap = 0;
    struct ls_column *list = NULL;
    int rc = ls_prepare(
        db, &statement, "PRAGMA \"%w\".table_xinfo(\"%w\")", table->schema, table->name);

    /* cid, name, type, notnull, dflt_value, pk, hidden */
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        struct ls_column column = {.collation = "BINARY"};
        int hidden = sqlite3_column_int(statement, 6);

        column.name = name_of(table, statement, 1, &rc);
        column.type = type_of(table, statement, 2, &rc);
        column.is_not_null = sqlite3_column_int(statement, 3) != 0;
        column.default_text = default_of(table, statement, 4, &rc);
        column.is_generated = hidden == 2 || hidden == 3;
        column.is_hidden = hidden == 1;
        if (rc == SQLITE_OK && zs_alloc_reserve(&ls_alloc, &list, &cap,
                                   (size_t)table->n_columns + 1, sizeof(*list)) != ZS_OK)
            rc = SQLITE_NOMEM;
        if (rc == SQLITE_OK)
            list[table->n_columns++] = column;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    if (rc == SQLITE_OK && table->n_columns > 0) {
        table->columns = ls_pool_get(&table->pool, (size_t)table->n_columns * sizeof(*list));
        if (table->columns == NULL)
            rc = SQLITE_NOMEM;
        else
            memcpy(table->columns, list, (size_t)table->n_columns * sizeof(*list));
    }
    sqlite3_free(list);
    return rc;
}

/* Collations, and the column that is the rowid: as an autoincrement-free INTEGER PRIMARY KEY is
** told from others only by its being one, ask for the index that any other key would have. */
static int read_metadata(sqlite3 *db, struct ls_table *table)
{
    int rc = SQLITE_OK;

    table->rowid_column = -1;
    if (!table->is_table)
        return SQLITE_OK;
    for (int i = 0; rc == SQLITE_OK && i < table->n_columns; i++) {
        const char *collation = NULL;
        int is_key = 0;

        rc = sqlite3_table_column_metadata(db, table->schema, table->name,
            table->columns[i].name, NULL, &collation, NULL, &is_key, NULL);
        if (rc == SQLITE_OK && collation != NULL)
            table->columns[i].collation = ls_pool_copy(&table->pool, collation, &rc);
    }
    return rc;
}

/* The INTEGER PRIMARY KEY: what sqlite3_column_origin... cannot say, the rowid's own name can:
** metadata of "rowid" is that of the column which is its alias. */
static int read_rowid(sqlite3 *db, struct ls_table *table)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    sqlite3_int64 n_keys = 0, n_indexes = 0;
    char *name = NULL;
    int rc;

    if (!table->has_rowid)
        return SQLITE_OK;
    for (size_t i = 0; i < 3 && table->rowid_name == NULL; i++)
        if (ls_table_column(table, names[i]) < 0)
            table->rowid_name = names[i];
    /* One key column that no index of origin pk serves is the rowid. */
    rc = ls_query_integer(db, 0, &n_keys,
        "SELECT count(*) FROM pragma_table_xinfo(%Q, %Q) WHERE pk > 0", table->name,
        table->schema);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n_indexes,
            "SELECT count(*) FROM pragma_index_list(%Q, %Q) WHERE origin = 'pk'", table->name,
            table->schema);
    if (rc != SQLITE_OK || n_keys != 1 || n_indexes != 0)
        return rc;
    rc = ls_query_text(db, &name, "SELECT name FROM pragma_table_xinfo(%Q, %Q) WHERE pk = 1",
        table->name, table->schema);
    if (rc == SQLITE_OK && name != NULL)
        table->rowid_column = ls_table_column(table, name);
    if (table->rowid_column >= 0)
        table->rowid_name = table->columns[table->rowid_column].name;
    sqlite3_free(name);
    return rc;
}

/* One unique index: its terms, and for expressions and conditions the text of CREATE INDEX. */
static int read_unique(sqlite3 *db, struct ls_table *table, const char *index, bool is_partial,
    struct ls_unique *unique)
{
    struct ls_index_text text = {NULL, 0, NULL};
    sqlite3_stmt *statement = NULL;
    char *create = NULL;
    int n = 0;
    int rc = ls_query_text(db, &create,
        "SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'index' AND name = %Q",
        table->schema, index);

    unique->is_not_null = !is_partial;
    if (rc == SQLITE_OK && create != NULL)
        rc = ls_index_text_read(&table->pool, create, &text);
    sqlite3_free(create);
    if (is_partial)
        unique->condition = text.condition;
    if (rc == SQLITE_OK)
        rc = ls_prepare(
            db, &statement, "PRAGMA \"%w\".index_xinfo(\"%w\")", table->schema, index);
    if (rc == SQLITE_OK) {
        unique->terms = ls_pool_get(&table->pool,
            (size_t)(table->n_columns + text.n_terms + 1) * sizeof(*unique->terms));
        if (unique->terms == NULL)
            rc = SQLITE_NOMEM;
    }
    /* seqno, cid, name, desc, coll, key */
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        struct ls_unique_term *term = &unique->terms[n];

        if (sqlite3_column_int(statement, 5) == 0)
            continue;
        term->column = sqlite3_column_int(statement, 1);
        term->collation = name_of(table, statement, 4, &rc);
        if (term->column < 0) {
            term->expression = n < text.n_terms ? text.terms[n] : NULL;
            unique->is_not_null = false;
            if (term->expression == NULL)
                rc = SQLITE_CORRUPT;
        } else if (table->columns[term->column].is_generated ||
                   (!table->columns[term->column].is_not_null && table->has_rowid)) {
            unique->is_not_null = false;
        }
        n++;
    }
    unique->n_terms = n;
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

/* Is the rowid a part of it? Then it displaces no row that the rowid does not. */
static bool holds_rowid(const struct ls_table *table, const struct ls_unique *unique)
{
    for (int i = 0; i < unique->n_terms; i++)
        if (table->rowid_column >= 0 && unique->terms[i].column == table->rowid_column)
            return true;
    return false;
}

/* Can its keys be compared here? Not by a collation of the user's. */
static bool can_be_compared(const struct ls_unique *unique)
{
    enum zs_collation collation;

    for (int i = 0; i < unique->n_terms; i++)
        if (!ls_collation_of(unique->terms[i].collation, &collation))
            return false;
    return true;
}

static int read_uniques(sqlite3 *db, struct ls_table *table)
{
    sqlite3_stmt *statement;
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &n,
        "SELECT count(*) FROM pragma_index_list(%Q, %Q) WHERE \"unique\"", table->name,
        table->schema);

    table->key = -1;
    if (rc != SQLITE_OK || n == 0)
        return rc;
    table->uniques = ls_pool_get(&table->pool, (size_t)n * sizeof(*table->uniques));
    if (table->uniques == NULL)
        return SQLITE_NOMEM;
    rc = ls_prepare(db, &statement,
        "SELECT name, partial, origin FROM pragma_index_list(%Q, %Q) WHERE \"unique\""
        " ORDER BY name",
        table->name, table->schema);
    while (rc == SQLITE_OK && table->n_uniques < n && sqlite3_step(statement) == SQLITE_ROW) {
        struct ls_unique *unique = &table->uniques[table->n_uniques];
        const char *name = name_of(table, statement, 0, &rc);
        const char *origin = (const char *)sqlite3_column_text(statement, 2);
        bool is_primary = origin != NULL && strcmp(origin, "pk") == 0;

        if (rc == SQLITE_OK)
            rc = read_unique(db, table, name, sqlite3_column_int(statement, 1) != 0, unique);
        if (holds_rowid(table, unique)) {
            memset(unique, 0, sizeof(*unique));
            continue;
        }
        if (table->rowid_column < 0 && unique->is_not_null && can_be_compared(unique) &&
            (table->key < 0 || (is_primary && !table->has_rowid)))
            table->key = table->n_uniques;
        table->n_uniques++;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

int ls_table_read(sqlite3 *db, const char *schema, const char *name, struct ls_table **table)
{
    struct ls_table *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    const char *create = NULL;
    bool found = false;
    int rc = made == NULL ? SQLITE_NOMEM : SQLITE_OK;

    *table = NULL;
    if (made == NULL)
        return rc;
    made->schema = ls_pool_copy(&made->pool, schema, &rc);
    made->name = ls_pool_copy(&made->pool, name, &rc);
    if (rc == SQLITE_OK)
        rc = read_kind(db, made, &create, &found);
    if (rc == SQLITE_OK && found)
        rc = read_columns(db, made);
    if (rc == SQLITE_OK && found && made->n_columns == 0)
        rc = SQLITE_AUTH; /* the pragma has been ignored */
    if (rc == SQLITE_OK && found)
        rc = read_metadata(db, made);
    if (rc == SQLITE_OK && found)
        rc = read_rowid(db, made);
    if (rc == SQLITE_OK && found && made->is_table)
        rc = read_uniques(db, made);
    if (rc == SQLITE_OK && made->n_uniques > 0)
        rc = ls_rests_read(made, create);
    if (rc == SQLITE_OK && found && made->is_table)
        rc = ls_meddling_read(db, made);
    if (rc == SQLITE_OK && found)
        *table = made;
    else
        ls_table_free(made);
    return rc;
}

int ls_table_read_function(sqlite3 *db, const char *name, struct ls_table **table)
{
    struct ls_table *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc = made == NULL ? SQLITE_NOMEM : SQLITE_OK;

    *table = NULL;
    if (made == NULL)
        return rc;
    made->schema = ls_pool_copy(&made->pool, "main", &rc);
    made->name = ls_pool_copy(&made->pool, name, &rc);
    made->rowid_column = -1;
    if (rc == SQLITE_OK)
        rc = read_columns(db, made);
    if (rc == SQLITE_OK && made->n_columns > 0)
        *table = made;
    else
        ls_table_free(made);
    return rc;
}

void ls_table_free(struct ls_table *table)
{
    if (table == NULL)
        return;
    ls_pool_free(table->pool);
    sqlite3_free(table);
}
