/* Random graphs of operators, and their naive reading. */
#include "tests/graph.h"

#include <stdlib.h>
#include <string.h>

/* Random choices. */

/* How large weights may get, of rows and of errors, as powers of two. */
struct size {
    unsigned rows;
    unsigned errors;
};

enum {
    SIZE_INPUT = 12,
    SIZE_IMAGES = 6,
    SIZE_PAIRS = 10,
    SIZE_TICKS = 7,
    SIZE_MAX_ALLOWED = 44
};

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static struct size size_of(const struct graph_node *node, const struct size *sizes)
{
    struct size a = sizes[node->in[0]];
    struct size b = sizes[node->in[1]];
    struct size both = {larger(a.rows, b.rows) + 1, larger(a.errors, b.errors) + 1};

    switch (node->kind) {
    case GRAPH_INPUT:
        return (struct size){SIZE_INPUT, 0};
    case GRAPH_MAP:
    case GRAPH_INDEX_BY:
        return (struct size){a.rows + SIZE_IMAGES, a.errors};
    case GRAPH_LINEAR:
    case GRAPH_FLAT_MAP:
        return (struct size){a.rows + SIZE_IMAGES, larger(a.rows, a.errors) + SIZE_IMAGES};
    case GRAPH_PLUS:
        return both;
    case GRAPH_DISTINCT:
        return (struct size){1, a.errors};
    case GRAPH_AGGREGATE:
        return (struct size){1, a.errors + 1};
    case GRAPH_JOIN:
        return (struct size){a.rows + b.rows + SIZE_PAIRS, both.errors};
    case GRAPH_INTEGRATE:
        return (struct size){a.rows + SIZE_TICKS, a.errors + SIZE_TICKS};
    case GRAPH_DIFFERENTIATE:
        return (struct size){a.rows + 1, a.errors + 1};
    default:
        return a;
    }
}

static void choose_operator(
    struct graph_node *node, unsigned i, struct size *sizes, struct random *random)
{
    do {
        node->kind = 1 + random_below(random, GRAPH_KINDS - 1);
        node->in[0] = random_below(random, i);
        node->in[1] = random_below(random, i);
        sizes[i] = size_of(node, sizes);
    } while (sizes[i].rows > SIZE_MAX_ALLOWED || sizes[i].errors > SIZE_MAX_ALLOWED);
}

void graph_random(struct graph *graph, unsigned n, struct random *random)
{
    unsigned n_inputs = 1 + random_below(random, 3);
    struct size sizes[GRAPH_NODES];

    *graph = (struct graph){.n = n};
    for (unsigned i = 0; i < n; i++) {
        struct graph_node *node = &graph->nodes[i];
        node->variant = random_below(random, 12);
        node->is_output = random_below(random, 3) == 0;
        node->is_stored = random_below(random, 3) == 0;
        node->has_given_state = random_below(random, 2) == 0;
        if (i < n_inputs)
            sizes[i] = (struct size){SIZE_INPUT, 0};
        else
            choose_operator(node, i, sizes, random);
    }
}

int graph_random_rows(struct random *random, struct zs_batch *rows)
{
    static const char *const keys[] = {"", "a", "b", "c"};
    static const char *const values[] = {"", "a", "b", "c", "ab", "bc", "aab"};
    unsigned n = random_below(random, 6);
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < n; i++) {
        struct model_bytes key = model_text(keys[random_below(random, 4)]);
        struct model_bytes value = model_text(values[random_below(random, 7)]);
        int64_t weight = (int64_t)random_below(random, 7) - 3;
        rc = zs_batch_add(rows, model_as_bytes(&key), model_as_bytes(&value), weight);
    }
    return rc;
}

/* The functions. */

static struct model_bytes cut(const struct model_bytes *bytes, size_t len)
{
    struct model_bytes made = *bytes;
    made.len = bytes->len < len ? bytes->len : len;
    return made;
}

void graph_map(unsigned variant, const struct model_bytes *key, const struct model_bytes *value,
    struct model_bytes *image_key, struct model_bytes *image_value)
{
    *image_key = variant % 3 == 0 ? *key : cut(value, 2);
    *image_value = variant % 3 == 1 ? cut(key, 1) : cut(value, 1);
}

