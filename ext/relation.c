/* Relations: their pool, and what they promise to SQLite's planner. */
#include "ext/relation.h"

#include <string.h>

#include "ext/pool.h"
#include "ext/relation_private.h"
#include "ext/statement.h"

struct table {
    sqlite3_vtab base;
    struct ls_relation *relation;
};

struct ls_relation *ls_relation_of(sqlite3_vtab *vtab)
{
    return ((struct table *)vtab)->relation;
}

static int relation_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    struct ls_relation *relation = aux;
    struct table *table;
    int rc = sqlite3_declare_vtab(db, relation->shape.declaration);

    (void)argc;
    (void)argv;
    (void)error;
    *vtab = NULL;
    if (rc != SQLITE_OK)
        return rc;
    table = zs_alloc_zeroed(&ls_alloc, sizeof(*table));
    if (table == NULL)
        return SQLITE_NOMEM;
    table->relation = relation;
    *vtab = &table->base;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    return SQLITE_OK;
}

static int relation_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* Planning. */

/* Adds an equality to an access under way, once a column. */
static int add_term(
    struct ls_access *access, int position, bool is_null, const char *collation, bool *is_new)
{
    int n = access->n;

    *is_new = false;
    for (int i = 0; i < n; i++)
        if (access->positions[i] == position)
            return SQLITE_OK;
    access->collation_names[n] = sqlite3_mprintf("%s", collation);
    if (access->collation_names[n] == NULL)
        return SQLITE_NOMEM;
    access->positions[n] = position;
    access->is_null[n] = is_null;
    access->has_collations =
        ls_collation_of(collation, &access->collations[n]) && access->has_collations;
    access->n++;
    *is_new = true;
    return SQLITE_OK;
}

static void free_access(struct ls_access *access)
{
    ls_access_clear(access);
    for (int i = 0; i < access->n; i++)
        sqlite3_free(access->collation_names[i]);
    sqlite3_free(access->collation_names);
    sqlite3_free(access->positions);
    sqlite3_free(access->is_null);
    sqlite3_free(access->collations);
    *access = (struct ls_access){.n = 0};
}

/* SQLite compares once more what is looked up, but of a value of an IN it no longer knows which
** affinity the other columns of the IN would have given it. With a column of numbers all is
** compared as numbers. */
static bool can_be_looked_up(
    const struct ls_relation *relation, sqlite3_index_info *info, int i, int position)
{
    if (ls_affinity_is_numeric(relation->affinities[position]))
        return true;
    return i < 32 && !sqlite3_vtab_in(info, i, -1);
}

/* The equalities that SQLite can give values for. */
static int read_terms(
    struct ls_relation *relation, sqlite3_index_info *info, struct ls_access *access)
{
    size_t most = (size_t)info->nConstraint;
    int rc = SQLITE_OK;

    *access = (struct ls_access){.has_collations = true};
    access->positions = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->positions));
    access->is_null = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->is_null));
    access->collations = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collations));
    access->collation_names =
        zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collation_names));
    if (access->positions == NULL || access->is_null == NULL || access->collations == NULL ||
        access->collation_names == NULL)
        rc = SQLITE_NOMEM;
    for (int i = 0; rc == SQLITE_OK && i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        unsigned char op = info->aConstraint[i].op;
        bool is_null = op == SQLITE_INDEX_CONSTRAINT_ISNULL && relation->made == NULL;
        bool is_new = false;

        if ((op != SQLITE_INDEX_CONSTRAINT_EQ && !is_null) || !info->aConstraint[i].usable ||
            column < 0 || relation->shape.slots[column] < 0 ||
            !can_be_looked_up(relation, info, i, relation->shape.slots[column]))
            continue;
        rc = add_term(access, relation->shape.slots[column], is_null,
            is_null ? "BINARY" : sqlite3_vtab_collation(info, i), &is_new);
        if (is_new)
            info->aConstraintUsage[i].argvIndex = access->n;
    }
    if (rc != SQLITE_OK)
        free_access(access);
    return rc;
}

