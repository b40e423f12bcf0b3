/* Running SQL from C. */
#include "ext/statement.h"

#include <stdarg.h>
#include <string.h>

static void *sqlite_resize(void *ctx, void *p, size_t n)
{
    (void)ctx;
    return sqlite3_realloc64(p, n);
}

static void sqlite_release(void *ctx, void *p)
{
    (void)ctx;
    sqlite3_free(p);
}

const struct zs_alloc ls_alloc = {sqlite_resize, sqlite_release, NULL};

int ls_exec(sqlite3 *db, const char *format, ...)
{
    va_list arguments;
    char *text;
    int rc;

    va_start(arguments, format);
    text = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (text == NULL)
        return SQLITE_NOMEM;
    rc = sqlite3_exec(db, text, NULL, NULL, NULL);
    sqlite3_free(text);
    return rc;
}

int ls_prepare_text(sqlite3 *db, sqlite3_stmt **statement, char *text)
{
    int rc;

    *statement = NULL;
    if (text == NULL)
        return SQLITE_NOMEM;
    rc = sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    sqlite3_free(text);
    return rc;
}

int ls_prepare(sqlite3 *db, sqlite3_stmt **statement, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return ls_prepare_text(db, statement, text);
}

/* Steps a statement once, for queries of one value; finalizes it where there is no row. */
static int first_row(sqlite3 *db, char *text, sqlite3_stmt **statement)
{
    int rc = ls_prepare_text(db, statement, text);

    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(*statement);
    if (rc == SQLITE_ROW)
        return SQLITE_OK;
    rc = sqlite3_finalize(*statement);
    *statement = NULL;
    return rc;
}

int ls_query_integer(
    sqlite3 *db, sqlite3_int64 fallback, sqlite3_int64 *value, const char *format, ...)
{
    sqlite3_stmt *statement;
    va_list arguments;
    int rc;

    *value = fallback;
    va_start(arguments, format);
    rc = first_row(db, sqlite3_vmprintf(format, arguments), &statement);
    va_end(arguments);
    if (rc != SQLITE_OK || statement == NULL)
        return rc;
    if (sqlite3_column_type(statement, 0) != SQLITE_NULL)
        *value = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement);
}

int ls_query_text(sqlite3 *db, char **value, const char *format, ...)
{
    sqlite3_stmt *statement;
    va_list arguments;
    int rc;

    *value = NULL;
    va_start(arguments, format);
    rc = first_row(db, sqlite3_vmprintf(format, arguments), &statement);
    va_end(arguments);
    if (rc != SQLITE_OK || statement == NULL)
        return rc;
    if (sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);

        *value = text == NULL ? NULL : sqlite3_mprintf("%s", text);
        if (*value == NULL)
            rc = SQLITE_NOMEM;
    }
    sqlite3_finalize(statement);
    return rc;
}

int ls_declare(sqlite3 *db, const char *declaration, char **error)
{
    int rc = sqlite3_declare_vtab(db, declaration);

    if (rc != SQLITE_OK)
        *error = sqlite3_mprintf("%s", sqlite3_errmsg(db));
    return rc;
}

int ls_run(sqlite3_stmt *statement)
{
    int rc;

    while ((rc = sqlite3_step(statement)) == SQLITE_ROW)
        ;
    return sqlite3_reset(statement);
}

int ls_step_integer(sqlite3_stmt *statement, sqlite3_int64 *value)
{
    *value = 0;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}

static struct zs_value text_or_blob(enum zs_type type, const void *data, int len)
{
    return (struct zs_value){.type = type, .bytes = {data, data == NULL ? 0 : (size_t)len}};
}

struct zs_value ls_column(sqlite3_stmt *statement, int column)
{
    /* Through the value: each sqlite3_column function would take the connection's mutex. */
    return ls_value(sqlite3_column_value(statement, column));
}

/* What stands for a text that can't be read. */
static const uint8_t malformed[1];

int ls_read_status(const struct zs_value *value)
{
    if (value->type != ZS_TEXT)
        return ZS_OK;
    return value->bytes.data == NULL        ? ZS_NOMEM
           : value->bytes.data == malformed ? ZS_REFUSED
                                            : ZS_OK;
}

int ls_code_of(int status)
{
    switch (status) {
    case ZS_OK:
        return SQLITE_OK;
    case ZS_NOMEM:
        return SQLITE_NOMEM;
    case ZS_CORRUPT:
        return SQLITE_CORRUPT_VTAB;
    case ZS_REFUSED: /* ls_read_status */
        return SQLITE_MISMATCH;
    }
    return SQLITE_INTERNAL;
}

const char *ls_said(sqlite3 *db, int rc)
{
    return ((sqlite3_errcode(db) ^ rc) & 0xff) == 0 ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
}

bool ls_is_data_error(int code)
{
    code &= 0xff;
    return code == SQLITE_ERROR || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH ||
           code == SQLITE_RANGE || code == SQLITE_CONSTRAINT;
}

bool ls_is_fault_of_data(sqlite3_stmt *statement, int *rc)
{
    sqlite3_stmt *probe;
    int code;

    if (statement == NULL || !ls_is_data_error(*rc))
        return false;
    code = sqlite3_prepare_v2(
        sqlite3_db_handle(statement), sqlite3_sql(statement), -1, &probe, NULL);
    sqlite3_finalize(probe);
    if (code != SQLITE_OK && !ls_is_data_error(code))
        *rc = code;
    return code == SQLITE_OK;
}

