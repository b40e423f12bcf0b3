/* Why a text is not maintained: one clause for the user. */
#ifndef ZSQL_MESSAGE_H
#define ZSQL_MESSAGE_H

#include "core/alloc.h"
#include "core/status.h"

struct zsql_message {
    const struct zs_alloc *alloc; /* borrowed */
    char *text;                   /* NULL until one is set; the caller's */
};

/* Sets the text, as printf would, and returns ZS_REFUSED; ZS_NOMEM without memory for it. */
ZS_CHECKED int zsql_refuse(struct zsql_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a text that cannot be read: returns ZS_SYNTAX. */
ZS_CHECKED int zsql_reject(struct zsql_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
