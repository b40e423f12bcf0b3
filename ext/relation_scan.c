/* Scans of a relation. The past is the table's rows of now but for those that came to be, whose
** keys are looked up in the change, and then the change's rows that ceased to be; the other forms
** are rows of the change alone. */
#include <string.h>

#include "ext/relation_private.h"
#include "ext/statement.h"

enum phase { IN_TABLE, IN_CHANGE, AT_END };

struct scan {
    sqlite3_vtab_cursor base;
    struct ls_relation *relation;
    enum phase phase;
    size_t access; /* a number: the accesses may move when others are added */
    struct ls_base_statement *table;
    struct ls_found found; /* the rows of the change, where they were looked up */
    bool is_found;
    size_t at;      /* in found, or in the change's rows */
    int64_t copies; /* of the current row of the change that are still to be shown */
    int n_known;    /* starts[] of the current row of the change is known so far */
    size_t *starts; /* one a column */
    enum ls_match *matches;
    struct zs_buffer key;
};

static struct scan *scan_of(sqlite3_vtab_cursor *cursor)
{
    return (struct scan *)cursor;
}

static const struct ls_access *access_of(const struct scan *scan)
{
    return &scan->relation->accesses[scan->access];
}

int ls_relation_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    struct ls_relation *relation = ls_relation_of(vtab);
    struct scan *scan = zs_alloc_zeroed(&ls_alloc, sizeof(*scan));
    size_t n = relation->change == NULL ? 0 : (size_t)ls_change_n_columns(relation->change);

    *cursor = NULL;
    if (scan == NULL)
        return SQLITE_NOMEM;
    scan->relation = relation;
    scan->phase = AT_END;
    zs_buffer_init(&scan->key, &ls_alloc);
    scan->starts = zs_alloc_zeroed(&ls_alloc, (n + 1) * sizeof(*scan->starts));
    scan->matches = zs_alloc_zeroed(&ls_alloc, n * sizeof(*scan->matches));
    if (scan->starts == NULL || scan->matches == NULL) {
        (void)ls_relation_close(&scan->base);
        return SQLITE_NOMEM;
    }
    *cursor = &scan->base;
    return SQLITE_OK;
}

/* The statement over the table waits for the next scan. */
static void leave_table(struct scan *scan)
{
    struct ls_access *access;

    if (scan->table == NULL)
        return;
    (void)sqlite3_reset(scan->table->statement);
    access = &scan->relation->accesses[scan->access];
    scan->table->next = access->idle;
    access->idle = scan->table;
    scan->table = NULL;
}

int ls_relation_close(sqlite3_vtab_cursor *cursor)
{
    struct scan *scan = scan_of(cursor);

    leave_table(scan);
    zs_buffer_clear(&scan->key);
    sqlite3_free(scan->starts);
    sqlite3_free(scan->matches);
    sqlite3_free(scan);
    return SQLITE_OK;
}

void ls_access_clear(struct ls_access *access)
{
    while (access->idle != NULL) {
        struct ls_base_statement *next = access->idle->next;

        sqlite3_finalize(access->idle->statement);
        sqlite3_free(access->idle);
        access->idle = next;
    }
}

/* What may be looked up. */

/* A column of numbers compares as number with anything, as it does with a bound value. A text
** column makes a text of a value without affinity, but compares as number with a numeric column;
** one without affinity keeps to the value's type, but for that case too. */
static enum ls_match match_of(const struct scan *scan, int term, sqlite3_value *value)
{
    const struct ls_access *access = access_of(scan);
    enum ls_affinity affinity =
        ls_change_affinity(scan->relation->change, access->positions[term]);
    int type = sqlite3_value_type(value);

    if (ls_affinity_is_numeric(affinity) || type == SQLITE_BLOB || type == SQLITE_TEXT)
        return LS_EXACTLY;
    return affinity == LS_NONE && access->has_collations ? LS_OR_A_TEXT : LS_ANYTHING;
}

/* Appends a value to the key of a lookup, as the column's affinity makes it. */
static int append_value(struct scan *scan, int term, sqlite3_value *value)
{
    const struct ls_access *access = access_of(scan);
    sqlite3_value *copy = NULL;
    struct zs_value read;
    int rc = ZS_OK;

    if (sqlite3_value_type(value) == SQLITE_TEXT &&
        ls_affinity_is_numeric(
            ls_change_affinity(scan->relation->change, access->positions[term]))) {
        copy = sqlite3_value_dup(value);
        if (copy == NULL)
            return ZS_NOMEM;
        (void)sqlite3_value_numeric_type(copy);
        value = copy;
    }
    read = ls_value(value);
    rc = ls_is_out_of_memory(&read)
             ? ZS_NOMEM
             : zs_row_append_comparison(&scan->key, &read, access->collations[term]);
    sqlite3_value_free(copy);
    return rc;
}

