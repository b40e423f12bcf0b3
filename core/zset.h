/* A Z-set: elements with weights other than zero, an abelian group as far as 64 bits reach
** (Budiu, McSherry, Ryzhyk and Tannen, "DBSP", VLDB 2023, section 3).
**
** Canonical: ascending, one item an element, no weight of zero. So two Z-sets are equal exactly
** when they hold the same items. An element is a pair (key, value) of bytes, as in a batch. A
** weight that would leave int64 is ZS_OVERFLOW; it and ZS_NOMEM leave everything unchanged. The
** result is never wrong, only refused: (MAX + 1) - 1 is, MAX + (1 - 1) is not. */
#ifndef ZS_ZSET_H
#define ZS_ZSET_H

#include "core/batch.h"

struct zs_zset;

/* The zero of the group. */
ZS_CHECKED int zs_zset_new(const struct zs_alloc *alloc, struct zs_zset **zset);
ZS_CHECKED int zs_zset_copy(const struct zs_zset *zset, struct zs_zset **copy);
void zs_zset_free(struct zs_zset *zset); /* accepts NULL */

/* Adds weight to one element, whose bytes are copied. O(elements); for many, see add_batch. */
ZS_CHECKED int zs_zset_insert(
    struct zs_zset *zset, struct zs_bytes key, struct zs_bytes value, int64_t weight);

/* Adds all of a batch, which is consolidated on the way. */
ZS_CHECKED int zs_zset_add_batch(struct zs_zset *zset, struct zs_batch *batch);

/* The group. other may be zset itself. O(elements of both). */
ZS_CHECKED int zs_zset_add(struct zs_zset *zset, const struct zs_zset *other);
ZS_CHECKED int zs_zset_subtract(struct zs_zset *zset, const struct zs_zset *other);
ZS_CHECKED int zs_zset_negate(struct zs_zset *zset);
ZS_CHECKED int zs_zset_scale(struct zs_zset *zset, int64_t factor);

/* Weight 1 for every element whose weight is positive, and nothing else. Not linear. */
void zs_zset_distinct(struct zs_zset *zset);

/* 0 for an element that is not there. O(log elements). */
int64_t zs_zset_weight(const struct zs_zset *zset, struct zs_bytes key, struct zs_bytes value);

bool zs_zset_is_zero(const struct zs_zset *zset);
bool zs_zset_equal(const struct zs_zset *a, const struct zs_zset *b);

/* The items, ascending. Borrowed, valid until the Z-set changes. */
size_t zs_zset_len(const struct zs_zset *zset);
const struct zs_item *zs_zset_items(const struct zs_zset *zset);

/* The stream operators over n Z-sets: new ones with the running sums, and their inverse, the
** differences of each and the one before it (before the first is zero). On error out holds only
** NULLs. O(elements of all of out). */
ZS_CHECKED int zs_zset_integrate(
    const struct zs_zset *const *deltas, size_t n, struct zs_zset **out);
ZS_CHECKED int zs_zset_differentiate(
    const struct zs_zset *const *sums, size_t n, struct zs_zset **out);

#endif
