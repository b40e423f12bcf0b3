/* EXPLAIN lists the program that a statement is: OpenRead P1 P2 P3 opens cursor P1 over the
** b-tree whose root is page P2 of database P3; Rewind P1 and Last P1 go to an end of it to go
** through all, also to make an automatic index, and Count P1 counts all. A search begins with a
** Seek. What a computed LIMIT leaves undone, as sql/affected.c has it do where no NULL changed, is
** not counted. EXPLAIN QUERY PLAN would say SCAN too, but by the alias alone, which may name several
** tables. */
#include "ext/scans.h"

#include <string.h>

#include "ext/statement.h"

enum { ADDRESS, OPCODE, P1, P2, P3 }; /* the columns */

struct opened {
    int cursor;
    int root;
};

struct search {
    sqlite3 *db;
    const char *schema;
    struct opened *opened; /* over tables of the schema */
    size_t n_opened;
    size_t cap;
    sqlite3_stmt *program;
};

static bool is_opcode(sqlite3_stmt *program, const char *name)
{
    const char *opcode = (const char *)sqlite3_column_text(program, OPCODE);

    return opcode != NULL && strcmp(opcode, name) == 0;
}

static int find_opened(struct search *search)
{
    sqlite3_int64 database = 0;
    int rc = ls_query_integer(search->db, -1, &database,
        "SELECT seq FROM pragma_database_list WHERE name = %Q COLLATE NOCASE", search->schema);

    while (rc == SQLITE_OK && sqlite3_step(search->program) == SQLITE_ROW) {
        if (!is_opcode(search->program, "OpenRead") ||
            sqlite3_column_int64(search->program, P3) != database)
            continue;
        if (zs_alloc_reserve(&ls_alloc, &search->opened, &search->cap, search->n_opened + 1,
                sizeof(*search->opened)) != ZS_OK)
            rc = SQLITE_NOMEM;
        else
            search->opened[search->n_opened++] =
                (struct opened){sqlite3_column_int(search->program, P1),
                    sqlite3_column_int(search->program, P2)};
    }
    return rc == SQLITE_OK ? sqlite3_reset(search->program) : rc;
}

static int tell(struct search *search, int root, ls_scan_fn *fn, void *ctx)
{
    char *table;
    int rc = ls_query_text(search->db, &table,
        "SELECT tbl_name FROM \"%w\".sqlite_schema WHERE rootpage = %d", search->schema, root);

    if (rc == SQLITE_OK && table != NULL)
        rc = fn(ctx, table);
    sqlite3_free(table);
    return rc;
}

/* Where a LIMIT is computed, the program jumps to the end if it is 0: MustBeInt R, IfNot R END. */
static void look_for_limit(sqlite3_stmt *program, int *limit, int *limited_to)
{
    int p1 = sqlite3_column_int(program, P1);

    if (is_opcode(program, "IfNot") && p1 == *limit)
        *limited_to = sqlite3_column_int(program, P2);
    *limit = is_opcode(program, "MustBeInt") ? p1 : -1;
}

static int find_scans(struct search *search, ls_scan_fn *fn, void *ctx)
{
    int rc = SQLITE_OK, limit = -1, limited_to = -1;

    while (rc == SQLITE_OK && sqlite3_step(search->program) == SQLITE_ROW) {
        int cursor = sqlite3_column_int(search->program, P1);

        look_for_limit(search->program, &limit, &limited_to);
        if (sqlite3_column_int(search->program, ADDRESS) < limited_to)
            continue;
        if (!is_opcode(search->program, "Rewind") && !is_opcode(search->program, "Last") &&
            !is_opcode(search->program, "Count"))
            continue;
        for (size_t i = 0; rc == SQLITE_OK && i < search->n_opened; i++)
            if (search->opened[i].cursor == cursor)
                rc = tell(search, search->opened[i].root, fn, ctx);
    }
    return rc == SQLITE_OK ? sqlite3_reset(search->program) : rc;
}

int ls_scans_find(sqlite3 *db, const char *schema, char *text, ls_scan_fn *fn, void *ctx)
{
    struct search search = {.db = db, .schema = schema};
    int rc = text == NULL ? SQLITE_NOMEM : ls_prepare(db, &search.program, "EXPLAIN %s", text);

    if (rc == SQLITE_OK)
        rc = find_opened(&search);
    if (rc == SQLITE_OK)
        rc = find_scans(&search, fn, ctx);
    sqlite3_finalize(search.program);
    sqlite3_free(search.opened);
    sqlite3_free(text);
    return rc;
}
