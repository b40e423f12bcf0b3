/* Random SELECTs over one table, of the kinds that plans are made of. */
#ifndef RANDOM_SELECT_H
#define RANDOM_SELECT_H

#include "tests/random.h"

/* The table that they read, t, with some rows. */
extern const char *const random_select_table;

/* A SELECT: most are valid. Free it. */
char *random_select(struct random *random);

#endif
