/* Random graphs of operators, and their naive reading. */
#include "tests/graph.h"

#include <string.h>

/* Random choices. */

void graph_random(struct graph *graph, unsigned n, struct random *random)
{
    unsigned n_inputs = 1 + random_below(random, 3);

    *graph = (struct graph){.n = n};
    for (unsigned i = 0; i < n; i++) {
        struct graph_node *node = &graph->nodes[i];
        node->variant = random_below(random, 12);
        node->is_output = random_below(random, 3) == 0;
        node->is_stored = random_below(random, 3) == 0;
        node->has_given_state = random_below(random, 2) == 0;
        if (i < n_inputs)
            continue;
        node->kind = 1 + random_below(random, GRAPH_KINDS - 1);
        node->in[0] = random_below(random, i);
        node->in[1] = random_below(random, i);
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
    model_add(&out->rows, &key, &value, weight);
}

void graph_read(const struct graph_node *node, const struct model *rows, bool has_run,
    struct model_delta *out)
{
    if (node->kind == GRAPH_AGGREGATE) {
        small_fold_naive(graph_fold(node->variant), rows, has_run, out);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (node->kind == GRAPH_LINEAR)
            read_linear(node, &rows->elements[i], out);
        else
            read_element(node, &rows->elements[i], out);
    }
}

static void read_node(struct world *world, unsigned i)
{
    const struct graph_node *node = &world->graph->nodes[i];
    struct model_delta *out = &world->now[i];

    model_delta_clear(out);
    if (node->kind == GRAPH_INPUT) {
        model_copy(&out->rows, &world->inputs[i]);
    } else if (node->kind == GRAPH_PLUS) {
        model_delta_add_all(out, &world->now[node->in[0]], 1);
        model_delta_add_all(out, &world->now[node->in[1]], 1);
    } else {
        model_add_all(&out->errors, &world->now[node->in[0]].errors, 1);
        graph_read(node, &world->now[node->in[0]].rows, world->ticks > 0, out);
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
