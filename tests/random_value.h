/* Random SQL values that lie close together, so that order and equality are put to the test. */
#ifndef TESTS_RANDOM_VALUE_H
#define TESTS_RANDOM_VALUE_H

#include "core/row.h"
#include "tests/random.h"

enum { RANDOM_TEXT_MAX = 40 };

/* A value and room for its bytes, which it borrows: pass by pointer, do not copy. */
struct random_value {
    struct zs_value value;
    uint8_t bytes[RANDOM_TEXT_MAX];
};

/* Numbers around powers of two, text with NULs, 0x01, spaces, both cases, several scripts and
** broken UTF-8, blobs, NULL. */
void random_value(struct random *random, struct random_value *out);

/* One like `near`: the same, or changed a little, or of another type. */
void random_value_near(
    struct random *random, const struct random_value *near, struct random_value *out);

#endif
