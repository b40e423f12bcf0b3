/* The end of a view in the schema, and its new names. */
#include "ext/create.h"

#include <limits.h>
#include <string.h>

#include "ext/aside.h"
#include "ext/capture.h"
#include "ext/indexes.h"
#include "ext/mark.h"
#include "ext/shadow.h"
#include "ext/state.h"
#include "ext/statement.h"
#include "ext/trigger.h"

/* What a view may own, by the ends of their names. What is missing was dropped by hand, and
** what is of another kind is not Lockstep's. */
static const struct part {
    const char *type;
    const char *suffix;
} parts[] = {{"view", "query"}, {"table", "data"}, {"table", "trace"}, {"table", "state"}};
enum { N_PARTS = sizeof(parts) / sizeof(*parts) };

static int has_part(const struct ls_view *view, const struct part *part, bool *has_it)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(view->connection->db, 0, &n,
        "SELECT count(*) FROM \"%w\".sqlite_schema WHERE type = %Q AND name = '%q_%s'"
        " COLLATE NOCASE",
        view->schema, part->type, view->name, part->suffix);

    *has_it = n > 0;
    return rc;
}

static int drop_part(const struct ls_view *view, const struct part *part)
{
    char *name = sqlite3_mprintf("%s_%s", view->name, part->suffix);
    int rc = name == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK && strcmp(part->type, "view") == 0)
        rc = ls_exec(view->connection->db, "DROP VIEW \"%w\".\"%w\"", view->schema, name);
    else if (rc == SQLITE_OK)
        rc = ls_aside_drop(view->connection->db, view->schema, name);
    sqlite3_free(name);
    return rc;
}

static int drop_parts(const struct ls_view *view)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < N_PARTS; i++) {
        bool has_it;

        rc = has_part(view, &parts[i], &has_it);
        if (rc == SQLITE_OK && has_it)
            rc = drop_part(view, &parts[i]);
    }
    return rc;
}

/* The logs that no view reads any more, with their triggers; without positions, all: a view
** that reads one is made anew. */
static int drop_unread_logs(sqlite3 *db, const char *schema, bool has_positions)
{
    char *read = has_positions
                     ? sqlite3_mprintf("SELECT log FROM \"%w\".lockstep_position", schema)
                     : sqlite3_mprintf("SELECT 0");
    sqlite3_int64 log = INT_MAX;
    int rc = read == NULL ? SQLITE_NOMEM : SQLITE_OK;

    while (rc == SQLITE_OK && log > 0) {
        rc = ls_query_integer(db, 0, &log,
            "SELECT max(log) FROM (SELECT CAST(substr(name, 14) AS INTEGER) AS log"
            " FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND " LS_IS_CAPTURE(
                "") " OR type = 'table' AND name GLOB 'lockstep_log_[0-9]*'"
                    " AND sql LIKE '%%(%%lockstep!_%%' ESCAPE '!')"
                    " WHERE log < %lld AND log NOT IN (%s)",
            schema, log, read);
        if (rc == SQLITE_OK && log > 0)
            rc = ls_capture_drop(db, schema, (int)log);
    }
    sqlite3_free(read);
    return rc;
}

/* Takes the view's positions away, and those of what is no view, the logs that nobody reads
** then, and the table when it is empty, or is none of Lockstep's making. *is_last: no view has
** a position any more. */
static int drop_positions(const struct ls_view *view, bool *is_last)
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 n = 0;
    enum ls_positions positions;
    int rc = ls_shadow_positions(db, view->schema, &positions);
    bool has_them = positions != LS_NO_POSITIONS;

    if (rc == SQLITE_OK && has_them)
        rc = ls_exec(db,
            "DELETE FROM \"%w\".lockstep_position WHERE view = %Q OR view COLLATE NOCASE NOT IN"
            " (SELECT name FROM \"%w\".sqlite_schema)",
            view->schema, view->name, view->schema);
    if (rc == SQLITE_OK)
        rc = drop_unread_logs(db, view->schema, has_them);
    if (rc == SQLITE_OK && has_them)
        rc = ls_query_integer(
            db, 0, &n, "SELECT count(*) FROM \"%w\".lockstep_position", view->schema);
    *is_last = n == 0;
    return rc == SQLITE_OK && n == 0 ? ls_aside_drop(db, view->schema, "lockstep_position")
                                     : rc;
}

