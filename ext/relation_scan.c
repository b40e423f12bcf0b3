/* Scans of a relation: what is shared by all, and the forms that are rows of the change
** alone. */
#include "ext/relation_private.h"
#include "ext/statement.h"

static struct ls_scan *scan_of(sqlite3_vtab_cursor *cursor)
{
    return (struct ls_scan *)cursor;
}

const struct ls_access *ls_scan_access(const struct ls_scan *scan)
{
    return &scan->relation->accesses[scan->access];
}

static struct ls_scan *new_scan(struct ls_relation *relation)
{
    struct ls_scan *scan = zs_alloc_zeroed(&ls_alloc, sizeof(*scan));
    size_t n = relation->n_positions;
    int rc = ZS_OK;

    if (scan == NULL)
        return NULL;
    scan->relation = relation;
    scan->n_columns = n;
    zs_buffer_init(&scan->key, &ls_alloc);
    for (int i = 0; i < 2; i++) {
        zs_buffer_init(&scan->spans[i].from, &ls_alloc);
        zs_buffer_init(&scan->spans[i].to, &ls_alloc);
    }
    scan->starts = zs_alloc_zeroed(&ls_alloc, (n + 1) * sizeof(*scan->starts));
    scan->matches = zs_alloc_zeroed(&ls_alloc, n * sizeof(*scan->matches));
    if (relation->made != NULL)
        rc = zs_batch_new(&ls_alloc, &scan->piece);
    if (rc != ZS_OK || scan->starts == NULL || scan->matches == NULL) {
        ls_scan_free(scan);
        return NULL;
    }
    return scan;
}

int ls_relation_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    struct ls_relation *relation = ls_relation_of(vtab);
    struct ls_scan *scan = relation->spare;

    *cursor = NULL;
    relation->spare = NULL;
    if (scan == NULL)
        scan = new_scan(relation);
    if (scan == NULL)
        return SQLITE_NOMEM;
    scan->base = (sqlite3_vtab_cursor){.pVtab = vtab};
    scan->phase = LS_AT_END;
    *cursor = &scan->base;
    return SQLITE_OK;
}

/* Has the relation not become another's? */
static bool fits(const struct ls_scan *scan, const struct ls_relation *relation)
{
    return scan->n_columns == relation->n_positions &&
           (scan->piece != NULL) == (relation->made != NULL);
}

int ls_relation_close(sqlite3_vtab_cursor *cursor)
{
    struct ls_scan *scan = scan_of(cursor);
    struct ls_relation *relation = scan->relation;

    ls_scan_leave_table(scan);
    if (relation->is_used && relation->spare == NULL && fits(scan, relation))
        relation->spare = scan;
    else
        ls_scan_free(scan);
    return SQLITE_OK;
}

void ls_scan_free(struct ls_scan *scan)
{
    if (scan == NULL)
        return;
    zs_buffer_clear(&scan->key);
    for (int i = 0; i < 2; i++) {
        zs_buffer_clear(&scan->spans[i].from);
        zs_buffer_clear(&scan->spans[i].to);
    }
    zs_batch_free(scan->piece);
    sqlite3_free(scan->starts);
    sqlite3_free(scan->matches);
    sqlite3_free(scan);
}

/* What may be looked up. */

/* A column of numbers compares as number with anything, as it does with a bound value. A text
** column makes a text of a value without affinity, but compares as number with a numeric
** column; one without affinity keeps to the value's type, but for that case too. So may a text
** of digits, where that comes from a numeric column. */
static enum ls_match match_of(const struct ls_scan *scan, int term, sqlite3_value *value)
{
    const struct ls_access *access = ls_scan_access(scan);
    enum ls_affinity affinity = scan->relation->affinities[access->positions[term]];
    int type = sqlite3_value_type(value);

    if (ls_affinity_is_numeric(affinity) || type == SQLITE_BLOB)
        return LS_EXACTLY;
    if (type == SQLITE_TEXT)
        return scan->relation->has_digits && sqlite3_value_numeric_type(value) != SQLITE_TEXT
                   ? LS_ANYTHING
                   : LS_EXACTLY;
    if (access->terms[term] >= LS_IS_LESS) /* not compared as a number: relation_plan.c */
        return affinity == LS_NONE ? LS_EXACTLY : LS_ANYTHING;
    return affinity == LS_NONE && access->has_collations ? LS_OR_A_TEXT : LS_ANYTHING;
}

int ls_scan_append(const struct ls_scan *scan, struct zs_buffer *key, sqlite3_value *value,
    int position, enum zs_collation collation)
{
    struct zs_value read = ls_value(value);

    int rc = ls_read_status(&read);

    return rc == ZS_OK
               ? ls_lookups_append(scan->relation->lookups, key, &read, position, collation)
               : rc;
}

/* Finds the rows of the change by all terms, or leaves them to be scanned. */
static int find_in_change(struct ls_scan *scan, sqlite3_value **argv)
{
    const struct ls_access *access = ls_scan_access(scan);
    int rc = ZS_OK;

    scan->is_found = access->n_equal > 0 && access->has_collations;
    for (int i = 0; i < access->n_equal; i++)
        scan->is_found = scan->is_found && scan->matches[i] == LS_EXACTLY;
    if (!scan->is_found)
        return SQLITE_OK;
    zs_buffer_reset(&scan->key);
    for (int i = 0; rc == ZS_OK && i < access->n_equal; i++)
        rc = ls_scan_append(
            scan, &scan->key, argv[i], access->positions[i], access->collations[i]);
    if (rc == ZS_OK)
        rc = ls_lookups_find(scan->relation->lookups, access->positions, access->collations,
            access->n_equal, zs_buffer_bytes(&scan->key), &scan->found);
    return ls_code_of(rc);
}

