/* What relations promise to SQLite's planner: the terms and the order of an access. */
#include "ext/change.h"
#include "ext/relation_private.h"
#include "ext/statement.h"

/* Is it planned already, on this column: the same, or for an equality any? */
static bool is_known(const struct ls_access *access, int position, enum ls_term term)
{
    for (int i = 0; i < access->n; i++)
        if (access->positions[i] == position &&
            (access->terms[i] == term || access->terms[i] < LS_IS_LESS))
            return true;
    return false;
}

/* Adds a term to an access under way. */
static int add_term(
    struct ls_access *access, int position, enum ls_term term, const char *collation)
{
    int n = access->n;

    access->collation_names[n] = sqlite3_mprintf("%s", collation);
    if (access->collation_names[n] == NULL)
        return SQLITE_NOMEM;
    access->positions[n] = position;
    access->terms[n] = term;
    access->n++;
    if (term >= LS_IS_LESS)
        return SQLITE_OK;
    access->has_collations =
        ls_collation_of(collation, &access->collations[n]) && access->has_collations;
    access->n_equal++;
    return SQLITE_OK;
}

void ls_access_free(struct ls_access *access)
{
    ls_access_clear(access);
    for (int i = 0; i < access->n; i++)
        sqlite3_free(access->collation_names[i]);
    sqlite3_free(access->collation_names);
    sqlite3_free(access->positions);
    sqlite3_free(access->terms);
    sqlite3_free(access->collations);
    sqlite3_free(access->order);
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

/* A column of numbers compares as number with anything. Another may be compared as a number
** with a column of numbers, unless the view does nowhere so, and is then in another order. */
static bool can_be_a_range(const struct ls_relation *relation, int position)
{
    return relation->form == ZSQL_PAST && relation->change != NULL &&
           (ls_affinity_is_numeric(relation->affinities[position]) ||
               ls_change_keeps_order(relation->change));
}

/* The term that constraint i would be; false where it is none. */
static bool read_term(const struct ls_relation *relation, sqlite3_index_info *info, int i,
    int *position, enum ls_term *term)
{
    int column = info->aConstraint[i].iColumn;

    if (!info->aConstraint[i].usable || column < 0 || relation->shape.slots[column] < 0)
        return false;
    *position = relation->shape.slots[column];
    switch (info->aConstraint[i].op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        *term = LS_IS_EQUAL;
        return can_be_looked_up(relation, info, i, *position);
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
        *term = LS_IS_NULL;
        return relation->made == NULL;
    case SQLITE_INDEX_CONSTRAINT_LT:
        *term = LS_IS_LESS;
        break;
    case SQLITE_INDEX_CONSTRAINT_LE:
        *term = LS_IS_LESS_OR_EQUAL;
        break;
    case SQLITE_INDEX_CONSTRAINT_GT:
        *term = LS_IS_GREATER;
        break;
    case SQLITE_INDEX_CONSTRAINT_GE:
        *term = LS_IS_GREATER_OR_EQUAL;
        break;
    default:
        return false;
    }
    return can_be_a_range(relation, *position);
}

/* The terms that SQLite can give values for, those that are ranges or those that are not. */
static int read_terms(const struct ls_relation *relation, sqlite3_index_info *info,
    bool are_ranges, struct ls_access *access)
{
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && i < info->nConstraint; i++) {
        int position;
        enum ls_term term;

        if (!read_term(relation, info, i, &position, &term) ||
            (term >= LS_IS_LESS) != are_ranges || is_known(access, position, term))
            continue;
        rc = add_term(access, position, term,
            term == LS_IS_NULL ? "BINARY" : sqlite3_vtab_collation(info, i));
        if (rc == SQLITE_OK)
            info->aConstraintUsage[i].argvIndex = access->n;
    }
    return rc;
}

/* The order that is wanted, of the past of a table, if all of it can be given. */
static void read_order(
    const struct ls_relation *relation, sqlite3_index_info *info, struct ls_access *access)
{
    if (relation->form != ZSQL_PAST || relation->change == NULL)
        return;
    for (int i = 0; i < info->nOrderBy; i++) {
        int column = info->aOrderBy[i].iColumn;

        if (column < 0 || relation->shape.slots[column] < 0)
            return;
        access->order[i] = relation->shape.slots[column] + 1;
        if (info->aOrderBy[i].desc)
            access->order[i] = -access->order[i];
    }
    access->n_order = info->nOrderBy;
    info->orderByConsumed = access->n_order > 0;
}

static int read_access(
    const struct ls_relation *relation, sqlite3_index_info *info, struct ls_access *access)
{
    size_t most = (size_t)info->nConstraint;
    int rc = SQLITE_OK;

    *access = (struct ls_access){.has_collations = true};
    access->positions = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->positions));
    access->terms = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->terms));
    access->collations = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collations));
    access->collation_names =
        zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collation_names));
    access->order = zs_alloc_zeroed(&ls_alloc, (size_t)info->nOrderBy * sizeof(*access->order));
    if (access->positions == NULL || access->terms == NULL || access->collations == NULL ||
        access->collation_names == NULL || access->order == NULL)
        rc = SQLITE_NOMEM;
    for (int i = 0; rc == SQLITE_OK && i < 2; i++)
        rc = read_terms(relation, info, i == 1, access);
    if (rc == SQLITE_OK)
        read_order(relation, info, access);
    else
        ls_access_free(access);
    return rc;
}

static bool is_same_access(const struct ls_access *a, const struct ls_access *b)
{
    if (a->n != b->n || a->n_order != b->n_order)
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->positions[i] != b->positions[i] || a->terms[i] != b->terms[i] ||
            sqlite3_stricmp(a->collation_names[i], b->collation_names[i]) != 0)
            return false;
    for (int i = 0; i < a->n_order; i++)
        if (a->order[i] != b->order[i])
            return false;
    return true;
}

/* Its number among the relation's; the access is the relation's from now on, or freed. */
static int keep_access(struct ls_relation *relation, struct ls_access *access, int *number)
{
    for (size_t i = 0; i < relation->n_accesses; i++)
        if (is_same_access(&relation->accesses[i], access)) {
            ls_access_free(access);
            *number = (int)i;
            return SQLITE_OK;
        }
    if (zs_alloc_reserve(&ls_alloc, &relation->accesses, &relation->accesses_cap,
            relation->n_accesses + 1, sizeof(*relation->accesses)) != ZS_OK) {
        ls_access_free(access);
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
    bool has_index = false, has_range_index = false;

    for (int i = 0; i < access->n; i++) {
        bool *has = i < access->n_equal ? &has_index : &has_range_index;
        *has = *has || relation->shape.has_index[access->positions[i]];
    }
    info->estimatedRows = access->n_equal > 0 ? 10 : access->n > 0 ? 250000 : 1000000;
    info->estimatedCost = has_index ? 50 : has_range_index ? 750000 : 3000000;
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
int ls_relation_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    struct ls_relation *relation = ls_relation_of(vtab);
    struct ls_access access;
    int rc;

    if (relation->lookups == NULL)
        return SQLITE_OK; /* nobody uses it: it has no rows */
    rc = read_access(relation, info, &access);
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
