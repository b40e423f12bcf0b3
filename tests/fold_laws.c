/* The laws of the SQL folds, over random histories of a few groups that share a multiset: after
** every change each group reads as a recompute from its rows says. */
#include "tests/fold_laws.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    n_groups = 3,
    steps_max = 24,
    specs_max = 6,
    rows_max = 200,
    n_arguments = 2,
};

struct group {
    struct zs_buffer key;
    struct zs_buffer state;
    struct zs_buffer rows[rows_max];
    int64_t weights[rows_max];
    size_t n;
};

struct history {
    struct random *random; /* borrowed */
    struct fold_shape shape;
    struct zs_fold_spec specs[specs_max];
    const struct zs_fold *fold;
    struct zs_trace *multiset;
    struct group groups[n_groups];
};

#define INTEGER(n)                                                                             \
    {                                                                                          \
        .type = ZS_INTEGER, .integer = (n)                                                     \
    }
#define REAL(x)                                                                                \
    {                                                                                          \
        .type = ZS_REAL, .real = (x)                                                           \
    }
#define BYTES(kind, text)                                                                      \
    {                                                                                          \
        .type = (kind), .bytes = {(const uint8_t *)(text), sizeof(text) - 1 }                  \
    }

/* Multiples of a half: their sums are exact in the model. */
static const struct zs_value numbers[] = {{.type = ZS_NULL}, {.type = ZS_NULL}, INTEGER(0),
    INTEGER(1), REAL(1), INTEGER(-1), INTEGER(2), REAL(2), REAL(2.5), REAL(-0.5), REAL(1e15),
    INTEGER(INT64_MAX), INTEGER(INT64_MIN), INTEGER(INT64_MAX), REAL(INFINITY),
    REAL(-INFINITY)};
static const struct zs_value mixed[] = {{.type = ZS_NULL}, BYTES(ZS_TEXT, "x"),
    BYTES(ZS_TEXT, "X"), BYTES(ZS_TEXT, "x "), BYTES(ZS_TEXT, "x  "), BYTES(ZS_TEXT, "y"),
    BYTES(ZS_TEXT, "Y"), BYTES(ZS_TEXT, ""), BYTES(ZS_TEXT, " "),
    BYTES(ZS_TEXT, "a much longer text, to be sure"), INTEGER(1), REAL(1), INTEGER(-7),
    BYTES(ZS_BLOB, "x"), BYTES(ZS_BLOB, "")};
/* The same group by NOCASE and number. */
static const struct zs_value keys[n_groups][2][2] = {
    {{BYTES(ZS_TEXT, "a"), BYTES(ZS_TEXT, "A")}, {INTEGER(1), REAL(1)}},
    {{BYTES(ZS_TEXT, "ab"), BYTES(ZS_TEXT, "aB")}, {INTEGER(1), REAL(1)}},
    {{{.type = ZS_NULL}, {.type = ZS_NULL}}, {INTEGER(0), REAL(-0.0)}},
};

#define N_OF(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

/* An assertion of Check's writes to a file each time; there are too many here. */
static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

static struct zs_fold_spec random_spec(struct random *random)
{
    struct zs_fold_spec spec = {
        .kind = random_below(random, ZS_REFOLD + 1),
        .argument = random_below(random, n_arguments),
        .is_distinct = random_below(random, 3) == 0,
        .collation = random_below(random, ZS_RTRIM + 1),
    };
    if (spec.kind == ZS_SUM || spec.kind == ZS_TOTAL || spec.kind == ZS_AVG)
        spec.argument = 0;
    if (spec.kind == ZS_COUNT_ROWS)
        spec.is_distinct = false;
    if (spec.kind == ZS_REFOLD)
        spec = (struct zs_fold_spec){.kind = ZS_REFOLD,
            .argument = spec.argument,
            .n_arguments = 1 + random_below(random, n_arguments - spec.argument)};
    return spec;
}

static void put(struct zs_buffer *row, const struct zs_value *value)
{
    must(zs_row_append_identity(row, value));
}