static bool is_same_access(const struct ls_access *a, const struct ls_access *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->positions[i] != b->positions[i] || a->is_null[i] != b->is_null[i] ||
            sqlite3_stricmp(a->collation_names[i], b->collation_names[i]) != 0)
            return false;
    return true;
}

/* Its number among the relation's; the access is the relation's from now on, or freed. */
static int keep_access(struct ls_relation *relation, struct ls_access *access, int *number)
{
    for (size_t i = 0; i < relation->n_accesses; i++)
        if (is_same_access(&relation->accesses[i], access)) {
            free_access(access);
            *number = (int)i;
            return SQLITE_OK;
        }
    if (zs_alloc_reserve(&ls_alloc, &relation->accesses, &relation->accesses_cap,
            relation->n_accesses + 1, sizeof(*relation->accesses)) != ZS_OK) {
        free_access(access);
        return SQLITE_NOMEM;
    }
    relation->accesses[relation->n_accesses] = *access;
    *number = (int)relation->n_accesses++;
    return SQLITE_OK;
}

/* A change is small beside any table: it is where a join begins. */
static void estimate_batch(const struct ls_access *access, sqlite3_index_info *info)
{
    info->estimatedRows = access->n > 0 ? 1 : 10;
    info->estimatedCost = access->n > 0 ? 2 : 10;
}

/* What is past costs what the table does, whose size is SQLite's own guess. */
static void estimate_past(const struct ls_relation *relation, const struct ls_access *access,
    sqlite3_index_info *info)
{
    bool has_index = false;

    for (int i = 0; i < access->n; i++)
        has_index = has_index || relation->shape.has_index[access->positions[i]];
    info->estimatedRows = access->n > 0 ? 10 : 1000000;
    info->estimatedCost = has_index ? 50 : 3000000;
}

/* Of an aggregate without GROUP BY there is one row; and of LIMIT 1. */
static bool has_one_row(const struct zsql_operator *operator)
{
    if (operator->kind == ZSQL_TOP && operator->limit == 1)
        return true;
    while (operator->kind == ZSQL_MAP && operator->condition == NULL)
        operator= operator->input;
    return operator->kind == ZSQL_AGGREGATE_BY && operator->is_global;
}

/* Rows are found by the columns that they are arranged by, from the first on. */
static void estimate_made(const struct ls_relation *relation, const struct ls_access *access,
    sqlite3_index_info *info)
{
    const struct zsql_operator *operator= ls_made_operator(relation->made);
    size_t n = 0;

    while (n < operator->n_arranged && ls_made_term(relation, access, n) >= 0)
        n++;
    info->estimatedRows = n == operator->n_arranged ? 2 : n> 0 ? 50 : 100000;
    if (has_one_row(operator))
        info->estimatedRows = 1;
    info->estimatedCost = 3.0 * (double)info->estimatedRows;
}

/* idxNum is the number of the access; the values of its terms are the arguments, in order. */
static int relation_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    struct ls_relation *relation = ls_relation_of(vtab);
    struct ls_access access;
    int rc;

    if (relation->lookups == NULL)
        return SQLITE_OK; /* nobody uses it: it has no rows */
    rc = read_terms(relation, info, &access);
    if (rc != SQLITE_OK)
        return rc;
    if (relation->form != ZSQL_PAST && relation->form != ZSQL_NOW)
        estimate_batch(&access, info);
    else if (relation->made != NULL)
        estimate_made(relation, &access, info);
    else
        estimate_past(relation, &access, info);
    return keep_access(relation, &access, &info->idxNum);
}

static const sqlite3_module relation_module = {
    .xConnect = relation_connect,
    .xBestIndex = relation_best_index,
    .xDisconnect = relation_disconnect,
    .xOpen = ls_relation_open,
    .xClose = ls_relation_close,
    .xFilter = ls_relation_filter,
    .xNext = ls_relation_next,
    .xEof = ls_relation_eof,
    .xColumn = ls_relation_column,
};

