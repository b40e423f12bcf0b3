/* The laws of the two encodings of rows. */
#ifndef TESTS_ROW_LAWS_H
#define TESTS_ROW_LAWS_H

#include "core/row.h"
#include "tests/property.h"
#include "tests/row_oracle.h"

/* What row.h does, so that a rival can do some of it wrong. */
struct row_coder {
    int (*append_identity)(struct zs_buffer *row, const struct zs_value *value);
    int (*append_comparison)(
        struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation);
    int (*read)(struct zs_bytes row, size_t *at, struct zs_value *value);
    int (*skip_comparison)(struct zs_bytes row, size_t *at);
    int (*compare)(
        const struct zs_value *a, const struct zs_value *b, enum zs_collation collation);
};

/* The subject of the properties. */
struct row_subject {
    const struct row_coder *coder;
    struct row_oracle *oracle;
};

/* The coder with row.h's functions where it has none. */
struct row_coder row_coder_complete(struct row_coder coder);

extern const struct property row_is_reversible; /* what is read is what was appended */
extern const struct property row_identity;      /* equal bytes are identical values, and back */
extern const struct property row_order;         /* keys order as SQLite orders the values */
extern const struct property row_compare;       /* and so does comparing without keys */
extern const struct property row_prefix; /* no key begins another; skipping finds its end */
extern const struct property row_tuple;  /* keys of two values order as pairs */

/* Functions that a rival does not set are row.h's own. The list ends with one without a name.
 */
struct row_rival {
    const char *name;
    struct row_coder coder;
    const struct property *caught_by;
};

extern const struct row_rival row_rivals[];

#endif
