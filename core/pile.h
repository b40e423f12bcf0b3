/* A pile: elements (key, value), each with a weight, that are gathered to be put in order once.
** It takes a third of the memory that a batch and sorting it take, and gives items instead of
** holding them. */
#ifndef ZS_PILE_H
#define ZS_PILE_H

#include "core/batch.h"

struct zs_pile;

ZS_CHECKED int zs_pile_new(const struct zs_alloc *alloc, struct zs_pile **pile);
void zs_pile_free(struct zs_pile *pile); /* accepts NULL */

/* Adds a copy of an element behind all that there are. ZS_NOMEM leaves the pile unchanged. */
ZS_CHECKED int zs_pile_add(
    struct zs_pile *pile, struct zs_bytes key, struct zs_bytes value, int64_t weight);

/* Adds to the weight of element i, which may become 0. ZS_NOMEM, and ZS_OVERFLOW where that
** leaves 64 bits, leave the pile unchanged. */
ZS_CHECKED int zs_pile_add_weight(struct zs_pile *pile, size_t i, int64_t weight);

/* Puts the elements in ascending order, sums the weights of equal ones and drops zeros.
** ZS_NOMEM, ZS_OVERFLOW: they stand in another order, or fewer with the same sums. */
ZS_CHECKED int zs_pile_consolidate(struct zs_pile *pile);

size_t zs_pile_len(const struct zs_pile *pile);
size_t zs_pile_size(const struct zs_pile *pile); /* about how many bytes it takes */

/* Of a pile that was just consolidated: has each element a key of its own and a positive
** weight? */
bool zs_pile_is_plain(const struct zs_pile *pile);

/* Element i. Its bytes are the pile's until the reset. To be asked for some elements ahead:
** where each is lies about. */
struct zs_item zs_pile_item(const struct zs_pile *pile, size_t i);
void zs_pile_prefetch(const struct zs_pile *pile, size_t i); /* any i */

/* Keeps the first n elements only, and no bytes but theirs. ZS_NOMEM leaves the pile
** unchanged. */
ZS_CHECKED int zs_pile_keep(struct zs_pile *pile, size_t n);

void zs_pile_reset(struct zs_pile *pile); /* forgets all elements, and frees their bytes */

#endif