static unsigned sum_bytes(const struct model_bytes *bytes)
{
    unsigned sum = 0;
    for (size_t i = 0; i < bytes->len; i++)
        sum += bytes->data[i];
    return sum;
}

bool graph_keeps(
    unsigned variant, const struct model_bytes *key, const struct model_bytes *value)
{
    return (sum_bytes(key) + 2 * sum_bytes(value) + variant) % 3 != 0;
}

void graph_key(unsigned variant, const struct model_bytes *key, const struct model_bytes *value,
    struct model_bytes *new_key)
{
    struct model_bytes both = cut(value, 1);

    if (variant % 3 == 2 && key->len > 0)
        both.data[both.len++] = key->data[0];
    *new_key = variant % 3 == 0 ? (struct model_bytes){0} : both;
}

void graph_pair(unsigned variant, const struct model_bytes *key, const struct model_bytes *left,
    const struct model_bytes *right, struct model_bytes *image_key,
    struct model_bytes *image_value)
{
    *image_key = variant % 3 == 0 ? cut(right, 1) : *key;
    *image_value = cut(left, 1);
    for (size_t i = 0; variant % 2 == 0 && i < right->len && i < 2; i++)
        image_value->data[image_value->len++] = right->data[i];
}

unsigned graph_images(
    unsigned variant, const struct model_element *element, struct graph_image images[2])
{
    if (memchr(element->value.data, 'c', element->value.len) != NULL) {
        images[0] = (struct graph_image){true, *element};
        return 1;
    }
    images[0] = (struct graph_image){false, *element};
    images[1] = (struct graph_image){
        false, {cut(&element->value, 1), cut(&element->key, 1), -element->weight}};
    if (variant % 2 == 0)
        images[1].element.key = element->key;
    return 2;
}

const struct zs_fold *graph_fold(unsigned variant)
{
    const struct zs_fold *const folds[] = {
        &small_count, &small_count_global, &small_least, &small_least_global};
    return folds[variant % 4];
}

int64_t graph_offset(unsigned variant)
{
    return variant % 3;
}

int64_t graph_limit(unsigned variant)
{
    static const int64_t limits[] = {3, -1, 1, 0};
    return limits[variant % 4];
}

/* The naive reading of each kind: from the whole of its inputs to the whole of its output. */

static void read_linear(
    const struct graph_node *node, const struct model_element *element, struct model_delta *out)
{
    struct graph_image images[2];
    unsigned n = graph_images(node->variant, element, images);

    for (unsigned i = 0; i < n; i++) {
        const struct model_element *image = &images[i].element;
        model_add(images[i].is_error ? &out->errors : &out->rows, &image->key, &image->value,
            image->weight);
    }
}

static void read_element(
    const struct graph_node *node, const struct model_element *element, struct model_delta *out)
{
    struct model_bytes key = element->key;
    struct model_bytes value = element->value;
    int64_t weight = element->weight;

    if (node->kind == GRAPH_MAP)
        graph_map(node->variant, &element->key, &element->value, &key, &value);
    else if (node->kind == GRAPH_INDEX_BY)
        graph_key(node->variant, &element->key, &element->value, &key);
    else if (node->kind == GRAPH_FILTER)
        weight = graph_keeps(node->variant, &key, &value) ? weight : 0;
    else if (node->kind == GRAPH_DISTINCT)
        weight = weight > 0;
    else if (node->kind == GRAPH_NEGATE)
        weight = -weight;
    model_add(&out->rows, &key, &value, weight);
}

static int by_bytes(const void *a, const void *b)
{
    const struct model_element *x = a, *y = b;
    int order = model_bytes_compare(&x->key, &y->key);
    return order != 0 ? order : model_bytes_compare(&x->value, &y->value);
}

/* Place by place, as far as weights of a few thousand go. */
static void read_top(const struct graph_node *node, const struct model *rows, struct model *out)
{
    int64_t n_hidden = graph_offset(node->variant);
    int64_t n_left = graph_limit(node->variant);
    struct model sorted = {0};

    model_copy(&sorted, rows);
    if (sorted.n > 0)
        qsort(sorted.elements, sorted.n, sizeof(*sorted.elements), by_bytes);
    for (size_t i = 0; i < sorted.n; i++) {
        const struct model_element *element = &sorted.elements[i];
        int64_t n = element->weight;

        for (; n > 0 && n_hidden > 0; n--)
            n_hidden--;
        if (n_left < 0 && n > 0)
            model_add(out, &element->key, &element->value, n);
        for (; n > 0 && n_left > 0; n--, n_left--)
            model_add(out, &element->key, &element->value, 1);
    }
    model_clear(&sorted);
}