/* The pool. */

static void free_one(struct ls_relation *relation)
{
    sqlite3_free(relation->name);
    ls_shape_clear(&relation->shape);
    sqlite3_free(relation->accesses);
    ls_scan_free(relation->spare);
    sqlite3_free(relation);
}

/* Registers a new one. The shape is its own from now on. */
static int register_one(sqlite3 *db, struct ls_relation **all, struct ls_shape *shape,
    struct ls_relation **relation)
{
    struct ls_relation *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc = SQLITE_NOMEM;

    if (made == NULL) {
        ls_shape_clear(shape);
        return SQLITE_NOMEM;
    }
    made->shape = *shape;
    made->db = db;
    made->name = sqlite3_mprintf("lockstep_relation_%p", (void *)made);
    if (made->name != NULL)
        rc = sqlite3_create_module_v2(db, made->name, &relation_module, made, NULL);
    if (rc != SQLITE_OK) {
        free_one(made);
        return rc;
    }
    made->next = *all;
    *all = made;
    *relation = made;
    return SQLITE_OK;
}

/* One that is declared so and that nobody uses gets the shape, or else a new one. */
static int take_one(sqlite3 *db, struct ls_relation **all, struct ls_shape *shape,
    enum zsql_form form, struct ls_relation **relation)
{
    int rc = SQLITE_OK;

    for (struct ls_relation *known = *all; known != NULL; known = known->next)
        if (!known->is_used && strcmp(known->shape.declaration, shape->declaration) == 0)
            *relation = known;
    if (*relation == NULL) {
        rc = register_one(db, all, shape, relation);
    } else {
        ls_shape_clear(&(*relation)->shape);
        (*relation)->shape = *shape;
    }
    if (rc != SQLITE_OK)
        return rc;
    (*relation)->form = form;
    (*relation)->is_used = true;
    return SQLITE_OK;
}

int ls_relation_take(sqlite3 *db, struct ls_relation **all, struct ls_change *change,
    enum zsql_form form, struct ls_relation **relation)
{
    struct ls_shape shape;
    int rc = ls_shape_of_change(db, change, &shape);

    *relation = NULL;
    if (rc == SQLITE_OK)
        rc = take_one(db, all, &shape, form, relation);
    if (rc != SQLITE_OK)
        return rc;
    (*relation)->change = change;
    (*relation)->lookups = ls_change_lookups(change);
    (*relation)->affinities = ls_change_affinities(change);
    (*relation)->n_positions = (size_t)ls_change_n_columns(change);
    return SQLITE_OK;
}

int ls_relation_take_made(sqlite3 *db, struct ls_relation **all, struct ls_made *made,
    enum zsql_form form, struct ls_relation **relation)
{
    struct ls_shape shape;
    int rc = ls_shape_of_made(made, &shape);

    *relation = NULL;
    if (rc == SQLITE_OK)
        rc = take_one(db, all, &shape, form, relation);
    if (rc != SQLITE_OK)
        return rc;
    (*relation)->made = made;
    (*relation)->lookups = ls_made_lookups(made);
    (*relation)->affinities = ls_made_affinities(made);
    (*relation)->n_positions = ls_made_operator(made)->n_columns;
    return SQLITE_OK;
}

void ls_relation_give_back(struct ls_relation *relation)
{
    if (relation == NULL)
        return;
    for (size_t i = 0; i < relation->n_accesses; i++)
        free_access(&relation->accesses[i]);
    relation->n_accesses = 0;
    ls_scan_free(relation->spare);
    relation->spare = NULL;
    relation->change = NULL;
    relation->made = NULL;
    relation->lookups = NULL;
    relation->affinities = NULL;
    relation->is_used = false;
}

void ls_relation_free_all(struct ls_relation *all)
{
    while (all != NULL) {
        struct ls_relation *next = all->next;
        free_one(all);
        all = next;
    }
}

const char *ls_relation_name(const struct ls_relation *relation)
{
    return relation->name;
}
