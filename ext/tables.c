/* Base tables in their forms. A form is registered when it is first asked for. */
#include "ext/tables.h"

#include "ext/statement.h"

enum { N_FORMS = ZSQL_EMPTY + 1 };

struct one {
    struct ls_change *change;
    struct ls_relation *forms[N_FORMS];
};

struct ls_tables {
    sqlite3 *db;
    struct ls_relation **relations;
    size_t n;
    struct one tables[];
};

int ls_tables_new(sqlite3 *db, struct ls_relation **relations, const struct zsql_plan *plan,
    struct ls_table *const *tables, struct ls_tables **made)
{
    struct ls_tables *all =
        zs_alloc_zeroed(&ls_alloc, sizeof(*all) + plan->n_tables * sizeof(*all->tables));
    int rc = SQLITE_OK;

    *made = NULL;
    if (all == NULL)
        return SQLITE_NOMEM;
    all->db = db;
    all->relations = relations;
    all->n = plan->n_tables;
    for (size_t i = 0; rc == SQLITE_OK && i < all->n; i++)
        rc = ls_change_new(db, tables[i], i, &plan->tables[i], &all->tables[i].change);
    if (rc == SQLITE_OK)
        *made = all;
    else
        ls_tables_free(all);
    return rc;
}

void ls_tables_free(struct ls_tables *tables)
{
    if (tables == NULL)
        return;
    for (size_t i = 0; i < tables->n; i++) {
        for (int form = 0; form < N_FORMS; form++)
            ls_relation_give_back(tables->tables[i].forms[form]);
        ls_change_free(tables->tables[i].change);
    }
    sqlite3_free(tables);
}

struct ls_change *ls_tables_change(struct ls_tables *tables, size_t table)
{
    return tables->tables[table].change;
}

void ls_tables_reset(struct ls_tables *tables)
{
    for (size_t i = 0; i < tables->n; i++)
        ls_change_reset(tables->tables[i].change);
}

bool ls_tables_has_changed(const struct ls_tables *tables, size_t table)
{
    return ls_change_len(tables->tables[table].change) > 0;
}

int ls_tables_append(
    struct ls_tables *tables, size_t table, enum zsql_form form, sqlite3_str *text)
{
    struct one *one = &tables->tables[table];
    const struct ls_table *base = ls_change_table(one->change);
    int rc = SQLITE_OK;

    if (form == ZSQL_NOW) {
        sqlite3_str_appendf(text, "\"%w\".\"%w\"", base->schema, base->name);
        return SQLITE_OK;
    }
    if (one->forms[form] == NULL)
        rc = ls_relation_take(
            tables->db, tables->relations, one->change, form, &one->forms[form]);
    if (rc == SQLITE_OK)
        sqlite3_str_appendf(text, "\"%w\"", ls_relation_name(one->forms[form]));
    return rc;
}
