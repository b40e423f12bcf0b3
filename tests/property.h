/* Properties: laws that a sound implementation keeps and that a broken one is caught by.
**
** A checker looks at one random case of an implementation and returns NULL if the law holds,
** else a message that starts with the law's tag, such as "[inverse] ...". Every checker also
** runs on rivals, implementations with one fault each, and must fail them with its own tag:
** so a test that cannot fail, or fails for another reason, is found out. */
#ifndef TESTS_PROPERTY_H
#define TESTS_PROPERTY_H

#include "tests/random.h"

struct property {
    const char *tag;
    /* subject is the implementation: what that is, the suite says. */
    const char *(*check)(const void *subject, struct random *random);
};

struct rival {
    const char *name;
    const void *subject;
    const struct property *caught_by;
};

/* The message of a violation, formatted; valid until the next one. */
const char *property_violated(const char *tag, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The law holds in n cases. */
void property_must_hold(
    const struct property *property, const char *name, const void *subject, unsigned n);

/* The rival's law fails in one of n cases, with its tag. */
void property_must_catch(const struct rival *rival, unsigned n);

#endif
