/* A declaration is "CREATE TABLE x(", for each column its quoted name, type, COLLATE and a
** quoted collation, and LS_HIDDEN_COLUMNS. */
#include "ext/declaration.h"

#include <string.h>

#include "ext/create.h"
#include "ext/table.h"

bool ls_declaration_matches(const struct ls_view *view, const char *declaration)
{
    static const char head[] = "CREATE TABLE x(";
    bool is_same = strncmp(declaration, head, sizeof(head) - 1) == 0;
    const char *at = declaration + sizeof(head) - 1;

    for (int i = 0; is_same && i < view->n_columns; i++) {
        const struct ls_view_column *column = &view->columns[i];
        char *name = sqlite3_mprintf("\"%w\" ", column->name);
        char *rest = sqlite3_mprintf(" COLLATE \"%w\", ", column->collation);

        is_same = name != NULL && rest != NULL && strncmp(at, name, strlen(name)) == 0;
        at = is_same ? strstr(at + strlen(name) - 1, rest) : NULL;
        is_same = at != NULL;
        at = is_same ? at + strlen(rest) : NULL;
        sqlite3_free(name);
        sqlite3_free(rest);
    }
    return is_same && strcmp(at, LS_HIDDEN_COLUMNS) == 0;
}

/* Takes a quoted name off a text; NULL where there is none, or no memory. */
static char *take_name(const char **at)
{
    sqlite3_str *name = sqlite3_str_new(NULL);
    const char *next = *at;

    if (*next == '"')
        next++;
    for (; *next != '\0' && (next[0] != '"' || next[1] == '"'); next++) {
        sqlite3_str_appendchar(name, 1, *next);
        next += *next == '"';
    }
    *at = *next == '"' ? next + 1 : next;
    if (sqlite3_str_errcode(name) == SQLITE_OK && sqlite3_str_length(name) == 0) {
        sqlite3_free(sqlite3_str_finish(name)); /* finished, an empty text is NULL */
        return sqlite3_mprintf("");
    }
    return sqlite3_str_finish(name);
}

/* A type in quotes may have anything in it. */
static const char *end_of_type(const char *at, const char *next)
{
    if (at[0] == ' ' && at[1] == '"')
        for (at += 2; *at != '\0' && (at[0] != '"' || at[1] == '"'); at++)
            at += *at == '"';
    return strstr(at, next);
}

int ls_declaration_read(struct ls_view *view, const char *declaration)
{
    static const char collate[] = " COLLATE ";
    const char *at = strchr(declaration, '"');
    size_t cap = 0;
    int rc = SQLITE_OK;

    ls_view_forget_columns(view);
    while (rc == SQLITE_OK && at != NULL && *at == '"') {
        char *name = take_name(&at), *collation = NULL, *type = NULL;
        const char *end = end_of_type(at, collate);

        if (end != NULL) {
            type = sqlite3_mprintf("%.*s", (int)(end - at - 1), at + 1);
            at = end + sizeof(collate) - 1;
            collation = take_name(&at);
            at += strspn(at, ", ");
        }
        rc = name == NULL || type == NULL || collation == NULL
                 ? SQLITE_NOMEM
                 : ls_view_add_column(view, name,
                       ls_affinity_of(type) == LS_NUMERIC ? "" : type, collation, &cap);
        sqlite3_free(name);
        sqlite3_free(type);
        sqlite3_free(collation);
    }
    return rc;
}

char *ls_declaration_make(const struct ls_view *view)
{
    sqlite3_str *text = sqlite3_str_new(view->connection->db);

    sqlite3_str_appendf(text, "CREATE TABLE x(");
    for (int i = 0; i < view->n_columns; i++)
        sqlite3_str_appendf(text, "\"%w\" %s COLLATE \"%w\", ", view->columns[i].name,
            view->columns[i].type,
            view->columns[i].is_plain ? "BINARY" : view->columns[i].collation);
    sqlite3_str_appendf(text, "%s", LS_HIDDEN_COLUMNS);
    return sqlite3_str_finish(text);
}
