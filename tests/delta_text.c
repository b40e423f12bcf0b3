/* Deltas as text. */
#include "tests/delta_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model.h"

static struct zs_bytes slice(const char *from, const char *to)
{
    return (struct zs_bytes){(const uint8_t *)from, (size_t)(to - from)};
}

int delta_read(const char *text, struct zs_delta *delta)
{
    int rc = ZS_OK;

    while (rc == ZS_OK && *text != '\0') {
        bool is_error = *text == '!';
        const char *key = text + is_error;
        const char *slash = strchr(key, '/');
        const char *sign = slash == NULL ? NULL : strpbrk(slash, "+-");
        char *end;
        if (sign == NULL)
            abort();
        rc = zs_batch_add(is_error ? delta->errors : delta->rows, slice(key, slash),
            slice(slash + 1, sign), strtoll(sign, &end, 10));
        text = end + (*end == ' ');
    }
    return rc;
}

static int compare(const void *a, const void *b)
{
    const struct model_element *left = a;
    const struct model_element *right = b;
    int order = model_bytes_compare(&left->key, &right->key);
    return order != 0 ? order : model_bytes_compare(&left->value, &right->value);
}

static size_t print(const struct zs_batch *batch, const char *mark, char *to, size_t size)
{
    struct model sum = {0};
    size_t len = 0;

    model_add_batch(&sum, batch, 1);
    if (sum.n > 0)
        qsort(sum.elements, sum.n, sizeof(*sum.elements), compare);
    for (size_t i = 0; i < sum.n && len < size; i++) {
        const struct model_element *element = &sum.elements[i];
        len += (size_t)snprintf(to + len, size - len, "%s%.*s/%.*s%+" PRId64 " ", mark,
            (int)element->key.len, (const char *)element->key.data, (int)element->value.len,
            (const char *)element->value.data, element->weight);
    }
    model_clear(&sum);
    return len < size ? len : size;
}

const char *delta_text(const struct zs_delta *delta)
{
    static char text[4096];
    size_t len = print(delta->rows, "", text, sizeof(text));

    len += print(delta->errors, "!", text + len, sizeof(text) - len);
    text[len == 0 ? 0 : len - 1] = '\0';
    return text;
}
