/* The rows of a query as bytes, and their comparison as multisets or sequences. */
#ifndef DIFF_RESULT_H
#define DIFF_RESULT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/diff_text.h"

/* A row is a value after another: one byte of type (SQLITE_INTEGER ...), eight bytes of integer
** or of a double's bits, or eight bytes of length and the bytes. */
struct diff_row {
    size_t at;
    size_t len;
};

struct diff_result {
    int rc; /* SQLITE_OK when the query ran to its end */
    char error[300];
    uint8_t *bytes;
    size_t len;
    size_t cap;
    struct diff_row *rows;
    size_t n;
    size_t cap_rows;
};

void diff_result_free(struct diff_result *result);
void diff_result_reset(struct diff_result *result);

/* Runs a statement to its end and resets it. What went before in result is forgotten. */
void diff_result_run(struct diff_result *result, sqlite3_stmt *statement);

/* Reads on with a statement that has begun or not, at most so many rows, behind those that there
** are. False at its end, or where it fails. */
bool diff_result_fetch(struct diff_result *result, sqlite3_stmt *statement, unsigned rows);

/* Prepares, runs and finalizes. */
void diff_result_query(struct diff_result *result, sqlite3 *db, const char *sql);

/* Are they the same rows, in any order (both are sorted by this) or in the same. */
bool diff_result_is_same(struct diff_result *a, struct diff_result *b);
bool diff_result_is_same_sequence(const struct diff_result *a, const struct diff_result *b);

/* Are the rows of part among those of whole, each at least as often there as here? Sorts both.
 */
bool diff_result_is_part(struct diff_result *part, struct diff_result *whole);

/* Copies rows with each column in its canonical form under the letter of spec: E as it is, B, N
** and R as the representative of all that compare equal, G, H and J with its pieces in one
** order (see diff_pieces.h), ? as NULL whatever it is. spec may be shorter than a row: then its
** last letter goes on. */
void diff_result_canonical(
    const struct diff_result *from, const char *spec, struct diff_result *to);

/* One value of a row: where it begins at *at, which moves past it; data is borrowed. */
struct diff_value {
    int type;
    int64_t integer;
    double real;
    const uint8_t *data;
    size_t len;
};
struct diff_value diff_result_value(const struct diff_result *result, size_t *at);

/* Appends a value to the row that began at start, the result's len then; and ends that row. */
void diff_result_add(struct diff_result *result, const struct diff_value *value);
void diff_result_end_row(struct diff_result *result, size_t start);

bool diff_value_is_identical(const struct diff_value *a, const struct diff_value *b);

/* Appends the value as an SQL literal with its type told apart. */
void diff_value_print(const struct diff_value *value, struct diff_text *out);

/* Appends the rows, a line each, after a prefix; no more than 20. */
void diff_result_print(
    const struct diff_result *result, const char *prefix, struct diff_text *out);

#endif
