/* Relations: their declarations, their pool, and what they promise to SQLite's planner.
**
** A relation is declared WITHOUT ROWID, its primary key being the table's own with
** lockstep_sign: SQLite tells rows by it apart where it unites the scans of an OR, or notes
** which rows of a RIGHT JOIN have matched. A batch may have one key twice, with both signs. */
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
    int rc = sqlite3_declare_vtab(db, relation->declaration);

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
static int add_term(struct ls_access *access, int position, const char *collation, bool *is_new)
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
    sqlite3_free(access->collations);
    *access = (struct ls_access){.n = 0};
}

/* SQLite compares once more what is looked up, but of a value of an IN it no longer knows which
** affinity the other columns of the IN would have given it. With a column of numbers all is
** compared as numbers. */
static bool can_be_looked_up(
    const struct ls_relation *relation, sqlite3_index_info *info, int i, int position)
{
    if (ls_affinity_is_numeric(ls_change_affinity(relation->change, position)))
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
    access->collations = zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collations));
    access->collation_names =
        zs_alloc_zeroed(&ls_alloc, most * sizeof(*access->collation_names));
    if (access->positions == NULL || access->collations == NULL ||
        access->collation_names == NULL)
        rc = SQLITE_NOMEM;
    for (int i = 0; rc == SQLITE_OK && i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        bool is_new = false;

        if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ ||
            !info->aConstraint[i].usable || column < 0 || relation->slots[column] < 0 ||
            !can_be_looked_up(relation, info, i, relation->slots[column]))
            continue;
        rc =
            add_term(access, relation->slots[column], sqlite3_vtab_collation(info, i), &is_new);
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
        if (a->positions[i] != b->positions[i] ||
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
        has_index = has_index || relation->has_index[access->positions[i]];
    info->estimatedRows = access->n > 0 ? 10 : 1000000;
    info->estimatedCost = has_index ? 50 : 3000000;
}

/* idxNum is the number of the access; the values of its terms are the arguments, in order. */
static int relation_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    struct ls_relation *relation = ls_relation_of(vtab);
    struct ls_access access;
    int rc;

    if (relation->change == NULL)
        return SQLITE_OK; /* nobody uses it: it has no rows */
    rc = read_terms(relation, info, &access);
    if (rc != SQLITE_OK)
        return rc;
    if (relation->form == ZSQL_PAST)
        estimate_past(relation, &access, info);
    else
        estimate_batch(&access, info);
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

/* Declaring. */

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
static char *declare(const struct ls_change *change, int *slots, int *n)
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

/* The pool. */

static void free_one(struct ls_relation *relation)
{
    sqlite3_free(relation->name);
    sqlite3_free(relation->declaration);
    sqlite3_free(relation->slots);
    sqlite3_free(relation->has_index);
    sqlite3_free(relation->accesses);
    sqlite3_free(relation);
}

/* Registers a new one. The declaration is its own from now on. */
static int register_one(
    sqlite3 *db, struct ls_relation **all, char *declaration, struct ls_relation **relation)
{
    struct ls_relation *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc = SQLITE_NOMEM;

    if (made == NULL) {
        sqlite3_free(declaration);
        return SQLITE_NOMEM;
    }
    made->declaration = declaration;
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

/* One that is declared so and that nobody uses. */
static int find_one(
    sqlite3 *db, struct ls_relation **all, char *declaration, struct ls_relation **relation)
{
    for (struct ls_relation *known = *all; known != NULL; known = known->next)
        if (!known->is_used && strcmp(known->declaration, declaration) == 0)
            *relation = known;
    if (*relation == NULL)
        return register_one(db, all, declaration, relation);
    sqlite3_free(declaration);
    return SQLITE_OK;
}

int ls_relation_take(sqlite3 *db, struct ls_relation **all, struct ls_change *change,
    enum zsql_form form, struct ls_relation **relation)
{
    size_t n = (size_t)ls_change_n_columns(change);
    int *slots = zs_alloc_get(&ls_alloc, (n + 5) * sizeof(*slots));
    bool *has_index = zs_alloc_get(&ls_alloc, n * sizeof(*has_index));
    char *declaration = NULL;
    int n_slots = 0;
    int rc = SQLITE_NOMEM;

    *relation = NULL;
    if (slots != NULL)
        declaration = declare(change, slots, &n_slots);
    if (declaration != NULL && has_index != NULL)
        rc = find_indexes(db, change, has_index);
    if (rc != SQLITE_OK) {
        sqlite3_free(declaration);
    } else {
        rc = find_one(db, all, declaration, relation);
    }
    if (rc != SQLITE_OK) {
        sqlite3_free(slots);
        sqlite3_free(has_index);
        return rc;
    }
    sqlite3_free((*relation)->slots);
    sqlite3_free((*relation)->has_index);
    (*relation)->slots = slots;
    (*relation)->n_slots = n_slots;
    (*relation)->has_index = has_index;
    (*relation)->change = change;
    (*relation)->form = form;
    (*relation)->is_used = true;
    return SQLITE_OK;
}

void ls_relation_give_back(struct ls_relation *relation)
{
    if (relation == NULL)
        return;
    for (size_t i = 0; i < relation->n_accesses; i++)
        free_access(&relation->accesses[i]);
    relation->n_accesses = 0;
    relation->change = NULL;
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