/* Finds the rows of the change by all terms, or leaves them to be scanned. */
static int find_in_change(struct scan *scan, sqlite3_value **argv)
{
    const struct ls_access *access = access_of(scan);
    int rc = ZS_OK;

    scan->is_found = access->n > 0 && access->has_collations;
    for (int i = 0; i < access->n; i++)
        scan->is_found = scan->is_found && scan->matches[i] == LS_EXACTLY;
    if (!scan->is_found)
        return SQLITE_OK;
    zs_buffer_reset(&scan->key);
    for (int i = 0; rc == ZS_OK && i < access->n; i++)
        rc = append_value(scan, i, argv[i]);
    if (rc == ZS_OK)
        rc = ls_change_find(scan->relation->change, access->positions, access->collations,
            access->n, zs_buffer_bytes(&scan->key), &scan->found);
    return rc == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
}

/* The rows of the change. */

static const struct zs_item *item_of(const struct scan *scan)
{
    size_t i = scan->is_found ? ls_found_item(&scan->found, scan->at) : scan->at;
    return &ls_change_items(scan->relation->change)[i];
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
static void settle_in_change(struct scan *scan)
{
    size_t n = scan->is_found ? scan->found.n : ls_change_len(scan->relation->change);

    scan->n_known = 0;
    for (; scan->at < n; scan->at++) {
        int64_t weight = item_of(scan)->weight;

        scan->copies = weight < 0 ? -weight : weight;
        if (is_shown(scan->relation->form, weight))
            return;
    }
    scan->phase = AT_END;
}

static void enter_change(struct scan *scan)
{
    scan->phase = IN_CHANGE;
    scan->at = 0;
    settle_in_change(scan);
}

static int read_item(struct scan *scan, int position, struct zs_value *value)
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

/* The rows of the table. */

/* Did the table's row that the statement stands on come to be in this change? */
static int is_new_row(struct scan *scan, bool *is_new)
{
    struct ls_change *change = scan->relation->change;
    const int *keys = ls_change_keys(change);
    const enum zs_collation *collations = ls_change_key_collations(change);
    int n = ls_change_n_keys(change);
    struct ls_found found;
    int rc = ZS_OK;

    *is_new = false;
    if (ls_change_len(change) == 0)
        return SQLITE_OK;
    zs_buffer_reset(&scan->key);
    for (int i = 0; rc == ZS_OK && i < n; i++) {
        struct zs_value value = ls_column(scan->table->statement, keys[i]);

        rc = ls_is_out_of_memory(&value)
                 ? ZS_NOMEM
                 : zs_row_append_comparison(&scan->key, &value, collations[i]);
    }
    if (rc == ZS_OK)
        rc = ls_change_find(change, keys, collations, n, zs_buffer_bytes(&scan->key), &found);
    for (size_t i = 0; rc == ZS_OK && i < found.n; i++)
        if (ls_change_items(change)[ls_found_item(&found, i)].weight > 0)
            *is_new = true;
    return rc == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
}

static int step_in_table(struct scan *scan)
{
    bool is_new = true;
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && is_new) {
        rc = sqlite3_step(scan->table->statement);
        if (rc == SQLITE_DONE) {
            (void)sqlite3_reset(scan->table->statement);
            enter_change(scan);
            return SQLITE_OK;
        }
        rc = rc == SQLITE_ROW ? is_new_row(scan, &is_new)
                              : sqlite3_reset(scan->table->statement);
    }
    return rc;
}

static void append_name(const struct ls_change *change, int position, sqlite3_str *text)
{
    const struct ls_table *table = ls_change_table(change);
    int column = ls_change_column(change, position);

    sqlite3_str_appendf(
        text, "\"%w\"", column < 0 ? table->rowid_name : table->columns[column].name);
}

/* "SELECT a, b FROM t WHERE a COLLATE BINARY = ?1". '' is the least text, x'' the least blob. */
static char *table_text(const struct scan *scan)
{
    const struct ls_change *change = scan->relation->change;
    const struct ls_access *access = access_of(scan);
    sqlite3_str *text = sqlite3_str_new(scan->relation->db);
    const char *conjunction = " WHERE ";

    for (int i = 0; i < ls_change_n_columns(change); i++) {
        sqlite3_str_appendf(text, "%s", i == 0 ? "SELECT " : ", ");
        append_name(change, i, text);
    }
    sqlite3_str_appendf(text, " FROM \"%w\".\"%w\"", ls_change_table(change)->schema,
        ls_change_table(change)->name);
    for (int i = 0; i < access->n; i++) {
        if (scan->matches[i] == LS_ANYTHING)
            continue;
        sqlite3_str_appendf(text, "%s(", conjunction);
        append_name(change, access->positions[i], text);
        sqlite3_str_appendf(text, " COLLATE \"%w\" = ?%d", access->collation_names[i], i + 1);
        if (scan->matches[i] == LS_OR_A_TEXT) {
            sqlite3_str_appendf(text, " OR ");
            append_name(change, access->positions[i], text);
            sqlite3_str_appendf(
                text, " COLLATE \"%w\" BETWEEN '' AND x''", access->collation_names[i]);
        }
        sqlite3_str_appendf(text, ")");
        conjunction = " AND ";
    }
    return sqlite3_str_finish(text);
}

