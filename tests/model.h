/* Naive Z-sets, the other side of every comparison: a list of elements that a loop searches.
** Shares nothing with core/ but the way to name bytes. Runs out of memory by aborting. */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "core/batch.h"

enum { MODEL_BYTES = 40 };

struct model_bytes {
    uint8_t data[MODEL_BYTES];
    size_t len;
};

struct model_element {
    struct model_bytes key;
    struct model_bytes value;
    int64_t weight; /* not 0 */
};

/* All zero is the empty one. */
struct model {
    struct model_element *elements;
    size_t n;
    size_t cap;
};

/* Rows and errors, as on a stream. */
struct model_delta {
    struct model rows;
    struct model errors;
};

struct model_bytes model_bytes(struct zs_bytes bytes);
struct model_bytes model_text(const char *text);
struct zs_bytes model_as_bytes(const struct model_bytes *bytes); /* borrowed */
int model_bytes_compare(const struct model_bytes *a, const struct model_bytes *b);

void model_clear(struct model *model);
void model_add(struct model *model, const struct model_bytes *key,
    const struct model_bytes *value, int64_t weight);
void model_add_all(struct model *model, const struct model *other, int sign);
void model_add_batch(struct model *model, const struct zs_batch *batch, int sign);
void model_copy(struct model *to, const struct model *from);
int64_t model_weight(
    const struct model *model, const struct model_bytes *key, const struct model_bytes *value);
bool model_equal(const struct model *a, const struct model *b);
bool model_equals_batch(const struct model *model, const struct zs_batch *batch);
/* Canonical form: ascending, one item an element, no zero weight. */
bool model_is_canonical(const struct zs_batch *batch);

void model_delta_clear(struct model_delta *delta);
void model_delta_copy(struct model_delta *to, const struct model_delta *from);
void model_delta_add_all(struct model_delta *delta, const struct model_delta *other, int sign);
void model_delta_add(struct model_delta *model, const struct zs_delta *delta, int sign);
bool model_delta_equal(const struct model_delta *a, const struct model_delta *b);
bool model_delta_equals(const struct model_delta *model, const struct zs_delta *delta);

/* Adds a model to a real batch. */
ZS_CHECKED int model_to_batch(const struct model *model, struct zs_batch *batch);

#endif
