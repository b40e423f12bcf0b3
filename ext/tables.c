/* Base tables, and what operators made, in their forms. A form is registered when it is first
** asked for. */
#include "ext/tables.h"

#include "ext/statement.h"

enum { N_FORMS = ZSQL_EMPTY + 1 };

/* Of a base table its change, of what an operator made that. */
struct one {
    struct ls_change *change;
    struct ls_made *made;
    struct ls_relation *forms[N_FORMS];
};

struct ls_tables {
    sqlite3 *db;
    struct ls_relation **relations;
    const struct zsql_plan *plan;
    struct one *bases;     /* one a table of the plan */
    struct one *operators; /* one an operator; empty where none reads it */
};

int ls_tables_new(sqlite3 *db, const struct zs_alloc *alloc, struct ls_relation **relations,
    const struct zsql_plan *plan, struct ls_table *const *tables, struct ls_overlay *overlay,
    struct ls_tables **made)
{
    struct ls_tables *all = zs_alloc_zeroed(&ls_alloc, sizeof(*all));
    int rc = SQLITE_OK;

    *made = NULL;
    if (all == NULL)
        return SQLITE_NOMEM;
    all->db = db;
    all->relations = relations;
    all->plan = plan;
    all->bases = zs_alloc_zeroed(&ls_alloc, plan->n_tables * sizeof(*all->bases));
    all->operators = zs_alloc_zeroed(&ls_alloc, plan->n_operators * sizeof(*all->operators));
    if (all->bases == NULL || all->operators == NULL)
        rc = SQLITE_NOMEM;
    for (size_t i = 0; rc == SQLITE_OK && i < plan->n_tables; i++)
        rc = ls_change_new(db, alloc, tables[i], i, &plan->tables[i], &all->bases[i].change);
    for (size_t i = 0; rc == SQLITE_OK && i < plan->n_operators; i++)
        if (plan->operators[i]->is_read)
            rc = ls_code_of(ls_made_new(
                db, alloc, plan->operators[i], i, overlay, &all->operators[i].made));
    if (rc == SQLITE_OK)
        *made = all;
    else
        ls_tables_free(all);
    return rc;
}

static void free_ones(struct one *ones, size_t n)
{
    for (size_t i = 0; ones != NULL && i < n; i++) {
        for (int form = 0; form < N_FORMS; form++)
            ls_relation_give_back(ones[i].forms[form]);
        ls_change_free(ones[i].change);
        ls_made_free(ones[i].made);
    }
    sqlite3_free(ones);
}

void ls_tables_free(struct ls_tables *tables)
{
    if (tables == NULL)
        return;
    free_ones(tables->bases, tables->plan->n_tables);
    free_ones(tables->operators, tables->plan->n_operators);
    sqlite3_free(tables);
}

struct ls_change *ls_tables_change(struct ls_tables *tables, size_t table)
{
    return tables->bases[table].change;
}

struct ls_made *ls_tables_made(struct ls_tables *tables, size_t i)
{
    return tables->operators[i].made;
}

void ls_tables_reset(struct ls_tables *tables)
{
    for (size_t i = 0; i < tables->plan->n_tables; i++)
        ls_change_reset(tables->bases[i].change);
    for (size_t i = 0; i < tables->plan->n_operators; i++)
        if (tables->operators[i].made != NULL)
            ls_made_reset(tables->operators[i].made);
}

static struct one *find(const struct ls_tables *tables, const struct zsql_read *read)
{
    size_t i = 0;

    if (read->made == NULL)
        return &tables->bases[read->table];
    while (tables->plan->operators[i] != read->made)
        i++;
    return &tables->operators[i];
}

bool ls_tables_has_changed(const struct ls_tables *tables, const struct zsql_read *read)
{
    const struct one *one = find(tables, read);

    return one->made != NULL ? ls_made_change_len(one->made) > 0
                             : ls_change_len(one->change) > 0;
}

static int take(struct ls_tables *tables, struct one *one, enum zsql_form form)
{
    if (one->made != NULL)
        return ls_relation_take_made(tables->db, tables->relations, one->made, form,
            tables->plan->has_digits, &one->forms[form]);
    return ls_relation_take(tables->db, tables->relations, one->change, form,
        tables->plan->has_digits, &one->forms[form]);
}

int ls_tables_append(struct ls_tables *tables, const struct zsql_read *read,
    enum zsql_form form, sqlite3_str *text)
{
    struct one *one = find(tables, read);
    int rc = SQLITE_OK;

    if (one->change != NULL && form == ZSQL_NOW) {
        const struct ls_table *base = ls_change_table(one->change);

        sqlite3_str_appendf(text, "\"%w\".\"%w\"", base->schema, base->name);
        return SQLITE_OK;
    }
    if (one->forms[form] == NULL)
        rc = take(tables, one, form);
    if (rc == SQLITE_OK)
        sqlite3_str_appendf(text, "\"%w\"", ls_relation_name(one->forms[form]));
    return rc;
}
