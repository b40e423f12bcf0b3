/* schema */
#include "tests/rules.h"

TCase *rules_schema(void)
{
    return tcase_create("schema");
}
