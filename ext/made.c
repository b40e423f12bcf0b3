/* The integral is a trace over the overlay: under MADE and the operator's number, rows in the
** identity encoding, keyed by the comparison encoding of the arranged columns. An affinity is
** applied in the key, as SQLite does where it compares, so that whatever is equal comes under
** one key. Stored.
**
** What was before the step is what is now less the change, key by key. */
#include "ext/made.h"

#include "ext/pipeline_private.h"
#include "ext/statement.h"

enum { PIECE = 200 };

struct ls_made {
    const struct zsql_operator *operator;
    struct ls_overlay *overlay;
    enum ls_affinity *affinities;
    struct zs_cells *part;
    struct zs_trace *trace;
    struct zs_batch *change;
    struct ls_lookups *lookups;
    size_t *starts;       /* of a row's columns */
    struct zs_buffer key; /* of a row */
    struct zs_buffer value;
    struct zs_buffer next;
};

static int make_columns(struct ls_made *made)
{
    size_t n = made->operator->n_columns;

    made->affinities = zs_alloc_zeroed(&ls_alloc, n * sizeof(*made->affinities));
    made->starts = zs_alloc_zeroed(&ls_alloc, n * sizeof(*made->starts));
    if (made->affinities == NULL || made->starts == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++)
        made->affinities[i] = ls_affinity_of(made->operator->columns[i].type);
    return ZS_OK;
}

int ls_made_new(sqlite3 *db, const struct zs_alloc *alloc, const struct zsql_operator *operator,
    size_t number, struct ls_overlay *overlay, struct ls_made **made)
{
    struct ls_made *all = zs_alloc_zeroed(&ls_alloc, sizeof(*all));
    int rc;

    *made = NULL;
    if (all == NULL)
        return ZS_NOMEM;
    all->operator= operator;
    all->overlay = overlay;
    zs_buffer_init(&all->key, &ls_alloc);
    zs_buffer_init(&all->value, &ls_alloc);
    zs_buffer_init(&all->next, &ls_alloc);
    rc = make_columns(all);
    if (rc == ZS_OK)
        rc = ls_overlay_part(overlay, MADE, &all->part);
    if (rc == ZS_OK)
        rc = zs_cells_trace_new(&ls_alloc, all->part, (uint8_t)number, &all->trace);
    if (rc == ZS_OK)
        rc = zs_batch_new(alloc, &all->change);
    if (rc == ZS_OK)
        rc = ls_lookups_new(
            db, all->change, operator->n_columns, all->affinities, &all->lookups);
    if (rc == ZS_OK)
        *made = all;
    else
        ls_made_free(all);
    return rc;
}

void ls_made_free(struct ls_made *made)
{
    if (made == NULL)
        return;
    ls_lookups_free(made->lookups);
    zs_batch_free(made->change);
    zs_trace_free(made->trace);
    zs_cells_free(made->part);
    zs_buffer_clear(&made->key);
    zs_buffer_clear(&made->value);
    zs_buffer_clear(&made->next);
    sqlite3_free(made->affinities);
    sqlite3_free(made->starts);
    sqlite3_free(made);
}

const struct zsql_operator *ls_made_operator(const struct ls_made *made)
{
    return made->operator;
}

const enum ls_affinity *ls_made_affinities(const struct ls_made *made)
{
    return made->affinities;
}

struct zs_trace *ls_made_trace(struct ls_made *made)
{
    return made->trace;
}

struct ls_lookups *ls_made_lookups(struct ls_made *made)
{
    return made->lookups;
}

size_t ls_made_change_len(const struct ls_made *made)
{
    return zs_batch_len(made->change);
}

int ls_made_code(const struct ls_made *made)
{
    return ls_overlay_code(made->overlay);
}

/* What changes. */

/* Appends a value of an arranged column to the key that rows come under: the comparison
** encoding by the column's collation, its affinity applied. */
static int append_arranged(
    struct ls_made *made, struct zs_buffer *key, size_t term, const struct zs_value *value)
{
    int column = made->operator->arranged[term];

