/* SQL folds step a group in one go; so a fold that only changes and reads, one after the other,
** must show the same rows after every step. */
#include <check.h>

#include "core/aggregate.h"
#include "core/fold.h"
#include "tests/fold_model.h"
#include "tests/must.h"
#include "tests/random.h"
#include "tests/suite.h"

enum { CASES = 60, STEPS = 40, ROWS_MAX = 400, GROUPS = 3 };

/* The same fold without its step. */
struct plain_fold {
    struct zs_fold fold;
    const struct zs_fold *real;
};

static int change(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    const struct zs_fold *real = ((const struct plain_fold *)fold)->real;
    return real->change(real, key, state, items, n, multiset, new_state);
}

static int read(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    struct zs_buffer *result, enum zs_reading *reading)
{
    const struct zs_fold *real = ((const struct plain_fold *)fold)->real;
    return real->read(real, key, state, result, reading);
}

/* An aggregate and what it makes of a step. */
struct side {
    struct zs_aggregate aggregate;
    struct zs_delta out;
};

static void open_side(struct side *side, const struct zs_fold *fold)
{
    side->aggregate = (struct zs_aggregate){.alloc = &zs_alloc_libc, .fold = fold};
    must(zs_memory_cells_new(&zs_alloc_libc, &side->aggregate.states) == ZS_OK);
    must(zs_memory_trace_new(&zs_alloc_libc, &side->aggregate.multiset) == ZS_OK);
    must(zs_delta_init(&side->out, &zs_alloc_libc) == ZS_OK);
}

static void close_side(struct side *side)
{
    zs_cells_free(side->aggregate.states);
    zs_trace_free(side->aggregate.multiset);
    zs_delta_clear(&side->out);
}

static void step_side(struct side *side, const struct zs_delta *in)
{
    zs_delta_reset(&side->out);
    must(zs_aggregate_step(&side->aggregate, in, &side->out) == ZS_OK);
    must(zs_delta_consolidate(&side->out) == ZS_OK);
}

static bool is_equal(const struct zs_batch *a, const struct zs_batch *b)
{
    bool is_same = zs_batch_len(a) == zs_batch_len(b);

    for (size_t i = 0; is_same && i < zs_batch_len(a); i++) {
        const struct zs_item *item = &zs_batch_items(a)[i];
        const struct zs_item *other = &zs_batch_items(b)[i];
        is_same = item->weight == other->weight && zs_bytes_equal(item->key, other->key) &&
                  zs_bytes_equal(item->value, other->value);
    }
    return is_same;
}

/* Rows that are there, by group and argument, so that only those are retracted. */
struct rows {
    struct {
        unsigned group;
        struct zs_value argument;
    } at[ROWS_MAX];
    unsigned n;
};

static struct zs_value random_argument(struct random *random)
{
    switch (random_below(random, 4)) {
    case 0:
        return (struct zs_value){.type = ZS_NULL};
    case 1:
        return (struct zs_value){
            .type = ZS_REAL, .real = (double)random_between(random, -9, 9) / 8};
    case 2:
        return (struct zs_value){.type = ZS_INTEGER,
            .integer = random_once_in(random, 5) ? INT64_MAX : random_between(random, -3, 3)};
    default:
        return (struct zs_value){.type = ZS_INTEGER, .integer = random_between(random, 0, 2)};
    }
}

/* A row's keys are 1 or 1.0 where its group says 1: equal, and not identical. */
static void add_row(struct zs_batch *batch, unsigned group, bool is_global,
    const struct zs_value *argument, int64_t weight)
{
    struct zs_value key = {.type = ZS_INTEGER, .integer = group / 2};
    struct zs_value shown = key;
    struct zs_buffer bytes[2];

    if (group % 2 == 1)
        shown = (struct zs_value){.type = ZS_REAL, .real = group / 2};
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_init(&bytes[i], &zs_alloc_libc);
    if (!is_global) {
        must(zs_row_append_comparison(&bytes[0], &key, ZS_BINARY) == ZS_OK);
        must(zs_row_append_identity(&bytes[1], &shown) == ZS_OK);
    }
    must(zs_row_append_identity(&bytes[1], argument) == ZS_OK);
    must(zs_batch_add(batch, zs_buffer_bytes(&bytes[0]), zs_buffer_bytes(&bytes[1]), weight) ==
         ZS_OK);
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_clear(&bytes[i]);
}

static void choose_delta(
    struct rows *rows, bool is_global, struct random *random, struct zs_delta *delta)
{
    zs_delta_reset(delta);
    for (unsigned i = random_below(random, 8); i > 0; i--) {
        if (rows->n > 0 && (rows->n == ROWS_MAX || random_below(random, 2) == 0)) {
            unsigned k = random_below(random, rows->n);
            add_row(delta->rows, rows->at[k].group, is_global, &rows->at[k].argument, -1);
            rows->at[k] = rows->at[--rows->n];
        } else {
            rows->at[rows->n].group = random_below(random, 2 * GROUPS);
            rows->at[rows->n].argument = random_argument(random);
            add_row(delta->rows, rows->at[rows->n].group, is_global,
                &rows->at[rows->n].argument, 1);
            rows->n++;
        }
    }
    must(zs_delta_consolidate(delta) == ZS_OK);
}

static void compare_case(struct random *random, bool is_global)
{
    static const struct zs_fold_spec specs[] = {{.kind = ZS_COUNT_ROWS}, {.kind = ZS_COUNT},
        {.kind = ZS_SUM}, {.kind = ZS_AVG}, {.kind = ZS_MIN}, {.kind = ZS_MAX},
        {.kind = ZS_UNANIMOUS}, {.kind = ZS_SUM, .is_distinct = true},
        {.kind = ZS_REFOLD, .n_arguments = 1}};
    unsigned n_specs = 1 + random_below(random, sizeof(specs) / sizeof(specs[0]));
    struct zs_fold *fold = NULL;
    struct plain_fold plain = {{.change = change, .read = read, .is_global = is_global}, NULL};
    struct side sides[2];
    struct rows rows = {.n = 0};
    struct zs_delta delta = {0};

    must(zs_sql_fold_new(&zs_alloc_libc, !is_global, 1, specs, n_specs, is_global, &fold) ==
         ZS_OK);
    zs_fold_set_refold(fold, fold_model_refold, NULL);
    if (!is_global && random_below(random, 2) == 0)
        must(zs_fold_set_choice(fold, ZS_LEAST_ROW, 0, ZS_BINARY) == ZS_OK);
    must(zs_delta_init(&delta, &zs_alloc_libc) == ZS_OK);
    must(fold->step != NULL);
    plain.real = fold;
    open_side(&sides[0], fold);
    open_side(&sides[1], &plain.fold);
    for (unsigned i = 0; i < STEPS; i++) {
        choose_delta(&rows, is_global, random, &delta);
        step_side(&sides[0], &delta);
        step_side(&sides[1], &delta);
        must(is_equal(sides[0].out.rows, sides[1].out.rows));
        must(is_equal(sides[0].out.errors, sides[1].out.errors));
    }
    close_side(&sides[0]);
    close_side(&sides[1]);
    zs_delta_clear(&delta);
    zs_fold_free(fold);
}

START_TEST(a_fold_steps_in_one_go_as_it_does_bit_by_bit)
{
    for (unsigned i = 0; i < CASES; i++) {
        struct random random = random_new(i);
        compare_case(&random, _i == 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fold step");
    TCase *tcase = tcase_create("fold step");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_fold_steps_in_one_go_as_it_does_bit_by_bit, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
