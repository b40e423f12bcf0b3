/* Any bytes as rows in both encodings, escaped strings and sums: each is refused, or read
** without leaving it; and what is read can be written and read again. */
#include "core/escape.h"
#include "core/exact.h"
#include "tests/fuzz.h"

static void read_identity(struct zs_bytes row)
{
    size_t at = 0, skipped = 0, again = 0;
    struct zs_value value, same;
    struct zs_buffer written;

    zs_buffer_init(&written, &zs_alloc_libc);
    while (at < row.len && zs_row_read(row, &at, &value) == ZS_OK) {
        FUZZ_MUST(at <= row.len);
        FUZZ_MUST(zs_row_skip(row, &skipped) == ZS_OK && skipped == at);
        zs_buffer_reset(&written);
        FUZZ_MUST(zs_row_append_identity(&written, &value) == ZS_OK);
        again = 0;
        FUZZ_MUST(zs_row_read(zs_buffer_bytes(&written), &again, &same) == ZS_OK);
        FUZZ_MUST(again == written.len && zs_value_is_identical(&value, &same));
    }
    zs_buffer_clear(&written);
}

static void skip_comparison(struct zs_bytes row)
{
    size_t at = 0, before = 0;

    while (at < row.len && zs_row_skip_comparison(row, &at) == ZS_OK) {
        FUZZ_MUST(at > before && at <= row.len);
        before = at;
    }
}

static void undo_escape(struct zs_bytes bytes)
{
    size_t at = 0;
    struct zs_buffer plain, escaped;

    zs_buffer_init(&plain, &zs_alloc_libc);
    zs_buffer_init(&escaped, &zs_alloc_libc);
    if (zs_escape_skip(bytes, &at) == ZS_OK) {
        FUZZ_MUST(at > 0 && at <= bytes.len);
        if (zs_escape_undo(&plain, (struct zs_bytes){bytes.data, at - 1}) == ZS_OK) {
            FUZZ_MUST(zs_escape_append(&escaped, zs_buffer_bytes(&plain)) == ZS_OK);
            FUZZ_MUST(escaped.len == at - 1);
            FUZZ_MUST(at == 1 || memcmp(escaped.data, bytes.data, at - 1) == 0);
        }
    }
    zs_buffer_clear(&plain);
    zs_buffer_clear(&escaped);
}

static void read_sum(struct zs_bytes bytes)
{
    struct zs_exact sum, same;
    struct zs_buffer written;
    size_t at = 0, again = 0;
    int64_t integer, other;

    zs_exact_init(&sum, &zs_alloc_libc);
    zs_exact_init(&same, &zs_alloc_libc);
    zs_buffer_init(&written, &zs_alloc_libc);
    if (zs_exact_read(bytes, &at, &sum) == ZS_OK) {
        FUZZ_MUST(at <= bytes.len);
        FUZZ_MUST(zs_exact_append(&sum, &written) == ZS_OK);
        FUZZ_MUST(zs_exact_read(zs_buffer_bytes(&written), &again, &same) == ZS_OK);
        FUZZ_MUST(again == written.len);
        FUZZ_MUST(
            zs_exact_read_integer(&sum, &integer) == zs_exact_read_integer(&same, &other));
        (void)zs_exact_read_real(&sum);
        (void)!zs_exact_add_integer(&sum, INT64_MIN, 3);
        (void)!zs_exact_add_real(&sum, -1e300, -7);
        (void)zs_exact_read_real(&sum);
    }
    zs_exact_clear(&sum);
    zs_exact_clear(&same);
    zs_buffer_clear(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(struct zs_bytes) = {
        read_identity, skip_comparison, undo_escape, read_sum};

    if (size > 0)
        readers[data[0] % 4]((struct zs_bytes){data + 1, size - 1});
    return 0;
}