    return ls_lookups_append(
        made->lookups, key, value, column, made->operator->columns[column].collation);
}

/* The key of a row, into made->key. */
static int arrange(struct ls_made *made, struct zs_bytes row)
{
    size_t at = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < made->operator->n_columns; i++) {
        made->starts[i] = at;
        rc = zs_row_skip(row, &at);
    }
    zs_buffer_reset(&made->key);
    for (size_t i = 0; rc == ZS_OK && i < made->operator->n_arranged; i++) {
        struct zs_value value;

        at = made->starts[made->operator->arranged[i]];
        rc = zs_row_read(row, &at, &value);
        if (rc == ZS_OK)
            rc = append_arranged(made, &made->key, i, &value);
    }
    return rc;
}

int ls_made_take(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct ls_made *made = ctx;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];

        rc = arrange(made, item->value);
        if (rc == ZS_OK)
            rc =
                zs_batch_add(out->rows, zs_buffer_bytes(&made->key), item->value, item->weight);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add_all(made->change, out->rows, 1);
    return rc == ZS_OK ? zs_batch_consolidate(made->change) : rc;
}

void ls_made_reset(struct ls_made *made)
{
    ls_lookups_reset(made->lookups);
    zs_batch_reset(made->change);
}

/* Reading. */

/* Adds the rows of the last key that are behind the last item; made->next is what comes behind
** the key, empty where nothing can. */
static int complete_key(struct ls_made *made, struct zs_batch *piece)
{
    const struct zs_item *last = &zs_batch_items(piece)[zs_batch_len(piece) - 1];
    struct zs_span values = {0}, keys;
    int rc;

    zs_buffer_reset(&made->key);
    zs_buffer_reset(&made->value);
    rc = zs_buffer_append(&made->key, last->key.data, last->key.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&made->value, last->value.data, last->value.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(&made->value, 0); /* the least value above it */
    values.from = zs_buffer_bytes(&made->value);
    if (rc == ZS_OK)
        rc = zs_trace_lookup(made->trace, zs_buffer_bytes(&made->key), values, 0, piece);
    return rc == ZS_OK ? zs_span_prefix(zs_buffer_bytes(&made->key), &made->next, &keys) : rc;
}

/* Takes the change of these keys back. */
static int take_back(
    struct ls_made *made, struct zs_bytes from, struct zs_bytes to, struct zs_batch *piece)
{
    size_t low = 0, high = zs_batch_len(made->change);
    int rc = ZS_OK;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (zs_bytes_compare(zs_batch_items(made->change)[middle].key, from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; rc == ZS_OK && i < zs_batch_len(made->change); i++) {
        const struct zs_item *item = &zs_batch_items(made->change)[i];

        if (to.data != NULL && zs_bytes_compare(item->key, to) >= 0)
            break;
        rc = item->weight == INT64_MIN
                 ? ZS_OVERFLOW
                 : zs_batch_add(piece, item->key, item->value, -item->weight);
    }
    return rc == ZS_OK ? zs_batch_consolidate(piece) : rc;
}

int ls_made_read(struct ls_made *made, bool is_past, struct zs_buffer *from, struct zs_bytes to,
    struct zs_batch *piece, bool *is_last)
{
    struct zs_span span = {zs_buffer_bytes(from), to};
    int rc;

    zs_batch_reset(piece);
    *is_last = true;
    rc = zs_trace_range(made->trace, span, PIECE, piece);
    if (rc == ZS_OK && zs_batch_len(piece) == PIECE) {
        rc = complete_key(made, piece);
        *is_last = rc != ZS_OK || made->next.len == 0;
    }
    if (rc == ZS_OK && is_past)
        rc = take_back(made, span.from, *is_last ? to : zs_buffer_bytes(&made->next), piece);
    if (rc != ZS_OK || *is_last)
        return rc;
    zs_buffer_reset(from);
    return zs_buffer_append(from, made->next.data, made->next.len);
}
