/* The law of the join, and rivals. */
#include "tests/join_laws.h"

#include <stdlib.h>

#include "tests/plain_state.h"
#include "tests/property.h"

int join_pair(void *ctx, struct zs_bytes key, struct zs_bytes left, struct zs_bytes right,
    struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    const struct graph_node *node = ctx;
    struct model_bytes from[3] = {model_bytes(key), model_bytes(left), model_bytes(right)};
    struct model_bytes to[2];
    int rc;

    graph_pair(node->variant, &from[0], &from[1], &from[2], &to[0], &to[1]);
    rc = zs_buffer_append(out_key, to[0].data, to[0].len);
    return rc == ZS_OK ? zs_buffer_append(out_value, to[1].data, to[1].len) : rc;
}

/* The joins. */

struct subject {
    enum join_kind kind;
    struct graph_node node;
    struct zs_join real;
    struct plain_control control;
    struct model left; /* integrals, of the naive one */
    struct model right;
};

static void add_pair(const struct subject *subject, const struct model_element *left,
    const struct model_element *right, int times, struct model *out)
{
    int64_t right_weight = subject->kind == JOIN_IGNORES_RIGHT ? 1 : right->weight;
    int64_t weight = left->weight * right_weight * times;
    struct model_bytes key;
    struct model_bytes value;

    if (model_bytes_compare(&left->key, &right->key) != 0 && subject->kind != JOIN_MATCHES_ALL)
        return;
    if (subject->kind == JOIN_ADDS_WEIGHTS)
        weight = left->weight + right->weight;
    if (subject->kind == JOIN_NEVER_RETRACTS && weight < 0)
        return;
    graph_pair(subject->node.variant, &left->key, &left->value, &right->value, &key, &value);
    model_add(out, &key, &value, weight);
}

static void add_product(const struct subject *subject, const struct model *left,
    const struct model *right, int times, struct model *out)
{
    for (size_t i = 0; i < left->n; i++) {
        for (size_t k = 0; k < right->n; k++)
            add_pair(subject, &left->elements[i], &right->elements[k], times, out);
    }
}

static int count_cross(enum join_kind kind)
{
    switch (kind) {
    case JOIN_LOSES_CROSS:
        return 0;
    case JOIN_DOUBLES_CROSS:
        return 2;
    case JOIN_SUBTRACTS_CROSS:
        return -1;
    default:
        return 1;
    }
}

static void step_naive(struct subject *subject, const struct model_delta *left,
    const struct model_delta *right, struct model_delta *out)
{
    enum join_kind kind = subject->kind;
    int sign = kind == JOIN_NEGATES ? -1 : 1;

    add_product(subject, &left->rows, &subject->right, sign, &out->rows);
    add_product(subject, &subject->left, &right->rows, sign, &out->rows);
    add_product(subject, &left->rows, &right->rows, sign * count_cross(kind), &out->rows);
    if (kind != JOIN_LEFT_IS_STALE)
        model_add_all(&subject->left, &left->rows, 1);
    if (kind != JOIN_RIGHT_IS_STALE)
        model_add_all(&subject->right, &right->rows, 1);
    if (kind != JOIN_DROPS_LEFT_ERRORS)
        model_add_all(&out->errors, &left->errors, 1);
    if (kind != JOIN_DROPS_RIGHT_ERRORS)
        model_add_all(&out->errors, &right->errors, 1);
}

static int step_real(
    struct subject *subject, const struct model_delta sides[2], struct model_delta *sum)
{
    struct zs_delta deltas[3] = {{0}};
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < 3; i++)
        rc = zs_delta_init(&deltas[i], &zs_alloc_libc);
    for (unsigned i = 0; rc == ZS_OK && i < 2; i++) {
        rc = model_to_batch(&sides[i].rows, deltas[i].rows);
        if (rc == ZS_OK)
            rc = model_to_batch(&sides[i].errors, deltas[i].errors);
        if (rc == ZS_OK)
            rc = zs_delta_consolidate(&deltas[i]);
    }
    if (rc == ZS_OK)
        rc = zs_join_step(&subject->real, &deltas[0], &deltas[1], &deltas[2]);
    if (rc == ZS_OK)
        model_delta_add(sum, &deltas[2], 1);
    for (unsigned i = 0; i < 3; i++)
        zs_delta_clear(&deltas[i]);
    return rc;
}

static void open_subject(struct subject *subject)
{
    struct zs_join *real = &subject->real;

    *real = (struct zs_join){&zs_alloc_libc, join_pair, &subject->node, NULL, NULL};
    if (subject->kind == JOIN_PLAIN) {
        real->left = plain_trace_new(&subject->control);
        real->right = plain_trace_new(&subject->control);
    } else if (zs_memory_trace_new(&zs_alloc_libc, &real->left) != ZS_OK ||
               zs_memory_trace_new(&zs_alloc_libc, &real->right) != ZS_OK) {
        abort();
    }
}

