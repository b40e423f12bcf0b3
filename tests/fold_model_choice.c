/* Whose values may stand for a group, from a plain list of its rows. */
#include <check.h>

#include "tests/fold_model.h"

/* An assertion of Check's writes to a file each time; there are too many here. */
static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

static struct zs_value argument_of(const struct fold_shape *shape, const struct fold_row *row)
{
    struct zs_value value = {0};
    size_t at = 0;

    for (unsigned i = 0; i <= shape->n_keys + shape->choice_argument; i++)
        must(zs_row_read(row->row, &at, &value));
    return value;
}

/* Is a to be preferred to b? */
static bool is_better(const struct fold_shape *shape, const struct fold_row *a,
    const struct fold_row *b, enum fold_fault fault)
{
    struct zs_value left = argument_of(shape, a);
    struct zs_value right = argument_of(shape, b);
    enum zs_collation collation =
        fault == FOLD_CHOOSES_BINARY ? ZS_BINARY : shape->choice_collation;
    int order = zs_value_compare(&left, &right, collation);

    if (fault != FOLD_CHOOSES_NULL && (left.type == ZS_NULL) != (right.type == ZS_NULL))
        return right.type == ZS_NULL;
    return shape->choice == ZS_LEAST_ROW ? order < 0 : order > 0;
}

const struct fold_row *fold_model_choose(const struct fold_shape *shape,
    const struct fold_row *rows, size_t n, enum fold_fault fault)
{
    bool with_gone = fault == FOLD_KEEPS_KEYS || fault == FOLD_KEEPS_CHOICE;
    bool is_any =
        shape->choice == ZS_ANY_ROW || fault == FOLD_CHOOSES_ANY || fault == FOLD_KEEPS_KEYS;
    const struct fold_row *best = NULL;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].weight == 0 && !with_gone)
            continue;
        if (best == NULL || (!is_any && is_better(shape, &rows[i], best, fault)))
            best = &rows[i];
    }
    return best;
}

bool fold_model_may_choose(
    const struct fold_shape *shape, const struct fold_row *rows, size_t n, struct zs_bytes keys)
{
    const struct fold_row *best = fold_model_choose(shape, rows, n, FOLD_SOUND);

    for (size_t i = 0; i < n; i++) {
        struct zs_bytes own = {rows[i].row.data, fold_model_keys_len(shape, rows[i].row)};

        if (zs_bytes_equal(own, keys) &&
            (shape->choice == ZS_ANY_ROW || !is_better(shape, best, &rows[i], FOLD_SOUND)))
            return true;
    }
    return false;
}