static void begin(struct history *history, struct random *random)
{
    *history = (struct history){.random = random};
    history->shape = (struct fold_shape){.n_keys = random_below(random, 3),
        .n_arguments = n_arguments,
        .specs = history->specs,
        .n_specs = random_below(random, specs_max + 1)};
    history->shape.is_global = random_below(random, history->shape.n_keys == 0 ? 2 : 4) == 0;
    if (history->shape.n_keys > 0 && random_below(random, 2) == 0) {
        history->shape.choice = 1 + random_below(random, ZS_GREATEST_ROW);
        history->shape.choice_argument = random_below(random, n_arguments);
        history->shape.choice_collation = random_below(random, ZS_RTRIM + 1);
    }
    for (unsigned i = 0; i < history->shape.n_specs; i++)
        history->specs[i] = random_spec(random);
    must(zs_memory_trace_new(&zs_alloc_libc, &history->multiset));
    for (unsigned i = 0; i < n_groups; i++) {
        struct group *group = &history->groups[i];
        zs_buffer_init(&group->key, &zs_alloc_libc);
        zs_buffer_init(&group->state, &zs_alloc_libc);
        for (unsigned j = 0; j < history->shape.n_keys && !history->shape.is_global; j++)
            must(zs_row_append_comparison(&group->key, &keys[i][j][0], ZS_NOCASE));
    }
}

static void end(struct history *history)
{
    for (unsigned i = 0; i < n_groups; i++) {
        struct group *group = &history->groups[i];
        zs_buffer_clear(&group->key);
        zs_buffer_clear(&group->state);
        for (size_t j = 0; j < group->n; j++)
            zs_buffer_clear(&group->rows[j]);
    }
    zs_trace_free(history->multiset);
}

static size_t find_row(struct group *group, const struct zs_buffer *row)
{
    size_t i = 0;

    while (
        i < group->n && !zs_bytes_equal(zs_buffer_bytes(&group->rows[i]), zs_buffer_bytes(row)))
        i++;
    return i;
}

static void insert(
    struct history *history, unsigned index, int64_t weight, struct zs_batch *delta)
{
    struct random *random = history->random;
    struct group *group = &history->groups[index];
    struct zs_buffer row;
    size_t i;

    zs_buffer_init(&row, &zs_alloc_libc);
    for (unsigned j = 0; j < history->shape.n_keys; j++)
        put(&row, &keys[index][j][random_below(random, 2)]);
    put(&row, &numbers[random_below(random, N_OF(numbers))]);
    put(&row, &mixed[random_below(random, N_OF(mixed))]);
    must(zs_batch_add(delta, zs_buffer_bytes(&group->key), zs_buffer_bytes(&row), weight));
    i = find_row(group, &row);
    if (i < group->n) {
        zs_buffer_clear(&row);
    } else {
        must(i < rows_max ? ZS_OK : ZS_OVERFLOW);
        group->rows[group->n] = row;
        group->weights[group->n++] = 0;
    }
    group->weights[i] += weight;
}

static void retract(struct group *group, size_t i, int64_t weight, struct zs_batch *delta)
{
    group->weights[i] -= weight;
    must(zs_batch_add(
        delta, zs_buffer_bytes(&group->key), zs_buffer_bytes(&group->rows[i]), -weight));
}

static void retract_some(struct random *random, struct group *group, struct zs_batch *delta)
{
    size_t i = group->n == 0 ? 0 : random_below(random, (unsigned)group->n);

    if (i < group->n && group->weights[i] > 0)
        retract(
            group, i, 1 + (int64_t)(random_next(random) % (uint64_t)group->weights[i]), delta);
}

static void retract_all(struct group *group, struct zs_batch *delta)
{
    for (size_t i = 0; i < group->n; i++)
        retract(group, i, group->weights[i], delta);
}

static void draw_delta(struct history *history, unsigned index, struct zs_batch *delta)
{
    struct random *random = history->random;
    struct group *group = &history->groups[index];

    if (random_below(random, 8) == 0)
        retract_all(group, delta);
    for (unsigned i = random_below(random, 5); i > 0; i--)
        insert(history, index,
            random_below(random, 10) == 0 ? 1 << 20 : 1 + random_below(random, 2), delta);
    for (unsigned i = random_below(random, 6); i > 0; i--)
        retract_some(random, group, delta);
    must(zs_batch_consolidate(delta));
}

