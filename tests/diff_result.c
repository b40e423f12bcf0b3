/* Fetching rows as bytes, comparing, canonical forms, printing. */
#include "tests/diff_result.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/diff_pieces.h"

void diff_result_reset(struct diff_result *result)
{
    result->rc = SQLITE_OK;
    result->error[0] = 0;
    result->len = 0;
    result->n = 0;
}

void diff_result_free(struct diff_result *result)
{
    free(result->bytes);
    free(result->rows);
    *result = (struct diff_result){0};
}

static void add_bytes(struct diff_result *result, const void *bytes, size_t n)
{
    if (result->cap - result->len < n) {
        result->cap = 2 * (result->len + n + 64);
        result->bytes = diff_resize(result->bytes, result->cap);
    }
    if (n > 0)
        memcpy(result->bytes + result->len, bytes, n);
    result->len += n;
}

void diff_result_add(struct diff_result *result, const struct diff_value *value)
{
    uint8_t type = (uint8_t)value->type;
    uint64_t len = value->len;

    add_bytes(result, &type, 1);
    switch (value->type) {
    case SQLITE_INTEGER:
        add_bytes(result, &value->integer, 8);
        break;
    case SQLITE_FLOAT:
        add_bytes(result, &value->real, 8);
        break;
    case SQLITE_NULL:
        break;
    default:
        add_bytes(result, &len, 8);
        add_bytes(result, value->data, value->len);
    }
}

void diff_result_end_row(struct diff_result *result, size_t start)
{
    if (result->n == result->cap_rows) {
        result->cap_rows = 2 * result->cap_rows + 16;
        result->rows = diff_resize(result->rows, result->cap_rows * sizeof *result->rows);
    }
    result->rows[result->n++] = (struct diff_row){start, result->len - start};
}

static void add_column(struct diff_result *result, sqlite3_stmt *statement, int i)
{
    struct diff_value value = {.type = sqlite3_column_type(statement, i)};

    if (value.type == SQLITE_INTEGER)
        value.integer = sqlite3_column_int64(statement, i);
    else if (value.type == SQLITE_FLOAT)
        value.real = sqlite3_column_double(statement, i);
    else if (value.type == SQLITE_TEXT)
        value.data = sqlite3_column_text(statement, i);
    else if (value.type == SQLITE_BLOB)
        value.data = sqlite3_column_blob(statement, i);
    if (value.type == SQLITE_TEXT || value.type == SQLITE_BLOB)
        value.len = (size_t)sqlite3_column_bytes(statement, i);
    diff_result_add(result, &value);
}

static void fail(struct diff_result *result, sqlite3 *db, int rc)
{
    result->rc = rc;
    sqlite3_snprintf(sizeof result->error, result->error, "%s", sqlite3_errmsg(db));
}

bool diff_result_fetch(struct diff_result *result, sqlite3_stmt *statement, unsigned rows)
{
    int rc = SQLITE_ROW;

    while (rows-- > 0 && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
        size_t at = result->len;
        int n =
            sqlite3_data_count(statement); /* known now, when the schema has been looked at */
        for (int i = 0; i < n; i++)
            add_column(result, statement, i);
        diff_result_end_row(result, at);
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fail(result, sqlite3_db_handle(statement), rc);
    return rc == SQLITE_ROW;
}

void diff_result_run(struct diff_result *result, sqlite3_stmt *statement)
{
    diff_result_reset(result);
    diff_result_fetch(result, statement, UINT_MAX);
    sqlite3_reset(statement);
}

void diff_result_query(struct diff_result *result, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

    diff_result_reset(result);
    if (rc != SQLITE_OK)
        fail(result, db, rc);
    else if (statement != NULL)
        diff_result_run(result, statement);
    sqlite3_finalize(statement);
}

static int compare_two(
    const struct diff_result *x, size_t i, const struct diff_result *y, size_t k)
{
    const struct diff_row *a = &x->rows[i], *b = &y->rows[k];
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return a->len == 0 ? 0 : memcmp(x->bytes + a->at, y->bytes + b->at, a->len);
}

/* qsort has no room for a context, so rows are sorted by a plain heap sort: sets are small. */
static int compare_rows(const struct diff_result *result, size_t i, size_t k)
{
    return compare_two(result, i, result, k);
}

static void swap_rows(struct diff_result *result, size_t i, size_t k)
{
    struct diff_row row = result->rows[i];
    result->rows[i] = result->rows[k];
    result->rows[k] = row;
}

static void sink(struct diff_result *result, size_t i, size_t n)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && compare_rows(result, child, child + 1) < 0)
            child++;
        if (compare_rows(result, i, child) >= 0)
            return;
        swap_rows(result, i, child);
        i = child;
    }
}

static void sort_rows(struct diff_result *result)
{
    for (size_t i = result->n / 2; i-- > 0;)
        sink(result, i, result->n);
    for (size_t n = result->n; n > 1; n--) {
        swap_rows(result, 0, n - 1);
        sink(result, 0, n - 1);
    }
}

bool diff_result_is_same_sequence(const struct diff_result *a, const struct diff_result *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct diff_row *x = &a->rows[i], *y = &b->rows[i];
        if (x->len != y->len ||
            (x->len > 0 && memcmp(a->bytes + x->at, b->bytes + y->at, x->len) != 0))
            return false;
    }
    return true;
}

bool diff_result_is_same(struct diff_result *a, struct diff_result *b)
{
    if (diff_result_is_same_sequence(a, b))
        return true;
    if (a->n != b->n)
        return false;
    sort_rows(a);
    sort_rows(b);
    return diff_result_is_same_sequence(a, b);
}