static sqlite3_int64 entries_of(const struct ls_mark *mark)
{
    return mark->version - mark->level;
}

/* Tells the views that are left what dropping one does to the schema. DROP TABLE, within which
** this runs, ends by setting the version to the one that it found and one more; the entry of
** the virtual table itself is gone already. */
static int excuse_drop(sqlite3 *db, const char *schema, const struct ls_mark *before)
{
    struct ls_mark after;
    int rc = ls_mark_read(db, schema, &after);

    return rc != SQLITE_OK
               ? rc
               : ls_state_excuse(db, schema, "", entries_of(before) + 2 - entries_of(&after));
}

int ls_view_destroy(sqlite3_vtab *vtab)
{
    struct ls_view *view = (struct ls_view *)vtab;
    sqlite3 *db = view->connection->db;
    struct ls_mark before;
    bool is_last;
    int rc = ls_view_refuse_busy(view);

    if (rc != SQLITE_OK)
        return rc;
    ls_view_close(view);
    rc = ls_mark_read(db, view->schema, &before);
    if (rc == SQLITE_OK)
        rc = drop_parts(view);
    if (rc == SQLITE_OK)
        rc = drop_positions(view, &is_last);
    if (rc == SQLITE_OK)
        rc = ls_indexes_release(db, view->schema, view->name, is_last);
    if (rc == SQLITE_OK)
        rc = excuse_drop(db, view->schema, &before);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    return ls_view_disconnect(vtab);
}

static int rename_tables(const struct ls_view *view, const char *name)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < N_PARTS; i++) {
        bool has_it = false;

        if (strcmp(parts[i].type, "table") == 0)
            rc = has_part(view, &parts[i], &has_it);
        if (rc == SQLITE_OK && has_it)
            rc = ls_exec(view->connection->db,
                "ALTER TABLE \"%w\".\"%w_%s\" RENAME TO \"%w_%s\"", view->schema, view->name,
                parts[i].suffix, name, parts[i].suffix);
    }
    return rc;
}

static int rename_positions(const struct ls_view *view, const char *name)
{
    sqlite3 *db = view->connection->db;
    enum ls_positions positions;
    int rc = ls_shadow_positions(db, view->schema, &positions);

    if (rc == SQLITE_OK && positions == LS_CHECKED_POSITIONS)
        rc = ls_state_rename_positions(db, view->schema, view->name, name);
    if (rc == SQLITE_OK && positions == LS_OLD_POSITIONS)
        rc = ls_exec(db, "UPDATE \"%w\".lockstep_position SET view = %Q WHERE view = %Q",
            view->schema, name, view->name);
    return rc;
}

int ls_view_rename(sqlite3_vtab *vtab, const char *name)
{
    struct ls_view *view = (struct ls_view *)vtab;
    sqlite3 *db = view->connection->db;
    char *text = NULL, *copy;
    int rc = ls_view_refuse_busy(view);

    if (rc != SQLITE_OK)
        return rc;
    rc = ls_view_check_name(view, name);
    if (rc != SQLITE_OK)
        return rc;
    ls_view_close(view);
    copy = sqlite3_mprintf("%s", name);
    rc = copy == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (rc == SQLITE_OK)
        rc = ls_definition_text(db, view->schema, view->name, &text);
    if (rc == SQLITE_OK && text != NULL)
        rc = ls_exec(db, "DROP VIEW \"%w\".\"%w_query\"; CREATE VIEW \"%w\".\"%w_query\" AS %s",
            view->schema, view->name, view->schema, name, text);
    sqlite3_free(text);
    if (rc == SQLITE_OK)
        rc = rename_tables(view, name);
    if (rc == SQLITE_OK)
        rc = rename_positions(view, name);
    if (rc == SQLITE_OK)
        rc = ls_indexes_rename(db, view->schema, view->name, name);
    if (rc == SQLITE_OK)
        rc = ls_state_excuse(db, view->schema, "", 1);
    if (rc != SQLITE_OK) {
        sqlite3_free(copy);
        return ls_view_fail_with(view, rc, NULL);
    }
    sqlite3_free(view->name);
    view->name = copy;
    return SQLITE_OK;
}
