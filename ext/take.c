/* Rows of a log, taken while SQLite scans them: so a row costs less than given out by
** sqlite3_step, as each value that is read of a row given out takes the connection's mutex. One
** scan tells also where the log ends, and whether it has gaps. */
#include "ext/source_private.h"

#include "ext/statement.h"

#define POINTER "lockstep source" /* the type of a bound source */

static struct ls_source *source_of(int argc, sqlite3_value **argv)
{
    return argc > 0 ? sqlite3_value_pointer(argv[0], POINTER) : NULL; /* NULL: a user's */
}

/* Is it a weight that a trigger can have written? */
static bool is_of_trigger(sqlite3_value *weight)
{
    int type = sqlite3_value_type(weight);

    return type == SQLITE_NULL ||
           (type == SQLITE_INTEGER && sqlite3_value_int64(weight) >= -1 &&
               sqlite3_value_int64(weight) <= 1);
}

/* Counts a row, once. */
static void pass(struct ls_haul *haul, sqlite3_value *seq, sqlite3_value *weight)
{
    sqlite3_int64 at = sqlite3_value_int64(seq);

    haul->n += at != haul->last && is_of_trigger(weight);
    haul->last = at;
}

/* lockstep_pass(source, position, weight), an aggregate: a row that may be left out. */
static void step_pass(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_source *source = source_of(argc, argv);

    (void)context;
    if (source != NULL)
        pass(&source->haul, argv[1], argv[2]);
}

static int add(struct ls_source *source, sqlite3_value **columns, int64_t weight)
{
    struct zs_value read[LS_MOST_ARGUMENTS];
    int status = ls_encode_arguments(source->encoder, columns, read, &source->value);

    if (status == ZS_OK)
        status = ls_encode_key_of(source->encoder, read, &source->key);
    return status == ZS_OK
               ? zs_batch_add(source->haul.delta->rows, zs_buffer_bytes(&source->key),
                     zs_buffer_bytes(&source->value), weight)
               : status;
}

/* lockstep_take(source, position, weight, column, ...), an aggregate: adds a row. */
static void step_take(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_source *source = source_of(argc, argv);
    struct ls_haul *haul;
    int64_t weight;

    if (source == NULL)
        return;
    haul = &source->haul;
    pass(haul, argv[1], argv[2]);
    weight = sqlite3_value_int64(argv[2]);
    haul->has_special = haul->has_special || weight == 0 || haul->n > haul->most;
    if (haul->has_special || haul->status != ZS_OK)
        return;
    haul->status = add(source, argv + 3, weight);
    /* Not as memory that is lacking, for which SQLite would roll the transaction back: it may
    ** be the budget's. */
    if (haul->status != ZS_OK)
        sqlite3_result_error(context, "the change can't be taken in", -1);
}

static void end(sqlite3_context *context)
{
    (void)context; /* the answer is in the source's run */
}

int ls_source_register(sqlite3 *db)
{
    int rc = sqlite3_create_function_v2(db, "lockstep_take", -1,
        SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, step_take, end, NULL);

    return rc != SQLITE_OK
               ? rc
               : sqlite3_create_function_v2(db, "lockstep_pass", 3,
                     SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, step_pass, end, NULL);
}

/* Scans the rows behind from, up to last, and adds them to delta if they are so many at most;
** SQLite's code. A status other than ZS_OK explains it. */
static int scan(struct ls_source *source, sqlite3_stmt *statement, sqlite3_int64 from,
    sqlite3_int64 last, sqlite3_int64 most, struct zs_delta *delta)
{
    int rc = sqlite3_bind_int64(statement, 1, from + 1);

    source->haul = (struct ls_haul){.delta = delta, .most = most, .last = from};
    if (rc == SQLITE_OK && last != source->bound_last)
        rc = sqlite3_bind_int64(statement, 2, last);
    if (rc != SQLITE_OK)
        return rc;
    source->bound_last = last;
    (void)sqlite3_step(statement);
    return sqlite3_reset(statement);
}

/* The statement, and the source bound to it, which stays so. */
static int prepare(struct ls_source *source, sqlite3_stmt **statement)
{
    bool is_new = source->statements[LS_RUN] == NULL;
    int rc = ls_source_prepared(source, LS_RUN, statement);

    return rc == SQLITE_OK && is_new
               ? sqlite3_bind_pointer(*statement, LS_SOURCE_PARAMETER, source, POINTER, NULL)
               : rc;
}

static int n_compiled(sqlite3_stmt *statement)
{
    return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, false);
}

int ls_source_run(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain, sqlite3_int64 *n)
{
    const struct ls_haul *haul = &source->haul;
    sqlite3_stmt *statement;
    int rc = prepare(source, &statement);

    *is_plain = false;
    *n = 0;
    if (rc != SQLITE_OK)
        return rc;
    rc = scan(source, statement, from, last, last - from, delta);
    *n = haul->n;
    source->n_compiled = n_compiled(statement);
    if (haul->status != ZS_OK)
        rc = ls_code_of(haul->status);
    if (ls_is_fault_of_data(statement, &rc))
        return SQLITE_OK;
    *is_plain = rc == SQLITE_OK && !haul->has_special;
    return rc;
}

bool ls_source_look(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 most,
    struct zs_delta *delta, sqlite3_int64 *last)
{
    const struct ls_haul *haul = &source->haul;
    sqlite3_stmt *statement = source->statements[LS_RUN];

    if (statement == NULL || scan(source, statement, from, INT64_MAX, most, delta) != SQLITE_OK)
        return false;
    *last = haul->last;
    return n_compiled(statement) == source->n_compiled && haul->status == ZS_OK &&
           !haul->has_special && haul->n == haul->last - from;
}
