/* SQL aggregates recomputed from scratch: an argument's values are listed, sorted by class and
** identity, and thinned where DISTINCT asks for it. */
#include "tests/fold_model.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* One value of an argument, other than NULL. */
struct member {
    struct zs_buffer class;
    struct zs_buffer identity;
    struct zs_value value;
    int64_t weight;
};

struct members {
    struct member *at;
    size_t n;
};

/* An assertion of Check's writes to a file each time; there are too many here. */
static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

static struct zs_value argument_of(
    const struct fold_shape *shape, struct zs_bytes row, unsigned argument)
{
    struct zs_value value = {0};
    size_t at = 0;

    for (unsigned i = 0; i <= shape->n_keys + argument; i++)
        must(zs_row_read(row, &at, &value));
    return value;
}

size_t fold_model_keys_len(const struct fold_shape *shape, struct zs_bytes row)
{
    size_t at = 0;

    for (unsigned i = 0; i < shape->n_keys; i++)
        must(zs_row_skip(row, &at));
    return at;
}

static int order_members(const void *a, const void *b)
{
    const struct member *left = a;
    const struct member *right = b;
    int order = zs_bytes_compare(zs_buffer_bytes(&left->class), zs_buffer_bytes(&right->class));

    return order != 0 ? order
                      : zs_bytes_compare(zs_buffer_bytes(&left->identity),
                            zs_buffer_bytes(&right->identity));
}

static struct members list_members(const struct fold_shape *shape,
    const struct zs_fold_spec *spec, const struct fold_row *rows, size_t n, bool with_gone,
    enum zs_collation collation)
{
    struct members members = {calloc(n + 1, sizeof(*members.at)), 0};

    must(members.at != NULL ? ZS_OK : ZS_NOMEM);
    for (size_t i = 0; i < n; i++) {
        struct member *member = &members.at[members.n];
        struct zs_value value = argument_of(shape, rows[i].row, spec->argument);
        if (value.type == ZS_NULL || (rows[i].weight == 0 && !with_gone))
            continue;
        *member = (struct member){.value = value, .weight = rows[i].weight};
        zs_buffer_init(&member->class, &zs_alloc_libc);
        zs_buffer_init(&member->identity, &zs_alloc_libc);
        must(zs_row_append_comparison(&member->class, &value, collation));
        must(zs_row_append_identity(&member->identity, &value));
        members.n++;
    }
    qsort(members.at, members.n, sizeof(*members.at), order_members);
    return members;
}

static void free_members(struct members *members)
{
    for (size_t i = 0; i < members->n; i++) {
        zs_buffer_clear(&members->at[i].class);
        zs_buffer_clear(&members->at[i].identity);
    }
    free(members->at);
}

static bool is_alike(const struct member *a, const struct member *b, bool by_identity)
{
    return zs_bytes_equal(zs_buffer_bytes(&a->class), zs_buffer_bytes(&b->class)) &&
           (!by_identity ||
               zs_bytes_equal(zs_buffer_bytes(&a->identity), zs_buffer_bytes(&b->identity)));
}

/* Keeps one of each, once: of those alike the first. */
static void thin(struct members *members, bool by_identity)
{
    size_t n = 0;

    for (size_t i = 0; i < members->n; i++) {
        if (n > 0 && is_alike(&members->at[n - 1], &members->at[i], by_identity)) {
            zs_buffer_clear(&members->at[i].class);
            zs_buffer_clear(&members->at[i].identity);
        } else {
            members->at[n] = members->at[i];
            members->at[n++].weight = 1;
        }
    }
    members->n = n;
}

/* A sum of halves, exact: the tests' finite values are multiples of a half. */
struct total {
    __int128 halves;
    int64_t n;
    int64_t n_reals;
    int64_t n_plus_infinity;
    int64_t n_minus_infinity;
    double rounded; /* at each addition */
    bool has_overflown;
};

static struct total total_of(const struct members *members)
{
    struct total total = {0};

    for (size_t i = 0; i < members->n; i++) {
        const struct zs_value *value = &members->at[i].value;
        int64_t weight = members->at[i].weight;
        double real = value->type == ZS_INTEGER ? (double)value->integer : value->real;
        total.n += weight;
        total.n_reals += value->type == ZS_REAL ? weight : 0;
        total.rounded += real * (double)weight;
        if (isinf(real))
            *(real > 0 ? &total.n_plus_infinity : &total.n_minus_infinity) += weight;
        else if (value->type == ZS_INTEGER)
            total.halves += (__int128)value->integer * 2 * weight;
        else
            total.halves += (__int128)(real * 2) * weight;
        total.has_overflown |= total.halves / 2 > INT64_MAX || total.halves / 2 < INT64_MIN;
    }
    return total;
}

static double real_of(const struct total *total, enum fold_fault fault)
{
    if (fault == FOLD_SUMS_DOUBLES)
        return total->rounded;
    if (total->n_plus_infinity > 0 && total->n_minus_infinity > 0)
        return fault == FOLD_ADDS_INFINITIES ? INFINITY : NAN;
    if (total->n_plus_infinity > 0)
        return INFINITY;
    return total->n_minus_infinity > 0 ? -INFINITY : (double)total->halves / 2;
}

