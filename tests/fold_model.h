/* SQL aggregates over a plain list of rows, recomputed from scratch; and recomputed wrongly,
** for tests of the tests. Shares with core/fold*.c only the encodings of values. */
#ifndef TESTS_FOLD_MODEL_H
#define TESTS_FOLD_MODEL_H

#include "core/fold.h"

enum fold_fault {
    FOLD_SOUND,
    FOLD_COUNTS_NULLS,
    FOLD_FORGETS_WEIGHTS,        /* counts rows that are there, not how often */
    FOLD_SUMS_DOUBLES,           /* rounds at each addition */
    FOLD_SUMS_REALS,             /* sums of integers come out REAL */
    FOLD_WRAPS,                  /* at int64 */
    FOLD_OVERFLOWS_ALWAYS,       /* outside int64 even where reals are among the addends */
    FOLD_KEEPS_OVERFLOW,         /* for good */
    FOLD_ADDS_INFINITIES,        /* inf - inf is inf */
    FOLD_TOTALS_NULL,            /* over nothing */
    FOLD_AVERAGES_ROWS,          /* divides by rows, NULLs included */
    FOLD_AVERAGES_INTEGERS,      /* divides as integers */
    FOLD_IGNORES_DISTINCT,       /* counts equal values each */
    FOLD_DISTINGUISHES_IDENTITY, /* DISTINCT tells equal values apart */
    FOLD_IGNORES_COLLATION,      /* of min and max */
    FOLD_KEEPS_VALUES,           /* min and max over values that are gone */
    FOLD_UNANIMOUS_BY_COLLATION, /* 'a' and 'A' agree */
    FOLD_UNANIMOUS_WITH_NULL,    /* a NULL disagrees */
    FOLD_KEEPS_KEYS,             /* of the first row there ever was */
    FOLD_MIXES_KEYS,             /* of two rows */
    FOLD_CHOOSES_ANY,            /* the values of any row where that of the least is wanted */
    FOLD_CHOOSES_NULL,           /* as the least; and it is no greater than others */
    FOLD_CHOOSES_BINARY,         /* whatever the collation */
    FOLD_KEEPS_CHOICE,           /* values of the best row there ever was */
    FOLD_KEEPS_GROUP,            /* a row with count 0 for a group that is gone */
    FOLD_LOSES_GLOBAL,           /* no row over nothing */
    FOLD_LEAVES_STATE,           /* of a group that is gone */
    FOLD_FAULTS
};

struct fold_row {
    struct zs_bytes row; /* key values and arguments, identity-encoded; borrowed */
    int64_t weight;      /* 0: it was there once */
};

struct fold_shape {
    unsigned n_keys;
    unsigned n_arguments;
    const struct zs_fold_spec *specs;
    unsigned n_specs;
    bool is_global;
    enum zs_choice choice;
    unsigned choice_argument;
    enum zs_collation choice_collation;
};

#define FOLD_MODEL_MESSAGE "four too many"

/* Writes the value of one aggregate over the rows to result, which comes empty; false: it is an
** error, that of a sum "integer overflow", that of a ZS_REFOLD FOLD_MODEL_MESSAGE. Aborts where
** it can't go on. */
bool fold_model_value(const struct fold_shape *shape, const struct zs_fold_spec *spec,
    const struct fold_row *rows, size_t n, enum fold_fault fault, struct zs_buffer *result);

/* The same of a ZS_REFOLD; and the function that core is to compute it with. */
bool fold_model_refold_value(const struct fold_shape *shape, const struct zs_fold_spec *spec,
    const struct fold_row *rows, size_t n, enum fold_fault fault, struct zs_buffer *result);
int fold_model_refold(void *ctx, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error);

/* A row whose values stand for the group, NULL where there is none; and may those keys? */
const struct fold_row *fold_model_choose(const struct fold_shape *shape,
    const struct fold_row *rows, size_t n, enum fold_fault fault);
bool fold_model_may_choose(const struct fold_shape *shape, const struct fold_row *rows,
    size_t n, struct zs_bytes keys);

/* How long the key values of a row are. */
size_t fold_model_keys_len(const struct fold_shape *shape, struct zs_bytes row);

/* A fold whose state is the list of rows; free with free_naive_fold. */
struct zs_fold *naive_fold_new(const struct fold_shape *shape, enum fold_fault fault);
void naive_fold_free(struct zs_fold *fold);

#endif
