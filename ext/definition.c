/* Reading a definition: the catalogue that the binder asks is SQLite's own. */
#include "ext/definition.h"

#include <string.h>

#include "ext/collation.h"
#include "ext/create.h"
#include "ext/pipeline.h"
#include "ext/pool.h"
#include "ext/statement.h"
#include "sql/lex.h"

/* What the catalogue's functions are given. */
struct reading {
    sqlite3 *db;
    const char *schema;
    struct ls_definition *definition;
    size_t cap;
    int code;   /* SQLite's, of the call that failed */
    char *said; /* why it did, where SQLite does not know */
};

static int failed(struct reading *reading, int rc)
{
    reading->code = rc;
    return rc == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

/* The table's columns as the binder wants them; they live in the table's pool. */
static int describe(struct ls_table *table, struct zsql_relation *relation)
{
    struct zsql_column *columns =
        ls_pool_get(&table->pool, ((size_t)table->n_columns + 1) * sizeof(*columns));

    if (columns == NULL)
        return ZS_NOMEM;
    for (int i = 0; i < table->n_columns; i++)
        columns[i] = (struct zsql_column){.name = table->columns[i].name,
            .type = table->columns[i].type,
            .collation = table->columns[i].collation,
            .is_hidden = table->columns[i].is_hidden,
            .is_not_null = table->columns[i].is_not_null};
    relation->kind = table->is_table ? ZSQL_TABLE : table->is_view ? ZSQL_VIEW : ZSQL_VIRTUAL;
    relation->schema = table->schema;
    relation->name = table->name;
    relation->has_rowid = table->has_rowid;
    relation->rowid_column = table->rowid_column;
    relation->columns = columns;
    relation->n_columns = (size_t)table->n_columns;
    return ZS_OK;
}

/* The SELECT of CREATE VIEW name [(columns)] AS select; NULL where the text is none. */
static const char *select_of(const char *create, bool *has_names)
{
    struct zsql_token token = {0, 0, 0};

    *has_names = false;
    do {
        token = zsql_lex(create, token.end);
        *has_names = *has_names || token.kind == TK_LP;
    } while (token.kind != TK_AS && token.kind != TK_END_OF_TEXT);
    return token.kind == TK_AS ? create + token.end : NULL;
}

/* What a view reads: of a maintained one, what its <view>_query reads. Such a one keeps the names that
** it was declared with, whatever becomes of those in its query. */
static int describe_view(
    struct reading *reading, struct ls_table *table, struct zsql_relation *relation)
{
    char *create = NULL;
    int rc;

    if (table->is_table)
        return SQLITE_OK;
    rc = ls_query_text(reading->db, &create,
        "SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'view' AND name = '%q%s'"
        " COLLATE NOCASE AND (%d OR EXISTS (SELECT 1 FROM \"%w\".sqlite_schema"
        " WHERE type = 'table' AND name = '%q_state' COLLATE NOCASE))",
        table->schema, table->name, table->is_view ? "" : "_query", table->is_view,
        table->schema, table->name);
    if (rc == SQLITE_OK && create != NULL) {
        const char *copy = ls_pool_copy(&table->pool, create, &rc);
        if (copy != NULL)
            relation->select = select_of(copy, &relation->has_names);
        reading->definition->collates |= copy != NULL && ls_text_collates(copy);
        relation->has_names |= !table->is_view;
    }
    sqlite3_free(create);
    return rc;
}

static int show(struct reading *reading, struct ls_table *table, struct zsql_relation *relation)
{
    int rc;

    *relation = (struct zsql_relation){.select = NULL};
    rc = describe_view(reading, table, relation);
    return rc == SQLITE_OK ? describe(table, relation) : failed(reading, rc);
}

/* The definition owns what it asked for. */
static int keep(struct reading *reading, struct ls_table *table, struct zsql_relation *relation)
{
    struct ls_definition *definition = reading->definition;

    if (zs_alloc_reserve(&ls_alloc, &definition->known, &reading->cap,
            (size_t)definition->n_known + 1, sizeof(struct ls_table *)) != ZS_OK) {
        ls_table_free(table);
        return ZS_NOMEM;
    }
    definition->known[definition->n_known++] = table;
    return show(reading, table, relation);
}

/* A TEMP view may name tables of any database: only those of its own are kept up to date. */
static int refuse_elsewhere(
    struct reading *reading, const char *schema, const char *name, bool is_found)
{
    bool is_qualified = schema != NULL && sqlite3_stricmp(schema, "temp") != 0;

    if (sqlite3_stricmp(reading->schema, "temp") != 0 || is_found != is_qualified)
        return ZS_OK;
    if (!is_found && sqlite3_table_column_metadata(reading->db, schema, name, NULL, NULL, NULL,
                         NULL, NULL, NULL) != SQLITE_OK)
        return ZS_OK; /* a function, or nothing */
    reading->said = sqlite3_mprintf(
        "%s is not in database temp: a view must be created in the database of its tables",
        name);
    return failed(reading, reading->said == NULL ? SQLITE_NOMEM : SQLITE_ERROR);
}

/* A table or a plain view that was asked for before, or NULL. A SELECT names some of them
** often. */
static struct ls_table *find_known(
    const struct ls_definition *definition, const char *schema, const char *name)
{
    for (int i = 0; i < definition->n_known; i++) {
        struct ls_table *table = definition->known[i];

        if ((table->is_table || table->is_view) && sqlite3_stricmp(table->name, name) == 0 &&
            sqlite3_stricmp(table->schema, schema) == 0)
            return table;
    }
    return NULL;
}

static int find_relation(void *ctx, const char *schema, const char *name,
    struct zsql_relation *relation, bool *found)
{
    struct reading *reading = ctx;
    const char *wanted = schema == NULL ? reading->schema : schema;
    struct ls_table *table = find_known(reading->definition, wanted, name);
    int rc;

    *found = table != NULL;
    if (*found)
        return show(reading, table, relation);
    rc = ls_table_read(reading->db, wanted, name, &table);
    if (rc != SQLITE_OK)
        return failed(reading, rc);
    *found = table != NULL;
    rc = refuse_elsewhere(reading, schema, name, *found);
    if (rc != ZS_OK)
        ls_table_free(table);
    return rc != ZS_OK || table == NULL ? rc : keep(reading, table, relation);
}

/* The columns of an eponymous virtual table. */
static int find_table_function(
    void *ctx, const char *name, struct zsql_relation *relation, bool *found)
{
    struct reading *reading = ctx;
    struct ls_table *table;
    int rc = ls_table_read_function(reading->db, name, &table);

    *found = table != NULL;
    if (rc != SQLITE_OK)
        return failed(reading, rc);
    return table == NULL ? ZS_OK : keep(reading, table, relation);
}

/* Notes what a call makes the view depend on besides its tables. */
static int note_call(struct reading *reading, const char *name, bool is_builtin)
{
    struct ls_definition *definition = reading->definition;
    sqlite3_int64 is_equal = 0;
    int rc = SQLITE_OK;

    if (sqlite3_stricmp(name, "like") != 0) {
        definition->calls_others |= !is_builtin;
        return SQLITE_OK;
    }
    rc = ls_query_integer(reading->db, 0, &is_equal, "SELECT 'a' LIKE 'A'");
    definition->calls_like = true;
    definition->is_case_sensitive = !is_equal;
    return rc;
}

/* The function that a call of so many arguments means: an exact count is preferred. A negative
** one is of any number: from 3.49 on -3 says at least one, -4 at least two. */
static int find_function(
    void *ctx, const char *name, int n_arguments, struct zsql_function *function, bool *found)
{
    struct reading *reading = ctx;
    sqlite3_stmt *statement;
    int rc = ls_prepare(reading->db, &statement,
        "SELECT builtin, type, flags FROM pragma_function_list WHERE name = %Q COLLATE NOCASE"
        " AND (narg = %d OR narg < 0 AND %d >= -2 - narg) ORDER BY narg DESC LIMIT 1",
        name, n_arguments, n_arguments);

    *found = false;
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(statement, 1);

        function->is_builtin = sqlite3_column_int(statement, 0) != 0;
        function->kind = type != NULL && *type == 's' ? ZSQL_SCALAR : ZSQL_AGGREGATE;
        function->is_deterministic =
            (sqlite3_column_int(statement, 2) & SQLITE_DETERMINISTIC) != 0;
        *found = true;
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    if (rc == SQLITE_OK && *found)
        rc = note_call(reading, name, function->is_builtin);
    return rc == SQLITE_OK ? ZS_OK : failed(reading, rc);
}

/* What is no integer, and none when it is made a number, SQLite refuses in LIMIT. */
static int find_limit(void *ctx, const char *expression, int64_t *number, bool *is_number)
{
    struct reading *reading = ctx;
    sqlite3_stmt *statement;
    int rc = ls_prepare(reading->db, &statement,
        "SELECT CAST(CAST((%s) AS NUMERIC) AS INTEGER) LIMIT (%s)", expression, expression);

    *number = 0;
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    *is_number = rc == SQLITE_OK;
    return rc == SQLITE_OK || ls_is_data_error(rc) ? ZS_OK : failed(reading, rc);
}

static int find_answers(void *ctx, const char *select, int *answers, int n)
{
    struct reading *reading = ctx;
    sqlite3_stmt *statement;
    int rc = ls_prepare(reading->db, &statement, "%s", select);

    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < n; i++)
            answers[i] = sqlite3_column_int(statement, i);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK ? ZS_OK : failed(reading, rc);
}

