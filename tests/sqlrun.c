/* Runs an SQL scenario as the sqlite3 shell does in batch mode, for builds that the shell
** cannot load, such as those with sanitizers. It is linked with the extension, which every
** connection gets: .load does nothing here. Also known: .print, .open, .nullvalue, .headers. Rows are
** printed in list mode, and errors in the words of the shell of SQLite 3.40.
**
** usage: sqlrun FILE.db < NAME.sql */
#include <ctype.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/diff_text.h"

struct sqlite3_api_routines;
int sqlite3_lockstep_init(sqlite3 *db, char **error, const struct sqlite3_api_routines *api);

static sqlite3 *open_database(const char *path)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_lockstep_init(db, &message, NULL) != SQLITE_OK) {
        fprintf(stderr, "sqlrun: cannot open %s: %s\n", path, sqlite3_errmsg(db));
        exit(2);
    }
    return db;
}

/* The part of the statement around an error, and an arrow that points to it. */
static void print_context(sqlite3 *db, const char *sql)
{
    int offset = sqlite3_error_offset(db);
    if (offset < 0 || offset >= (int)strlen(sql))
        return;
    for (; offset > 50; sql++) {
        offset--;
        while ((sql[1] & 0xc0) == 0x80) {
            sql++;
            offset--;
        }
    }
    int len = (int)strlen(sql);
    for (len = len > 78 ? 78 : len; len > 0 && (sql[len] & 0xc0) == 0x80;)
        len--;
    printf("  ");
    for (int i = 0; i < len; i++)
        putchar(isspace((unsigned char)sql[i]) ? ' ' : sql[i]);
    if (offset < 25)
        printf("\n  %*s^--- error here\n", offset, "");
    else
        printf("\n  %*serror here ---^\n", offset - 14, "");
}

static void print_error(sqlite3 *db, const char *kind, int line, int rc, const char *sql)
{
    printf("%s error near line %d: %s", kind, line, sqlite3_errmsg(db));
    if (rc > 1)
        printf(" (%d)", rc);
    printf("\n");
    if (strcmp(kind, "Parse") == 0)
        print_context(db, sql);
}

static char of_null[20]; /* what is printed for NULL */
static bool has_headers;

static void print_header(sqlite3_stmt *statement)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        printf("%s%s", i > 0 ? "|" : "", sqlite3_column_name(statement, i));
    printf("\n");
}

static void print_row(sqlite3_stmt *statement)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const unsigned char *text = sqlite3_column_text(statement, i);
        printf("%s%s", i > 0 ? "|" : "", text != NULL ? (const char *)text : of_null);
    }
    printf("\n");
}

/* EXPLAIN QUERY PLAN, whose rows (id, parent, unused, detail) are drawn as a tree. */
static void print_plan(sqlite3_stmt *statement, int parent, const char *indent)
{
    int n = 0;
    struct {
        int id;
        char *detail;
    } children[40];

    sqlite3_reset(statement);
    while (sqlite3_step(statement) == SQLITE_ROW && n < 40) {
        if (sqlite3_column_int(statement, 1) != parent)
            continue;
        children[n].id = sqlite3_column_int(statement, 0);
        children[n++].detail = strdup((const char *)sqlite3_column_text(statement, 3));
    }
    for (int i = 0; i < n; i++) {
        struct diff_text deeper = {0};
        bool is_last = i + 1 == n;
        printf("%s%s%s\n", indent, is_last ? "`--" : "|--", children[i].detail);
        diff_text_add(&deeper, "%s%s", indent, is_last ? "   " : "|  ");
        print_plan(statement, children[i].id, deeper.data);
        diff_text_free(&deeper);
        free(children[i].detail);
    }
}

/* One statement; false where it failed. */
static bool run_statement(sqlite3 *db, const char *sql, int line, const char **rest)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, rest);

    if (rc != SQLITE_OK) {
        print_error(db, "Parse", line, rc, sql);
        return false;
    }
    if (statement != NULL && sqlite3_stmt_isexplain(statement) == 2) {
        printf("QUERY PLAN\n");
        print_plan(statement, 0, "");
        rc = SQLITE_DONE;
    } else if (statement != NULL) {
        for (int n = 0; (rc = sqlite3_step(statement)) == SQLITE_ROW; n++) {
            if (has_headers && n == 0)
                print_header(statement);
            print_row(statement);
        }
    } else {
        rc = SQLITE_DONE;
    }
    if (rc != SQLITE_DONE)
        print_error(db, "Runtime", line, sqlite3_finalize(statement), sql);
    else
        sqlite3_finalize(statement);
    return rc == SQLITE_DONE;
}

static void run_statements(sqlite3 *db, const char *sql, int line)
{
    while (*sql != 0 && run_statement(db, sql, line, &sql))
        sql += strspn(sql, " \t\r\n");
}

static void run_command(sqlite3 **db, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, ".print", 6) == 0) {
        printf("%s\n", line + 6 + (line[6] == ' '));
    } else if (strncmp(line, ".open ", 6) == 0) {
        sqlite3_close(*db);
        *db = open_database(line + 6);
    } else if (strncmp(line, ".nullvalue ", 11) == 0) {
        snprintf(of_null, sizeof of_null, "%s", line + 11);
    } else if (strncmp(line, ".headers ", 9) == 0) {
        has_headers = strcmp(line + 9, "on") == 0;
    } else if (strncmp(line, ".load ", 6) != 0) {
        fprintf(stderr, "sqlrun: unknown command %s\n", line);
        exit(2);
    }
}

static bool is_blank(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == 0 || strncmp(line, "--", 2) == 0;
}

int main(int n, char **words)
{
    char *line = NULL;
    size_t cap = 0;
    struct diff_text sql = {0};
    int number = 0, first = 0;

    if (n != 2) {
        fputs("usage: sqlrun FILE.db < NAME.sql\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    sqlite3 *db = open_database(words[1]);
    while (getline(&line, &cap, stdin) >= 0) {
        number++;
        if (sql.len == 0 && is_blank(line))
            continue;
        if (sql.len == 0 && line[0] == '.') {
            run_command(&db, line);
            continue;
        }
        if (sql.len == 0)
            first = number;
        line[strcspn(line, "\n")] = 0;
        diff_text_add(&sql, "%s%s", sql.len > 0 ? "\n" : "", line);
        if (sqlite3_complete(sql.data)) {
            run_statements(db, sql.data, first);
            diff_text_reset(&sql);
        }
    }
    free(line);
    diff_text_free(&sql);
    return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}
