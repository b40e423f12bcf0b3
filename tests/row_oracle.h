/* What SQLite says about the order of two values. */
#ifndef TESTS_ROW_ORACLE_H
#define TESTS_ROW_ORACLE_H

#include <stddef.h>

#include "core/row.h"

struct row_oracle;

struct row_oracle *row_oracle_new(void);
void row_oracle_free(struct row_oracle *oracle);

/* -1, 0, 1 as ORDER BY would have it, NULLs equal and first. */
int row_oracle_compare(struct row_oracle *oracle, const struct zs_value *a,
    const struct zs_value *b, enum zs_collation collation);

/* False where SQLite cannot be asked: it compares an integer with a real by way of a long
** double, and valgrind's is no better than a double. */
bool row_oracle_knows(const struct zs_value *a, const struct zs_value *b);

/* Text as it reads after it was stored in the collation's encoding; of the second, text is
** given in that encoding itself. Valid until the next call. */
struct zs_bytes row_oracle_read_back(
    struct row_oracle *oracle, struct zs_bytes text, enum zs_collation collation);
struct zs_bytes row_oracle_read_utf16(
    struct row_oracle *oracle, struct zs_bytes units, enum zs_collation collation);

#endif
