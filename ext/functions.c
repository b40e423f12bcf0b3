/* SQL functions. The aggregates are window functions too: both sums and the values that
** unanimous() counts can be taken back. */
#include "ext/functions.h"

#include "core/cells.h"
#include "core/exact.h"
#include "core/row.h"
#include "ext/statement.h"

/* What SQLite 3.45 and later want of a function that marks its results. */
#define LS_RESULT_SUBTYPE 0x001000000

static void fail(sqlite3_context *context, int status)
{
    if (status == ZS_NOMEM)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_error(context, "too many values", -1);
}

/* Exact sums. The aggregate context is zeroed memory: a sum that is not yet initialised. */

static struct zs_exact *sum_of(sqlite3_context *context, bool may_create)
{
    struct zs_exact *sum =
        sqlite3_aggregate_context(context, may_create ? (int)sizeof(*sum) : 0);

    if (sum != NULL && sum->alloc == NULL)
        zs_exact_init(sum, &ls_alloc);
    return sum;
}

static void add_to_sum(sqlite3_context *context, sqlite3_value *argument, int64_t weight)
{
    struct zs_exact *sum = sum_of(context, true);
    struct zs_value value;
    int status = ZS_OK;

    if (sum == NULL || ls_numeric(argument, &value) != SQLITE_OK) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (value.type == ZS_INTEGER)
        status = zs_exact_add_integer(sum, value.integer, weight);
    else if (value.type == ZS_REAL)
        status = zs_exact_add_real(sum, value.real, weight);
    if (status != ZS_OK)
        fail(context, status);
}

static void sum_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    add_to_sum(context, argv[0], 1);
}

static void sum_inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    add_to_sum(context, argv[0], -1);
}

static void sum_value(sqlite3_context *context)
{
    struct zs_exact *sum = sum_of(context, false);
    int64_t value;

    if (sum == NULL || sum->n_integers + sum->n_reals == 0)
        sqlite3_result_null(context);
    else if (sum->n_reals > 0)
        sqlite3_result_double(context, zs_exact_read_real(sum)); /* a NaN becomes NULL */
    else if (zs_exact_read_integer(sum, &value))
        sqlite3_result_int64(context, value);
    else
        sqlite3_result_error(context, "integer overflow", -1);
}

static void total_value(sqlite3_context *context)
{
    struct zs_exact *sum = sum_of(context, false);
    sqlite3_result_double(context, sum == NULL ? 0.0 : zs_exact_read_real(sum));
}

static void avg_value(sqlite3_context *context)
{
    struct zs_exact *sum = sum_of(context, false);
    int64_t n = sum == NULL ? 0 : sum->n_integers + sum->n_reals;

    if (n == 0)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, zs_exact_read_real(sum) / (double)n);
}

/* xFinal: the value, and the end of the sum. */
static void finish(sqlite3_context *context, void (*value)(sqlite3_context *))
{
    struct zs_exact *sum;

    value(context);
    sum = sum_of(context, false);
    if (sum != NULL)
        zs_exact_clear(sum);
}

static void sum_final(sqlite3_context *context)
{
    finish(context, sum_value);
}

static void total_final(sqlite3_context *context)
{
    finish(context, total_value);
}

static void avg_final(sqlite3_context *context)
{
    finish(context, avg_value);
}

/* unanimous: how often each value occurs, under its identity encoding. */
struct votes {
    struct zs_cells *counts; /* eight bytes each */
};

static void vote(sqlite3_context *context, sqlite3_value *argument, int64_t weight)
{
    struct votes *votes = sqlite3_aggregate_context(context, (int)sizeof(*votes));
    struct zs_value value = ls_value(argument);
    struct zs_buffer key;
    struct zs_bytes cell;
    int64_t count = 0;
    bool found = false;
    int rc = votes == NULL ? ZS_NOMEM : ZS_OK;

    if (value.type == ZS_NULL)
        return;
    zs_buffer_init(&key, &ls_alloc);
    if (rc == ZS_OK && votes->counts == NULL)
        rc = zs_memory_cells_new(&ls_alloc, &votes->counts);
    if (rc == ZS_OK)
        rc = zs_row_append_identity(&key, &value);
    if (rc == ZS_OK)
        rc = zs_cells_get(votes->counts, zs_buffer_bytes(&key), &cell, &found);
    if (rc == ZS_OK && found)
        count = *(const int64_t *)(const void *)cell.data;
    count += weight;
    cell = (struct zs_bytes){(const uint8_t *)&count, sizeof(count)};
    if (rc == ZS_OK)
        rc = count == 0 ? zs_cells_remove(votes->counts, zs_buffer_bytes(&key))
                        : zs_cells_put(votes->counts, zs_buffer_bytes(&key), cell);
    zs_buffer_clear(&key);
    if (rc != ZS_OK)
        fail(context, rc);
}

