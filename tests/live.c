/* Databases with views, for the suites of ext/. */
#include "tests/live.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/must.h"

enum { MAX_PATHS = 16 };

static char paths[MAX_PATHS][64];
static int n_paths;
static long n_hundreds;

static void remove_files(const char *path)
{
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    char name[96];

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
        snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
        unlink(name);
    }
}

const char *live_path(void)
{
    char *path = paths[n_paths];

    must(n_paths < MAX_PATHS);
    snprintf(path, sizeof(paths[0]), "live-%ld-%d.db", (long)getpid(), n_paths++);
    remove_files(path);
    return path;
}

void live_clean(void)
{
    while (n_paths > 0)
        remove_files(paths[--n_paths]);
}

sqlite3 *live_open_as(const char *path, int flags)
{
    sqlite3 *db;
    int rc = sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_URI, NULL);

    if (rc != SQLITE_OK)
        ck_abort_msg("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_extended_result_codes(db, 1);
    run(db, "PRAGMA synchronous = OFF");
    return db;
}

sqlite3 *live_open_plain(const char *path)
{
    return live_open_as(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

sqlite3 *live_open(const char *path)
{
    sqlite3 *db = live_open_plain(path);
    char *error = NULL;
    int rc = sqlite3_lockstep_init(db, &error, NULL);

    if (rc != SQLITE_OK)
        ck_abort_msg("the extension: %s", error != NULL ? error : sqlite3_errstr(rc));
    return db;
}

void live_close(sqlite3 *db)
{
    sqlite3_stmt *left = sqlite3_next_stmt(db, NULL);
    const char *text = left == NULL ? "" : sqlite3_sql(left);
    int rc = sqlite3_close(db);

    if (rc != SQLITE_OK)
        ck_abort_msg("closing gives %s; open still: %s", sqlite3_errstr(rc), text);
}

static char *expand(const char *format, va_list arguments)
{
    char *text = sqlite3_vmprintf(format, arguments);
    must(text != NULL);
    return text;
}

int live_by_bytes(void *turn, int n, const void *a, int m, const void *b)
{
    int order = memcmp(a, b, (size_t)(n < m ? n : m));

    if (order == 0)
        order = n - m;
    return turn == NULL ? order : -order;
}

void run(sqlite3 *db, const char *format, ...)
{
    va_list arguments;
    char *text, *error = NULL;

    va_start(arguments, format);
    text = expand(format, arguments);
    va_end(arguments);
    if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK)
        ck_abort_msg("%s\n  in: %s", error, text);
    sqlite3_free(text);
}

int attempt(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

void must_say(sqlite3 *db, const char *said, const char *sql)
{
    int rc = attempt(db, sql);

    if (rc == SQLITE_OK)
        ck_abort_msg("succeeds: %s", sql);
    if (strstr(sqlite3_errmsg(db), said) == NULL)
        ck_abort_msg("says \"%s\"\n  not \"%s\"\n  in: %s", sqlite3_errmsg(db), said, sql);
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        ck_abort_msg("%s\n  in: %s", sqlite3_errmsg(db), sql);
    return statement;
}

static void end(sqlite3 *db, sqlite3_stmt *statement)
{
    if (sqlite3_reset(statement) != SQLITE_OK)
        ck_abort_msg("%s\n  in: %s", sqlite3_errmsg(db), sqlite3_sql(statement));
    sqlite3_finalize(statement);
}

sqlite3_int64 number(sqlite3 *db, const char *format, ...)
{
    sqlite3_int64 value = 0;
    sqlite3_stmt *statement;
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = expand(format, arguments);
    va_end(arguments);
    statement = prepared(db, text);
    if (sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    end(db, statement);
    sqlite3_free(text);
    return value;
}

static char *row_text(sqlite3_stmt *statement)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        sqlite3_str_appendf(text, "%s", i > 0 ? ", " : "");
        switch (sqlite3_column_type(statement, i)) {
        case SQLITE_INTEGER:
            sqlite3_str_appendf(text, "%lld", sqlite3_column_int64(statement, i));
            break;
        case SQLITE_FLOAT:
            sqlite3_str_appendf(text, "%!.17g", sqlite3_column_double(statement, i));
            break;
        case SQLITE_TEXT:
            sqlite3_str_appendf(text, "%Q", sqlite3_column_text(statement, i));
            break;
        case SQLITE_BLOB:
            sqlite3_str_appendf(text, "x'");
            for (int j = 0; j < sqlite3_column_bytes(statement, i); j++)
                sqlite3_str_appendf(text, "%02x",
                    ((const unsigned char *)sqlite3_column_blob(statement, i))[j]);
            sqlite3_str_appendf(text, "'");
            break;
        default:
            sqlite3_str_appendf(text, "NULL");
        }
    }
    return sqlite3_str_finish(text);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_row(struct lines *lines, sqlite3_stmt *statement)
{
    if (lines->n == lines->cap) {
        lines->cap = lines->cap == 0 ? 64 : 2 * lines->cap;
        lines->at = realloc(lines->at, lines->cap * sizeof(*lines->at));
        must(lines->at != NULL);
    }
    lines->at[lines->n++] = row_text(statement);
}

static char *joined(struct lines *lines)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *all;

    if (lines->n > 0)
        qsort(lines->at, lines->n, sizeof(*lines->at), compare_lines);
    sqlite3_str_appendf(text, "%d rows\n", (int)lines->n);
    for (size_t i = 0; i < lines->n; i++) {
        sqlite3_str_appendf(text, "%s\n", lines->at[i]);
        sqlite3_free(lines->at[i]);
    }
    free(lines->at);
    all = sqlite3_str_finish(text);
    must(all != NULL);
    return all;
}

char *rows(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = prepared(db, sql);
    struct lines lines = {NULL, 0, 0};

    while (sqlite3_step(statement) == SQLITE_ROW)
        add_row(&lines, statement);
    end(db, statement);
    return joined(&lines);
}

static int read_one(struct reader *reader, void (*pause)(bool))
{
    int rc = sqlite3_step(reader->statement);

    reader->has_more = rc == SQLITE_ROW;
    if (!reader->has_more)
        return rc == SQLITE_DONE ? SQLITE_OK : rc;
    pause(true);
    add_row(&reader->lines, reader->statement);
    pause(false);
    return SQLITE_OK;
}

int reader_open(struct reader *reader, sqlite3 *db, const char *sql, void (*pause)(bool))
{
    int rc;

    *reader = (struct reader){.statement = NULL};
    rc = sqlite3_prepare_v2(db, sql, -1, &reader->statement, NULL);
    return rc == SQLITE_OK ? read_one(reader, pause) : rc;
}

int reader_close(struct reader *reader, void (*pause)(bool), char **all)
{
    int rc;

    while (reader->has_more)
        read_one(reader, pause);
    rc = sqlite3_finalize(reader->statement);
    pause(true);
    *all = joined(&reader->lines);
    pause(false);
    *reader = (struct reader){.statement = NULL};
    return rc;
}

int attempt_rows(sqlite3 *db, const char *sql, void (*pause)(bool), char **all)
{
    struct reader reader;
    int rc = reader_open(&reader, db, sql, pause);
    int rest = reader_close(&reader, pause, all);

    return rc == SQLITE_OK ? rest : rc;
}

void must_agree(sqlite3 *db, const char *sql, const char *other)
{
    char *has = rows(db, sql);
    char *should = rows(db, other);

    if (strcmp(has, should) != 0)
        ck_abort_msg("%s\n  gives %.2000s  but %s\n  gives %.2000s", sql, has, other, should);
    sqlite3_free(has);
    sqlite3_free(should);
}

void must_be_right(sqlite3 *db, const char *view)
{
    char *sql = sqlite3_mprintf("SELECT * FROM %s", view);
    char *other = sqlite3_mprintf("SELECT * FROM %s_query", view);

    must(sql != NULL && other != NULL);
    must_agree(db, sql, other);
    sqlite3_free(sql);
    sqlite3_free(other);
}

static int count_hundred(void *ctx)
{
    (void)ctx;
    n_hundreds++;
    return 0;
}

void live_count_begin(sqlite3 *db)
{
    n_hundreds = 0;
    sqlite3_progress_handler(db, 100, count_hundred, NULL);
}

long live_count_end(sqlite3 *db)
{
    sqlite3_progress_handler(db, 0, NULL, NULL);
    return n_hundreds;
}
