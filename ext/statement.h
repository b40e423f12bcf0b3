/* Running SQL from C: text made with %w and %Q, values bound, results as zs_values. */
#ifndef LS_STATEMENT_H
#define LS_STATEMENT_H

#include "core/buffer.h"
#include "core/row.h"
#include "ext/api.h"

/* Memory from sqlite3_malloc64. */
extern const struct zs_alloc ls_alloc;

/* Runs the statements of a text made as sqlite3_mprintf does. SQLite's code; its message is in
** sqlite3_errmsg. */
ZS_CHECKED int ls_exec(sqlite3 *db, const char *format, ...);

/* Prepares one statement, kept for long. *statement is NULL on error. */
ZS_CHECKED int ls_prepare(sqlite3 *db, sqlite3_stmt **statement, const char *format, ...);
ZS_CHECKED int ls_prepare_text(sqlite3 *db, sqlite3_stmt **statement, char *text /* owned */);

/* The first column of the first row: an integer, or fallback where there is no row or NULL. */
ZS_CHECKED int ls_query_integer(
    sqlite3 *db, sqlite3_int64 fallback, sqlite3_int64 *value, const char *format, ...);

/* The first column of the first row as text, NULL where there is none. Free with sqlite3_free.
 */
ZS_CHECKED int ls_query_text(sqlite3 *db, char **value, const char *format, ...);

/* Declares a virtual table within xConnect; *error says why it can't be. */
ZS_CHECKED int ls_declare(sqlite3 *db, const char *declaration, char **error);

/* Steps to the end and resets: for statements that return no rows. */
ZS_CHECKED int ls_run(sqlite3_stmt *statement);

/* The first column of the first row as an integer, 0 where there is none; resets. */
ZS_CHECKED int ls_step_integer(sqlite3_stmt *statement, sqlite3_int64 *value);

/* A column of the current row; text and blobs are borrowed until the statement moves. */
struct zs_value ls_column(sqlite3_stmt *statement, int column);

/* Could it be read? ZS_NOMEM, or ZS_REFUSED for a text with half of a surrogate pair, which a
** UTF-16 database may hold, and which UTF-8 has no like of: the value is not to be used
** then. */
ZS_CHECKED int ls_read_status(const struct zs_value *value);
#define LS_MALFORMED_TEXT "text with half of a surrogate pair"

/* SQLite's code for a status of core's: the one place where they are mapped. ZS_CALLBACK,
** whose code only the callback's owner knows, and ZS_OVERFLOW, which wants a sentence, give
** SQLITE_INTERNAL. */
int ls_code_of(int status);

/* What SQLite says of a failure: its message, or, where another call has overwritten that, its
** words for the code. Borrowed until the next call. */
const char *ls_said(sqlite3 *db, int rc);

/* Is a code that sqlite3_step gave one that the data of a row can cause? */
bool ls_is_data_error(int code);

/* Did a statement fail, with *rc, because of its data? One that compiles, and yet fails in a
** way that data can cause, did. NULL is none. Where memory, say, is lacking to tell, *rc
** becomes that. It changes sqlite3_errmsg. */
bool ls_is_fault_of_data(sqlite3_stmt *statement, int *rc);

/* The same of a function's argument. */
struct zs_value ls_value(sqlite3_value *value);

/* As sum() sees an argument: NULL, INTEGER or REAL, by sqlite3_value_numeric_type. */
ZS_CHECKED int ls_numeric(sqlite3_value *argument, struct zs_value *value);

ZS_CHECKED int ls_bind(sqlite3_stmt *statement, int parameter, const struct zs_value *value);

/* Sets a function's or column's result; text and blobs are copied, or borrowed until the
** statement is reset. */
void ls_result(sqlite3_context *context, const struct zs_value *value);

/* The same of a column that a statement shows: as sqlite3_result_value, but that a text takes the
** memory that the result has, and no other for each row. */
void ls_result_of(sqlite3_context *context, sqlite3_value *value);
void ls_result_borrowed(sqlite3_context *context, const struct zs_value *value);

#endif
