/* A stage for rebuilds: a small circuit with a temporal part, and a job that loads the snapshot
** of single rows "a/x+1", "b/x+1", ..., one a chunk. */
#ifndef TESTS_REBUILD_STAGE_H
#define TESTS_REBUILD_STAGE_H

#include "core/rebuild.h"
#include "tests/small_circuit.h"

struct stage {
    struct small small;
    struct zs_stream delayed;
    struct zs_stream integral;
    char next;
    char last;
    int status; /* what reading returns once */
    struct zs_rebuild *rebuild;
    bool is_done;
};

/* letters: the first and the last. */
void stage_open(struct stage *stage, const struct zs_alloc *alloc, const char *letters);
void stage_close(struct stage *stage);
void stage_new_job(struct stage *stage, const char *letters);

ZS_CHECKED int stage_load_one(struct stage *stage);
ZS_CHECKED int stage_load_rest(struct stage *stage);
bool stage_is_interrupted(const struct stage *stage);

void stage_push(struct stage *stage, const char *rows);
/* Fails the test unless the stream shows these rows. */
void stage_expect(const struct stage *stage, struct zs_stream stream, const char *rows);

#endif
