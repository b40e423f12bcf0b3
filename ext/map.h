/* A map between two operators: the plan's expressions and condition, run by SQLite over a
 * batch. */
#ifndef LS_MAP_H
#define LS_MAP_H

#include "core/batch.h"
#include "ext/batchtable.h"
#include "ext/encoder.h"
#include "sql/plan.h"

struct ls_map;

/* The operator (its input gives the batch's columns) and the encoder of its output are
 * borrowed. */
ZS_CHECKED int ls_map_new(sqlite3 *db, struct ls_batchtable **tables,
    const struct zsql_operator *output, const struct ls_encoder *encoder, struct ls_map **map);
void ls_map_free(struct ls_map *map); /* accepts NULL */

/* Are its rows those of its input, as they come? Then it need not run. */
bool ls_map_changes_nothing(const struct ls_map *map);

/* A zs_linear_fn; ctx is the map. An item whose expressions fail adds an error under its key.
** ZS_CALLBACK with ls_map_code where SQLite failed for another reason. */
ZS_CHECKED int ls_map_step(void *map, const struct zs_batch *in, struct zs_delta *out);
int ls_map_code(const struct ls_map *map);

#endif
