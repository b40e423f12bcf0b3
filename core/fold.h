/* The folds of SQL: count, sum, total, avg, min, max, unanimous, each also over DISTINCT; and
** any other aggregate, through a function that computes it anew.
**
** An item's value is an identity-encoded row: the n_keys values that stand for the group (its
** keys and other columns), then the arguments. Texts and blobs under sum, total and avg count
** as zs_fold_set_numbers says; NULL arguments are skipped by all but ZS_COUNT_ROWS and
** ZS_REFOLD. A result row is the group's values, all taken from one row that is present
** (zs_fold_set_choice tells which; NULLs over nothing), then one value an aggregate:
**   count        INTEGER
**   sum          NULL over nothing; INTEGER where every addend is one, and then a total
**                outside int64 reads as an error, "integer overflow"; else the exact sum,
**                rounded once
**   total, avg   REAL (avg NULL over nothing; the rounded sum divided by the count)
**   min, max     the least or greatest by the collation, of an element that is present
**   unanimous    the one value that all non-NULL share in identity, else NULL
**   refold       what the function says, which may be an error
** Over DISTINCT values equality is by the collation, and the value that stands for equal ones
** is one that is present. Sums of infinities of both signs are NULL, as SQLite has no NaN.
** Retracting what was not there is ZS_CORRUPT as soon as it shows. Cost: O(1) an item for
** count, sum, total and avg, O(log d) over DISTINCT and for min, max and unanimous, d the
** number of values of the group; a choice costs O(log d). A refold costs the time and memory of
** its whole group each time that an argument changes. The state's format is in fold_group.c. */
#ifndef ZS_FOLD_H
#define ZS_FOLD_H

#include "core/aggregate.h"
#include "core/row.h"

enum zs_fold_kind {
    ZS_COUNT_ROWS,
    ZS_COUNT,
    ZS_SUM,
    ZS_TOTAL,
    ZS_AVG,
    ZS_MIN,
    ZS_MAX,
    ZS_UNANIMOUS,
    ZS_REFOLD
};

struct zs_fold_spec {
    enum zs_fold_kind kind;
    unsigned argument; /* which argument, from 0; not looked at by ZS_COUNT_ROWS */
    bool is_distinct;
    enum zs_collation collation; /* of DISTINCT, min and max */
    unsigned n_arguments;        /* of ZS_REFOLD, at least one: from argument on */
};

/* n_arguments is how many follow the keys in an item's value. specs is copied. Release with
** zs_fold_free. ZS_MISUSE for arguments out of range. */
ZS_CHECKED int zs_sql_fold_new(const struct zs_alloc *alloc, unsigned n_keys,
    unsigned n_arguments, const struct zs_fold_spec *specs, unsigned n_specs, bool is_global,
    struct zs_fold **fold);
void zs_fold_free(struct zs_fold *fold); /* accepts NULL */

/* How a text or blob counts in a sum: sets *number to an INTEGER or REAL, the same for the same
** bytes at any time. ZS_OK, ZS_NOMEM or ZS_CALLBACK. */
typedef int zs_number_fn(void *ctx, const struct zs_value *value, struct zs_value *number);

/* Without it they are refused with ZS_CORRUPT. */
void zs_fold_set_numbers(struct zs_fold *fold, zs_number_fn *fn, void *ctx);

/* Computes an aggregate; number is its spec's. rows are all its arguments in the group, each an
** identity-encoded row with a positive weight, ascending. Appends an identity-encoded value to
** value, or a message where *is_error is set. The same for the same rows at any time. ZS_OK,
** ZS_NOMEM or ZS_CALLBACK. */
typedef int zs_refold_fn(void *ctx, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error);

/* Without it a group with a ZS_REFOLD is ZS_MISUSE. */
void zs_fold_set_refold(struct zs_fold *fold, zs_refold_fn *fn, void *ctx);

/* The row whose values stand for a group. */
enum zs_choice {
    ZS_ANY_ROW,
    ZS_LEAST_ROW,   /* where an argument is the least; NULL only where there is nothing else */
    ZS_GREATEST_ROW /* the greatest */
};

/* What min or max show of the argument under the collation is that row's as well. Before the
** first step. ZS_MISUSE for an argument out of range, and where n_keys is 0. */
ZS_CHECKED int zs_fold_set_choice(struct zs_fold *fold, enum zs_choice choice,
    unsigned argument, enum zs_collation collation);

/* Does this fold keep values in the multiset, so that the aggregate must be given one? (The
** values that stand for a group are kept there too, where more than one identity is present or
** a choice is to be made.) */
bool zs_fold_needs_multiset(const struct zs_fold *fold);

/* Does its state grow with the values of a group, and not only with the groups? */
bool zs_fold_keeps_values(const struct zs_fold *fold);

#endif
