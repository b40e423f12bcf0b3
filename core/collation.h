/* How texts compare under each collation of row.h: as a key, and without one. */
#ifndef ZS_COLLATION_H
#define ZS_COLLATION_H

#include "core/row.h"

/* Appends bytes that order as text does, escaped, but for the end. On ZS_NOMEM the buffer may
** hold a part of them. */
ZS_CHECKED int zs_collation_append_key(
    struct zs_buffer *key, struct zs_bytes text, enum zs_collation collation);

/* Negative, 0, positive. */
int zs_collation_compare(struct zs_bytes a, struct zs_bytes b, enum zs_collation collation);

#endif
