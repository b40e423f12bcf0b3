/* A statement's text follows from its kind, which is made at each read in its place: a letter
** for where it reads, one a constraint for its argument, then the items. */
#include "ext/reader.h"

#include <string.h>

#include "ext/argument.h"
#include "ext/selection.h"
#include "ext/statement.h"

enum { OF_DATA = 'd', OF_DATA_HIDING = 'h', OF_QUERY = 'q' };

void ls_reader_free(struct ls_reader *reader)
{
    sqlite3_finalize(reader->statement);
    sqlite3_free(reader->kind);
    *reader = (struct ls_reader){NULL, NULL};
}

void ls_reader_lay_by(struct ls_view *view, struct ls_reader *reader)
{
    struct ls_reader *idle = view->idle;
    int i = 0;

    if (reader->statement == NULL)
        return;
    (void)sqlite3_reset(reader->statement);
    while (i < LS_N_IDLE - 1 && idle[i].statement != NULL)
        i++;
    ls_reader_free(&idle[i]);
    idle[i] = *reader;
    *reader = (struct ls_reader){NULL, NULL};
}

/* Is it what make_kind would make? */
static bool is_kind(
    const char *kind, char of, const char *items, const struct ls_arguments *arguments)
{
    if (kind == NULL || kind[0] != of)
        return false;
    for (int i = 0; i < arguments->n; i++)
        if (kind[1 + i] != ls_argument_letter(&arguments->items[i]))
            return false;
    return strcmp(kind + 1 + arguments->n, items) == 0;
}

static int make_kind(
    struct ls_reader *wanted, char of, const char *items, const struct ls_arguments *arguments)
{
    size_t len = strlen(items), n = (size_t)arguments->n;

    wanted->kind = zs_alloc_get(&ls_alloc, n + len + 2);
    if (wanted->kind == NULL)
        return SQLITE_NOMEM;
    wanted->kind[0] = of;
    for (size_t i = 0; i < n; i++)
        wanted->kind[1 + i] = ls_argument_letter(&arguments->items[i]);
    memcpy(wanted->kind + 1 + n, items, len + 1);
    return SQLITE_OK;
}

/* Takes one that is laid by, or makes it. */
static int find(struct ls_view *view, struct ls_reader *wanted, char of, const char *items,
    const struct ls_arguments *arguments)
{
    int rc;

    for (int i = 0; i < LS_N_IDLE; i++) {
        struct ls_reader *idle = &view->idle[i];

        if (!is_kind(idle->kind, of, items, arguments))
            continue;
        *wanted = *idle;
        *idle = (struct ls_reader){NULL, NULL};
        return SQLITE_OK;
    }
    rc = make_kind(wanted, of, items, arguments);
    if (rc == SQLITE_OK)
        rc = ls_prepare_text(view->connection->db, &wanted->statement,
            of == OF_QUERY ? ls_selection_query(view, items, arguments)
                           : ls_selection_text(view, items, arguments));
    if (rc != SQLITE_OK)
        ls_reader_free(wanted);
    return rc;
}

static int open_for(struct ls_view *view, struct ls_reader *reader, bool of_query,
    const char *items, const struct ls_arguments *arguments)
{
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    bool hides = !of_query && ls_result_n_hidden(result) > 0;
    char of = of_query ? OF_QUERY : hides ? OF_DATA_HIDING : OF_DATA;
    int rc = SQLITE_OK;

    if (is_kind(reader->kind, of, items, arguments)) {
        (void)sqlite3_reset(reader->statement);
    } else {
        ls_reader_lay_by(view, reader);
        rc = find(view, reader, of, items, arguments);
    }
    if (rc == SQLITE_OK)
        rc = ls_selection_bind(view, items, reader->statement, arguments);
    return rc == SQLITE_OK && hides ? ls_result_bind(result, reader->statement,
                                          sqlite3_bind_parameter_count(reader->statement))
                                    : rc;
}

int ls_reader_open(struct ls_view *view, struct ls_reader *reader, bool of_query,
    const char *items, int argc, sqlite3_value **argv)
{
    struct ls_arguments arguments;
    int rc = ls_arguments_read(&arguments, view->connection->db, items, argc, argv);

    if (rc == SQLITE_OK)
        rc = open_for(view, reader, of_query, items, &arguments);
    ls_arguments_clear(&arguments);
    return rc;
}
