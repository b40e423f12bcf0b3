/* The demonstration that quickstart shows: runs a script of SQL over a database with the
** extension loaded, and after each part of it reads every view and the query that defines it,
** compares them, row by row and type by type, and tells what each read took.
**
**   demo DATABASE EXTENSION SCRIPT
**
** A part of the script is a line "-- title" and the statements up to the next such line. A
** statement may fail if its part's title says so. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHOWN_ROWS = 2, SHOWN_WIDTH = 84, MAX_VIEWS = 32 };

/* A row: exact tells any two apart that differ in a value or its type; shown is for people. */
struct row {
    char *exact;
    char *shown;
};

/* Rows in the order of exact, and how long SQLite took to give them. */
struct rows {
    struct row *items;
    size_t n, cap;
    double microseconds;
};

struct view {
    char *name;
    struct rows before; /* as the last part left it */
};

static struct view views[MAX_VIEWS];
static size_t n_views, n_compared, n_different;
static sqlite3 *db;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "demo: %s: %s\n", what, why);
    exit(1);
}

static void *need(void *memory)
{
    if (memory == NULL)
        die("memory", "there is no more");
    return memory;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* 1234567 as "1,234,567"; in a buffer that the eighth next call uses again. */
static const char *grouped(double number)
{
    static char buffers[8][32];
    static unsigned turn;
    char digits[24], *out = buffers[turn++ % 8];
    int len = snprintf(digits, sizeof(digits), "%.0f", number);
    char *end = out;

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return out;
}

static void append_value(sqlite3_stmt *statement, int i, sqlite3_str *exact, sqlite3_str *shown)
{
    int type = sqlite3_column_type(statement, i);

    if (type == SQLITE_FLOAT)
        sqlite3_str_appendf(exact, "r%!.17g", sqlite3_column_double(statement, i));
    else
        sqlite3_str_appendf(exact, "%d", type);
    if (i > 0)
        sqlite3_str_appendall(shown, " | ");
    if (type == SQLITE_NULL)
        sqlite3_str_appendall(shown, "NULL");
    else
        sqlite3_str_appendf(shown, "%s", sqlite3_column_text(statement, i));
    if (type != SQLITE_FLOAT && type != SQLITE_NULL)
        sqlite3_str_appendf(exact, "%s", sqlite3_column_text(statement, i));
    sqlite3_str_appendchar(exact, 1, '\037');
}

static void append_row(struct rows *rows, sqlite3_stmt *statement)
{
    sqlite3_str *exact = sqlite3_str_new(db);
    sqlite3_str *shown = sqlite3_str_new(db);

    for (int i = 0; i < sqlite3_column_count(statement); i++)
        append_value(statement, i, exact, shown);
    if (rows->n == rows->cap) {
        rows->cap = rows->cap * 2 + 64;
        rows->items = need(realloc(rows->items, rows->cap * sizeof(*rows->items)));
    }
    rows->items[rows->n].exact = need(sqlite3_str_finish(exact));
    rows->items[rows->n].shown = need(sqlite3_str_finish(shown));
    rows->n++;
}

static void clear_rows(struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        sqlite3_free(rows->items[i].exact);
        sqlite3_free(rows->items[i].shown);
    }
    free(rows->items);
    *rows = (struct rows){0};
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->exact, ((const struct row *)b)->exact);
}