static size_t matches_size(const struct ls_access *access)
{
    return (size_t)access->n * sizeof(enum ls_match);
}

/* Takes an idle statement of these matches, or prepares one. */
static int take_statement(struct scan *scan)
{
    struct ls_access *access = &scan->relation->accesses[scan->access];
    struct ls_base_statement **link = &access->idle;
    struct ls_base_statement *made;
    int rc;

    while (*link != NULL && memcmp((*link)->matches, scan->matches, matches_size(access)) != 0)
        link = &(*link)->next;
    if (*link != NULL) {
        scan->table = *link;
        *link = scan->table->next;
        return SQLITE_OK;
    }
    made = zs_alloc_zeroed(&ls_alloc, sizeof(*made) + matches_size(access));
    if (made == NULL)
        return SQLITE_NOMEM;
    memcpy(made->matches, scan->matches, matches_size(access));
    rc = ls_prepare_text(scan->relation->db, &made->statement, table_text(scan));
    if (rc == SQLITE_OK)
        scan->table = made;
    else
        sqlite3_free(made);
    return rc;
}

static int enter_table(struct scan *scan, sqlite3_value **argv)
{
    const struct ls_access *access = access_of(scan);
    int rc = SQLITE_OK;

    if (scan->table != NULL &&
        memcmp(scan->table->matches, scan->matches, matches_size(access)) != 0)
        leave_table(scan);
    if (scan->table == NULL)
        rc = take_statement(scan);
    for (int i = 0; rc == SQLITE_OK && i < access->n; i++)
        if (scan->matches[i] != LS_ANYTHING)
            rc = sqlite3_bind_value(scan->table->statement, i + 1, argv[i]);
    if (rc != SQLITE_OK)
        return rc;
    scan->phase = IN_TABLE;
    return step_in_table(scan);
}

/* The scan. */

int ls_relation_filter(
    sqlite3_vtab_cursor *cursor, int access, const char *text, int argc, sqlite3_value **argv)
{
    struct scan *scan = scan_of(cursor);
    const struct ls_relation *relation = scan->relation;
    int rc;

    (void)text;
    scan->phase = AT_END;
    if (relation->change == NULL || (size_t)access >= relation->n_accesses ||
        argc != relation->accesses[access].n)
        return SQLITE_OK; /* a statement of nobody's */
    if (scan->access != (size_t)access)
        leave_table(scan);
    if (scan->table != NULL)
        (void)sqlite3_reset(scan->table->statement);
    scan->access = (size_t)access;
    for (int i = 0; i < argc; i++) {
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return SQLITE_OK; /* equal to nothing */
        scan->matches[i] = match_of(scan, i, argv[i]);
    }
    rc = find_in_change(scan, argv);
    if (rc == SQLITE_OK && relation->form == ZSQL_PAST)
        return enter_table(scan, argv);
    if (rc == SQLITE_OK)
        enter_change(scan);
    return rc;
}

int ls_relation_next(sqlite3_vtab_cursor *cursor)
{
    struct scan *scan = scan_of(cursor);

    if (scan->phase == IN_TABLE)
        return step_in_table(scan);
    if (--scan->copies > 0)
        return SQLITE_OK;
    scan->at++;
    settle_in_change(scan);
    return SQLITE_OK;
}

int ls_relation_eof(sqlite3_vtab_cursor *cursor)
{
    return scan_of(cursor)->phase == AT_END;
}

int ls_relation_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    struct scan *scan = scan_of(cursor);
    int slot = scan->relation->slots[column];
    struct zs_value value;
    int rc;

    if (slot == LS_WEIGHT_SLOT) {
        sqlite3_result_int(context, 1);
    } else if (slot == LS_SIGN_SLOT) {
        sqlite3_result_int(
            context, scan->phase == IN_CHANGE && item_of(scan)->weight < 0 ? -1 : 1);
    } else if (scan->phase == IN_TABLE) {
        sqlite3_result_value(context, sqlite3_column_value(scan->table->statement, slot));
    } else {
        rc = read_item(scan, slot, &value);
        if (rc != SQLITE_OK)
            return rc;
        ls_result(context, &value);
    }
    return SQLITE_OK;
}
