/* Tables are cylinders, operators boxes with what they do, what they keep and what a change
** costs them. What changes flows along the arrows; a dashed one is from an operator in all of
** whose output a join looks things up. */
#include "ext/picture.h"

#include <string.h>

#include "ext/explain.h"
#include "ext/statement.h"

/* Longer lines of a detail are cut. */
enum { WIDEST = 60 };

/* Is this byte the first of a character? */
static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* A text within a "..." of Graphviz, lines ending in \l: aligned to the left. */
static void append_escaped(sqlite3_str *text, const char *from)
{
    int n = 0;

    for (; *from != '\0'; from++) {
        n += begins_character(*from);
        if (*from == '\n')
            n = 0;
        if (n == WIDEST && begins_character(*from))
            sqlite3_str_appendf(text, "...");
        if (n >= WIDEST)
            continue;
        if (*from == '\n')
            sqlite3_str_appendf(text, "\\l");
        else if (*from == '"' || *from == '\\')
            sqlite3_str_appendf(text, "\\%c", *from);
        else
            sqlite3_str_append(text, from, 1);
    }
}

static void append_table(sqlite3_str *text, const char *table)
{
    sqlite3_str_appendf(text, "\"table ");
    append_escaped(text, table);
    sqlite3_str_appendf(text, "\"");
}

static int append_operator(
    sqlite3_str *text, const struct ls_explanation *explanation, size_t i)
{
    const struct ls_line *line = &explanation->lines[i];
    sqlite3_int64 cells, bytes;
    int rc = ls_line_kept(explanation, line, &cells, &bytes);

    if (rc != SQLITE_OK)
        return rc;
    sqlite3_str_appendf(text, "  %d [label=\"%d %s\\l", (int)i, (int)i, line->operator);
    append_escaped(text, line->detail);
    if (ls_line_keeps(line))
        sqlite3_str_appendf(
            text, "\\l%s: %lld, bytes: %lld", line->is_result ? "rows" : "cells", cells, bytes);
    sqlite3_str_appendf(text, "\\l%s\\l\"];\n", line->cost);
    return SQLITE_OK;
}

static void append_inputs(sqlite3_str *text, const struct ls_line *line, size_t i)
{
    for (size_t j = 0; j < line->n_inputs; j++) {
        const struct ls_input *input = &line->inputs[j];

        sqlite3_str_appendf(text, "  ");
        if (input->table != NULL)
            append_table(text, input->table);
        else
            sqlite3_str_appendf(text, "%d", (int)input->line);
        sqlite3_str_appendf(
            text, " -> %d%s;\n", (int)i, input->is_looked_up ? " [style=dashed]" : "");
    }
}

static void append_tables(sqlite3_str *text, const struct ls_line *line)
{
    for (size_t j = 0; j < line->n_inputs; j++) {
        if (line->inputs[j].table == NULL)
            continue;
        sqlite3_str_appendf(text, "  ");
        append_table(text, line->inputs[j].table);
        sqlite3_str_appendf(text, " [label=\"");
        append_escaped(text, line->inputs[j].table);
        sqlite3_str_appendf(text, "\", shape=cylinder];\n");
    }
}

static int draw(const struct ls_explanation *explanation, char **picture)
{
    sqlite3_str *text = sqlite3_str_new(explanation->db);
    int rc = SQLITE_OK;

    sqlite3_str_appendf(text, "digraph \"");
    append_escaped(text, explanation->view);
    sqlite3_str_appendf(text, "\" {\n  node [shape=box];\n");
    for (size_t i = 0; rc == SQLITE_OK && i < explanation->n; i++) {
        append_tables(text, &explanation->lines[i]);
        rc = append_operator(text, explanation, i);
        append_inputs(text, &explanation->lines[i], i);
    }
    sqlite3_str_appendf(text, "}\n");
    *picture = sqlite3_str_finish(text);
    return rc == SQLITE_OK && *picture == NULL ? SQLITE_NOMEM : rc;
}

static void fail(sqlite3_context *context, int rc, char *message /* owned */)
{
    if (message != NULL)
        sqlite3_result_error(context, message, -1);
    if (rc == SQLITE_NOMEM)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_error_code(context, rc);
    sqlite3_free(message);
}

static void dot(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_connection *connection = sqlite3_user_data(context);
    const char *view = (const char *)sqlite3_value_text(argv[0]);
    const char *schema = argc > 1 ? (const char *)sqlite3_value_text(argv[1]) : NULL;
    struct ls_explanation *explanation = NULL;
    char *picture = NULL, *message = NULL;
    int rc;

    if (view == NULL)
        return; /* NULL */
    rc = ls_explain(connection, schema, view, &explanation, &message);
    if (rc == SQLITE_OK)
        rc = draw(explanation, &picture);
    ls_explanation_free(explanation);
    if (rc == SQLITE_OK) {
        sqlite3_result_text(context, picture, -1, sqlite3_free);
        return;
    }
    sqlite3_free(picture);
    fail(context, rc, message);
}

int ls_picture_register(struct ls_connection *connection)
{
    int rc = SQLITE_OK;

    for (int n = 1; rc == SQLITE_OK && n <= 2; n++) {
        connection->references++;
        rc = sqlite3_create_function_v2(connection->db, "lockstep_dot", n, SQLITE_UTF8,
            connection, dot, NULL, NULL, ls_connection_release);
    }
    return rc;
}
