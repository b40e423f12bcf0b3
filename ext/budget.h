/* How much memory a view may take: an allocation table that counts, and while there is a bound
** refuses what goes beyond it, as if there were none. What grows with a change is allocated by
** it: the change on its way through the circuit, and the overlay. */
#ifndef LS_BUDGET_H
#define LS_BUDGET_H

#include <stdbool.h>

#include "core/alloc.h"

/* The bounds. What a build has in memory is stored when it is more than LS_BUILD_BYTES
** (build.c). A step that would take a view's overlay, with what the step needs, beyond
** LS_STEP_BYTES is undone: the change is taken in by pieces (pieces.c), or the view is made
** anew, or where that can't be written its query is run (view.h). */
enum { LS_BUILD_BYTES = 64 << 20, LS_STEP_BYTES = 64 << 20 };

struct ls_budget {
    struct zs_alloc alloc;
    size_t used;
    size_t most;
    bool is_exceeded; /* something was refused since the bound was set */
};

/* Without a bound. Objects that are given &budget->alloc borrow it. */
void ls_budget_init(struct ls_budget *budget);

/* So many bytes may be used in all. */
void ls_budget_bound(struct ls_budget *budget, size_t most);

/* Takes the bound away. */
void ls_budget_unbound(struct ls_budget *budget);

#endif