/* What capture can't serve. */
static int check_table(const struct ls_table *table, char **message)
{
    if (table->key < 0 && table->rowid_name == NULL) {
        if (table->has_rowid)
            *message = sqlite3_mprintf(
                "table %s has no key that can be named: its columns hide rowid, _rowid_ and"
                " oid, and no unique index is NOT NULL",
                table->name);
        else
            *message = sqlite3_mprintf(
                "the primary key of table %s has a collation that is not SQLite's own",
                table->name);
        return SQLITE_ERROR;
    }
    for (int i = 0; i < table->n_columns; i++)
        if (sqlite3_strnicmp(table->columns[i].name, "lockstep_", 9) == 0) {
            *message = sqlite3_mprintf("column %s of table %s: names that begin with lockstep_"
                                       " are Lockstep's own: rename it",
                table->columns[i].name, table->name);
            return SQLITE_ERROR;
        }
    return SQLITE_OK;
}

/* Lockstep's own tables change when a view is stored, in a read as well: a log of such changes
** would never be taken in whole. */
static int refuse_own(sqlite3 *db, const struct ls_table *table, char **message)
{
    const char *suffix = strrchr(table->name, '_');
    bool is_own = sqlite3_strnicmp(table->name, "lockstep_", 9) == 0;
    sqlite3_int64 n = 0;
    int rc = SQLITE_OK;

    if (!is_own && suffix != NULL && ls_view_shadow_name(suffix + 1))
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE rootpage = 0 AND"
            " (type, name COLLATE NOCASE) IN (VALUES ('table', '%.*q'), ('view', "
            "'%.*q_query'))",
            table->schema, (int)(suffix - table->name), table->name,
            (int)(suffix - table->name), table->name);
    if (!is_own && n < 2)
        return rc;
    *message =
        sqlite3_mprintf("%s is a table of Lockstep's own: no view can read it", table->name);
    return SQLITE_ERROR;
}

