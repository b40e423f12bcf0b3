/* A plan as text, for golden tests. */
#ifndef PLAN_TEXT_H
#define PLAN_TEXT_H

#include "sql/plan.h"

/* One line an operator, then one for the root. Allocated; free it. */
char *plan_text(const struct zsql_plan *plan);

#endif
