/* All that an operator has made: the rows under a span of keys, a piece at a time.
**
** The columns that it is arranged by are looked up as far as they go, from the first on. Where
** a value may be equal to a text as well, or nothing is known, they go no further: the texts
** are a second span. SQLite compares all rows once more. */
#include "ext/relation_private.h"
#include "ext/statement.h"

/* Is what is equal by that name equal by the collation? */
static bool is_finer(const char *name, enum zs_collation collation)
{
    enum zs_collation read;

    return ls_collation_of(name, &read) && (read == ZS_BINARY || read == collation);
}

int ls_made_term(const struct ls_relation *relation, const struct ls_access *access, size_t n)
{
    const struct zsql_operator *operator= ls_made_operator(relation->made);
    int column = operator->arranged[n];

    for (int i = 0; i < access->n; i++)
        if (access->positions[i] == column &&
            is_finer(access->collation_names[i], operator->columns[column].collation))
            return i;
    return -1;
}

static int append(struct ls_scan *scan, struct zs_buffer *key, size_t n, sqlite3_value *value)
{
    const struct zsql_operator *operator= ls_made_operator(scan->relation->made);
    int column = operator->arranged[n];

    return ls_scan_append(scan, key, value, column, operator->columns[column].collation);
}

static int copy_key(const struct ls_scan *scan, struct zs_buffer *to)
{
    zs_buffer_reset(to);
    return zs_buffer_append(to, scan->key.data, scan->key.len);
}

/* The span of the keys that begin with scan->key. */
static int add_span(struct ls_scan *scan)
{
    struct zs_span span;
    int rc = copy_key(scan, &scan->spans[scan->n_spans].from);

    if (rc == ZS_OK)
        rc = zs_span_prefix(zs_buffer_bytes(&scan->key), &scan->spans[scan->n_spans].to, &span);
    scan->n_spans++;
    return rc;
}

/* The span of those that go on with a text: '' is the least text, x'' the least blob. */
static int add_texts(struct ls_scan *scan)
{
    static const struct zs_value least[2] = {{.type = ZS_TEXT}, {.type = ZS_BLOB}};
    struct zs_buffer *bounds[2] = {
        &scan->spans[scan->n_spans].from, &scan->spans[scan->n_spans].to};
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < 2; i++) {
        rc = copy_key(scan, bounds[i]);
        if (rc == ZS_OK)
            rc = zs_row_append_comparison(bounds[i], &least[i], ZS_BINARY);
    }
    scan->n_spans++;
    return rc;
}

/* Finds the spans of what is looked up. */
static int find_spans(struct ls_scan *scan, sqlite3_value **values)
{
    const struct ls_access *access = ls_scan_access(scan);
    size_t n_arranged = ls_made_operator(scan->relation->made)->n_arranged;
    int rc = ZS_OK;

    zs_buffer_reset(&scan->key);
    scan->span = scan->n_spans = 0;
    for (size_t n = 0; rc == ZS_OK && n < n_arranged; n++) {
        int term = ls_made_term(scan->relation, access, n);

        if (term < 0 || scan->matches[term] == LS_ANYTHING)
            break;
        if (scan->matches[term] == LS_OR_A_TEXT)
            rc = add_texts(scan);
        if (rc == ZS_OK)
            rc = append(scan, &scan->key, n, values[term]);
        if (scan->matches[term] == LS_OR_A_TEXT)
            break;
    }
    return rc == ZS_OK ? add_span(scan) : rc;
}

static int code_of(const struct ls_scan *scan, int status)
{
    return status == ZS_CALLBACK ? ls_made_code(scan->relation->made) : ls_code_of(status);
}

/* Reads the next piece of the span, or of the next one. */
static int read_piece(struct ls_scan *scan)
{
    struct zs_bytes to;
    int rc;

    if (scan->is_last_piece)
        scan->span++;
    scan->at = 0;
    zs_batch_reset(scan->piece);
    if (scan->span == scan->n_spans) {
        scan->phase = LS_AT_END;
        return SQLITE_OK;
    }
    to = zs_buffer_bytes(&scan->spans[scan->span].to);
    rc = ls_made_read(scan->relation->made, scan->relation->form == ZSQL_PAST,
        &scan->spans[scan->span].from, to.len == 0 ? (struct zs_bytes){NULL, 0} : to,
        scan->piece, &scan->is_last_piece);
    return code_of(scan, rc);
}

int ls_scan_settle_in_made(struct ls_scan *scan)
{
    int rc = SQLITE_OK;

    scan->n_known = 0;
    while (rc == SQLITE_OK && scan->phase == LS_IN_MADE) {
        for (; scan->at < zs_batch_len(scan->piece); scan->at++) {
            scan->copies = zs_batch_items(scan->piece)[scan->at].weight;
            if (scan->copies > 0)
                return SQLITE_OK;
        }
        rc = read_piece(scan);
    }
    return rc;
}

int ls_scan_enter_made(struct ls_scan *scan, sqlite3_value **values)
{
    int rc = find_spans(scan, values);

    if (rc != ZS_OK)
        return code_of(scan, rc);
    scan->phase = LS_IN_MADE;
    scan->is_last_piece = false;
    scan->at = 0;
    zs_batch_reset(scan->piece);
    return ls_scan_settle_in_made(scan);
}
