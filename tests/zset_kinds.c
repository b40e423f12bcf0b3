/* The Z-set of zset.h and a model with one fault at most, behind one table of functions. */
#include <stdlib.h>
#include <string.h>

#include "tests/must.h"
#include "tests/zset_laws.h"

struct zs_item zset_element(unsigned element)
{
    static const struct {
        const char *key;
        const char *value;
    } elements[ZSET_ELEMENTS] = {
        {"", ""}, {"", "a"}, {"a", ""}, {"a", "b"}, {"ab", ""}, {"b", ""}};
    const char *key = elements[element].key;
    const char *value = elements[element].value;

    return (struct zs_item){
        {(const uint8_t *)key, strlen(key)}, {(const uint8_t *)value, strlen(value)}, 0};
}

/* The real one */

static void *real_zero(enum zset_fault fault)
{
    struct zs_zset *zset;
    (void)fault;
    must(zs_zset_new(&zs_alloc_libc, &zset) == ZS_OK);
    return zset;
}

static int real_insert(void *zset, unsigned element, int64_t weight)
{
    struct zs_item item = zset_element(element);
    return zs_zset_insert(zset, item.key, item.value, weight);
}

static int real_add(void *zset, const void *other)
{
    return zs_zset_add(zset, other);
}

static int real_subtract(void *zset, const void *other)
{
    return zs_zset_subtract(zset, other);
}

static int real_negate(void *zset)
{
    return zs_zset_negate(zset);
}

static int real_scale(void *zset, int64_t factor)
{
    return zs_zset_scale(zset, factor);
}

static void real_distinct(void *zset)
{
    zs_zset_distinct(zset);
}

static int64_t real_weight(const void *zset, unsigned element)
{
    struct zs_item item = zset_element(element);
    return zs_zset_weight(zset, item.key, item.value);
}

static bool real_is_zero(const void *zset)
{
    return zs_zset_is_zero(zset);
}

static bool real_equal(const void *a, const void *b)
{
    return zs_zset_equal(a, b);
}

static size_t real_len(const void *zset)
{
    return zs_zset_len(zset);
}

static unsigned real_item(const void *zset, size_t i, int64_t *weight)
{
    struct zs_item item = zs_zset_items(zset)[i];
    unsigned element = 0;

    while (!zs_bytes_equal(zset_element(element).key, item.key) ||
           !zs_bytes_equal(zset_element(element).value, item.value))
        element++;
    *weight = item.weight;
    return element;
}

static int real_integrate(void *const *in, size_t n, void **out)
{
    return zs_zset_integrate((const struct zs_zset *const *)in, n, (struct zs_zset **)out);
}

static int real_differentiate(void *const *in, size_t n, void **out)
{
    return zs_zset_differentiate((const struct zs_zset *const *)in, n, (struct zs_zset **)out);
}

static void real_free(void *zset)
{
    zs_zset_free(zset);
}

const struct zset_kind zset_kind_real = {real_zero, real_insert, real_add, real_subtract,
    real_negate, real_scale, real_distinct, real_weight, real_is_zero, real_equal, real_len,
    real_item, real_integrate, real_differentiate, real_free};

/* The model: a list of elements and weights. */

enum { MODEL_MAX = 256 };

struct model {
    enum zset_fault fault;
    size_t n;
    struct model_item {
        unsigned element;
        int64_t weight;
    } items[MODEL_MAX];
};

static void *model_zero(enum zset_fault fault)
{
    struct model *model = calloc(1, sizeof(*model));
    must(model != NULL);
    model->fault = fault;
    return model;
}

static size_t find(const struct model *model, unsigned element)
{
    size_t i = 0;
    while (i < model->n && model->items[i].element != element)
        i++;
    return i;
}

static void settle(struct model *model, size_t i)
{
    if (model->items[i].weight != 0 || model->fault == ZSET_KEEPS_ZEROS)
        return;
    model->n--;
    memmove(&model->items[i], &model->items[i + 1], (model->n - i) * sizeof(model->items[0]));
}

static void put_new(struct model *model, unsigned element, int64_t weight)
{
    size_t i = model->n;

    must(model->n < MODEL_MAX);
    if (model->fault != ZSET_UNSORTED)
        for (; i > 0 && model->items[i - 1].element > element; i--)
            model->items[i] = model->items[i - 1];
    model->items[i] = (struct model_item){element, weight};
    model->n++;
    settle(model, i);
}

static int model_insert(void *zset, unsigned element, int64_t weight)
{
    struct model *model = zset;
    size_t i = find(model, element);
    int64_t total;

    if (i == model->n) {
        put_new(model, element, weight);
        return ZS_OK;
    }
    if (__builtin_add_overflow(model->items[i].weight, weight, &total) &&
        model->fault != ZSET_WRAPS)
        return ZS_OVERFLOW;
    if (model->fault == ZSET_SATURATES && total > 3)
        total = 3;
    model->items[i].weight = total;
    settle(model, i);
    return ZS_OK;
}

static int64_t model_weight(const void *zset, unsigned element)
{
    const struct model *model = zset;
    int64_t weight = 0;

    for (size_t i = 0; i < model->n; i++) {
        if (model->items[i].element == element)
            weight += model->items[i].weight;
    }
    return weight;
}

