/* What stands in the parentheses of USING lockstep(...): options, then the SELECT.
**
**   maintain = read | commit          when the view is brought up to date; default read
**   index = (column [DESC], ...)      an index over the stored result; may be repeated
**   indexes = yes | no                make indexes on the base tables that joins need; default yes
**
** Options are separated by commas; a comma before the SELECT may be left out. */
#ifndef ZSQL_OPTIONS_H
#define ZSQL_OPTIONS_H

#include "sql/arena.h"

enum zsql_maintain { ZSQL_MAINTAIN_READ, ZSQL_MAINTAIN_COMMIT };

struct zsql_index_column {
    const char *name; /* quotes undone */
    bool is_descending;
};

struct zsql_index {
    struct zsql_index_column *columns;
    size_t n_columns;
};

struct zsql_options {
    enum zsql_maintain maintain;
    struct zsql_index *indexes;
    size_t n_indexes;
    bool makes_no_index;      /* indexes=no */
    const char *select;       /* the rest, without closing semicolons and comments */
    struct zsql_arena *arena; /* holds all of it, the options too */
};

/* ZS_SYNTAX: *message says in one clause what is wrong; it is allocated, the caller frees it
** with zs_alloc_free. ZS_OK: *options is the caller's, and lives on its own. */
ZS_CHECKED int zsql_options_new(const struct zs_alloc *alloc, const char *text,
    struct zsql_options **options, char **message);
void zsql_options_free(struct zsql_options *options); /* accepts NULL */

#endif
