/* Which are lacking is told by lacking.h; here they are made, noted and dropped. */
#include "ext/indexes.h"

#include "ext/called.h"
#include "ext/join.h"
#include "ext/lacking.h"
#include "ext/scans.h"
#include "ext/shadow.h"
#include "ext/statement.h"

/* In SQL: is an entry of sqlite_schema one that make() has made? */
#define IS_OWN                                                                                 \
    " type = 'index' AND name GLOB 'lockstep_index_[0-9]*'"                                    \
    " AND sql GLOB 'CREATE INDEX lockstep_index_[0-9]* ON \"*'"

int ls_indexes_number(sqlite3 *db, const char *schema, const char *name, int *number)
{
    sqlite3_int64 found;
    int rc = ls_query_integer(db, 0, &found,
        "SELECT CAST(substr(name, 16) AS INTEGER) FROM \"%w\".sqlite_schema"
        " WHERE name = %Q AND" IS_OWN,
        schema, name);

    *number = rc == SQLITE_OK ? (int)found : 0;
    return rc;
}

/* Making them. */

static int next_number(const struct ls_view *view, sqlite3_int64 *number)
{
    int rc = ls_query_integer(view->connection->db, 0, number,
        "SELECT max(CAST(substr(name, 16) AS INTEGER)) FROM \"%w\".sqlite_schema"
        " WHERE name GLOB 'lockstep_index_[0-9]*'",
        view->schema);

    ++*number;
    return rc;
}

/* Makes the index, unless one that was made meanwhile serves the lookup too. */
static int make(struct ls_view *view, const struct ls_lack *lack)
{
    sqlite3 *db = view->connection->db;
    const struct ls_table *table = view->definition->tables[lack->table];
    sqlite3_str *text = NULL;
    sqlite3_int64 number;
    char *name = NULL, *create = NULL;
    int rc = ls_lookup_index(db, table, lack->lookup, &name);

    if (rc == SQLITE_OK && name == NULL)
        rc = next_number(view, &number);
    if (rc == SQLITE_OK && name == NULL) {
        text = sqlite3_str_new(db);
        sqlite3_str_appendf(
            text, "CREATE INDEX \"%w\".lockstep_index_%lld ON ", view->schema, number);
        ls_lookup_append(text, table, lack->lookup);
        create = sqlite3_str_finish(text);
        rc = create == NULL ? SQLITE_NOMEM : ls_called_exec(view, create);
    }
    sqlite3_free(create);
    sqlite3_free(name);
    return rc;
}

/* With an index SQLite may begin with another table, and lack another: so it goes on until
** there is none. */
static int make_lacking(struct ls_view *view, size_t i)
{
    bool is_lacking = true;
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && is_lacking) {
        struct ls_lacks lacks;

        is_lacking = false;
        rc = ls_lacks_find(view, i, &lacks);
        for (size_t j = 0; rc == SQLITE_OK && j < lacks.n; j++) {
            if (lacks.items[j].lookup == NULL)
                continue;
            is_lacking = true;
            rc = make(view, &lacks.items[j]);
        }
        sqlite3_free(lacks.items);
    }
    return rc;
}

/* Noting them. */

static int note_one(const struct ls_view *view, int number)
{
    sqlite3 *db = view->connection->db;
    int rc = ls_exec(db,
        "CREATE TABLE IF NOT EXISTS \"%w\".lockstep_index(view TEXT NOT NULL,"
        " number INTEGER NOT NULL, PRIMARY KEY(view, number)) WITHOUT ROWID",
        view->schema);

    return rc == SQLITE_OK
               ? ls_exec(db, "INSERT OR IGNORE INTO \"%w\".lockstep_index VALUES(%Q, %d)",
                     view->schema, view->name, number)
               : rc;
}

/* Those of Lockstep's that serve a join. */
static int note(struct ls_view *view, const struct zsql_operator *join)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < join->n_lookups; i++) {
        const struct zsql_lookup *lookup = &join->lookups[i];
        const struct zsql_read *read = &join->reads[lookup->occurrence];
        char *name;
        int number = 0;

        if (read->made != NULL)
            continue;
        rc = ls_lookup_index(
            view->connection->db, view->definition->tables[read->table], lookup, &name);
        if (rc == SQLITE_OK && name != NULL)
            rc = ls_indexes_number(view->connection->db, view->schema, name, &number);
        if (rc == SQLITE_OK && number > 0)
            rc = note_one(view, number);
        sqlite3_free(name);
    }
    return rc;
}

