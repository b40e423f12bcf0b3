/* Rewriting a text by what is found in the FROMs of its SELECTs. */
#ifndef ZSQL_REWRITE_H
#define ZSQL_REWRITE_H

#include "sql/bind.h"
#include "sql/edit.h"

/* What a zsql_visit_from_fn of zsql_rewrite gets. It comes twice where it asks for it. */
struct zsql_rewriting {
    struct zsql_arena *arena;
    const char *text;
    bool is_bound;    /* names are known: the visit may add edits */
    bool wants_names; /* set by the first visit: there may be something to edit */
    struct zsql_edits edits;
};

/* *rewritten is the text with the edits made that the visits of its members of FROM, at any depth,
** ask for; the text itself where there are none. ZS_REFUSED as zsql_bind. */
ZS_CHECKED int zsql_rewrite(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, zsql_visit_from_fn *visit, struct zsql_message *message,
    const char **rewritten);

#endif
