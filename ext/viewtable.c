/* The virtual table module `lockstep`: a view as a table. */
#include "ext/viewtable.h"

#include "ext/command.h"
#include "ext/create.h"
#include "ext/cursor.h"
#include "ext/statement.h"

/* The letter of idxStr for a constraint, or 0. See cursor.h. */
static char letter_of(unsigned char op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return '=';
    case SQLITE_INDEX_CONSTRAINT_GT:
        return '>';
    case SQLITE_INDEX_CONSTRAINT_GE:
        return 'g';
    case SQLITE_INDEX_CONSTRAINT_LT:
        return '<';
    case SQLITE_INDEX_CONSTRAINT_LE:
        return 'l';
    case SQLITE_INDEX_CONSTRAINT_IS:
        return 'i';
    }
    return 0;
}

/* Which constraints the best index serves: equalities on a prefix of it, then a range. */
struct choice {
    const struct ls_index *index;
    int n_equal;
    bool has_range;
};

static bool is_usable(const struct ls_view *view, sqlite3_index_info *info, int i, int column)
{
    return info->aConstraint[i].usable && info->aConstraint[i].iColumn == column &&
           letter_of(info->aConstraint[i].op) != 0 &&
           sqlite3_stricmp(sqlite3_vtab_collation(info, i), view->columns[column].collation) ==
               0;
}

static void judge_index(const struct ls_view *view, sqlite3_index_info *info,
    const struct ls_index *index, struct choice *best)
{
    struct choice choice = {index, 0, false};

    for (int i = 0; i < index->n_columns; i++) {
        bool is_equal = false, is_range = false;

        if (index->columns[i] < 0 || index->columns[i] >= view->n_columns)
            break;
        for (int j = 0; j < info->nConstraint; j++) {
            char letter = letter_of(info->aConstraint[j].op);

            if (!is_usable(view, info, j, index->columns[i]))
                continue;
            is_equal = is_equal || letter == '=' || letter == 'i';
            is_range = is_range || (letter != '=' && letter != 'i');
        }
        if (!is_equal) {
            choice.has_range = is_range;
            break;
        }
        choice.n_equal++;
    }
    if (choice.n_equal * 2 + choice.has_range > best->n_equal * 2 + best->has_range)
        *best = choice;
}

static bool serves(const struct choice *choice, int column)
{
    int n = choice->index == NULL ? 0 : choice->n_equal + choice->has_range;

    for (int i = 0; i < n; i++)
        if (choice->index->columns[i] == column)
            return true;
    return false;
}

static int view_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    struct ls_view *view = (struct ls_view *)vtab;
    struct choice best = {NULL, 0, false};
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    int n = 0;

    for (int i = 0; i < view->n_indexes; i++)
        judge_index(view, info, &view->indexes[i], &best);
    for (int j = 0; j < info->nConstraint; j++) {
        int column = info->aConstraint[j].iColumn;

        if (column < 0 || column >= view->n_columns || !serves(&best, column) ||
            !is_usable(view, info, j, column))
            continue;
        sqlite3_str_appendf(text, "%d%c ", column, letter_of(info->aConstraint[j].op));
        info->aConstraintUsage[j].argvIndex = ++n;
    }
    sqlite3_str_appendf(text, "%s", "");
    info->idxNum = n;
    info->idxStr = sqlite3_str_finish(text);
    info->needToFreeIdxStr = 1;
    if (info->idxStr == NULL)
        info->idxStr = sqlite3_mprintf("");
    info->estimatedRows = best.n_equal > 0 ? 10 : best.has_range ? 1000 : 100000;
    info->estimatedCost = (double)info->estimatedRows + 10;
    if (best.index != NULL && best.n_equal == best.index->n_columns)
        info->estimatedRows = 1;
    return info->idxStr == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

/* Rows have no rowid; SQLite does not ask for one of a WITHOUT ROWID table. */
static int view_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    (void)cursor;
    *rowid = 0;
    return SQLITE_OK;
}

/* The only write is a command: INSERT INTO v(lockstep) VALUES(...). */
static int view_update(sqlite3_vtab *vtab, int argc, sqlite3_value **argv, sqlite3_int64 *rowid)
{
    struct ls_view *view = (struct ls_view *)vtab;

    *rowid = sqlite3_last_insert_rowid(view->connection->db); /* a command inserts no row */
    if (argc > 1 && sqlite3_value_type(argv[0]) == SQLITE_NULL &&
        sqlite3_value_type(argv[2 + view->n_columns]) != SQLITE_NULL)
        return ls_command(view, (const char *)sqlite3_value_text(argv[2 + view->n_columns]));
    return ls_view_fail(view, SQLITE_READONLY,
        "it can't be changed itself: change the tables that it is made from");
}

static const sqlite3_module view_module = {
    .iVersion = 3,
    .xCreate = ls_view_create,
    .xConnect = ls_view_connect,
    .xBestIndex = view_best_index,
    .xDisconnect = ls_view_disconnect,
    .xDestroy = ls_view_destroy,
    .xOpen = ls_cursor_open,
    .xClose = ls_cursor_close,
    .xFilter = ls_cursor_filter,
    .xNext = ls_cursor_next,
    .xEof = ls_cursor_eof,
    .xColumn = ls_cursor_column,
    .xRowid = view_rowid,
    .xUpdate = view_update,
    .xRename = ls_view_rename,
    .xShadowName = ls_view_shadow_name,
};

int ls_viewtable_register(struct ls_connection *connection)
{
    connection->references++;
    return sqlite3_create_module_v2(
        connection->db, "lockstep", &view_module, connection, ls_connection_release);
}
