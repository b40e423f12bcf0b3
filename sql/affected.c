/* Conditions that a change of one occurrence implies. */
#include "sql/affected.h"

int zsql_affected(struct zsql_planner *planner, const struct zsql_list *occurrences, size_t i,
    const char **condition)
{
    (void)planner;
    (void)occurrences;
    (void)i;
    *condition = NULL;
    return ZS_OK;
}
