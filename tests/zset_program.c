/* A program that uses libzset alone: joins orders with their lines, sums up by customer, and
** takes a change back. A test, and an example to copy. */
#include <stdio.h>
#include <string.h>

#include "core/circuit.h"
#include "core/fold.h"

static struct zs_bytes text(const char *s)
{
    return (struct zs_bytes){(const uint8_t *)s, strlen(s)};
}

/* (order, customer) and (order, amount) make (customer, [amount]). */
static int pair(void *ctx, struct zs_bytes order, struct zs_bytes customer,
    struct zs_bytes amount, struct zs_buffer *key, struct zs_buffer *value)
{
    struct zs_value number = {.type = ZS_INTEGER, .integer = (int64_t)amount.len};
    int rc = zs_buffer_append(key, customer.data, customer.len);

    (void)ctx;
    (void)order;
    return rc == ZS_OK ? zs_row_append_identity(value, &number) : rc;
}

static int push(struct zs_circuit *circuit, struct zs_input input, const char *key,
    const char *value, int64_t weight)
{
    struct zs_batch *rows;
    int rc = zs_batch_new(&zs_alloc_libc, &rows);

    if (rc == ZS_OK)
        rc = zs_batch_add(rows, text(key), text(value), weight);
    if (rc == ZS_OK)
        rc = zs_circuit_give(circuit, input, rows);
    zs_batch_free(rows);
    return rc;
}

static void print(const struct zs_delta *delta)
{
    for (size_t i = 0; i < zs_batch_len(delta->rows); i++) {
        const struct zs_item *item = &zs_batch_items(delta->rows)[i];
        struct zs_value sum = {0};
        size_t at = 0;
        if (zs_row_read(item->value, &at, &sum) == ZS_OK)
            printf("%.*s %lld %+lld\n", (int)item->key.len, (const char *)item->key.data,
                (long long)sum.integer, (long long)item->weight);
    }
}

int main(void)
{
    static const struct zs_fold_spec sum = {.kind = ZS_SUM};
    struct zs_circuit *circuit = NULL;
    struct zs_fold *fold = NULL;
    struct zs_input orders;
    struct zs_input lines;
    struct zs_stream streams[4] = {{0}};
    const struct zs_delta *delta;
    int rc = zs_circuit_new(&zs_alloc_libc, &circuit);

    if (rc == ZS_OK)
        rc = zs_sql_fold_new(&zs_alloc_libc, 0, 1, &sum, 1, false, &fold);
    if (rc == ZS_OK)
        rc = zs_circuit_input(circuit, &orders, &streams[0]);
    if (rc == ZS_OK)
        rc = zs_circuit_input(circuit, &lines, &streams[1]);
    if (rc == ZS_OK)
        rc = zs_circuit_join(
            circuit, streams[0], streams[1], pair, NULL, NULL, NULL, &streams[2]);
    if (rc == ZS_OK)
        rc = zs_circuit_aggregate(circuit, streams[2], fold, NULL, NULL, &streams[3]);
    for (unsigned i = 0; rc == ZS_OK && i < 3; i++) {
        rc = zs_circuit_begin(circuit);
        if (rc == ZS_OK)
            rc = push(
                circuit, orders, i == 0 ? "1" : "2", i == 0 ? "ann" : "bob", i < 2 ? 1 : 5);
        if (rc == ZS_OK)
            rc = push(circuit, lines, i == 0 ? "1" : "2", "*****", 1);
        if (rc == ZS_OK)
            rc = zs_circuit_step(circuit);
        if (rc == ZS_OK)
            rc = i == 1 ? zs_circuit_rollback(circuit) : zs_circuit_commit(circuit);
        if (rc == ZS_OK)
            rc = zs_circuit_current(circuit, streams[3], &delta);
        if (rc == ZS_OK)
            print(delta); /* ann 5, after the rollback again, then bob's five orders: 25 */
    }
    zs_circuit_free(circuit);
    zs_fold_free(fold);
    return rc;
}