/* One item of a sum, in a model that may be broken. */
static int add_item(struct model *model, struct model_item item)
{
    bool is_new = find(model, item.element) == model->n;

    if (model->fault == ZSET_KEEPS_EQUALS && !is_new) {
        put_new(model, item.element, item.weight);
        return ZS_OK;
    }
    if (model->fault == ZSET_LOSES_CROSSOVER && !is_new)
        return ZS_OK;
    if (model->fault == ZSET_ADD_DOUBLES_LAST && is_new)
        item.weight *= 2;
    return model_insert(model, item.element, item.weight);
}

static int combine(struct model *model, const struct model *other, bool subtracts)
{
    struct model result = *model;
    struct model added = *other;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < added.n; i++) {
        struct model_item item = added.items[i];
        size_t at = find(&result, item.element);
        if (subtracts && item.weight == INT64_MIN && model->fault != ZSET_WRAPS) {
            /* It has no negation, but taken from what is negative it stays in range. */
            if (at == result.n || result.items[at].weight >= 0)
                rc = ZS_OVERFLOW;
            else
                rc = add_item(&result, (struct model_item){item.element, INT64_MAX});
            item.weight = rc == ZS_OK ? 1 : 0;
        } else if (subtracts) {
            item.weight = (int64_t)(0 - (uint64_t)item.weight);
        }
        if (rc == ZS_OK)
            rc = add_item(&result, item);
    }
    if (rc == ZS_OK || model->fault == ZSET_FAILS_HALF_WAY)
        *model = result;
    return rc;
}

static int model_add(void *zset, const void *other)
{
    return combine(zset, other, false);
}

static int model_subtract(void *zset, const void *other)
{
    return combine(zset, other, ((struct model *)zset)->fault != ZSET_SUBTRACT_ADDS);
}

static int model_scale(void *zset, int64_t factor)
{
    struct model *model = zset;
    struct model result = *model;

    result.n = 0;
    for (size_t i = 0; i < model->n; i++) {
        struct model_item item = model->items[i];
        bool overflows = __builtin_mul_overflow(item.weight, factor, &item.weight);
        if (overflows && model->fault != ZSET_WRAPS)
            return ZS_OVERFLOW;
        if (model->fault == ZSET_SCALE_ADDS)
            item.weight = model->items[i].weight + factor;
        put_new(&result, item.element, item.weight);
    }
    *model = result;
    return ZS_OK;
}

static int model_negate(void *zset)
{
    return ((struct model *)zset)->fault == ZSET_NEGATE_DOES_NOTHING ? ZS_OK
                                                                     : model_scale(zset, -1);
}

static void model_distinct(void *zset)
{
    struct model *model = zset;
    struct model old = *model;

    model->n = 0;
    for (size_t i = 0; i < old.n; i++) {
        struct model_item item = old.items[i];
        if (item.weight <= 0 && model->fault != ZSET_DISTINCT_KEEPS_NEGATIVES)
            continue;
        if (model->fault != ZSET_DISTINCT_KEEPS_WEIGHTS)
            item.weight = 1;
        put_new(model, item.element, item.weight);
    }
}

static bool model_is_zero(const void *zset)
{
    return ((const struct model *)zset)->n == 0;
}

static bool model_equal(const void *a, const void *b)
{
    bool weighs = ((const struct model *)a)->fault != ZSET_EQUAL_WITHOUT_WEIGHTS;

    for (unsigned i = 0; i < ZSET_ELEMENTS; i++) {
        int64_t in_a = model_weight(a, i);
        int64_t in_b = model_weight(b, i);
        if (weighs ? in_a != in_b : (in_a == 0) != (in_b == 0))
            return false;
    }
    return true;
}

static size_t model_len(const void *zset)
{
    return ((const struct model *)zset)->n;
}

static unsigned model_item(const void *zset, size_t i, int64_t *weight)
{
    const struct model *model = zset;
    *weight = model->items[i].weight;
    return model->items[i].element;
}

static void *model_copy(const struct model *model)
{
    struct model *copy = model_zero(model->fault);
    *copy = *model;
    return copy;
}

static int model_integrate(void *const *in, size_t n, void **out)
{
    for (size_t i = 0; i < n; i++) {
        bool restarts = ((struct model *)in[i])->fault == ZSET_INTEGRATE_RESTARTS;
        out[i] = model_copy(in[i]);
        if (i > 0 && !restarts && model_add(out[i], out[i - 1]) != ZS_OK)
            return ZS_OVERFLOW;
    }
    return ZS_OK;
}

static int model_differentiate(void *const *in, size_t n, void **out)
{
    for (size_t i = 0; i < n; i++) {
        bool is_broken = ((struct model *)in[i])->fault == ZSET_DIFFERENTIATE_FROM_FIRST;
        out[i] = model_copy(in[i]);
        if (i > 0 && model_subtract(out[i], in[is_broken ? 0 : i - 1]) != ZS_OK)
            return ZS_OVERFLOW;
    }
    return ZS_OK;
}

const struct zset_kind zset_kind_model = {model_zero, model_insert, model_add, model_subtract,
    model_negate, model_scale, model_distinct, model_weight, model_is_zero, model_equal,
    model_len, model_item, model_integrate, model_differentiate, free};
