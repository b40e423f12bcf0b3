/* EXPLAIN lists the program that a statement is: OpenRead P1 P2 P3 opens cursor P1 over the
** b-tree whose root is page P2 of database P3; Rewind P1 and Last P1 go to an end of it to go
** through all, also to make an automatic index, and Count P1 counts all. A search begins with a
** Seek. Not counted is what ends at its first row, as EXISTS without a condition does, nor what
** a computed LIMIT leaves undone, as sql/affected.c has it do where no NULL changed; nor a
** range of rowids that begins at an end: Rewind P1, Rowid P1 R, Ge or the like of R. EXPLAIN
** QUERY PLAN would say SCAN too, but by the alias alone, which may name several tables. A loop
** ends with a jump back to its body: Next P1 P2 to P2. */
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
    int last; /* the address of the last scan so far, or -1 */
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

/* Where LIMIT is `CASE ... ELSE 0 END` the program jumps to the end if it is 0: Integer 0 R,
** MustBeInt R, IfNot R END. */
struct limit {
    int zero;     /* R after Integer 0 R, else -1 */
    int computed; /* R after MustBeInt R behind that, else -1 */
    int end;
};

static void look_for_limit(sqlite3_stmt *program, struct limit *limit)
{
    int p1 = sqlite3_column_int(program, P1);

    if (is_opcode(program, "IfNot") && p1 == limit->computed)
        limit->end = sqlite3_column_int(program, P2);
    limit->computed = is_opcode(program, "MustBeInt") && p1 == limit->zero ? p1 : -1;
    limit->zero =
        is_opcode(program, "Integer") && p1 == 0 ? sqlite3_column_int(program, P2) : -1;
}

static bool is_one_of(sqlite3_stmt *program, const char *const *opcodes)
{
    while (*opcodes != NULL && !is_opcode(program, *opcodes))
        opcodes++;
    return *opcodes != NULL;
}

static bool begins_scan(sqlite3_stmt *program)
{
    return is_opcode(program, "Rewind") || is_opcode(program, "Last") ||
           is_opcode(program, "Count");
}

/* What begins at an end of a table, and may end at its first row. */
struct beginning {
    int root; /* 0: nothing has begun */
    int cursor;
    int rowid; /* the register that has it; 0 for none */
};

/* What an instruction begins. */
static struct beginning begin(const struct search *search)
{
    int cursor = sqlite3_column_int(search->program, P1);

    if (begins_scan(search->program))
        for (size_t i = 0; i < search->n_opened; i++)
            if (search->opened[i].cursor == cursor)
                return (struct beginning){search->opened[i].root, cursor, 0};
    return (struct beginning){0, 0, 0};
}

/* Does it go on with the same row, and nothing be asked? */
static bool goes_on(const struct search *search, struct beginning *begun)
{
    static const char *const opcodes[] = {
        "Integer", "Null", "Column", "VColumn", "Rowid", "IdxRowid", "Copy", "SCopy", NULL};

    if (is_opcode(search->program, "Rowid") &&
        sqlite3_column_int(search->program, P1) == begun->cursor)
        begun->rowid = sqlite3_column_int(search->program, P2);
    return is_one_of(search->program, opcodes);
}

/* Is it no scan after all? */
static bool ends(const struct search *search, const struct beginning *begun)
{
    static const char *const opcodes[] = {"Lt", "Le", "Gt", "Ge", NULL};

    return is_opcode(search->program, "DecrJumpZero") ||
           (is_one_of(search->program, opcodes) && begun->rowid != 0 &&
               sqlite3_column_int(search->program, P3) == begun->rowid);
}

static int find_scans(struct search *search, ls_scan_fn *fn, void *ctx)
{
    struct limit limit = {-1, -1, -1};
    struct beginning begun = {0, 0, 0};
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && sqlite3_step(search->program) == SQLITE_ROW) {
        look_for_limit(search->program, &limit);
        if (begun.root != 0 && goes_on(search, &begun))
            continue;
        if (begun.root != 0 && !ends(search, &begun))
            rc = tell(search, begun.root, fn, ctx);
        begun = begin(search);
        if (sqlite3_column_int(search->program, ADDRESS) < limit.end)
            begun.root = 0;
    }
    return rc == SQLITE_OK ? sqlite3_reset(search->program) : rc;
}

/* The text is freed. */
static int open_program(struct search *search, char *text)
{
    int rc = text == NULL ? SQLITE_NOMEM
                          : ls_prepare(search->db, &search->program, "EXPLAIN %s", text);

    sqlite3_free(text);
    return rc == SQLITE_OK ? find_opened(search) : rc;
}

static void close_program(struct search *search)
{
    sqlite3_finalize(search->program);
    sqlite3_free(search->opened);
}

int ls_scans_find(sqlite3 *db, const char *schema, char *text, ls_scan_fn *fn, void *ctx)
{
    struct search search = {.db = db, .schema = schema};
    int rc = open_program(&search, text);

    if (rc == SQLITE_OK)
        rc = find_scans(&search, fn, ctx);
    close_program(&search);
    return rc;
}

/* Past the last scan so far, does a loop end that it is in? Each program ends with a jump to
** 1. */
static bool ends_loop_around(const struct search *search)
{
    static const char *const names[] = {"Next", "Prev", "SorterNext", "VNext", "Goto"};
    int to = sqlite3_column_int(search->program, P2);

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (is_opcode(search->program, names[i]))
            return to > 1 && to <= search->last;
    return false;
}

static void note_scan(struct search *search)
{
    for (size_t i = 0; i < search->n_opened; i++)
        if (search->opened[i].cursor == sqlite3_column_int(search->program, P1))
            search->last = sqlite3_column_int(search->program, ADDRESS);
}

int ls_scans_repeat(sqlite3 *db, const char *schema, char *text, bool *repeat)
{
    struct search search = {.db = db, .schema = schema, .last = -1};
    int rc = open_program(&search, text);

    *repeat = false;
    while (rc == SQLITE_OK && sqlite3_step(search.program) == SQLITE_ROW) {
        if (begins_scan(search.program))
            note_scan(&search);
        *repeat = *repeat || ends_loop_around(&search);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(search.program);
    close_program(&search);
    return rc;
}