static int forget_notes(sqlite3 *db, const char *schema, const char *view, bool *has_one)
{
    int rc = ls_shadow_has_register(db, schema, has_one);

    if (rc == SQLITE_OK && *has_one)
        rc = ls_exec(db,
            "DELETE FROM \"%w\".lockstep_index WHERE view = %Q OR view COLLATE NOCASE NOT IN"
            " (SELECT name FROM \"%w\".sqlite_schema)",
            schema, view, schema);
    return rc;
}

int ls_indexes_mend(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    const struct zsql_plan *plan = view->definition->plan;
    sqlite3_int64 makes;
    bool has_one;
    int rc = ls_shadow_check_register(view);

    if (rc == SQLITE_OK)
        rc = forget_notes(db, view->schema, view->name, &has_one);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(
            db, 1, &makes, "SELECT indexes FROM \"%w\".\"%w_state\"", view->schema, view->name);
    for (size_t i = 0; rc == SQLITE_OK && i < plan->n_operators; i++) {
        if (plan->operators[i]->kind != ZSQL_JOIN)
            continue;
        if (makes != 0)
            rc = make_lacking(view, i);
        if (rc == SQLITE_OK)
            rc = note(view, plan->operators[i]);
    }
    return rc;
}

int ls_indexes_may_help_build(struct ls_view *view, bool *may_help)
{
    const struct zsql_plan *plan = view->definition->plan;
    int rc = SQLITE_OK;

    *may_help = false;
    for (size_t i = 0; rc == SQLITE_OK && !*may_help && i < plan->n_operators; i++) {
        char *text;

        if (plan->operators[i]->kind != ZSQL_JOIN)
            continue;
        rc = ls_join_text(ls_pipeline_join(view->pipeline, i), &text);
        if (rc == SQLITE_OK)
            rc = ls_scans_repeat(view->connection->db, view->schema, text, may_help);
    }
    return rc;
}

/* The end of them. */

/* Of those that are Lockstep's, the ones that nobody has noted. */
static int drop_unused(sqlite3 *db, const char *schema, bool has_register)
{
    char *name, *noted = has_register ? sqlite3_mprintf(
                                            "SELECT number FROM \"%w\".lockstep_index", schema)
                                      : sqlite3_mprintf("SELECT 0");
    int rc = noted == NULL ? SQLITE_NOMEM : SQLITE_OK;

    while (rc == SQLITE_OK) {
        rc = ls_query_text(db, &name,
            "SELECT name FROM \"%w\".sqlite_schema WHERE" IS_OWN
            " AND CAST(substr(name, 16) AS INTEGER)"
            " NOT IN (%s) LIMIT 1",
            schema, noted);
        if (rc != SQLITE_OK || name == NULL)
            break;
        rc = ls_exec(db, "DROP INDEX \"%w\".\"%w\"", schema, name);
        sqlite3_free(name);
    }
    sqlite3_free(noted);
    return rc;
}

int ls_indexes_release(sqlite3 *db, const char *schema, const char *view, bool is_last)
{
    sqlite3_int64 n = 0;
    bool has_one;
    int rc = forget_notes(db, schema, view, &has_one);

    if (rc == SQLITE_OK && (has_one || is_last))
        rc = drop_unused(db, schema, has_one && !is_last);
    if (rc == SQLITE_OK && has_one)
        rc = ls_query_integer(db, 0, &n, "SELECT count(*) FROM \"%w\".lockstep_index", schema);
    return rc == SQLITE_OK && (is_last || (has_one && n == 0))
               ? ls_exec(db, "DROP TABLE IF EXISTS \"%w\".lockstep_index", schema)
               : rc;
}

int ls_indexes_rename(sqlite3 *db, const char *schema, const char *view, const char *name)
{
    bool has_one;
    int rc = ls_shadow_has_register(db, schema, &has_one);

    return rc == SQLITE_OK && has_one
               ? ls_exec(db, "UPDATE \"%w\".lockstep_index SET view = %Q WHERE view = %Q",
                     schema, name, view)
               : rc;
}
