/* The entry point: registers every module and function on a connection, once. */
#include "ext/budget.h"
#include "ext/checksum.h"
#include "ext/compare.h"
#include "ext/functions.h"
#include "ext/listing.h"
#include "ext/picture.h"
#include "ext/plantable.h"
#include "ext/result.h"
#include "ext/sink.h"
#include "ext/source.h"
#include "ext/statement.h"
#include "ext/viewtable.h"

SQLITE_EXTENSION_INIT1

__attribute__((visibility("default"))) int sqlite3_lockstep_init(
    sqlite3 *db, char **error, const sqlite3_api_routines *api);

/* Loaded twice on one connection, there would be two sinks and two lists of views. */
static bool is_loaded(sqlite3 *db)
{
    sqlite3_stmt *probe;
    int rc = sqlite3_prepare_v2(db, "SELECT lockstep_version()", -1, &probe, NULL);

    sqlite3_finalize(probe);
    return rc == SQLITE_OK;
}

#ifdef SQLITE_CORE
/* lockstep_hash_bits(n), in test programs only: views that are opened from now on hash rows to
** so few bits that their places collide. */
static void set_hash_bits(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_connection *connection = sqlite3_user_data(context);

    (void)argc;
    connection->hash_bits = sqlite3_value_int(argv[0]);
}

/* lockstep_build_bytes(n), likewise: a build stores when it has about so much in memory. */
static void set_build_bytes(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_connection *connection = sqlite3_user_data(context);

    (void)argc;
    connection->build_bytes = (size_t)sqlite3_value_int64(argv[0]);
}

/* lockstep_step_bytes(n), likewise: a step may use so much. */
static void set_step_bytes(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_connection *connection = sqlite3_user_data(context);

    (void)argc;
    connection->step_bytes = (size_t)sqlite3_value_int64(argv[0]);
}

static int register_for_tests(struct ls_connection *connection)
{
    static const struct {
        const char *name;
        void (*set)(sqlite3_context *context, int argc, sqlite3_value **argv);
    } functions[] = {{"lockstep_hash_bits", set_hash_bits},
        {"lockstep_build_bytes", set_build_bytes}, {"lockstep_step_bytes", set_step_bytes}};
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < sizeof(functions) / sizeof(*functions); i++)
        rc = sqlite3_create_function_v2(connection->db, functions[i].name, 1, SQLITE_UTF8,
            connection, functions[i].set, NULL, NULL, NULL);
    return rc;
}
#else
static int register_for_tests(struct ls_connection *connection)
{
    (void)connection;
    return SQLITE_OK;
}
#endif

int sqlite3_lockstep_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
    struct ls_connection *connection;
    int rc = SQLITE_OK;

    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3038000) {
        *error = sqlite3_mprintf(
            "Lockstep needs SQLite 3.38 or later, this is %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    if (is_loaded(db))
        return SQLITE_OK;
    connection = zs_alloc_zeroed(&ls_alloc, sizeof(*connection));
    if (connection == NULL)
        return SQLITE_NOMEM;
    connection->db = db;
    connection->references = 1;
    connection->hash_bits = 62;
    connection->build_bytes = LS_BUILD_BYTES;
    connection->step_bytes = LS_STEP_BYTES;
    connection->connected_cookie = -1;
    rc = ls_sink_register(connection);
    if (rc == SQLITE_OK)
        rc = ls_viewtable_register(connection);
    if (rc == SQLITE_OK)
        rc = ls_listing_register(connection);
    if (rc == SQLITE_OK)
        rc = ls_plantable_register(connection);
    if (rc == SQLITE_OK)
        rc = ls_picture_register(connection);
    if (rc == SQLITE_OK)
        rc = ls_functions_register(db);
    if (rc == SQLITE_OK)
        rc = ls_result_register(db);
    if (rc == SQLITE_OK)
        rc = ls_source_register(db);
    if (rc == SQLITE_OK)
        rc = ls_compare_register(db);
    if (rc == SQLITE_OK)
        rc = ls_checksum_register(db);
    if (rc == SQLITE_OK)
        rc = ls_each_row_register(db);
    if (rc == SQLITE_OK)
        rc = register_for_tests(connection);
    ls_connection_release(connection);
    return rc;
}
