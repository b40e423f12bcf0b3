/* The law of incremental operators, and rivals that break it. */
#include "tests/operator_law.h"

#include <stdlib.h>

#include "tests/property.h"

/* The law. */

struct law {
    const struct subject *subject;
    struct random *random;
    struct model_delta input;  /* the integral of the input */
    struct model_delta output; /* and of the output */
    struct model_delta expected;
};

/* Errors that come in have a key that no operator makes, so that they are told from its own. */
static int random_errors(struct random *random, struct zs_batch *errors)
{
    static const char key[] = "came in";
    struct model_bytes message = model_text(random_once_in(random, 2) ? "bad" : "worse");
    int rc = ZS_OK;

    for (unsigned i = random_below(random, 3); rc == ZS_OK && i > 0; i--)
        rc = zs_batch_add(errors, (struct zs_bytes){(const uint8_t *)key, sizeof(key) - 1},
            model_as_bytes(&message), random_between(random, -3, 3));
    return rc;
}

static int random_delta(struct random *random, struct zs_delta *delta)
{
    int rc;

    zs_delta_reset(delta);
    rc = graph_random_rows(random, delta->rows);
    if (rc == ZS_OK)
        rc = random_errors(random, delta->errors);
    return rc == ZS_OK ? zs_delta_consolidate(delta) : rc;
}

/* Of all errors those that came in, or the others. */
static void select_errors(const struct model *errors, bool came_in, struct model *selected)
{
    const struct model_bytes key = model_text("came in");

    model_clear(selected);
    for (size_t i = 0; i < errors->n; i++) {
        const struct model_element *error = &errors->elements[i];
        if ((model_bytes_compare(&error->key, &key) == 0) == came_in)
            model_add(selected, &error->key, &error->value, error->weight);
    }
}

/* With which sign an operator passes on the errors that come in. */
static int sign_of_errors(const struct graph_node *node)
{
    return node->kind == GRAPH_NEGATE ? -1 : 1;
}

static const char *compare(struct law *law)
{
    struct model passed_on = {0};
    struct model own = {0};
    const char *tag = NULL;

    model_delta_clear(&law->expected);
    graph_read(&law->subject->node, &law->input.rows, true, &law->expected);
    select_errors(&law->output.errors, true, &passed_on);
    select_errors(&law->output.errors, false, &own);
    model_add_all(&passed_on, &law->input.errors, -sign_of_errors(&law->subject->node));
    if (passed_on.n > 0)
        tag = OPERATOR_ERRORS;
    if (!model_equal(&law->expected.rows, &law->output.rows) ||
        !model_equal(&law->expected.errors, &own))
        tag = OPERATOR_INCREMENTAL;
    model_clear(&passed_on);
    model_clear(&own);
    return tag;
}

static const char *step(struct law *law, struct zs_delta *in, struct zs_delta *out)
{
    int rc = random_delta(law->random, in);

    zs_delta_reset(out);
    if (rc == ZS_OK)
        rc = law->subject->step(law->subject->state, in, out);
    if (rc != ZS_OK)
        return OPERATOR_STATUS;
    model_delta_add(&law->input, in, 1);
    model_delta_add(&law->output, out, 1);
    return compare(law);
}

const char *operator_check(const struct subject *subject, struct random *random)
{
    struct law law = {.subject = subject, .random = random};
    struct zs_delta in = {0};
    struct zs_delta out = {0};
    const char *tag = NULL;
    unsigned n_steps = 0;

    if (zs_delta_init(&in, &zs_alloc_libc) != ZS_OK ||
        zs_delta_init(&out, &zs_alloc_libc) != ZS_OK)
        abort();
    for (; tag == NULL && n_steps < 40; n_steps++)
        tag = step(&law, &in, &out);
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    model_delta_clear(&law.input);
    model_delta_clear(&law.output);
    model_delta_clear(&law.expected);
    return tag == NULL ? NULL : property_violated(tag, "at step %u", n_steps);
}

/* The naive operator and its faults. */

struct naive {
    enum operator_fault fault;
    struct graph_node node;
    struct model integral;
    struct model_delta shown; /* what the output adds up to */
};

static bool is_ignored(const struct naive *naive, int64_t weight)
{
    return naive->fault == OPERATOR_IGNORES_NEGATIVE && weight < 0;
}