/* The laws: NULL, or a message that begins with the law's tag. */

static const char *tag_of(const struct zs_fold_spec *spec)
{
    static const char *const tags[] = {"[count rows]", "[count]", "[sum]", "[total]", "[avg]",
        "[min]", "[max]", "[unanimous]", "[refold]"};

    if (spec->is_distinct && spec->kind != ZS_MIN && spec->kind != ZS_MAX)
        return "[distinct]";
    return tags[spec->kind];
}

static size_t list_rows(const struct group *group, struct fold_row *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < group->n; i++) {
        if (group->weights[i] != 0)
            rows[n++] = (struct fold_row){zs_buffer_bytes(&group->rows[i]), group->weights[i]};
    }
    return n;
}

static bool are_keys_present(
    const struct history *history, const struct fold_row *rows, size_t n, struct zs_bytes found)
{
    bool is_present = n == 0 && found.len == history->shape.n_keys; /* a NULL is one byte */

    for (size_t i = 0; i < n && !is_present; i++) {
        size_t len = fold_model_keys_len(&history->shape, rows[i].row);
        is_present = zs_bytes_equal(found, (struct zs_bytes){rows[i].row.data, len});
    }
    return is_present;
}

/* The first aggregate that must read as an error, if any. */
static const struct zs_fold_spec *find_error(
    const struct history *history, const struct fold_row *rows, size_t n)
{
    const struct zs_fold_spec *found = NULL;

    for (unsigned i = 0; i < history->shape.n_specs && found == NULL; i++) {
        struct zs_buffer value;
        zs_buffer_init(&value, &zs_alloc_libc);
        if (!fold_model_value(&history->shape, &history->specs[i], rows, n, FOLD_SOUND, &value))
            found = &history->specs[i];
        zs_buffer_clear(&value);
    }
    return found;
}

static const char *check_row(const struct history *history, const struct fold_row *rows,
    size_t n, struct zs_bytes result)
{
    const char *message = NULL;
    size_t at = fold_model_keys_len(&history->shape, result);

    if (history->shape.n_keys > 0 &&
        !are_keys_present(history, rows, n, (struct zs_bytes){result.data, at}))
        return "[keys] of no row that is there";
    if (history->shape.n_keys > 0 && n > 0 &&
        !fold_model_may_choose(&history->shape, rows, n, (struct zs_bytes){result.data, at}))
        return "[choice] of a row that is not the best";
    for (unsigned i = 0; i < history->shape.n_specs && message == NULL; i++) {
        struct zs_buffer value;
        size_t start = at;
        zs_buffer_init(&value, &zs_alloc_libc);
        if (!fold_model_value(&history->shape, &history->specs[i], rows, n, FOLD_SOUND, &value))
            message = "[row] of an error";
        else if (zs_row_skip(result, &at) != ZS_OK)
            message = "[row] is too short";
        else if (!zs_bytes_equal(zs_buffer_bytes(&value),
                     (struct zs_bytes){result.data + start, at - start}))
            message = tag_of(&history->specs[i]);
        zs_buffer_clear(&value);
    }
    return message != NULL ? message : at == result.len ? NULL : "[row] is too long";
}

static const char *check_error(const struct zs_fold_spec *failing, struct zs_bytes said)
{
    struct zs_bytes own = {(const uint8_t *)FOLD_MODEL_MESSAGE, strlen(FOLD_MODEL_MESSAGE)};
    bool is_refold = zs_bytes_equal(said, own);

    if (failing == NULL)
        return is_refold ? "[refold] is no error" : "[sum] does not overflow";
    return is_refold == (failing->kind == ZS_REFOLD) ? NULL : "[row] has another error";
}

static const char *check_reading(const struct history *history, const struct group *group,
    enum zs_reading reading, struct zs_bytes result)
{
    struct fold_row rows[rows_max];
    size_t n = list_rows(group, rows);
    const struct zs_fold_spec *failing = find_error(history, rows, n);

