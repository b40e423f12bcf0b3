/* Naive Z-sets. */
#include "tests/model.h"

#include <stdlib.h>
#include <string.h>

struct model_bytes model_bytes(struct zs_bytes bytes)
{
    struct model_bytes made = {.len = bytes.len};

    if (bytes.len > MODEL_BYTES)
        abort();
    if (bytes.len > 0)
        memcpy(made.data, bytes.data, bytes.len);
    return made;
}

struct model_bytes model_text(const char *text)
{
    return model_bytes((struct zs_bytes){(const uint8_t *)text, strlen(text)});
}

struct zs_bytes model_as_bytes(const struct model_bytes *bytes)
{
    return (struct zs_bytes){bytes->data, bytes->len};
}

int model_bytes_compare(const struct model_bytes *a, const struct model_bytes *b)
{
    for (size_t i = 0; i < a->len && i < b->len; i++) {
        if (a->data[i] != b->data[i])
            return a->data[i] < b->data[i] ? -1 : 1;
    }
    return (a->len > b->len) - (a->len < b->len);
}

void model_clear(struct model *model)
{
    free(model->elements);
    *model = (struct model){0};
}

static struct model_element *find(
    const struct model *model, const struct model_bytes *key, const struct model_bytes *value)
{
    for (size_t i = 0; i < model->n; i++) {
        if (model_bytes_compare(&model->elements[i].key, key) == 0 &&
            model_bytes_compare(&model->elements[i].value, value) == 0)
            return &model->elements[i];
    }
    return NULL;
}

static void append(struct model *model, const struct model_element *element)
{
    if (model->n == model->cap) {
        model->cap = model->cap == 0 ? 16 : 2 * model->cap;
        model->elements = realloc(model->elements, model->cap * sizeof(*element));
        if (model->elements == NULL)
            abort();
    }
    model->elements[model->n++] = *element;
}

void model_add(struct model *model, const struct model_bytes *key,
    const struct model_bytes *value, int64_t weight)
{
    struct model_element *element = find(model, key, value);

    if (weight == 0)
        return;
    if (element == NULL)
        append(model, &(struct model_element){*key, *value, weight});
    else if (__builtin_add_overflow(element->weight, weight, &element->weight))
        abort();
    else if (element->weight == 0)
        *element = model->elements[--model->n];
}

void model_add_all(struct model *model, const struct model *other, int sign)
{
    for (size_t i = 0; i < other->n; i++)
        model_add(model, &other->elements[i].key, &other->elements[i].value,
            sign * other->elements[i].weight);
}

void model_add_batch(struct model *model, const struct zs_batch *batch, int sign)
{
    const struct zs_item *items = zs_batch_items(batch);

    for (size_t i = 0; i < zs_batch_len(batch); i++) {
        struct model_bytes key = model_bytes(items[i].key);
        struct model_bytes value = model_bytes(items[i].value);
        model_add(model, &key, &value, sign * items[i].weight);
    }
}

void model_copy(struct model *to, const struct model *from)
{
    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        append(to, &from->elements[i]);
}

int64_t model_weight(
    const struct model *model, const struct model_bytes *key, const struct model_bytes *value)
{
    const struct model_element *element = find(model, key, value);
    return element == NULL ? 0 : element->weight;
}

bool model_equal(const struct model *a, const struct model *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct model_element *element = &a->elements[i];
        if (model_weight(b, &element->key, &element->value) != element->weight)
            return false;
    }
    return true;
}

bool model_equals_batch(const struct model *model, const struct zs_batch *batch)
{
    struct model sum = {0};
    bool is_equal;

    model_add_batch(&sum, batch, 1);
    is_equal = model_equal(model, &sum);
    model_clear(&sum);
    return is_equal;
}

bool model_is_canonical(const struct zs_batch *batch)
{
    const struct zs_item *items = zs_batch_items(batch);

    for (size_t i = 0; i < zs_batch_len(batch); i++) {
        if (items[i].weight == 0)
            return false;
        if (i > 0) {
            int by_key = zs_bytes_compare(items[i - 1].key, items[i].key);
            if (by_key > 0 ||
                (by_key == 0 && zs_bytes_compare(items[i - 1].value, items[i].value) >= 0))
                return false;
        }
    }
    return true;
}

void model_delta_clear(struct model_delta *delta)
{
    model_clear(&delta->rows);
    model_clear(&delta->errors);
}

void model_delta_copy(struct model_delta *to, const struct model_delta *from)
{
    model_copy(&to->rows, &from->rows);
    model_copy(&to->errors, &from->errors);
}

void model_delta_add_all(struct model_delta *delta, const struct model_delta *other, int sign)
{
    model_add_all(&delta->rows, &other->rows, sign);
    model_add_all(&delta->errors, &other->errors, sign);
}

void model_delta_add(struct model_delta *model, const struct zs_delta *delta, int sign)
{
    model_add_batch(&model->rows, delta->rows, sign);
    model_add_batch(&model->errors, delta->errors, sign);
}

bool model_delta_equal(const struct model_delta *a, const struct model_delta *b)
{
    return model_equal(&a->rows, &b->rows) && model_equal(&a->errors, &b->errors);
}

bool model_delta_equals(const struct model_delta *model, const struct zs_delta *delta)
{
    return model_equals_batch(&model->rows, delta->rows) &&
           model_equals_batch(&model->errors, delta->errors);
}

int model_to_batch(const struct model *model, struct zs_batch *batch)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < model->n; i++)
        rc = zs_batch_add(batch, model_as_bytes(&model->elements[i].key),
            model_as_bytes(&model->elements[i].value), model->elements[i].weight);
    return rc;
}
