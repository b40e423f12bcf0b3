/* Escaped bytes: a form of byte strings that orders as they do and says itself where it ends.
** 0x00 is written 0x01 0x01, 0x01 is written 0x01 0x02, and the string ends with 0x00. */
#ifndef ZS_ESCAPE_H
#define ZS_ESCAPE_H

#include "core/buffer.h"

enum { ZS_ESCAPE_END = 0x00 };

/* Appends bytes escaped, but for the end. ZS_NOMEM leaves the buffer unchanged. O(length). */
ZS_CHECKED int zs_escape_append(struct zs_buffer *out, struct zs_bytes bytes);

/* Skips an escaped string and its end. ZS_CORRUPT, *at unchanged, where there is no end. */
ZS_CHECKED int zs_escape_skip(struct zs_bytes bytes, size_t *at);

/* Appends what the escaped bytes stand for (without their end). ZS_CORRUPT, ZS_NOMEM leave the
** buffer unchanged. */
ZS_CHECKED int zs_escape_undo(struct zs_buffer *out, struct zs_bytes escaped);

#endif
