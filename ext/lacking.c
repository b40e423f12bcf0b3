/* SQLite itself says what a difference scans. Whether an index would help is told by the
** lookups of the plan: an equality, or a range, that no index serves. */
#include "ext/lacking.h"

#include "ext/join.h"
#include "ext/meddling.h"
#include "ext/scans.h"
#include "ext/statement.h"

struct search {
    struct ls_view *view;
    const struct zsql_operator *join;
    size_t changed;
    struct ls_lacks *lacks;
};

static const struct ls_table *table_at(const struct search *search, size_t table)
{
    return search->view->definition->tables[table];
}

static int find_index(
    sqlite3 *db, const struct ls_table *table, int column, const char *collation, char **name)
{
    return ls_query_text(db, name,
        "SELECT l.name FROM pragma_index_list(%Q, %Q) AS l,"
        " pragma_index_xinfo(l.name, %Q) AS x WHERE x.seqno = 0 AND NOT l.partial"
        " AND x.cid = %d AND x.coll = %Q COLLATE NOCASE"
        " ORDER BY l.name GLOB 'lockstep_index_[0-9]*', l.seq",
        table->name, table->schema, table->schema, column, collation);
}

int ls_lookup_index(
    sqlite3 *db, const struct ls_table *table, const struct zsql_lookup *lookup, char **name)
{
    size_t n = lookup->n_equal > 0 ? lookup->n_equal : lookup->n_columns;
    int rc = SQLITE_OK;

    *name = NULL;
    for (size_t i = 0; i < n; i++)
        if (lookup->columns[i] == table->rowid_column) {
            *name = sqlite3_mprintf("%s", "");
            return *name == NULL ? SQLITE_NOMEM : SQLITE_OK;
        }
    for (size_t i = 0; rc == SQLITE_OK && *name == NULL && i < n; i++)
        rc = find_index(db, table, lookup->columns[i], lookup->collations[i], name);
    return rc;
}

void ls_lookup_append(
    sqlite3_str *text, const struct ls_table *table, const struct zsql_lookup *lookup)
{
    sqlite3_str_appendf(text, "\"%w\"(", table->name);
    for (size_t i = 0; i < lookup->n_columns; i++) {
        const struct ls_column *column = &table->columns[lookup->columns[i]];

        sqlite3_str_appendf(text, "%s\"%w\"", i > 0 ? ", " : "", column->name);
        if (sqlite3_stricmp(column->collation, lookup->collations[i]) != 0)
            sqlite3_str_appendf(text, " COLLATE %s", lookup->collations[i]);
    }
    sqlite3_str_appendf(text, ")");
}

static int add(struct search *search, struct ls_lack lack)
{
    struct ls_lacks *lacks = search->lacks;

    for (size_t i = 0; i < lacks->n; i++)
        if (lacks->items[i].changed == lack.changed && lacks->items[i].table == lack.table &&
            lacks->items[i].lookup == lack.lookup)
            return SQLITE_OK;
    if (zs_alloc_reserve(&ls_alloc, &lacks->items, &lacks->cap, lacks->n + 1,
            sizeof(*lacks->items)) != ZS_OK)
        return SQLITE_NOMEM;
    lacks->items[lacks->n++] = lack;
    return SQLITE_OK;
}

/* May there be such an index? Over a column that is computed it would be made of what the user's
** functions give. And of a.x = b.x under NOCASE, and a.x = c.y under BINARY, SQLite (up to 3.54 at
** least) concludes b.x = c.y under BINARY where an index of that collation on x serves it, and
** finds too few rows: with an index of ours in queries of the user's, too. */
static bool may_be_indexed(const struct ls_table *table, const struct zsql_lookup *lookup)
{
    for (size_t i = 0; i < lookup->n_columns; i++) {
        const struct ls_column *column = &table->columns[lookup->columns[i]];

        if (column->is_generated ||
            (sqlite3_stricmp(column->collation, "BINARY") != 0 &&
                sqlite3_stricmp(column->collation, lookup->collations[i]) != 0))
            return false;
    }
    return true;
}

/* Does the column refer to one of another affinity? Looking for children by an index SQLite gives a
** key that affinity where it lies, and what is deleted RETURNING name then shows 7 for '007'. */
static int find_unlike_key(
    sqlite3 *db, const struct ls_table *table, const struct ls_column *column, bool *is_unlike)
{
    sqlite3_stmt *statement;
    int rc = ls_prepare(db, &statement,
        "SELECT key.type FROM pragma_foreign_key_list(%Q, %Q) AS reference,"
        " pragma_table_xinfo(reference.\"table\", %Q) AS key"
        " WHERE reference.\"from\" = %Q COLLATE NOCASE"
        " AND" LS_IS_REFERRED_TO("key"),
        table->name, table->schema, table->schema, column->name);

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        if (ls_meddling_turns_key(
                column->type, (const char *)sqlite3_column_text(statement, 0)))
            *is_unlike = true;
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

static int judge_keys(
    sqlite3 *db, const struct ls_table *table, const struct zsql_lookup *lookup, bool *may_be)
{
    bool is_unlike = false;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < lookup->n_columns; i++)
        rc = find_unlike_key(db, table, &table->columns[lookup->columns[i]], &is_unlike);
    *may_be = !is_unlike;
    return rc;
}

/* The lookups in a table that is scanned which no index serves. */
static int add_table(struct search *search, size_t table)
{
    bool is_lacking = false;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < search->join->n_lookups; i++) {
        const struct zsql_lookup *lookup = &search->join->lookups[i];
        const struct zsql_read *read = &search->join->reads[lookup->occurrence];
        sqlite3 *db = search->view->connection->db;
        char *name = NULL;
        bool may_be = false;

        if (read->made != NULL || read->table != table ||
            !may_be_indexed(table_at(search, table), lookup))
            continue;
        rc = ls_lookup_index(db, table_at(search, table), lookup, &name);
        if (rc == SQLITE_OK && name == NULL)
            rc = judge_keys(db, table_at(search, table), lookup, &may_be);
        if (rc == SQLITE_OK && may_be) {
            rc = add(search, (struct ls_lack){search->changed, table, lookup});
            is_lacking = true;
        }
        sqlite3_free(name);
    }
    return rc == SQLITE_OK && !is_lacking
               ? add(search, (struct ls_lack){search->changed, table, NULL})
               : rc;
}

static int visit_scan(void *ctx, const char *name)
{
    struct search *search = ctx;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < search->view->definition->plan->n_tables; i++)
        if (sqlite3_stricmp(table_at(search, i)->name, name) == 0)
            rc = add_table(search, i);
    return rc;
}

int ls_lacks_find(struct ls_view *view, size_t i, struct ls_lacks *lacks)
{
    const struct zsql_operator *join = view->definition->plan->operators[i];
    struct search search = {view, join, 0, lacks};
    int rc = SQLITE_OK;

    *lacks = (struct ls_lacks){NULL, 0, 0};
    for (size_t j = 0; rc == SQLITE_OK && j < join->n_differences; j++) {
        char *text;

        if (join->differences[j].cost == ZSQL_PER_VIEW)
            continue;
        search.changed = join->differences[j].occurrence;
        rc = ls_join_difference(ls_pipeline_join(view->pipeline, i), j, &text);
        if (rc == SQLITE_OK)
            rc = ls_scans_find(view->connection->db, view->schema, text, visit_scan, &search);
    }
    return rc;
}
