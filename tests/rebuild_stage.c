/* A stage for rebuilds. */
#include "tests/rebuild_stage.h"

#include <check.h>

static int read_letter(void *ctx, size_t n, struct zs_batch *rows, bool *is_end)
{
    struct stage *stage = ctx;
    int rc = stage->status;

    stage->status = ZS_OK;
    for (; rc == ZS_OK && n > 0 && stage->next <= stage->last; n--) {
        struct zs_bytes key = {(const uint8_t *)&stage->next, 1};
        rc = zs_batch_add(rows, key, (struct zs_bytes){(const uint8_t *)"x", 1}, 1);
        stage->next++;
    }
    *is_end = stage->next > stage->last;
    return rc;
}

void stage_new_job(struct stage *stage, const char *letters)
{
    struct zs_snapshot snapshot = {stage->small.input, read_letter, stage};

    zs_rebuild_free(stage->rebuild);
    stage->next = letters[0];
    stage->last = letters[1];
    ck_assert_int_eq(
        zs_rebuild_new(stage->small.circuit, &snapshot, 1, 1, &stage->rebuild), ZS_OK);
}

void stage_open(struct stage *stage, const struct zs_alloc *alloc, const char *letters)
{
    *stage = (struct stage){0};
    small_build(&stage->small, alloc);
    ck_assert_int_eq(
        zs_circuit_delay(stage->small.circuit, stage->small.unique, &stage->delayed), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_integrate(stage->small.circuit, stage->small.unique, &stage->integral),
        ZS_OK);
    stage_new_job(stage, letters);
}

void stage_close(struct stage *stage)
{
    zs_rebuild_free(stage->rebuild);
    zs_circuit_free(stage->small.circuit);
}

static bool always(void *ctx)
{
    (void)ctx;
    return true;
}

int stage_load_one(struct stage *stage)
{
    return zs_rebuild_step(stage->rebuild, stage->small.circuit, always, NULL, &stage->is_done);
}

int stage_load_rest(struct stage *stage)
{
    return zs_rebuild_step(stage->rebuild, stage->small.circuit, NULL, NULL, &stage->is_done);
}

void stage_push(struct stage *stage, const char *rows)
{
    ck_assert_int_eq(small_push(stage->small.circuit, stage->small.input, rows), ZS_OK);
}

bool stage_is_interrupted(const struct stage *stage)
{
    return zs_rebuild_is_interrupted(stage->rebuild, stage->small.circuit);
}

void stage_expect(const struct stage *stage, struct zs_stream stream, const char *rows)
{
    ck_assert_str_eq(small_current(stage->small.circuit, stream), rows);
}
