/* What the fuzz targets share. Each is a file fuzz_NAME.c with the function that libFuzzer
** calls; make fuzz links it with libFuzzer, make check with fuzz_replay.c, which runs it over
** its corpus. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdlib.h>

#include "core/cells.h"
#include "core/row.h"

/* Never keeps data. Returns 0; aborts where something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program unless it holds. */
#define FUZZ_MUST(holds)                                                                       \
    do                                                                                         \
        if (!(holds))                                                                          \
            abort();                                                                           \
    while (0)

/* An input as it is used up from the start. Past its end there are zeros. */
struct fuzz_input {
    const uint8_t *data;
    size_t len;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (input->len == 0)
        return 0;
    input->len--;
    return *input->data++;
}

/* A length, then so many bytes, as far as there are some. Borrowed. */
static inline struct zs_bytes fuzz_bytes(struct fuzz_input *input)
{
    size_t len = fuzz_byte(input);
    struct zs_bytes bytes;

    if (len > input->len)
        len = input->len;
    bytes = (struct zs_bytes){input->data, len};
    input->data += len;
    input->len -= len;
    return bytes;
}

/* A value of any type. */
static inline struct zs_value fuzz_value(struct fuzz_input *input)
{
    struct zs_value value = {.type = (enum zs_type)(fuzz_byte(input) % 5)};

    switch (value.type) {
    case ZS_INTEGER:
        value.integer = (int8_t)fuzz_byte(input);
        if (value.integer > 100)
            value.integer = INT64_MAX - value.integer;
        break;
    case ZS_REAL:
        value.real = (int8_t)fuzz_byte(input) / 4.0;
        if (value.real > 30)
            value.real = 1e308 * value.real; /* infinity too */
        break;
    case ZS_TEXT:
    case ZS_BLOB:
        value.bytes = fuzz_bytes(input);
        break;
    default:
        break;
    }
    return value;
}

/* Puts less than most cells of any bytes behind a tag, as what a trace has stored. */
static inline void fuzz_fill(
    struct fuzz_input *input, struct zs_cells *cells, uint8_t tag, int most)
{
    struct zs_buffer key;

    zs_buffer_init(&key, &zs_alloc_libc);
    for (int n = fuzz_byte(input) % most; n > 0; n--) {
        struct zs_bytes rest = fuzz_bytes(input), value = fuzz_bytes(input);

        zs_buffer_reset(&key);
        FUZZ_MUST(zs_buffer_append_byte(&key, tag) == ZS_OK);
        FUZZ_MUST(zs_buffer_append(&key, rest.data, rest.len) == ZS_OK);
        FUZZ_MUST(zs_cells_put(cells, zs_buffer_bytes(&key), value) == ZS_OK);
    }
    zs_buffer_clear(&key);
}

#endif
