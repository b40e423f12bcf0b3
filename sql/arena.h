/* An arena: memory that is freed whole. Trees, bound trees and plans live in one. */
#ifndef ZSQL_ARENA_H
#define ZSQL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/alloc.h"
#include "core/status.h"

struct zsql_arena;

ZS_CHECKED int zsql_arena_new(const struct zs_alloc *alloc, struct zsql_arena **arena);
void zsql_arena_free(struct zsql_arena *arena); /* accepts NULL */

/* n zeroed bytes, aligned for any type, or NULL without memory; after the first NULL there is
** nothing but NULL, so that a chain of calls may be checked once at its end. n may be 0. */
void *zsql_arena_get(struct zsql_arena *arena, size_t n);
bool zsql_arena_has_failed(const struct zsql_arena *arena);

/* A NUL-terminated copy of n bytes. */
char *zsql_arena_copy(struct zsql_arena *arena, const char *text, size_t n);

/* The table of functions that the arena allocates with; borrowed. */
const struct zs_alloc *zsql_arena_table(const struct zsql_arena *arena);

/* n bytes outside the arena, to be freed before it by hand; NULL without memory. */
void *zsql_arena_scratch(struct zsql_arena *arena, size_t n);
void zsql_arena_scratch_free(struct zsql_arena *arena, void *p);

/* A list of pointers; what they point to is said where the list is declared. */
struct zsql_list {
    void **items;
    size_t n;
    size_t cap;
};

/* ZS_NOMEM leaves the list unchanged. Amortised O(1). */
ZS_CHECKED int zsql_list_append(struct zsql_arena *arena, struct zsql_list *list, void *item);

#endif