/* The plan's tables among those that were asked for. */
static int choose_tables(
    sqlite3 *db, struct ls_definition *definition, const char *default_schema, char **message)
{
    const struct zsql_plan *plan = definition->plan;
    int rc = SQLITE_OK;

    definition->tables =
        zs_alloc_zeroed(&ls_alloc, plan->n_tables * sizeof(*definition->tables));
    if (definition->tables == NULL)
        return SQLITE_NOMEM;
    for (size_t i = 0; rc == SQLITE_OK && i < plan->n_tables; i++) {
        const struct zsql_table *wanted = &plan->tables[i];
        const char *schema = wanted->schema == NULL ? default_schema : wanted->schema;

        for (int j = 0; j < definition->n_known; j++)
            if (sqlite3_stricmp(definition->known[j]->name, wanted->name) == 0 &&
                sqlite3_stricmp(definition->known[j]->schema, schema) == 0)
                definition->tables[i] = definition->known[j];
        rc = definition->tables[i] == NULL ? SQLITE_ERROR
                                           : refuse_own(db, definition->tables[i], message);
        if (rc == SQLITE_OK)
            rc = check_table(definition->tables[i], message);
    }
    return rc;
}

/* Does it read columns that compare by collations of the user's? */
static bool reads_collated(const struct ls_definition *definition)
{
    for (size_t i = 0; i < definition->plan->n_tables; i++) {
        const struct zsql_table *wanted = &definition->plan->tables[i];

        for (size_t j = 0; j < wanted->n_columns; j++)
            if (wanted->columns[j] >= 0 &&
                ls_collation_is_users(
                    definition->tables[i]->columns[wanted->columns[j]].collation))
                return true;
    }
    return false;
}

