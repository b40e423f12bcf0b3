/* Properties and rivals. */
#include "tests/property.h"

#include <check.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *property_violated(const char *tag, const char *format, ...)
{
    static char message[400];
    int len = snprintf(message, sizeof(message), "%s ", tag);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message + len, sizeof(message) - (size_t)len, format, arguments);
    va_end(arguments);
    return message;
}

/* Every case has a stream of its own, so that it can be run again alone. */
static struct random random_of_case(const struct property *property, unsigned i)
{
    uint64_t salt = i;
    for (const char *c = property->tag; *c != '\0'; c++)
        salt = salt * 131 + (unsigned char)*c;
    return random_new(salt);
}

void property_must_hold(
    const struct property *property, const char *name, const void *subject, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct random random = random_of_case(property, i);
        const char *violation = property->check(subject, &random);
        ck_assert_msg(
            violation == NULL, "%s, case %u: %s", name, i, violation == NULL ? "" : violation);
    }
}

void property_must_catch(const struct rival *rival, unsigned n)
{
    const char *tag = rival->caught_by->tag;

    for (unsigned i = 0; i < n; i++) {
        struct random random = random_of_case(rival->caught_by, i);
        const char *violation = rival->caught_by->check(rival->subject, &random);
        if (violation == NULL)
            continue;
        ck_assert_msg(strncmp(violation, tag, strlen(tag)) == 0, "%s, case %u: not %s but %s",
            rival->name, i, tag, violation);
        return;
    }
    ck_abort_msg("%s was not caught by %s in %u cases", rival->name, tag, n);
}
