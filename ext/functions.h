/* SQL functions: exact_sum, exact_avg, exact_total, unanimous, lockstep_version. */
#ifndef LS_FUNCTIONS_H
#define LS_FUNCTIONS_H

#include "ext/api.h"

int ls_functions_register(sqlite3 *db) __attribute__((warn_unused_result));

#endif
