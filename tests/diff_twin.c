/* Hollow triggers for the twin, and the indexes. SQLite runs a statement in another way where
** the table has triggers: it evaluates all of an INSERT's SELECT first, checks a STRICT table's
** types first, may choose another index for an UPDATE; and where it has indexes VACUUM keeps
** its rowids. So that only what the extension does makes a difference, the twin's tables get
** triggers with the heads of the extension's and bodies that do nothing, and its indexes.
**
** SQLite (3.40.1) does not undo the first rows of a statement in a transaction when a STRICT
** table's types stop it, unless something else in the statement may abort it. A trigger that
** writes a virtual table may, so its hollow one does too. */
#include <string.h>

#include "tests/diff_world.h"

/* What follows the name in CREATE TRIGGER "name" ...; NULL where it has another form. */
static const char *past_name(const char *sql)
{
    const char *at = strstr(sql, "TRIGGER ");
    if (at == NULL)
        return NULL;
    at += strlen("TRIGGER ");
    if (*at != '"')
        return strchr(at, ' ');
    do
        at = strchr(at + 1, '"') + 1;
    while (*at == '"');
    return at;
}

/* Appends the columns of NEW and OLD that the body names: SQLite computes generated columns for
** triggers only where one asks for them. */
static void add_columns(const char *body, struct diff_text *out)
{
    for (const char *at = body; (at = strchr(at, '.')) != NULL; at++) {
        bool is_row = at - body > 4 && at[1] == '"' &&
                      (strncmp(at - 4, " new", 4) == 0 || strncmp(at - 4, " old", 4) == 0 ||
                          strncmp(at - 4, "(new", 4) == 0 || strncmp(at - 4, "(old", 4) == 0);
        if (!is_row)
            continue;
        const char *end = at + 1;
        do
            end = strchr(end + 1, '"') + 1;
        while (*end == '"');
        diff_text_add(out, ", ");
        diff_text_add_bytes(out, at - 3, (size_t)(end - (at - 3)));
    }
}

static void add_hollow(sqlite3 *twin, const char *home, const char *name, const char *sql)
{
    const char *head = past_name(sql), *body = strstr(sql, " BEGIN");
    struct diff_text text = {0};

    if (head == NULL || body == NULL)
        return;
    diff_text_add(&text, "CREATE TRIGGER %shollow_%s", home, name);
    diff_text_add_bytes(&text, head, (size_t)(body - head));
    diff_text_add(&text, " BEGIN SELECT 1");
    add_columns(body, &text);
    if (strstr(body, "lockstep_sink") != NULL)
        diff_text_add(&text, "; SELECT raise(ABORT, 'never') WHERE 0");
    diff_text_add(&text, "; END");
    sqlite3_exec(twin, text.data, NULL, NULL, NULL);
    diff_text_free(&text);
}

/* Runs on the twin what a query of a database gives as text. */
static void run_all(struct diff_world *world, sqlite3 *twin, sqlite3 *from, const char *query)
{
    struct diff_text texts = {0}, sql = {0};
    sqlite3_stmt *statement = NULL;

    diff_text_reset(&texts);
    diff_render(world->c, &world->names, DIFF_AS_VIEW, query, &sql);
    sqlite3_prepare_v2(from, sql.data, -1, &statement, NULL);
    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
        diff_text_add(&texts, "%s;", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_exec(twin, texts.data, NULL, NULL, NULL);
    diff_text_free(&texts);
    diff_text_free(&sql);
}

void diff_twin_follow(struct diff_world *world, unsigned connection)
{
    sqlite3_stmt *statement = NULL;
    sqlite3 *twin = world->twin.db[connection], *real = world->real.db[connection];
    struct diff_text sql = {0};

    run_all(world, twin, twin,
        "SELECT 'DROP ' || type || ' ' || name FROM `h`sqlite_schema WHERE type = 'trigger'"
        " AND name LIKE 'hollow\\_%' ESCAPE '\\'"
        " OR type = 'index' AND name GLOB 'lockstep_index_*'");
    run_all(world, twin, real,
        "SELECT 'CREATE INDEX `h`' || substr(sql, length('CREATE INDEX ') + 1)"
        " FROM `h`sqlite_schema WHERE type = 'index' AND name GLOB 'lockstep_index_*'");
    diff_text_add(&sql,
        "SELECT name, sql FROM %ssqlite_schema WHERE type = 'trigger'"
        " AND name LIKE 'lockstep\\_%%' ESCAPE '\\'",
        world->c->home);
    sqlite3_prepare_v2(real, sql.data, -1, &statement, NULL);
    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
        add_hollow(twin, world->c->home, (const char *)sqlite3_column_text(statement, 0),
            (const char *)sqlite3_column_text(statement, 1));
    sqlite3_finalize(statement);
    diff_text_free(&sql);
}