bool diff_result_is_part(struct diff_result *part, struct diff_result *whole)
{
    size_t k = 0;

    sort_rows(part);
    sort_rows(whole);
    for (size_t i = 0; i < part->n; i++, k++) {
        while (k < whole->n && compare_two(part, i, whole, k) > 0)
            k++;
        if (k == whole->n || compare_two(part, i, whole, k) != 0)
            return false;
    }
    return true;
}

struct diff_value diff_result_value(const struct diff_result *result, size_t *at)
{
    struct diff_value value = {.type = result->bytes[*at]};
    uint64_t len;

    *at += 1;
    if (value.type == SQLITE_NULL)
        return value;
    if (value.type == SQLITE_INTEGER) {
        memcpy(&value.integer, result->bytes + *at, 8);
    } else if (value.type == SQLITE_FLOAT) {
        memcpy(&value.real, result->bytes + *at, 8);
    } else {
        memcpy(&len, result->bytes + *at, 8);
        value.len = (size_t)len;
        value.data = result->bytes + *at + 8;
    }
    *at += 8 + value.len;
    return value;
}

bool diff_value_is_identical(const struct diff_value *a, const struct diff_value *b)
{
    return a->type == b->type && a->integer == b->integer && a->len == b->len &&
           memcmp(&a->real, &b->real, 8) == 0 &&
           (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* Text as its collation sees it: NOCASE folds ASCII letters, RTRIM drops trailing spaces. */
static void add_folded(struct diff_result *to, struct diff_value value, char letter)
{
    size_t at = to->len + 1 + 8;

    if (letter == 'R') {
        while (value.len > 0 && value.data[value.len - 1] == ' ')
            value.len--;
    }
    diff_result_add(to, &value);
    bool is_past_nul = false; /* NOCASE looks no further than a NUL, but at the length */
    for (size_t i = 0; letter == 'N' && i < value.len; i++) {
        uint8_t *byte = &to->bytes[at + i];
        is_past_nul = is_past_nul || *byte == 0;
        if (is_past_nul)
            *byte = 0;
        else if (*byte >= 'A' && *byte <= 'Z')
            *byte = (uint8_t)(*byte + ('a' - 'A'));
    }
}

/* As text whose pieces stand in one order; what is no text stays. */
static void add_pieces(struct diff_result *to, struct diff_value value, char letter)
{
    size_t at = to->len + 1 + 8;
    diff_result_add(to, &value);
    if (value.type == SQLITE_TEXT)
        diff_pieces_sort(to->bytes + at, value.len, letter);
}

static void add_canonical(struct diff_result *to, struct diff_value value, char letter)
{
    if (letter == '?')
        value = (struct diff_value){.type = SQLITE_NULL};
    if (strchr("GHJ", letter) != NULL) {
        add_pieces(to, value, letter);
        return;
    }
    if (letter != 'E' && value.type == SQLITE_FLOAT && value.real == floor(value.real) &&
        fabs(value.real) < 9223372036854775808.0) {
        value.type = SQLITE_INTEGER;
        value.integer = (int64_t)value.real;
    }
    if (value.type == SQLITE_TEXT && letter != 'E')
        add_folded(to, value, letter);
    else
        diff_result_add(to, &value);
}

void diff_result_canonical(
    const struct diff_result *from, const char *spec, struct diff_result *to)
{
    diff_result_reset(to);
    for (size_t i = 0; i < from->n; i++) {
        size_t at = from->rows[i].at, end = at + from->rows[i].len, start = to->len;
        for (const char *letter = spec; at < end; letter += letter[1] != 0)
            add_canonical(to, diff_result_value(from, &at), *letter);
        diff_result_end_row(to, start);
    }
}

void diff_value_print(const struct diff_value *value, struct diff_text *out)
{
    uint64_t bits;

    switch (value->type) {
    case SQLITE_INTEGER:
        diff_text_add(out, "%" PRId64, value->integer);
        return;
    case SQLITE_FLOAT:
        memcpy(&bits, &value->real, 8);
        diff_text_add(out, "%.17g (real %016" PRIx64 ")", value->real, bits);
        return;
    case SQLITE_NULL:
        diff_text_add(out, "NULL");
        return;
    default:
        diff_text_add(out, value->type == SQLITE_BLOB ? "x'" : "'");
    }
    for (size_t i = 0; i < value->len; i++) {
        bool is_plain = value->type == SQLITE_TEXT && value->data[i] >= ' ';
        diff_text_add(out,
            value->type == SQLITE_BLOB ? "%02x"
            : is_plain                 ? "%c"
                                       : "\\x%02x",
            value->data[i]);
    }
    diff_text_add(out, "'");
}

void diff_result_print(
    const struct diff_result *result, const char *prefix, struct diff_text *out)
{
    if (result->rc != SQLITE_OK)
        diff_text_add(out, "%serror %d: %s\n", prefix, result->rc, result->error);
    for (size_t i = 0; i < result->n && i < 20; i++) {
        size_t at = result->rows[i].at, end = at + result->rows[i].len;
        diff_text_add(out, "%s", prefix);
        for (const char *separator = ""; at < end; separator = " | ") {
            struct diff_value value = diff_result_value(result, &at);
            diff_text_add(out, "%s", separator);
            diff_value_print(&value, out);
        }
        diff_text_add(out, "\n");
    }
    if (result->n > 20)
        diff_text_add(out, "%s... %zu rows\n", prefix, result->n);
}