static void put(struct zs_buffer *result, struct zs_value value)
{
    must(zs_row_append_identity(result, &value));
}

static void put_null(struct zs_buffer *result)
{
    put(result, (struct zs_value){.type = ZS_NULL});
}

static void put_integer(struct zs_buffer *result, int64_t integer)
{
    put(result, (struct zs_value){.type = ZS_INTEGER, .integer = integer});
}

static void put_real(struct zs_buffer *result, double real)
{
    put(result, (struct zs_value){.type = ZS_REAL, .real = real});
}

static bool put_sum(struct zs_buffer *result, const struct total *total, enum fold_fault fault)
{
    __int128 whole = total->halves / 2;
    bool is_real = total->n_reals > 0 || fault == FOLD_SUMS_REALS;

    if (total->n == 0)
        put_null(result);
    else if (fault == FOLD_KEEPS_OVERFLOW && total->has_overflown && !is_real)
        return false;
    else if (fault == FOLD_OVERFLOWS_ALWAYS && (whole > INT64_MAX || whole < INT64_MIN))
        return false;
    else if (is_real)
        put_real(result, real_of(total, fault));
    else if (fault != FOLD_WRAPS && (whole > INT64_MAX || whole < INT64_MIN))
        return false;
    else
        put_integer(result, (int64_t)whole);
    return true;
}

static void put_average(
    struct zs_buffer *result, const struct total *total, int64_t n_rows, enum fold_fault fault)
{
    int64_t n = fault == FOLD_AVERAGES_ROWS ? n_rows : total->n;

    if (total->n == 0)
        put_null(result);
    else if (fault == FOLD_AVERAGES_INTEGERS && total->n_reals == 0)
        put_real(result, (double)(total->halves / 2 / n));
    else
        put_real(result, real_of(total, fault) / (double)n);
}

static bool is_unanimous(const struct members *members, int64_t n_rows, int64_t n_values,
    bool is_distinct, enum fold_fault fault)
{
    if (members->n == 0 || (fault == FOLD_UNANIMOUS_WITH_NULL && n_values < n_rows))
        return false;
    return is_alike(&members->at[0], &members->at[members->n - 1],
        !is_distinct && fault != FOLD_UNANIMOUS_BY_COLLATION);
}

static int64_t count_rows(const struct fold_row *rows, size_t n, enum fold_fault fault)
{
    int64_t n_rows = 0;

    for (size_t i = 0; i < n; i++)
        n_rows += fault == FOLD_FORGETS_WEIGHTS ? rows[i].weight != 0 : rows[i].weight;
    return n_rows;
}

static bool put_value(const struct zs_fold_spec *spec, const struct members *members,
    int64_t n_rows, int64_t n_values, enum fold_fault fault, struct zs_buffer *result)
{
    struct total total = {0};

    if (spec->kind == ZS_SUM || spec->kind == ZS_TOTAL || spec->kind == ZS_AVG)
        total = total_of(members);
    switch (spec->kind) {
    case ZS_COUNT_ROWS:
        put_integer(result, n_rows);
        break;
    case ZS_COUNT:
        put_integer(
            result, fault == FOLD_COUNTS_NULLS && !spec->is_distinct ? n_rows : n_values);
        break;
    case ZS_SUM:
        return put_sum(result, &total, fault);
    case ZS_TOTAL:
        if (total.n == 0 && fault == FOLD_TOTALS_NULL)
            put_null(result);
        else
            put_real(result, real_of(&total, fault));
        break;
    case ZS_AVG:
        put_average(result, &total, n_rows, fault);
        break;
    case ZS_MIN:
    case ZS_MAX:
        if (members->n == 0)
            put_null(result);
        else
            put(result, members->at[spec->kind == ZS_MIN ? 0 : members->n - 1].value);
        break;
    case ZS_UNANIMOUS:
        if (is_unanimous(members, n_rows, n_values, spec->is_distinct, fault))
            put(result, members->at[0].value);
        else
            put_null(result);
        break;
    case ZS_REFOLD:
        must(ZS_MISUSE);
    }
    return true;
}

bool fold_model_value(const struct fold_shape *shape, const struct zs_fold_spec *spec,
    const struct fold_row *rows, size_t n, enum fold_fault fault, struct zs_buffer *result)
{
    bool is_ordered = spec->kind == ZS_MIN || spec->kind == ZS_MAX;
    struct members members = {0};
    int64_t n_values = 0;
    bool is_valid;

    if (spec->kind == ZS_REFOLD)
        return fold_model_refold_value(shape, spec, rows, n, fault, result);
    if (spec->kind != ZS_COUNT_ROWS)
        members = list_members(shape, spec, rows, n, is_ordered && fault == FOLD_KEEPS_VALUES,
            is_ordered && fault == FOLD_IGNORES_COLLATION ? ZS_BINARY : spec->collation);
    if (spec->is_distinct && !is_ordered && fault != FOLD_IGNORES_DISTINCT)
        thin(&members, fault == FOLD_DISTINGUISHES_IDENTITY);
    for (size_t i = 0; i < members.n; i++)
        n_values += members.at[i].weight;
    is_valid = put_value(spec, &members, count_rows(rows, n, fault), n_values, fault, result);
    free_members(&members);
    return is_valid;
}
