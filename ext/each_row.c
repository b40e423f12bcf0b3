/* Rows are taken by an aggregate: there a row costs a third less than given out by
** sqlite3_step, as each value that is read of a row given out takes the connection's mutex.
** Those that have more columns than a function may have arguments are given out. */
#include "ext/each_row.h"

#include "ext/statement.h"

#define POINTER "lockstep scan" /* the type of a bound scan */

struct scan {
    sqlite3 *db;
    const struct ls_encoder *encoder;
    ls_row_fn *row;
    void *ctx;
    struct zs_buffer key;
    struct zs_buffer value;
    struct zs_buffer next; /* a value, until it is known to be another than the last one */
    int64_t n;             /* how often key and value have come, and have not been shown yet */
    struct zs_value read[LS_MOST_ARGUMENTS]; /* what they were made of, where that is numbers */
    int rc;                                  /* of row */
    bool has_bad_value;                      /* in a row, which can't be encoded */
};

static void show(struct scan *scan)
{
    if (scan->n > 0)
        scan->rc = scan->row(
            scan->ctx, zs_buffer_bytes(&scan->key), zs_buffer_bytes(&scan->value), scan->n);
    scan->n = 0;
}

static void note(struct scan *scan, int status)
{
    scan->rc = ls_code_of(status);
    scan->has_bad_value = status == ZS_REFUSED;
    scan->n = status == ZS_OK;
}

/* Are they the integers of the row before? Then they need not be encoded to tell. */
static bool are_last_integers(const struct scan *scan, sqlite3_value **columns)
{
    for (size_t i = 0; i < scan->encoder->n_columns; i++)
        if (scan->read[i].type != ZS_INTEGER ||
            sqlite3_value_type(columns[i]) != SQLITE_INTEGER ||
            sqlite3_value_int64(columns[i]) != scan->read[i].integer)
            return false;
    return true;
}

/* Where rows come in an order many are the same as the one before. */
static void take(struct scan *scan, sqlite3_value **columns)
{
    struct zs_buffer last = scan->value;
    int status;

    if (scan->n > 0 && are_last_integers(scan, columns)) {
        scan->n++;
        return;
    }
    status = ls_encode_arguments(scan->encoder, columns, scan->read, &scan->next);
    if (status == ZS_OK && scan->n > 0 &&
        zs_bytes_equal(zs_buffer_bytes(&scan->next), zs_buffer_bytes(&last))) {
        scan->n++;
        return;
    }
    show(scan);
    if (scan->rc != SQLITE_OK)
        return;
    scan->value = scan->next;
    scan->next = last;
    if (status == ZS_OK)
        status = ls_encode_key_of(scan->encoder, scan->read, &scan->key);
    note(scan, status);
}

/* Of the first argument, which is asked for once: that takes comparing names. */
static struct scan *scan_of(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct scan **known = sqlite3_aggregate_context(context, sizeof(*known));

    if (known != NULL && *known == NULL && argc > 0)
        *known = sqlite3_value_pointer(argv[0], POINTER);
    return known == NULL ? NULL : *known;
}

/* lockstep_show(scan, column, ...) */
static void step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct scan *scan = scan_of(context, argc, argv);

    if (scan == NULL)
        return; /* a statement of the user's, or no memory */
    take(scan, argv + 1);
    /* Not as memory that is lacking, for which SQLite would roll the transaction back by
    ** itself. */
    if (scan->rc != SQLITE_OK)
        sqlite3_result_error(context, sqlite3_errmsg(scan->db), -1);
}

static void end(sqlite3_context *context)
{
    (void)context; /* the last row is shown when the statement has ended */
}

int ls_each_row_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(
        db, "lockstep_show", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, step, end, NULL);
}

/* A SELECT of the function over the text's columns. */
static char *wrapped(const char *text, size_t n_columns)
{
    sqlite3_str *all = sqlite3_str_new(NULL);

    sqlite3_str_appendf(all, "WITH \"lockstep rows\"");
    for (size_t i = 0; i < n_columns; i++)
        sqlite3_str_appendf(all, "%sc%d", i == 0 ? "(" : ", ", (int)i);
    sqlite3_str_appendf(
        all, "%s AS (%s) SELECT lockstep_show(?1", n_columns == 0 ? "" : ")", text);
    for (size_t i = 0; i < n_columns; i++)
        sqlite3_str_appendf(all, ", c%d", (int)i);
    sqlite3_str_appendf(all, ") FROM \"lockstep rows\"");
    return sqlite3_str_finish(all);
}

static int run(struct scan *scan, sqlite3_stmt *statement, bool is_inside)
{
    int rc;

    if (is_inside) {
        rc = sqlite3_bind_pointer(statement, 1, scan, POINTER, NULL);
        return rc == SQLITE_OK ? ls_run(statement) : rc;
    }
    while (scan->rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        note(scan, ls_encode(scan->encoder, statement, 0, &scan->key, &scan->value));
        show(scan);
    }
    return sqlite3_reset(statement);
}

int ls_each_row(sqlite3 *db, sqlite3_str *text, const struct ls_encoder *encoder,
    ls_row_fn *row, void *ctx, bool *is_of_data, char **message)
{
    struct scan scan = {.db = db, .encoder = encoder, .row = row, .ctx = ctx};
    bool is_inside = encoder->n_columns <= LS_MOST_ARGUMENTS &&
                     (int)encoder->n_columns < sqlite3_limit(db, SQLITE_LIMIT_FUNCTION_ARG, -1);
    char *plain = sqlite3_str_finish(text);
    sqlite3_stmt *statement = NULL;
    int rc = plain == NULL ? SQLITE_NOMEM : SQLITE_OK;

    zs_buffer_init(&scan.key, &ls_alloc);
    zs_buffer_init(&scan.value, &ls_alloc);
    zs_buffer_init(&scan.next, &ls_alloc);
    if (rc == SQLITE_OK)
        rc = ls_prepare_text(
            db, &statement, is_inside ? wrapped(plain, encoder->n_columns) : plain);
    if (is_inside)
        sqlite3_free(plain);
    if (statement != NULL)
        rc = run(&scan, statement, is_inside);
    if (rc == SQLITE_OK && scan.rc == SQLITE_OK)
        show(&scan);
    *is_of_data = scan.has_bad_value;
    if (rc != SQLITE_OK && scan.rc == SQLITE_OK) {
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
        *is_of_data = ls_is_fault_of_data(statement, &rc);
    }
    sqlite3_finalize(statement);
    zs_buffer_clear(&scan.key);
    zs_buffer_clear(&scan.value);
    zs_buffer_clear(&scan.next);
    return scan.rc != SQLITE_OK ? scan.rc : rc;
}
