/* The past of a table: its rows of now but for those that came to be, whose keys are looked up
** in the change, and then the change's rows that ceased to be. In an order one statement reads
** both, and tells by a last column which are the latter. */
#include <string.h>

#include "ext/relation_private.h"
#include "ext/statement.h"

void ls_access_clear(struct ls_access *access)
{
    while (access->idle != NULL) {
        struct ls_base_statement *next = access->idle->next;

        sqlite3_finalize(access->idle->statement);
        sqlite3_free(access->idle);
        access->idle = next;
    }
}

void ls_scan_leave_table(struct ls_scan *scan)
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

static bool is_gone_row(const struct ls_scan *scan)
{
    return ls_scan_access(scan)->n_order > 0 &&
           sqlite3_column_int(
               scan->table->statement, ls_change_n_columns(scan->relation->change)) != 0;
}

/* Did the table's row that the statement stands on come to be in this change? */
static int is_new_row(struct ls_scan *scan, bool *is_new)
{
    struct ls_change *change = scan->relation->change;
    struct ls_lookups *lookups = scan->relation->lookups;
    const int *keys = ls_change_keys(change);
    const enum zs_collation *collations = ls_change_key_collations(change);
    int n = ls_change_n_keys(change);
    struct ls_found found;
    int rc = ZS_OK;

    *is_new = false;
    if (ls_change_len(change) == 0 || is_gone_row(scan))
        return SQLITE_OK;
    zs_buffer_reset(&scan->key);
    for (int i = 0; rc == ZS_OK && i < n; i++) {
        struct zs_value value = ls_column(scan->table->statement, keys[i]);

        rc = ls_read_status(&value);
        if (rc == ZS_OK)
            rc = ls_lookups_append(lookups, &scan->key, &value, keys[i], collations[i]);
    }
    if (rc == ZS_OK)
        rc = ls_lookups_find(lookups, keys, collations, n, zs_buffer_bytes(&scan->key), &found);
    for (size_t i = 0; rc == ZS_OK && i < found.n; i++)
        if (zs_batch_items(ls_lookups_rows(lookups))[ls_found_item(&found, i)].weight > 0)
            *is_new = true;
    return ls_code_of(rc);
}

int ls_scan_step_in_table(struct ls_scan *scan)
{
    bool is_new = true;
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && is_new) {
        rc = sqlite3_step(scan->table->statement);
        if (rc == SQLITE_DONE) {
            (void)sqlite3_reset(scan->table->statement);
            if (ls_scan_access(scan)->n_order > 0)
                scan->phase = LS_AT_END;
            else
                ls_scan_enter_change(scan);
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

/* "(a COLLATE BINARY = ?1)". '' is the least text, x'' the least blob. */
static void append_term(const struct ls_scan *scan, int i, sqlite3_str *text)
{
    static const char *const signs[] = {"=", "IS", "<", "<=", ">", ">="};
    const struct ls_change *change = scan->relation->change;
    const struct ls_access *access = ls_scan_access(scan);

    sqlite3_str_appendf(text, "(");
    append_name(change, access->positions[i], text);
    if (access->terms[i] == LS_IS_NULL) {
        sqlite3_str_appendf(text, " IS NULL)");
        return;
    }
    sqlite3_str_appendf(text, " COLLATE \"%w\" %s ?%d", access->collation_names[i],
        signs[access->terms[i]], i + 1);
    if (scan->matches[i] == LS_OR_A_TEXT) {
        sqlite3_str_appendf(text, " OR ");
        append_name(change, access->positions[i], text);
        sqlite3_str_appendf(
            text, " COLLATE \"%w\" BETWEEN '' AND x''", access->collation_names[i]);
    }
    sqlite3_str_appendf(text, ")");
}

/* "SELECT a, b, 0 FROM t WHERE ...", of the table or of what is gone from it. */
static void append_select(const struct ls_scan *scan, bool is_of_gone, sqlite3_str *text)
{
    const struct ls_change *change = scan->relation->change;
    const struct ls_access *access = ls_scan_access(scan);
    const char *conjunction = " WHERE ";

    for (int i = 0; i < ls_change_n_columns(change); i++) {
        sqlite3_str_appendf(text, "%s", i == 0 ? "SELECT " : ", ");
        append_name(change, i, text);
    }
    if (is_of_gone)
        sqlite3_str_appendf(text, ", 1 FROM \"%w\"", ls_relation_name(scan->relation->gone));
    else
        sqlite3_str_appendf(text, ", 0 FROM \"%w\".\"%w\"", ls_change_table(change)->schema,
            ls_change_table(change)->name);
    for (int i = 0; i < access->n; i++) {
        if (scan->matches[i] == LS_ANYTHING)
            continue;
        sqlite3_str_appendf(text, "%s", conjunction);
        conjunction = " AND ";
        append_term(scan, i, text);
    }
}

static char *table_text(const struct ls_scan *scan)
{
    const struct ls_access *access = ls_scan_access(scan);
    sqlite3_str *text = sqlite3_str_new(scan->relation->db);

    append_select(scan, false, text);
    if (access->n_order > 0) {
        sqlite3_str_appendf(text, " UNION ALL ");
        append_select(scan, true, text);
    }
    for (int i = 0; i < access->n_order; i++)
        sqlite3_str_appendf(text, "%s%d%s", i == 0 ? " ORDER BY " : ", ",
            access->order[i] < 0 ? -access->order[i] : access->order[i],
            access->order[i] < 0 ? " DESC" : "");
    return sqlite3_str_finish(text);
}

static size_t matches_size(const struct ls_access *access)
{
    return (size_t)access->n * sizeof(enum ls_match);
}

/* Takes an idle statement of these matches, or prepares one. */
static int take_statement(struct ls_scan *scan)
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

int ls_scan_enter_table(struct ls_scan *scan, sqlite3_value **values)
{
    const struct ls_access *access = ls_scan_access(scan);
    int rc = SQLITE_OK;

    if (scan->table != NULL &&
        memcmp(scan->table->matches, scan->matches, matches_size(access)) != 0)
        ls_scan_leave_table(scan);
    if (scan->table == NULL)
        rc = take_statement(scan);
    for (int i = 0; rc == SQLITE_OK && i < access->n; i++)
        if (scan->matches[i] != LS_ANYTHING && access->terms[i] != LS_IS_NULL)
            rc = sqlite3_bind_value(scan->table->statement, i + 1, values[i]);
    if (rc != SQLITE_OK)
        return rc;
    scan->phase = LS_IN_TABLE;
    return ls_scan_step_in_table(scan);
}