static void take_in(struct naive *naive, const struct zs_batch *rows)
{
    for (size_t i = 0; i < zs_batch_len(rows); i++) {
        const struct zs_item *item = &zs_batch_items(rows)[i];
        struct model_bytes key = model_bytes(item->key);
        struct model_bytes value = model_bytes(item->value);
        if (is_ignored(naive, item->weight))
            continue;
        model_add(&naive->integral, &key, &value,
            naive->fault == OPERATOR_COUNTS_ONCE ? 1 : item->weight);
    }
}

static void forget_retractions(struct naive *naive, const struct zs_batch *rows)
{
    for (size_t i = 0; i < zs_batch_len(rows); i++) {
        const struct zs_item *item = &zs_batch_items(rows)[i];
        struct model_bytes key = model_bytes(item->key);
        struct model_bytes value = model_bytes(item->value);
        if (item->weight < 0)
            model_add(&naive->integral, &key, &value, -item->weight);
    }
}

static int emit_rows(const struct model *rows, bool only_new, int sign, struct zs_batch *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < rows->n; i++) {
        const struct model_element *element = &rows->elements[i];
        if (!only_new || element->weight > 0)
            rc = zs_batch_add(out, model_as_bytes(&element->key),
                model_as_bytes(&element->value), sign * element->weight);
    }
    return rc;
}

static int emit(const struct naive *naive, const struct model_delta *change,
    const struct zs_delta *in, struct zs_delta *out)
{
    bool only_new = naive->fault == OPERATOR_NEVER_RETRACTS;
    int sign = naive->fault == OPERATOR_NEGATES ? -1 : 1;
    int rc = emit_rows(&change->rows, only_new, sign, out->rows);

    if (rc == ZS_OK)
        rc = emit_rows(&change->errors, only_new, sign, out->errors);
    if (rc == ZS_OK && naive->fault != OPERATOR_DROPS_ERRORS)
        rc = zs_batch_add_all(out->errors, in->errors, sign_of_errors(&naive->node));
    return rc;
}

static int step_naive(void *state, const struct zs_delta *in, struct zs_delta *out)
{
    struct naive *naive = state;
    struct model_delta now = {0};
    struct model_delta change = {0};
    int rc;

    take_in(naive, in->rows);
    graph_read(&naive->node, &naive->integral, true, &now);
    model_delta_add_all(&change, &now, 1);
    model_delta_add_all(&change, &naive->shown, -1);
    rc = emit(naive, &change, in, out);
    if (naive->fault == OPERATOR_FORGETS)
        forget_retractions(naive, in->rows);
    if (naive->fault == OPERATOR_STATELESS)
        model_clear(&naive->integral);
    else if (naive->fault != OPERATOR_REPEATS)
        model_delta_copy(&naive->shown, &now);
    model_delta_clear(&now);
    model_delta_clear(&change);
    return rc;
}

const char *operator_check_naive(
    enum operator_fault fault, const struct graph_node *node, struct random *random)
{
    struct naive naive = {.fault = fault, .node = *node};
    struct subject subject = {*node, step_naive, &naive};
    const char *violation = operator_check(&subject, random);

    model_clear(&naive.integral);
    model_delta_clear(&naive.shown);
    return violation;
}

const char *operator_fault_name(enum operator_fault fault)
{
    static const char *const names[OPERATOR_FAULTS] = {
        [OPERATOR_SOUND] = "a naive operator",
        [OPERATOR_NEGATES] = "an operator with the wrong sign",
        [OPERATOR_STATELESS] = "an operator without state",
        [OPERATOR_FORGETS] = "an operator that forgets retractions",
        [OPERATOR_NEVER_RETRACTS] = "an operator that emits new rows only",
        [OPERATOR_IGNORES_NEGATIVE] = "an operator that ignores negative weights",
        [OPERATOR_REPEATS] = "an operator that repeats its output",
        [OPERATOR_COUNTS_ONCE] = "an operator that counts elements once",
        [OPERATOR_DROPS_ERRORS] = "an operator that drops errors",
    };
    return names[fault];
}

const char *operator_fault_tag(enum operator_fault fault)
{
    return fault == OPERATOR_DROPS_ERRORS ? OPERATOR_ERRORS : OPERATOR_INCREMENTAL;
}