void graph_read(const struct graph_node *node, const struct model *rows, bool has_run,
    struct model_delta *out)
{
    if (node->kind == GRAPH_AGGREGATE) {
        small_fold_naive(graph_fold(node->variant), rows, has_run, out);
        return;
    }
    if (node->kind == GRAPH_TOP) {
        read_top(node, rows, &out->rows);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (node->kind == GRAPH_LINEAR || node->kind == GRAPH_FLAT_MAP)
            read_linear(node, &rows->elements[i], out);
        else
            read_element(node, &rows->elements[i], out);
    }
}

void graph_read_join(const struct graph_node *node, const struct model *left,
    const struct model *right, struct model *out)
{
    for (size_t i = 0; i < left->n; i++) {
        for (size_t k = 0; k < right->n; k++) {
            const struct model_element *a = &left->elements[i];
            const struct model_element *b = &right->elements[k];
            struct model_bytes key;
            struct model_bytes value;
            if (model_bytes_compare(&a->key, &b->key) != 0)
                continue;
            graph_pair(node->variant, &a->key, &a->value, &b->value, &key, &value);
            model_add(out, &key, &value, a->weight * b->weight);
        }
    }
}

/* From the integrals of its inputs to that of its output; before holds those of a tick ago. */
static void read_node(struct world *world, unsigned i)
{
    const struct graph_node *node = &world->graph->nodes[i];
    const struct model_delta *a = &world->now[node->in[0]];
    const struct model_delta *b = &world->now[node->in[1]];
    struct model_delta *out = &world->now[i];

    if (node->kind != GRAPH_INTEGRATE)
        model_delta_clear(out);
    switch (node->kind) {
    case GRAPH_INPUT:
        model_copy(&out->rows, &world->inputs[i]);
        break;
    case GRAPH_PLUS:
        model_delta_add_all(out, a, 1);
        model_delta_add_all(out, b, 1);
        break;
    case GRAPH_JOIN:
        graph_read_join(node, &a->rows, &b->rows, &out->rows);
        model_add_all(&out->errors, &a->errors, 1);
        model_add_all(&out->errors, &b->errors, 1);
        break;
    case GRAPH_DELAY:
        model_delta_add_all(out, &world->before[node->in[0]], 1);
        break;
    case GRAPH_INTEGRATE:
        model_delta_add_all(out, a, 1);
        break;
    case GRAPH_DIFFERENTIATE:
        model_delta_add_all(out, a, 1);
        model_delta_add_all(out, &world->before[node->in[0]], -1);
        break;
    default:
        model_add_all(&out->errors, &a->errors, node->kind == GRAPH_NEGATE ? -1 : 1);
        graph_read(node, &a->rows, world->ticks > 0, out);
    }
}

/* The world. */

void world_init(struct world *world, const struct graph *graph)
{
    *world = (struct world){.graph = graph};
}

void world_clear(struct world *world)
{
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        model_clear(&world->inputs[i]);
        model_clear(&world->pending[i]);
        model_delta_clear(&world->now[i]);
        model_delta_clear(&world->before[i]);
        model_delta_clear(&world->taken[i]);
    }
}

void world_copy(struct world *to, const struct world *from)
{
    to->graph = from->graph;
    to->ticks = from->ticks;
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        model_copy(&to->inputs[i], &from->inputs[i]);
        model_copy(&to->pending[i], &from->pending[i]);
        model_delta_copy(&to->now[i], &from->now[i]);
        model_delta_copy(&to->before[i], &from->before[i]);
        model_delta_copy(&to->taken[i], &from->taken[i]);
    }
}

void world_step(struct world *world)
{
    world->ticks++;
    for (unsigned i = 0; i < world->graph->n; i++) {
        model_add_all(&world->inputs[i], &world->pending[i], 1);
        model_clear(&world->pending[i]);
        model_delta_copy(&world->before[i], &world->now[i]);
        read_node(world, i);
    }
}
