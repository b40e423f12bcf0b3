/* Two readings: networks of circuits run step by step, each member at its own pace, equal the
** increments of the same graphs evaluated over whole histories. */
#include <check.h>

#include "tests/pacing.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 300 };

static const struct property readings = {PACING_READINGS, pacing_check};

START_TEST(a_run_step_by_step_equals_the_increments_over_whole_histories)
{
    static const enum pacing_fault sound = PACING_SOUND;
    property_must_hold(&readings, pacing_fault_name(sound), &sound, CASES);
}
END_TEST

START_TEST(the_two_readings_catch_rivals)
{
    enum pacing_fault fault = (enum pacing_fault)_i;
    property_must_catch(&(struct rival){pacing_fault_name(fault), &fault, &readings}, CASES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pacing");
    TCase *tcase = tcase_create("pacing");

    random_announce();
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_run_step_by_step_equals_the_increments_over_whole_histories);
    tcase_add_loop_test(tcase, the_two_readings_catch_rivals, PACING_SOUND + 1, PACING_FAULTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
