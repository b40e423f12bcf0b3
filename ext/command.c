/* Commands to a view. The INSERT that carries one holds a write transaction already. */
#include "ext/command.h"

#include <string.h>

#include "ext/aside.h"
#include "ext/check.h"
#include "ext/create.h"
#include "ext/policy.h"
#include "ext/statement.h"

static int store(struct ls_view *view)
{
    enum ls_answer answer;
    int rc = ls_view_refresh(view, NULL, &answer);

    if (rc == SQLITE_OK && answer == LS_BY_STATE && !view->needs_rebuild)
        return ls_view_store(view);
    return rc == SQLITE_OK ? ls_view_take_large(view) : rc;
}

static int rebuild(struct ls_view *view)
{
    int rc;

    ls_view_close(view);
    rc = ls_aside_damaged(view);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    rc = ls_view_make_query(view);
    if (rc == SQLITE_OK)
        rc = ls_view_open(view);
    if (rc == SQLITE_OK)
        rc = ls_view_rebuild(view);
    if ((rc & 0xff) == SQLITE_CORRUPT && rc != SQLITE_CORRUPT_VTAB)
        rc = ls_view_fail(view, rc,
            "the file itself is damaged: PRAGMA integrity_check tells where, and .recover in"
            " the sqlite3 shell saves what can be read");
    return rc;
}

static int check(struct ls_view *view)
{
    return ls_check(view, true);
}

static const struct command {
    const char *name;
    int (*run)(struct ls_view *view);
} commands[] = {
    {"rebuild", rebuild},
    {"store", store},
    {"integrity-check", check},
};

/* Within, the statement that carries the command does not count as one that writes: its own
** work is this. */
static int run(struct ls_view *view, const struct command *command)
{
    struct ls_connection *connection = view->connection;
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(connection->db);
    int rc = ls_connection_enroll(connection);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    ls_view_drop_provisional(view);
    connection->is_working = true;
    rc = command->run(view);
    connection->is_working = false;
    sqlite3_set_last_insert_rowid(connection->db, last_rowid);
    return rc;
}

int ls_command(struct ls_view *view, const char *name)
{
    struct ls_moment moment;

    ls_moment_now(view, true, &moment);
    if (view->is_busy)
        return ls_view_refuse_busy(view);
    for (size_t i = 0; name != NULL && i < sizeof(commands) / sizeof(*commands); i++) {
        if (sqlite3_stricmp(name, commands[i].name) != 0)
            continue;
        if (moment.n_writing > 1 || view->connection->is_working)
            return ls_view_fail(view, SQLITE_LOCKED,
                "'%s' can't run in the middle of another statement", commands[i].name);
        return run(view, &commands[i]);
    }
    return ls_view_fail(view, SQLITE_ERROR,
        "unknown command '%s': there are 'rebuild', 'store' and 'integrity-check'",
        name == NULL ? "" : name);
}