static void close_subject(struct subject *subject)
{
    zs_trace_free(subject->real.left);
    zs_trace_free(subject->real.right);
    model_clear(&subject->left);
    model_clear(&subject->right);
}

/* The law. */

struct law {
    struct model_delta inputs[2]; /* integrals */
    struct model_delta output;
    struct model_delta deltas[2];
};

static void add_random_error(struct random *random, unsigned side, struct model *errors)
{
    struct model_bytes key = model_text(side == 0 ? "left" : "right");
    struct model_bytes message = model_text("bad");

    if (random_below(random, 3) == 0)
        model_add(errors, &key, &message, random_between(random, -3, 3));
}

static void choose_deltas(struct law *law, struct random *random)
{
    for (unsigned i = 0; i < 2; i++) {
        struct zs_batch *rows = NULL;
        model_delta_clear(&law->deltas[i]);
        if (zs_batch_new(&zs_alloc_libc, &rows) != ZS_OK ||
            graph_random_rows(random, rows) != ZS_OK)
            abort();
        if (random_below(random, 4) > 0)
            model_add_batch(&law->deltas[i].rows, rows, 1);
        zs_batch_free(rows);
        add_random_error(random, i, &law->deltas[i].errors);
        model_delta_add_all(&law->inputs[i], &law->deltas[i], 1);
    }
}

static const char *compare(const struct law *law, const struct graph_node *node)
{
    struct model_delta expected = {0};
    const char *tag = NULL;

    graph_read_join(node, &law->inputs[0].rows, &law->inputs[1].rows, &expected.rows);
    model_add_all(&expected.errors, &law->inputs[0].errors, 1);
    model_add_all(&expected.errors, &law->inputs[1].errors, 1);
    if (!model_equal(&expected.errors, &law->output.errors))
        tag = JOIN_ERRORS;
    if (!model_equal(&expected.rows, &law->output.rows))
        tag = JOIN_INCREMENTAL;
    model_delta_clear(&expected);
    return tag;
}

static const char *step(struct law *law, struct subject *subject, struct random *random)
{
    int rc = ZS_OK;

    choose_deltas(law, random);
    if (subject->kind >= JOIN_NAIVE)
        step_naive(subject, &law->deltas[0], &law->deltas[1], &law->output);
    else
        rc = step_real(subject, law->deltas, &law->output);
    return rc == ZS_OK ? compare(law, &subject->node) : JOIN_STATUS;
}

const char *join_check(const void *kind, struct random *random)
{
    struct subject subject = {.kind = *(const enum join_kind *)kind,
        .node = {.kind = GRAPH_JOIN, .variant = random_below(random, 6)}};
    struct law law = {0};
    const char *tag = NULL;
    unsigned n_steps = 0;

    open_subject(&subject);
    for (; tag == NULL && n_steps < 30; n_steps++)
        tag = step(&law, &subject, random);
    close_subject(&subject);
    for (unsigned i = 0; i < 2; i++) {
        model_delta_clear(&law.inputs[i]);
        model_delta_clear(&law.deltas[i]);
    }
    model_delta_clear(&law.output);
    return tag == NULL ? NULL : property_violated(tag, "at step %u", n_steps);
}

const char *join_kind_name(enum join_kind kind)
{
    static const char *const names[JOIN_KINDS] = {
        [JOIN_IN_MEMORY] = "in memory",
        [JOIN_PLAIN] = "plain",
        [JOIN_NAIVE] = "a naive join",
        [JOIN_NEGATES] = "a join with the wrong sign",
        [JOIN_LOSES_CROSS] = "a join that loses the cross term",
        [JOIN_DOUBLES_CROSS] = "a join that doubles the cross term",
        [JOIN_SUBTRACTS_CROSS] = "a join that subtracts the cross term",
        [JOIN_LEFT_IS_STALE] = "a join with a stale left trace",
        [JOIN_RIGHT_IS_STALE] = "a join with a stale right trace",
        [JOIN_ADDS_WEIGHTS] = "a join that adds weights",
        [JOIN_IGNORES_RIGHT] = "a join that ignores right weights",
        [JOIN_MATCHES_ALL] = "a join that matches all keys",
        [JOIN_NEVER_RETRACTS] = "a join that never retracts",
        [JOIN_DROPS_LEFT_ERRORS] = "a join that drops left errors",
        [JOIN_DROPS_RIGHT_ERRORS] = "a join that drops right errors",
    };
    return names[kind];
}

const char *join_kind_tag(enum join_kind kind)
{
    return kind >= JOIN_DROPS_LEFT_ERRORS ? JOIN_ERRORS : JOIN_INCREMENTAL;
}