static void unanimous_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    vote(context, argv[0], 1);
}

static void unanimous_inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    vote(context, argv[0], -1);
}

static void unanimous_value(sqlite3_context *context)
{
    struct votes *votes = sqlite3_aggregate_context(context, 0);
    struct zs_bytes key, cell;
    struct zs_value value;
    size_t at = 0;
    bool found;

    if (votes == NULL || votes->counts == NULL || zs_memory_cells_len(votes->counts) != 1)
        return; /* NULL */
    if (votes->counts->methods->seek(
            votes->counts, (struct zs_bytes){NULL, 0}, true, &key, &cell, &found) == ZS_OK &&
        found && zs_row_read(key, &at, &value) == ZS_OK)
        ls_result(context, &value);
}

static void unanimous_final(sqlite3_context *context)
{
    struct votes *votes = sqlite3_aggregate_context(context, 0);

    unanimous_value(context);
    if (votes != NULL)
        zs_cells_free(votes->counts);
}

static void version(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    sqlite3_result_text(context,
        "Lockstep " LOCKSTEP_VERSION ", built for SQLite " SQLITE_VERSION, -1, SQLITE_STATIC);
}

/* lockstep_timeless(x): x, an argument of a date function. The same words as in sql/clock.c:
** what they say changes by itself, so that a row that holds one can't be kept. */
static void timeless(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    static const char *const words[] = {"now", "subsec", "subsecond", "localtime", "utc"};
    int type = sqlite3_value_type(argv[0]);
    const char *text = type == SQLITE_TEXT || type == SQLITE_BLOB
                           ? (const char *)sqlite3_value_text(argv[0])
                           : NULL;
    char *message;

    (void)argc;
    for (size_t i = 0; text != NULL && i < sizeof(words) / sizeof(*words); i++) {
        if (sqlite3_stricmp(text, words[i]) != 0)
            continue;
        message = sqlite3_mprintf("a date of '%s' is not deterministic", text);
        if (message == NULL)
            sqlite3_result_error_nomem(context);
        else
            sqlite3_result_error(context, message, -1);
        sqlite3_free(message);
        return;
    }
    sqlite3_result_value(context, argv[0]);
}

/* lockstep_json(x): x, which is a result of a JSON function, with the mark that it had when it was
** that. json() would read it, and refuse an infinity that json_array() has written. */
static void marked_json(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    enum { MARK_OF_JSON = 'J' };

    (void)argc;
    sqlite3_result_value(context, argv[0]);
    sqlite3_result_subtype(context, MARK_OF_JSON);
}

int ls_functions_register(sqlite3 *db)
{
    static const struct {
        const char *name;
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
        void (*value)(sqlite3_context *);
        void (*inverse)(sqlite3_context *, int, sqlite3_value **);
    } aggregates[] = {
        {"exact_sum", sum_step, sum_final, sum_value, sum_inverse},
        {"exact_total", sum_step, total_final, total_value, sum_inverse},
        {"exact_avg", sum_step, avg_final, avg_value, sum_inverse},
        {"unanimous", unanimous_step, unanimous_final, unanimous_value, unanimous_inverse},
    };
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < sizeof(aggregates) / sizeof(*aggregates); i++)
        rc = sqlite3_create_window_function(db, aggregates[i].name, 1, flags, NULL,
            aggregates[i].step, aggregates[i].final, aggregates[i].value, aggregates[i].inverse,
            NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(
            db, "lockstep_version", 0, flags, NULL, version, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(
            db, "lockstep_timeless", 1, flags, NULL, timeless, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "lockstep_json", 1, flags | LS_RESULT_SUBTYPE, NULL,
            marked_json, NULL, NULL, NULL);
    return rc;
}