/* Reads all of a table or view. Only SQLite's time counts: preparing and stepping. */
static struct rows read_all(const char *name)
{
    struct rows rows = {0};
    char *text = need(sqlite3_mprintf("SELECT * FROM \"%w\"", name));
    sqlite3_stmt *statement;
    double start = now(), spent;
    int rc = sqlite3_prepare_v2(db, text, -1, &statement, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(statement);
    spent = now() - start;
    while (rc == SQLITE_ROW) {
        append_row(&rows, statement);
        start = now();
        rc = sqlite3_step(statement);
        spent += now() - start;
    }
    if (rc != SQLITE_DONE)
        die(text, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    sqlite3_free(text);
    rows.microseconds = spent;
    if (rows.n > 0)
        qsort(rows.items, rows.n, sizeof(*rows.items), compare_rows);
    return rows;
}

static bool are_equal(const struct rows *a, const struct rows *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (compare_rows(&a->items[i], &b->items[i]) != 0)
            return false;
    }
    return true;
}

/* Collects the rows of a that b does not have, up to max; gives how many there are. */
static size_t subtract(
    const struct rows *a, const struct rows *b, const struct row **out, size_t max)
{
    size_t n = 0, j = 0;

    for (size_t i = 0; i < a->n; i++) {
        int order = 1;
        while (j < b->n && (order = compare_rows(&a->items[i], &b->items[j])) > 0)
            j++;
        if (j < b->n && order == 0) {
            j++;
            continue;
        }
        if (n < max)
            out[n] = &a->items[i];
        n++;
    }
    return n;
}

static void print_row(const char *side, const char *text)
{
    int len = (int)strlen(text);
    printf("      %-6s %.*s%s\n", side, SHOWN_WIDTH, text, len > SHOWN_WIDTH ? "..." : "");
}

/* Prints what came and went since the last part, as the view and as the query say it. */
static void print_changes(
    const struct view *view, const struct rows *rows, const struct rows *expected)
{
    const struct row *from_view[SHOWN_ROWS], *from_query[SHOWN_ROWS], *gone[SHOWN_ROWS];
    size_t n_came = subtract(rows, &view->before, from_view, SHOWN_ROWS);
    size_t n_expected = subtract(expected, &view->before, from_query, SHOWN_ROWS);
    size_t n_gone = subtract(&view->before, rows, gone, SHOWN_ROWS);

    for (size_t i = 0; i < SHOWN_ROWS; i++) {
        if (i < n_came)
            print_row("view", from_view[i]->shown);
        if (i < n_expected)
            print_row("query", from_query[i]->shown);
    }
    if (n_came == 0 && n_gone > 0)
        print_row("gone", gone[0]->shown);
    if (view->before.n > 0 && n_came + n_gone > SHOWN_ROWS)
        printf(
            "      %s rows came, %s went\n", grouped((double)n_came), grouped((double)n_gone));
}

static void check_view(struct view *view)
{
    char *query = need(sqlite3_mprintf("%s_query", view->name));
    struct rows rows = read_all(view->name);
    struct rows expected = read_all(query);
    bool equal = are_equal(&rows, &expected);

    printf("   %-11s %6s rows   view %9s us   query %9s us   equal: %s\n", view->name,
        grouped((double)rows.n), grouped(rows.microseconds), grouped(expected.microseconds),
        equal ? "yes" : "NO");
    print_changes(view, &rows, &expected);
    n_compared++;
    n_different += !equal;
    clear_rows(&view->before);
    view->before = rows;
    clear_rows(&expected);
    sqlite3_free(query);
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < n_views; i++) {
        if (strcmp(views[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Learns of the views that are new. */
static void find_views(void)
{
    sqlite3_stmt *statement;
    int rc = sqlite3_prepare_v2(db, "SELECT name FROM lockstep_views", -1, &statement, NULL);

    if (rc != SQLITE_OK)
        die("lockstep_views", sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW && n_views < MAX_VIEWS) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (!is_known(name))
            views[n_views++].name = need(sqlite3_mprintf("%s", name));
    }
    sqlite3_finalize(statement);
}

/* Prints a statement as it stands in the script, without the blank lines around it. */
static void print_statement(const char *text, int len)
{
    while (len > 0 && (*text == '\n' || *text == ' '))
        text++, len--;
    printf("   ");
    for (int i = 0; i < len; i++) {
        putchar(text[i]);
        if (text[i] == '\n')
            printf("   ");
    }
    printf("\n");
}

/* Runs one statement; gives where the next begins. */
static const char *run_statement(const char *text, bool may_fail)
{
    sqlite3_stmt *statement;
    const char *rest;
    double start = now();
    int rc = sqlite3_prepare_v2(db, text, -1, &statement, &rest);

    if (rc == SQLITE_OK && statement == NULL)
        return rest;
    print_statement(text, (int)(rest - text));
    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(statement)) == SQLITE_ROW)
            ;
    sqlite3_finalize(statement);
    if (rc != SQLITE_DONE && rc != SQLITE_OK && !may_fail)
        die(text, sqlite3_errmsg(db));
    if (rc != SQLITE_DONE && rc != SQLITE_OK)
        printf("   -> Error: %s\n", sqlite3_errmsg(db));
    else
        printf("   -> %s us\n", grouped(now() - start));
    return rest;
}

/* A part: title is the rest of its first line. */
static void run_part(char *part)
{
    char *end = strchr(part, '\n');
    const char *text = end + 1;
    bool may_fail;

    *end = '\0';
    may_fail = strstr(part, "fails") != NULL;
    printf("\n== %s\n\n", part);
    while (*text != '\0')
        text = run_statement(text, may_fail);
    find_views();
    printf("\n");
    for (size_t i = 0; i < n_views; i++)
        check_view(&views[i]);
    fflush(stdout);
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    size_t n = 0, cap = 1 << 16;
    char *text = need(malloc(cap));

    if (file == NULL)
        die(name, "can't be read");
    n = fread(text, 1, cap - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    char *script, *part, *next, *error = NULL;

    if (argc != 4)
        die("usage", "demo DATABASE EXTENSION SCRIPT");
    if (sqlite3_open(argv[1], &db) != SQLITE_OK)
        die(argv[1], sqlite3_errmsg(db));
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(db, argv[2], NULL, &error) != SQLITE_OK)
        die(argv[2], error);
    if (sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, &error) != SQLITE_OK)
        die("foreign_keys", error);
    script = read_file(argv[3]);
    for (part = strncmp(script, "-- ", 3) == 0 ? script + 3 : NULL; part != NULL; part = next) {
        next = strstr(part, "\n-- ");
        if (next != NULL) {
            next[1] = '\0';
            next += 4;
        }
        run_part(part);
    }
    printf("\n%zu comparisons of a view with its query: %zu equal, %zu different.\n",
        n_compared, n_compared - n_different, n_different);
    for (size_t i = 0; i < n_views; i++) {
        clear_rows(&views[i].before);
        sqlite3_free(views[i].name);
    }
    free(script);
    sqlite3_close(db);
    return n_different > 0;
}
