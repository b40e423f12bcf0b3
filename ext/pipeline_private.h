/* Shared by pipeline.c (what is done with a pipeline) and wiring.c (how it is made of a
** plan). */
#ifndef LS_PIPELINE_PRIVATE_H
#define LS_PIPELINE_PRIVATE_H

#include "core/fold.h"
#include "ext/budget.h"
#include "ext/encoder.h"
#include "ext/join.h"
#include "ext/map.h"
#include "ext/pipeline.h"
#include "ext/refold.h"
#include "ext/source.h"
#include "ext/tables.h"

/* Tags of the overlay's parts; operator i keeps its groups, or the floor of a top, under
** GROUPS + 2 i and the values of its multiset, or the rows of a top by their order, under the
** next; what it has made, where joins read that, under MADE and i. Stored: they never change
** their meaning. */
enum { ERRORS = 1, MADE = 2, GROUPS = 16 };

/* What belongs to one operator of the plan. */
struct stage {
    struct ls_pipeline *pipeline;
    struct ls_encoder encoder; /* of its output, for what reads it */
    struct ls_join *join;
    struct zs_batch *rows; /* of a join: those that enter in a build */
    struct ls_map *map;
    struct zs_fold *fold;
    struct ls_refolds *refolds;
    struct zs_cells *groups;                         /* or the floor of a top */
    struct zs_trace *multiset;                       /* or the rows of a top */
    struct zs_buffer key;                            /* of rows that get another one */
    enum { TO_CIRCUIT, TO_RESULT, TO_TOP } straight; /* where alone its rows go in a build */
};

struct ls_pipeline {
    sqlite3 *db;
    struct ls_budget budget;
    size_t own_bytes; /* used when nothing was taken in yet */
    struct ls_batchtable **batchtables;
    struct ls_relation **relations;
    char *schema;
    char *view;
    const struct zsql_plan *plan;
    struct ls_table *const *base_tables;
    struct ls_tables *tables; /* of a view of joins, else NULL */
    int utf16;
    struct stage *stages;
    struct ls_source **sources; /* one a table; those of a view of joins are its tables' */
    struct ls_overlay *overlay;
    struct ls_location location; /* of the result's rows */
    struct ls_result *result;
    struct zs_cells *error_cells;
    struct zs_trace *errors;
    struct zs_circuit *circuit;
    bool is_building; /* joins give what they are given */
    struct {          /* what a join that failed said */
        int code;
        bool is_of_data;
        char *message;
    } said;
    struct zs_delta delta; /* of a view that is of no joins: what enters in a step */
    sqlite3_int64 looked_from, looked_to; /* whose rows it holds already; or both are 0 */
    sqlite3_stmt *number;                 /* of number_of */
};

/* Makes the circuit. ZS_OK or what failed. */
ZS_CHECKED int ls_pipeline_wire(struct ls_pipeline *pipeline);

/* Steps over what has entered, within a transaction of its own. SQLite's code, SQLITE_DONE where
** an operator has kept too little for it; *message as in pipeline.h. */
ZS_CHECKED int ls_pipeline_step(struct ls_pipeline *pipeline, char **message);

/* Forgets what was to enter. */
void ls_pipeline_reset(struct ls_pipeline *pipeline);

/* Frees what it made, once the circuit is gone; accepts a pipeline that is half made. */
void ls_pipeline_unwire(struct ls_pipeline *pipeline);

#endif
