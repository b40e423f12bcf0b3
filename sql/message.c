/* Messages: measured first, then written. */
#include "sql/message.h"

#include <stdarg.h>
#include <stdio.h>

static int set_text(
    struct zsql_message *message, int rc, const char *format, va_list first, va_list second)
{
    int len = vsnprintf(NULL, 0, format, first);
    char *text = len < 0 ? NULL : zs_alloc_get(message->alloc, (size_t)len + 1);

    if (text == NULL)
        return ZS_NOMEM;
    vsnprintf(text, (size_t)len + 1, format, second);
    zs_alloc_free(message->alloc, message->text);
    message->text = text;
    return rc;
}

int zsql_refuse(struct zsql_message *message, const char *format, ...)
{
    va_list first, second;
    int rc;

    va_start(first, format);
    va_copy(second, first);
    rc = set_text(message, ZS_REFUSED, format, first, second);
    va_end(second);
    va_end(first);
    return rc;
}

int zsql_reject(struct zsql_message *message, const char *format, ...)
{
    va_list first, second;
    int rc;

    va_start(first, format);
    va_copy(second, first);
    rc = set_text(message, ZS_SYNTAX, format, first, second);
    va_end(second);
    va_end(first);
    return rc;
}
