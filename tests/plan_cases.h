/* SELECTs with the plans that they get, or why they get none. */
#ifndef PLAN_CASES_H
#define PLAN_CASES_H

#include <stddef.h>

extern const char *const plan_tables;

extern const struct plan_case {
    const char *select;
    const char *plan;  /* as plan_text.h prints it */
    const char *exact; /* the exact text; NULL: the SELECT itself */
} plan_cases[];
extern const size_t n_plan_cases;

extern const struct refusal {
    const char *select;
    const char *message;
} refusals[];
extern const size_t n_refusals;

#endif
