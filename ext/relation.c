/* Relations: their pool. */
#include "ext/relation.h"

#include <string.h>

#include "ext/eponym.h"
#include "ext/pool.h"
#include "ext/relation_private.h"
#include "ext/statement.h"

struct ls_relation *ls_relation_of(sqlite3_vtab *vtab)
{
    return ls_eponym_owner(vtab);
}

static int relation_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    struct ls_relation *relation = aux;
    int n_columns = (int)relation->shape.n_slots;
    int most = sqlite3_limit(db, SQLITE_LIMIT_COLUMN, -1);
    int rc = ls_eponym_connect(db, relation->shape.declaration, true, relation, vtab, error);

    (void)argc;
    (void)argv;
    if (rc == SQLITE_ERROR && n_columns > most) {
        sqlite3_free(*error);
        *error = sqlite3_mprintf("a join reads too many columns of one table: SQLite allows %d,"
                                 " Lockstep's own included",
            most);
    }
    return rc;
}

static const sqlite3_module relation_module = {
    .xConnect = relation_connect,
    .xBestIndex = ls_relation_best_index,
    .xDisconnect = ls_eponym_disconnect,
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
    enum zsql_form form, bool has_digits, struct ls_relation **relation)
{
    struct ls_shape shape;
    int rc = ls_shape_of_change(db, change, &shape);

    *relation = NULL;
    if (rc == SQLITE_OK)
        rc = take_one(db, all, &shape, form, relation);
    if (rc == SQLITE_OK && form == ZSQL_PAST)
        rc = ls_relation_take(db, all, change, ZSQL_MINUS_OF, has_digits, &(*relation)->gone);
    if (rc != SQLITE_OK) {
        ls_relation_give_back(*relation);
        *relation = NULL;
        return rc;
    }
    (*relation)->change = change;
    (*relation)->has_digits = has_digits;
    (*relation)->lookups = ls_change_lookups(change);
    (*relation)->affinities = ls_change_affinities(change);
    (*relation)->n_positions = (size_t)ls_change_n_columns(change);
    return SQLITE_OK;
}

int ls_relation_take_made(sqlite3 *db, struct ls_relation **all, struct ls_made *made,
    enum zsql_form form, bool has_digits, struct ls_relation **relation)
{
    struct ls_shape shape;
    int rc = ls_shape_of_made(made, &shape);

    *relation = NULL;
    if (rc == SQLITE_OK)
        rc = take_one(db, all, &shape, form, relation);
    if (rc != SQLITE_OK)
        return rc;
    (*relation)->made = made;
    (*relation)->has_digits = has_digits;
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
        ls_access_free(&relation->accesses[i]);
    relation->n_accesses = 0;
    ls_scan_free(relation->spare);
    relation->spare = NULL;
    ls_relation_give_back(relation->gone);
    relation->gone = NULL;
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
