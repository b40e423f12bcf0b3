/* The laws of cells, of any implementation: what a map with nested transactions must do. */
#ifndef TESTS_CELLS_LAWS_H
#define TESTS_CELLS_LAWS_H

#include "core/cells.h"
#include "tests/property.h"

enum cells_fault {
    CELLS_SOUND,
    CELLS_PUT_KEEPS_OLD,
    CELLS_REMOVE_DOES_NOTHING,
    CELLS_LOOKS_AT_EIGHT_BYTES,
    CELLS_SEEK_EXCLUSIVE,          /* forward from what is > from */
    CELLS_SEEK_BACKWARD_INCLUSIVE, /* back from what is <= from */
    CELLS_SEEK_ENDS_AT_THE_DEAD,   /* finds nothing past a removed cell */
    CELLS_UNDOES_OLDEST_FIRST,
    CELLS_COMMIT_FORGETS, /* an inner commit leaves the outer rollback nothing to undo */
    CELLS_ROLLBACK_OF_ALL,
    CELLS_REMOVE_UNLOGGED,
    CELLS_FIRST_CHANGE_ONLY, /* a cell that an outer transaction logged is not logged again */
    CELLS_UPDATE_SHOWS_NOTHING,
    CELLS_UPDATE_PUTS_WHAT_STAYS,
    CELLS_UPDATE_CHANGES_ON_FAILURE,
    CELLS_UPDATE_GOES_ON, /* after a failure, which it reports */
    CELLS_WALK_TO_INCLUSIVE,
    CELLS_WALK_ENOUGH_IS_ALL, /* enough of one span ends the walk */
    CELLS_WALK_IGNORES_ENOUGH,
    CELLS_WALK_IGNORES_FAILURE,
    CELLS_N_FAULTS
};

/* The subject of the properties. */
struct cells_subject {
    int (*make)(const struct zs_alloc *alloc, enum cells_fault fault, struct zs_cells **cells);
    enum cells_fault fault; /* of the model */
};

/* Memory cells (that have no faults), and a model. */
int cells_make_memory(
    const struct zs_alloc *alloc, enum cells_fault fault, struct zs_cells **cells);
int cells_make_model(
    const struct zs_alloc *alloc, enum cells_fault fault, struct zs_cells **cells);

extern const struct property cells_map;      /* get finds what put and remove left */
extern const struct property cells_seek;     /* seeking finds the neighbours */
extern const struct property cells_rollback; /* what held at the begin holds again */
extern const struct property cells_update;   /* what becomes of many cells, one by one */
extern const struct property cells_walk;     /* all of every span is shown, and no more */

extern const struct property *const cells_properties[]; /* all; ends with NULL */

#endif
