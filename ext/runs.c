/* The order in which a build reads rows. */
#include "ext/runs.h"

int ls_runs_note(struct ls_runs *runs, struct zs_bytes key)
{
    int order = zs_bytes_compare(zs_buffer_bytes(&runs->last), key);

    runs->begins = order != 0;
    if (order == 0 || !runs->are_sorted)
        return ZS_OK;
    runs->are_sorted = order < 0;
    zs_buffer_reset(&runs->last);
    return zs_buffer_append(&runs->last, key.data, key.len);
}

void ls_runs_begin_piece(struct ls_runs *runs)
{
    runs->used_before = *runs->used;
}

bool ls_runs_end_piece(const struct ls_runs *runs, size_t n_rows)
{
    size_t used = *runs->used > runs->used_before ? *runs->used - runs->used_before : 0;

    if (n_rows == 0 || (n_rows < runs->piece_len && used <= runs->most_bytes))
        return false;
    return !runs->are_sorted || runs->begins || n_rows >= runs->most_rows ||
           used > 2 * runs->most_bytes;
}

void ls_runs_append_order(sqlite3_str *text, const struct ls_encoder *encoder, int first)
{
    /* The database's encoding is SQLite's to mind. */
    static const char *const names[] = {[ZS_BINARY] = "BINARY",
        [ZS_NOCASE] = "NOCASE",
        [ZS_RTRIM] = "RTRIM",
        [ZS_BINARY_16LE] = "BINARY",
        [ZS_BINARY_16BE] = "BINARY"};

    for (size_t i = 0; i < encoder->n_keys; i++)
        sqlite3_str_appendf(text, "%s%d COLLATE \"%w\"", i == 0 ? " ORDER BY " : ", ",
            (int)encoder->keys[i].column + first, names[encoder->keys[i].order.collation]);
}
