/* Damage done by SQL to the tables of a database with views: one random change a call, told as
** the statements that do it. */
#ifndef TESTS_DAMAGE_H
#define TESTS_DAMAGE_H

#include <sqlite3.h>

#include "tests/random.h"

/* What nothing but integrity-check can see of a damage, as it leaves behind what could have
** been. */
enum damage_blindness {
    DAMAGE_IS_SEEN,    /* a read is right, or says that it can't be */
    DAMAGE_HIDES_ROWS, /* so is a read of all rows; one that looks for some may miss them */
    DAMAGE_IS_UNSEEN   /* rows of the state or log are gone, or others as good as they */
};

/* Registers the functions that damaging statements use; random is theirs. */
void damage_register(sqlite3 *db, struct random *random);

/* One damage to what there is now beside the user's tables, which are none that begin with one
** of these prefixes: "lockstep_", "v". sqlite3_free it. */
char *damage_next(sqlite3 *db, struct random *random, enum damage_blindness *blindness);

#endif