int ls_definition_read(sqlite3 *db, const char *schema, const char *text,
    struct ls_definition **definition, char **message)
{
    struct ls_definition *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    struct reading reading = {.db = db, .schema = schema, .definition = made};
    struct zsql_catalogue catalogue = {
        find_relation, find_table_function, find_function, find_limit, find_answers, &reading};
    int status, rc;

    *definition = NULL;
    *message = NULL;
    if (made == NULL)
        return SQLITE_NOMEM;
    status = zsql_plan_new(&ls_alloc, text, &catalogue, &made->plan, message);
    if (*message == NULL)
        *message = reading.said;
    else
        sqlite3_free(reading.said);
    rc = status == ZS_OK         ? SQLITE_OK
         : status == ZS_NOMEM    ? SQLITE_NOMEM
         : status == ZS_CALLBACK ? reading.code
                                 : SQLITE_ERROR;
    if (rc == SQLITE_OK && made->plan->n_operators > LS_MAX_OPERATORS) {
        *message =
            sqlite3_mprintf("a SELECT that takes %u operators is not maintained, %d are "
                            "the most: make a part of it a view of its own, and read that",
                (unsigned)made->plan->n_operators, LS_MAX_OPERATORS);
        rc = SQLITE_ERROR;
    }
    if (rc == SQLITE_OK)
        rc = choose_tables(db, made, schema, message);
    if (rc == SQLITE_OK)
        made->collates |= ls_text_collates(text) || reads_collated(made);
    if (status == ZS_TOO_DEEP && *message == NULL)
        *message = sqlite3_mprintf(
            "the SELECT is nested too deeply: make a part of it a view of its own, and"
            " read that");
    if (rc == SQLITE_OK)
        *definition = made;
    else
        ls_definition_free(made);
    return rc;
}

struct ls_definition *ls_definition_hold(struct ls_definition *definition)
{
    definition->n_holders++;
    return definition;
}

void ls_definition_free(struct ls_definition *definition)
{
    if (definition == NULL || definition->n_holders-- > 0)
        return;
    zsql_plan_free(definition->plan);
    for (int i = 0; i < definition->n_known; i++)
        ls_table_free(definition->known[i]);
    sqlite3_free(definition->tables);
    sqlite3_free(definition->known);
    sqlite3_free(definition);
}

/* sqlite_schema has "CREATE VIEW <name> AS <select>": the SELECT is what follows the AS. */
int ls_definition_text(sqlite3 *db, const char *schema, const char *view, char **text)
{
    struct zsql_token token = {0, 0, 0};
    char *create = NULL;
    int rc = ls_query_text(db, &create,
        "SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'view' AND name = '%q_query'"
        " COLLATE NOCASE",
        schema, view);

    *text = NULL;
    if (rc != SQLITE_OK || create == NULL)
        return rc;
    do
        token = zsql_lex(create, token.end);
    while (token.kind != TK_AS && token.kind != TK_END_OF_TEXT);
    *text = sqlite3_mprintf("%s", create + token.end);
    sqlite3_free(create);
    return *text == NULL ? SQLITE_NOMEM : SQLITE_OK;
}