    if (n == 0 && group->state.len != 0)
        return "[state] is left of a group that is gone";
    if (n == 0 && !history->shape.is_global)
        return reading == ZS_NO_ROW ? NULL : "[group] is gone";
    if (reading == ZS_NO_ROW)
        return history->shape.is_global ? "[global] has a row" : "[group] has a row";
    if (reading == ZS_ERROR_ROW)
        return check_error(failing, result);
    if (failing != NULL)
        return tag_of(failing);
    return check_row(history, rows, n, result);
}

static const char *step(struct history *history, unsigned index)
{
    struct group *group = &history->groups[index];
    const struct zs_fold *fold = history->fold;
    struct zs_bytes key = zs_buffer_bytes(&group->key);
    struct zs_buffer state;
    struct zs_buffer result;
    struct zs_batch *delta;
    enum zs_reading reading;
    const char *message;

    zs_buffer_init(&state, &zs_alloc_libc);
    zs_buffer_init(&result, &zs_alloc_libc);
    must(zs_batch_new(&zs_alloc_libc, &delta));
    draw_delta(history, index, delta);
    must(fold->change(fold, key, zs_buffer_bytes(&group->state), zs_batch_items(delta),
        zs_batch_len(delta), history->multiset, &state));
    zs_batch_free(delta);
    zs_buffer_clear(&group->state);
    group->state = state;
    must(fold->read(fold, key, zs_buffer_bytes(&state), &result, &reading));
    message = check_reading(history, group, reading, zs_buffer_bytes(&result));
    zs_buffer_clear(&result);
    return message;
}

/* When all rows are gone nothing is left of them. */
static const char *check_nothing_left(struct history *history)
{
    struct zs_batch *left;
    const char *message = NULL;

    for (unsigned i = 0; i < n_groups; i++) {
        struct group *group = &history->groups[i];
        struct zs_buffer state;
        struct zs_batch *delta;
        zs_buffer_init(&state, &zs_alloc_libc);
        must(zs_batch_new(&zs_alloc_libc, &delta));
        retract_all(group, delta);
        must(zs_batch_consolidate(delta));
        must(history->fold->change(history->fold, zs_buffer_bytes(&group->key),
            zs_buffer_bytes(&group->state), zs_batch_items(delta), zs_batch_len(delta),
            history->multiset, &state));
        if (state.len > 0)
            message = "[state] is left of a group that is gone";
        zs_buffer_clear(&state);
        zs_batch_free(delta);
    }
    must(zs_batch_new(&zs_alloc_libc, &left));
    must(zs_trace_range(history->multiset, zs_span_all(), 0, left));
    if (zs_batch_len(left) > 0)
        message = "[multiset] keeps what is gone";
    zs_batch_free(left);
    return message;
}

static bool has_tag(const char *message, const char *tag)
{
    return message != NULL && (tag == NULL || strncmp(message, tag, strlen(tag)) == 0);
}

static const char *run(struct history *history, const char *tag)
{
    unsigned n = random_below(history->random, steps_max);
    bool has_one_group = history->shape.n_keys == 0 || history->shape.is_global;
    const char *message;

    for (unsigned i = 0; i < n; i++) {
        message = step(history, has_one_group ? 0 : random_below(history->random, n_groups));
        if (has_tag(message, tag))
            return message;
    }
    message = check_nothing_left(history);
    return has_tag(message, tag) ? message : NULL;
}

const char *fold_check_history(const void *subject, struct random *random)
{
    const struct fold_subject *folds = subject;
    static struct history history;
    struct zs_fold *fold;
    const char *message;

    begin(&history, random);
    if (folds->is_naive)
        fold = naive_fold_new(&history.shape, folds->fault);
    else
        must(zs_sql_fold_new(&zs_alloc_libc, history.shape.n_keys, n_arguments, history.specs,
            history.shape.n_specs, history.shape.is_global, &fold));
    if (!folds->is_naive) {
        zs_fold_set_refold(fold, fold_model_refold, NULL);
        must(zs_fold_set_choice(fold, history.shape.choice, history.shape.choice_argument,
            history.shape.choice_collation));
    }
    history.fold = fold;
    message = run(&history, folds->tag);
    if (folds->is_naive)
        naive_fold_free(fold);
    else
        zs_fold_free(fold);
    end(&history);
    return message;
}