/* Of UTF-16: does a surrogate stand alone? */
static bool is_malformed(sqlite3_value *argument)
{
    const char *data = sqlite3_value_text16(argument);
    int n = sqlite3_value_bytes16(argument) / 2;
    bool is_open = false; /* the first half of a pair has been read */

    for (int i = 0; data != NULL && i < n; i++) {
        uint16_t unit;

        memcpy(&unit, data + 2 * i, sizeof(unit));
        if (is_open != ((unit & 0xfc00) == 0xdc00))
            return true;
        is_open = (unit & 0xfc00) == 0xd800;
    }
    return is_open;
}

/* Each value is made where it is returned: one that is put together first, in memory, is waited
** for when it is copied. */
struct zs_value ls_value(sqlite3_value *argument)
{
    const void *data;

    switch (sqlite3_value_type(argument)) {
    case SQLITE_INTEGER:
        return (struct zs_value){.type = ZS_INTEGER, .integer = sqlite3_value_int64(argument)};
    case SQLITE_FLOAT:
        return (struct zs_value){.type = ZS_REAL, .real = sqlite3_value_double(argument)};
    case SQLITE_TEXT:
        if (sqlite3_value_encoding(argument) != SQLITE_UTF8 && is_malformed(argument))
            return text_or_blob(ZS_TEXT, malformed, 0);
        data = sqlite3_value_text(argument);
        return text_or_blob(ZS_TEXT, data, sqlite3_value_bytes(argument));
    case SQLITE_BLOB:
        data = sqlite3_value_blob(argument);
        return text_or_blob(ZS_BLOB, data, sqlite3_value_bytes(argument));
    }
    return (struct zs_value){.type = ZS_NULL};
}

int ls_numeric(sqlite3_value *argument, struct zs_value *value)
{
    sqlite3_value *copy;

    *value = (struct zs_value){.type = ZS_NULL};
    switch (sqlite3_value_type(argument)) {
    case SQLITE_NULL:
        return SQLITE_OK;
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        *value = ls_value(argument);
        return SQLITE_OK;
    }
    copy = sqlite3_value_dup(argument);
    if (copy == NULL)
        return SQLITE_NOMEM;
    if (sqlite3_value_numeric_type(copy) == SQLITE_INTEGER)
        *value = (struct zs_value){.type = ZS_INTEGER, .integer = sqlite3_value_int64(copy)};
    else
        *value = (struct zs_value){.type = ZS_REAL, .real = sqlite3_value_double(copy)};
    sqlite3_value_free(copy);
    return SQLITE_OK;
}

int ls_bind(sqlite3_stmt *statement, int parameter, const struct zs_value *value)
{
    const void *data;

    switch (value->type) {
    case ZS_NULL:
        return sqlite3_bind_null(statement, parameter);
    case ZS_INTEGER:
        return sqlite3_bind_int64(statement, parameter, value->integer);
    case ZS_REAL:
        return sqlite3_bind_double(statement, parameter, value->real);
    case ZS_TEXT:
        data = value->bytes.len == 0 ? "" : (const void *)value->bytes.data;
        return sqlite3_bind_text64(
            statement, parameter, data, value->bytes.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    case ZS_BLOB:
        if (value->bytes.len == 0)
            return sqlite3_bind_zeroblob(statement, parameter, 0);
        return sqlite3_bind_blob64(
            statement, parameter, value->bytes.data, value->bytes.len, SQLITE_TRANSIENT);
    }
    return SQLITE_MISUSE;
}

static void give(
    sqlite3_context *context, const struct zs_value *value, sqlite3_destructor_type lifetime)
{
    const void *data;

    switch (value->type) {
    case ZS_NULL:
        sqlite3_result_null(context);
        break;
    case ZS_INTEGER:
        sqlite3_result_int64(context, value->integer);
        break;
    case ZS_REAL:
        sqlite3_result_double(context, value->real);
        break;
    case ZS_TEXT:
        data = value->bytes.len == 0 ? "" : (const void *)value->bytes.data;
        sqlite3_result_text64(context, data, value->bytes.len, lifetime, SQLITE_UTF8);
        break;
    case ZS_BLOB:
        if (value->bytes.len == 0)
            sqlite3_result_zeroblob(context, 0);
        else
            sqlite3_result_blob64(context, value->bytes.data, value->bytes.len, lifetime);
        break;
    }
}

void ls_result(sqlite3_context *context, const struct zs_value *value)
{
    give(context, value, SQLITE_TRANSIENT);
}

void ls_result_of(sqlite3_context *context, sqlite3_value *value)
{
    const unsigned char *text;

    if (sqlite3_value_type(value) != SQLITE_TEXT ||
        sqlite3_value_encoding(value) != SQLITE_UTF8) {
        sqlite3_result_value(context, value);
        return;
    }
    text = sqlite3_value_text(value);
    if (text == NULL)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text64(context, (const char *)text,
            (sqlite3_uint64)sqlite3_value_bytes(value), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void ls_result_borrowed(sqlite3_context *context, const struct zs_value *value)
{
    give(context, value, SQLITE_STATIC);
}
