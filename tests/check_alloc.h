/* An allocation table for tests: fails the n-th call, counts the blocks that are alive, moves a
** block on every resize and overwrites what it frees, so that stale pointers show. */
#ifndef TESTS_CHECK_ALLOC_H
#define TESTS_CHECK_ALLOC_H

#include "core/alloc.h"
#include "core/status.h"

struct check_alloc {
    struct zs_alloc alloc;
    unsigned long n_calls; /* that asked for memory, since fail was last called */
    unsigned long fails_at;
    unsigned long n_failed;
    size_t n_blocks; /* alive */
};

void check_alloc_init(struct check_alloc *check);

/* The n-th call from now on fails, the first being 1; 0: none does. */
void check_alloc_fail(struct check_alloc *check, unsigned long n);

/* Fails the test if a block is alive. */
void check_alloc_end(const struct check_alloc *check);

/* Runs act with the first allocation failing, then the second, until one run sees no failure.
** A run that met the failure must return ZS_NOMEM, and then `unchanged` is called; any other
** must return ZS_OK. Returns how many allocations the act makes. */
unsigned long check_alloc_sweep(
    struct check_alloc *check, int (*act)(void *ctx), void (*unchanged)(void *ctx), void *ctx);

#endif
