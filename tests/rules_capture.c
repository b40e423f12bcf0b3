/* capture */
#include "tests/rules.h"

TCase *rules_capture(void)
{
    return tcase_create("capture");
}
