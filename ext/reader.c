/* A statement's text follows from its kind, which is made at each read in its place: a letter
** for where it reads, one a constraint for its value's type, then the items. */
#include "ext/reader.h"

#include <string.h>

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

static char type_letter(sqlite3_value *value)
{
    static const char letters[] = {[SQLITE_INTEGER] = 'n',
        [SQLITE_FLOAT] = 'n',
        [SQLITE_TEXT] = 't',
        [SQLITE_BLOB] = 'b',
        [SQLITE_NULL] = '0'};

    return letters[sqlite3_value_type(value)];
}

/* Is it what make_kind would make? */
static bool is_kind(
    const char *kind, char of, const char *items, int argc, sqlite3_value **argv)
{
    if (kind == NULL || kind[0] != of)
        return false;
    for (int i = 0; i < argc; i++)
        if (kind[1 + i] != type_letter(argv[i]))
            return false;
    return strcmp(kind + 1 + argc, items) == 0;
}

static int make_kind(
    struct ls_reader *wanted, char of, const char *items, int argc, sqlite3_value **argv)
{
    size_t len = strlen(items);

    wanted->kind = zs_alloc_get(&ls_alloc, (size_t)argc + len + 2);
    if (wanted->kind == NULL)
        return SQLITE_NOMEM;
    wanted->kind[0] = of;
    for (int i = 0; i < argc; i++)
        wanted->kind[1 + i] = type_letter(argv[i]);
    memcpy(wanted->kind + 1 + argc, items, len + 1);
    return SQLITE_OK;
}

/* Takes one that is laid by, or makes it. */
static int find(struct ls_view *view, struct ls_reader *wanted, char of, const char *items,
    int argc, sqlite3_value **argv)
{
    int rc;

    for (int i = 0; i < LS_N_IDLE; i++) {
        struct ls_reader *idle = &view->idle[i];

        if (!is_kind(idle->kind, of, items, argc, argv))
            continue;
        *wanted = *idle;
        *idle = (struct ls_reader){NULL, NULL};
        return SQLITE_OK;
    }
    rc = make_kind(wanted, of, items, argc, argv);
    if (rc == SQLITE_OK)
        rc = ls_prepare_text(view->connection->db, &wanted->statement,
            of == OF_QUERY ? ls_selection_query(view, items, argv)
                           : ls_selection_text(view, items, argv));
    if (rc != SQLITE_OK)
        ls_reader_free(wanted);
    return rc;
}

int ls_reader_open(struct ls_view *view, struct ls_reader *reader, bool of_query,
    const char *items, int argc, sqlite3_value **argv)
{
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    bool hides = !of_query && ls_result_n_hidden(result) > 0;
    char of = of_query ? OF_QUERY : hides ? OF_DATA_HIDING : OF_DATA;
    int rc = SQLITE_OK;

    if (is_kind(reader->kind, of, items, argc, argv)) {
        (void)sqlite3_reset(reader->statement);
    } else {
        ls_reader_lay_by(view, reader);
        rc = find(view, reader, of, items, argc, argv);
    }
    if (rc == SQLITE_OK)
        rc = ls_selection_bind(view, items, reader->statement, argv);
    return rc == SQLITE_OK && hides ? ls_result_bind(result, reader->statement, argc + 1) : rc;
}
