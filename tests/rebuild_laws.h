/* The law of rebuilds: a random graph that loads a snapshot in chunks equals one that loads it
** in one step, afterwards and from then on; and loaders that break it. */
#ifndef TESTS_REBUILD_LAWS_H
#define TESTS_REBUILD_LAWS_H

#include "core/rebuild.h"
#include "tests/rig.h"

/* A stream, an output, a store or the clock differs after the load; after the ticks that
** follow; a call loads nothing though it is not done, or goes on though it is told to stop. */
#define REBUILD_LOADED "[loaded]"
#define REBUILD_LATER "[later]"
#define REBUILD_PROGRESS "[progress]"
#define REBUILD_STATUS "[status]"

enum rebuild_kind {
    REBUILD_REAL,
    REBUILD_TICKS,       /* a tick for every chunk */
    REBUILD_LOSES_CHUNK, /* the last one */
    REBUILD_TWICE,       /* loads the first chunk twice */
    REBUILD_SHOWS_PIECE, /* streams show the last chunk's changes */
    REBUILD_LATE_TICK,   /* a further tick at the end */
    REBUILD_IDLES,       /* loads nothing where its time is over at once */
    REBUILD_NEVER_STOPS,
    REBUILD_KINDS
};

const char *rebuild_kind_name(enum rebuild_kind kind);
const char *rebuild_kind_tag(enum rebuild_kind kind);

/* For a property: subject is an enum rebuild_kind. */
const char *rebuild_check(const void *subject, struct random *random);

#endif
