/* The entry point: registers every module and function on a connection, once. */
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

/* About how much a build has in memory. */
enum { BUILD_BYTES = 64 << 20 };

/* Loaded twice on one connection, there would be two sinks and two lists of views. */
static bool is_loaded(sqlite3 *db)
{
    sqlite3_stmt *probe;
    int rc = sqlite3_prepare_v2(db, "SELECT lockstep_version()", -1, &probe, NULL);

    sqlite3_finalize(probe);
    return rc == SQLITE_OK;
}

#ifdef SQLITE_CORE
/* lockstep_hash_bits(n), in test programs only: views that are opened from now on hash rows to so
** few bits that their places collide. */
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

static int register_for_tests(struct ls_connection *connection)
{
    int rc = sqlite3_create_function_v2(connection->db, "lockstep_build_bytes", 1, SQLITE_UTF8,
        connection, set_build_bytes, NULL, NULL, NULL);

    if (rc != SQLITE_OK)
        return rc;
    return sqlite3_create_function_v2(connection->db, "lockstep_hash_bits", 1, SQLITE_UTF8,
        connection, set_hash_bits, NULL, NULL, NULL);
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
    connection->hash_bits = 63;
    connection->build_bytes = BUILD_BYTES;
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
        rc = register_for_tests(connection);
    ls_connection_release(connection);
    return rc;
}
