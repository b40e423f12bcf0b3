/* An allocation table over SQLite's. A block that grows is reckoned with as two, since it may
** have to move. */
#include "ext/budget.h"

#include <stdint.h>

#include "ext/api.h"

static void *budget_resize(void *ctx, void *p, size_t n)
{
    struct ls_budget *budget = ctx;
    size_t old = (size_t)sqlite3_msize(p);
    void *resized;

    if (n > old && (n > budget->most || budget->used > budget->most - n)) {
        budget->is_exceeded = true;
        return NULL;
    }
    resized = sqlite3_realloc64(p, n);
    if (resized != NULL)
        budget->used += (size_t)sqlite3_msize(resized) - old;
    return resized;
}

static void budget_release(void *ctx, void *p)
{
    struct ls_budget *budget = ctx;

    budget->used -= (size_t)sqlite3_msize(p);
    sqlite3_free(p);
}

void ls_budget_init(struct ls_budget *budget)
{
    *budget =
        (struct ls_budget){.alloc = {budget_resize, budget_release, budget}, .most = SIZE_MAX};
}

void ls_budget_bound(struct ls_budget *budget, size_t most)
{
    budget->most = most;
    budget->is_exceeded = false;
}

void ls_budget_unbound(struct ls_budget *budget)
{
    budget->most = SIZE_MAX;
}