/* The rows of the change. */

static const struct zs_batch *batch_of(const struct ls_scan *scan)
{
    return scan->phase == LS_IN_MADE ? scan->piece : ls_lookups_rows(scan->relation->lookups);
}

static const struct zs_item *item_of(const struct ls_scan *scan)
{
    bool is_found = scan->phase == LS_IN_CHANGE && scan->is_found;

    return &zs_batch_items(
        batch_of(scan))[is_found ? ls_found_item(&scan->found, scan->at) : scan->at];
}

static bool is_shown(enum zsql_form form, int64_t weight)
{
    switch (form) {
    case ZSQL_PLUS_OF:
        return weight > 0;
    case ZSQL_MINUS_OF:
    case ZSQL_PAST:
        return weight < 0;
    default:
        return form == ZSQL_BATCH;
    }
}

/* Stands on the row at scan->at or the next one that the form shows. */
static void settle_in_change(struct ls_scan *scan)
{
    size_t n = scan->is_found ? scan->found.n : zs_batch_len(batch_of(scan));

    scan->n_known = 0;
    for (; scan->at < n; scan->at++) {
        int64_t weight = item_of(scan)->weight;

        scan->copies = weight < 0 ? -weight : weight;
        if (is_shown(scan->relation->form, weight))
            return;
    }
    scan->phase = LS_AT_END;
}

void ls_scan_enter_change(struct ls_scan *scan)
{
    scan->phase = LS_IN_CHANGE;
    scan->at = 0;
    settle_in_change(scan);
}

static int read_item(struct ls_scan *scan, int position, struct zs_value *value)
{
    struct zs_bytes row = item_of(scan)->value;
    size_t at;

    while (scan->n_known < position) {
        at = scan->starts[scan->n_known];
        if (zs_row_skip(row, &at) != ZS_OK)
            return SQLITE_CORRUPT_VTAB;
        scan->starts[++scan->n_known] = at;
    }
    at = scan->starts[position];
    return zs_row_read(row, &at, value) == ZS_OK ? SQLITE_OK : SQLITE_CORRUPT_VTAB;
}

/* The scan. */

int ls_relation_filter(
    sqlite3_vtab_cursor *cursor, int access, const char *text, int argc, sqlite3_value **argv)
{
    struct ls_scan *scan = scan_of(cursor);
    const struct ls_relation *relation = scan->relation;
    int rc;

    (void)text;
    scan->phase = LS_AT_END;
    if (relation->lookups == NULL || (size_t)access >= relation->n_accesses ||
        argc != relation->accesses[access].n)
        return SQLITE_OK; /* a statement of nobody's */
    if (scan->access != (size_t)access)
        ls_scan_leave_table(scan);
    if (scan->table != NULL)
        (void)sqlite3_reset(scan->table->statement);
    scan->access = (size_t)access;
    for (int i = 0; i < argc; i++) {
        enum ls_term term = relation->accesses[access].terms[i];

        if (term != LS_IS_NULL && sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return SQLITE_OK; /* equal to nothing, and in no range */
        scan->matches[i] = term == LS_IS_NULL ? LS_EXACTLY : match_of(scan, i, argv[i]);
    }
    if (relation->made != NULL && (relation->form == ZSQL_PAST || relation->form == ZSQL_NOW))
        return ls_scan_enter_made(scan, argv);
    rc = find_in_change(scan, argv);
    if (rc == SQLITE_OK && relation->form == ZSQL_PAST)
        return ls_scan_enter_table(scan, argv);
    if (rc == SQLITE_OK)
        ls_scan_enter_change(scan);
    return rc;
}

int ls_relation_next(sqlite3_vtab_cursor *cursor)
{
    struct ls_scan *scan = scan_of(cursor);

    if (scan->phase == LS_IN_TABLE)
        return ls_scan_step_in_table(scan);
    if (--scan->copies > 0)
        return SQLITE_OK;
    scan->at++;
    if (scan->phase == LS_IN_MADE)
        return ls_scan_settle_in_made(scan);
    settle_in_change(scan);
    return SQLITE_OK;
}

int ls_relation_eof(sqlite3_vtab_cursor *cursor)
{
    return scan_of(cursor)->phase == LS_AT_END;
}

/* What a row has besides its columns. */
static void give_slot(const struct ls_scan *scan, sqlite3_context *context, int slot)
{
    bool is_change = scan->phase == LS_IN_CHANGE;

    if (slot == LS_WEIGHT_SLOT)
        sqlite3_result_int(context, 1);
    else if (slot == LS_SIGN_SLOT)
        sqlite3_result_int(context, is_change && item_of(scan)->weight < 0 ? -1 : 1);
    else if (slot == LS_COPY_SLOT)
        sqlite3_result_int64(context, scan->copies);
    else
        ls_result(context, &(struct zs_value){.type = ZS_BLOB, .bytes = item_of(scan)->value});
}

int ls_relation_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    struct ls_scan *scan = scan_of(cursor);
    int slot = scan->relation->shape.slots[column];
    struct zs_value value;
    int rc;

    if (slot < 0) {
        give_slot(scan, context, slot);
    } else if (scan->phase == LS_IN_TABLE) {
        ls_result_of(context, sqlite3_column_value(scan->table->statement, slot));
    } else {
        rc = read_item(scan, slot, &value);
        if (rc != SQLITE_OK)
            return rc;
        ls_result(context, &value);
    }
    return SQLITE_OK;
}
