/* Two folds small enough to be seen through, with their naive readings: count, whose state is
** two numbers, and least, which needs the multiset. Both can be global, count can read as an
** error, and a count of nothing leaves the state empty, global or not. */
#ifndef TESTS_SMALL_FOLD_H
#define TESTS_SMALL_FOLD_H

#include "core/aggregate.h"
#include "tests/model.h"

/* "n:s", n the sum of the weights, s that of the values' lengths by weight; "bad n:s" as an
** error where s is 4 modulo 5. No row where n <= 0, unless global. */
extern const struct zs_fold small_count;
extern const struct zs_fold small_count_global;

/* The least value of positive weight; where there is none, no row, or "none" if global. */
extern const struct zs_fold small_least;
extern const struct zs_fold small_least_global;

/* Adds the aggregate of integral to out, group by group from scratch. has_run: a step has been
** made, and so a global fold has its row. */
void small_fold_naive(const struct zs_fold *fold, const struct model *integral, bool has_run,
    struct model_delta *out);

#endif
