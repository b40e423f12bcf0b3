/* Memory and time of large transactions: for each class of views every row of a table is
** inserted, updated, replaced and deleted in one transaction, which is read from before it
** ends and in the middle of its statements, rolled back and rolled back to a savepoint.
**
**   memory [--rows N] [--class NAME] [--maintain read|commit] [--journal MODE] [--bytes N]
**
** prints for each step the most that SQLite and Lockstep had allocated, how much the pages of the
** file were of it before or after the step, and the CPU time; beside them what the same steps take by
** hand: upon a file with the same triggers and logs, without the extension, where a read empties
** the logs and makes a table of the query. There it shows what SQLite itself needs for a row: 24
** bytes for a DELETE and, in WAL mode, all the pages that a ROLLBACK TO restores.
**
** Fails where a step takes more than by hand and a view's bounds (ext/budget.h), pages not
** counted that do not fit into the cache, or where a view is not its query. --bytes makes the
** bounds smaller. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ext/budget.h"
#include "tests/bench/memory_cases.h"

int sqlite3_lockstep_init(sqlite3 *, char **, const void *);

/* What a view may take beyond its bound: what it remembers of its tables (ext/layer.c), a cache
** of 2 MB for a temporary table, statements. */
enum { BESIDES = 8 << 20, N_SLICES = 5 };

struct measured {
    double seconds;
    sqlite3_int64 bytes;
    sqlite3_int64 pages; /* bytes of them, when it began or ended */
};

static struct {
    long rows, bytes;
    const char *class, *maintain, *journal;
} asked = {100000, 0, NULL, "read", "delete"};

static sqlite3 *db;
static sqlite3_stmt *walking;
static bool is_by_hand;
static char path[64];

static void die(const char *what)
{
    fprintf(stderr, "memory: %s: %s\n", what, sqlite3_errmsg(db));
    exit(1);
}

static void run(const char *format, ...)
{
    va_list arguments;
    char *sql;

    va_start(arguments, format);
    sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        die(sql);
    sqlite3_free(sql);
}

/* SQLite's printf knows no numbered arguments. */
static void run_numbers(const char *format, long first, long last)
{
    char sql[512];

    snprintf(sql, sizeof(sql), format, (int)asked.rows, (int)first, (int)last);
    run("%s", sql);
}

static void open_file(bool has_lockstep)
{
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        (has_lockstep && sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK))
        die(path);
    run("PRAGMA synchronous = OFF; PRAGMA cache_size = -2000; PRAGMA temp_store = FILE");
    if (has_lockstep && asked.bytes > 0)
        run("SELECT lockstep_build_bytes(%ld), lockstep_step_bytes(%ld)", asked.bytes,
            asked.bytes);
}

/* By hand, what CREATE has made of triggers and logs stays, and the query as a view. */
static void set_up(const struct class *class)
{
    const char *maintain = is_by_hand ? "read" : asked.maintain;

    open_file(true);
    run("PRAGMA journal_mode = %s;"
        "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, h INT, x INT, s TEXT);"
        "CREATE TABLE d(id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE o(n);"
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 900)"
        "INSERT INTO d SELECT i, 'name ' || i %% 100 FROM r",
        asked.journal);
    if (class->base != NULL && is_by_hand)
        run("CREATE VIEW w AS %s", class->base);
    else if (class->base != NULL)
        run("CREATE VIRTUAL TABLE w USING lockstep(maintain=%s, %s)", maintain, class->base);
    run("CREATE VIRTUAL TABLE v USING lockstep(maintain=%s, %s)", maintain, class->text);
    if (!is_by_hand)
        return;
    run("CREATE TABLE by_hand AS SELECT * FROM v_query");
    sqlite3_close(db);
    open_file(false);
}

static void read_by_hand(void)
{
    static const char *const logs[] = {"lockstep_log_1", "lockstep_log_2"};

    for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++)
        if (sqlite3_table_column_metadata(
                db, NULL, logs[i], NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK)
            run("DELETE FROM %s", logs[i]);
    run("DELETE FROM by_hand; INSERT INTO by_hand SELECT * FROM v_query");
}

static void read_view(const struct class *class)
{
    if (is_by_hand)
        read_by_hand();
    else
        run("SELECT count(*) FROM v%s", class->base == NULL ? "" : "; SELECT count(*) FROM w");
}

static void run_slices(const struct class *class, const char *sql)
{
    run("BEGIN");
    for (long i = 0; i < N_SLICES; i++) {
        run("SAVEPOINT slice_%ld", i);
        run_numbers(sql, i * asked.rows / N_SLICES + 1, (i + 1) * asked.rows / N_SLICES);
        read_view(class);
    }
}

/* Of a text the letters count and not their order, which group_concat may choose. */
static sqlite3_uint64 checksum_of(sqlite3_stmt *statement, int column)
{
    const unsigned char *text;
    sqlite3_uint64 sum = 0;

    if (sqlite3_column_type(statement, column) != SQLITE_TEXT)
        return (sqlite3_uint64)sqlite3_column_int64(statement, column) +
               (sqlite3_uint64)sqlite3_column_type(statement, column);
    text = sqlite3_column_text(statement, column);
    for (int i = 0; i < sqlite3_column_bytes(statement, column); i++)
        sum += (sqlite3_uint64)text[i] * text[i] * text[i];
    return sum;
}

static sqlite3_uint64 checksum_of_rows(const char *sql)
{
    sqlite3_uint64 sum = 0;
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        die(sql);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        sqlite3_uint64 row = 1;

        for (int i = 0; i < sqlite3_column_count(statement); i++)
            row = (row + checksum_of(statement, i)) * 0x9e3779b97f4a7c15U ^ row >> 29;
        sum += row * row;
    }
    if (sqlite3_finalize(statement) != SQLITE_OK)
        die(sql);
    return sum;
}

static bool compare(void)
{
    return checksum_of_rows("SELECT * FROM v") == checksum_of_rows("SELECT * FROM v_query");
}

static void open_walk(void)
{
    if (sqlite3_prepare_v2(db, "SELECT * FROM v", -1, &walking, NULL) != SQLITE_OK)
        die("open");
    (void)sqlite3_step(walking);
}

static void end_walk(void)
{
    while (sqlite3_step(walking) == SQLITE_ROW)
        continue;
    if (sqlite3_finalize(walking) != SQLITE_OK)
        die("walk");
}

static bool take_step(const struct class *class, const struct step *step)
{
    switch (step->action) {
    case RUN:
        run_numbers(step->sql, 0, 0);
        break;
    case SLICES:
        run_slices(class, step->sql);
        break;
    case READ:
        read_view(class);
        break;
    case WITHIN:
    case OF_VIEW:
        run("%s", step->sql);
        break;
    case OPEN:
        open_walk();
        break;
    case WALK:
        end_walk();
        break;
    case COMPARE:
        return compare();
    }
    return true;
}

static double cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_done_by_hand(const struct step *step)
{
    return step->action == RUN || step->action == SLICES || step->action == READ;
}

static sqlite3_int64 pages_now(void)
{
    int now = 0, most = 0;

    (void)sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0);
    return now;
}

static sqlite3_int64 greater(sqlite3_int64 a, sqlite3_int64 b)
{
    return a > b ? a : b;
}

static sqlite3_int64 besides_pages(const struct measured *measured)
{
    return measured->bytes - measured->pages;
}

static bool is_flat(
    const struct class *class, const struct measured *taken, const struct measured *by_hand)
{
    size_t bytes = (asked.bytes > 0 ? (size_t)asked.bytes : LS_STEP_BYTES) + BESIDES;
    int n_views = class->base == NULL ? 1 : 2;

    return besides_pages(taken) <= besides_pages(by_hand) + n_views * (sqlite3_int64)bytes;
}

/* Prints what a step took, and beside it what it took by hand. */
static bool report(const struct class *class, const struct step *step,
    const struct measured *taken, const struct measured *by_hand, bool is_same)
{
    bool is_good = is_same && is_flat(class, taken, by_hand);

    printf("%-15s %-15s %8ld %7.1f MB %7.1f MB", class->name, step->name, asked.rows,
        (double)taken->bytes / 1e6, (double)taken->pages / 1e6);
    if (is_done_by_hand(step))
        printf(" %7.1f MB %7.1f MB %7.2f s %7.2f s", (double)by_hand->bytes / 1e6,
            (double)by_hand->pages / 1e6, taken->seconds, by_hand->seconds);
    else
        printf(" %10s %10s %7.2f s %9s", "", "", taken->seconds, "");
    printf("%s\n", is_good ? "" : is_same ? " TOO MUCH" : " OTHER ROWS");
    fflush(stdout);
    return is_good;
}

/* What is allocated later than its beginning counts. */
static bool course(const struct class *class, struct measured *by_hand)
{
    bool is_good = true;
    sqlite3_int64 before, pages;

    unlink(path);
    set_up(class);
    before = sqlite3_memory_used();
    for (size_t i = 0; i < N_STEPS; i++) {
        struct measured taken;
        double begin = cpu();
        bool is_same;

        if (is_by_hand && !is_done_by_hand(&steps[i]))
            continue;
        (void)sqlite3_memory_highwater(1);
        pages = pages_now();
        is_same = take_step(class, &steps[i]);
        taken = (struct measured){
            cpu() - begin, sqlite3_memory_highwater(0) - before, greater(pages, pages_now())};
        if (is_by_hand)
            by_hand[i] = taken;
        else if (!report(class, &steps[i], &taken, &by_hand[i], is_same))
            is_good = false;
    }
    sqlite3_close(db);
    unlink(path);
    return is_good;
}

static bool courses(const struct class *class)
{
    static struct measured by_hand[N_STEPS];

    is_by_hand = true;
    (void)course(class, by_hand);
    is_by_hand = false;
    return course(class, by_hand);
}

/* In a process of its own, whose memory is told. */
static bool class_is_good(const struct class *class)
{
    struct rusage usage;
    int status = 1;
    pid_t child = fork();

    if (child == 0)
        _exit(courses(class) ? 0 : 1);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        die("fork");
    printf("%-15s %-15s %8ld %7.1f MB\n", class->name, "resident", asked.rows,
        (double)usage.ru_maxrss / 1e3);
    fflush(stdout); /* or the next child prints it, too */
    return status == 0;
}

static void read_words(int n, char **words)
{
    for (int i = 1; i + 1 < n; i += 2) {
        if (strcmp(words[i], "--rows") == 0)
            asked.rows = atol(words[i + 1]);
        else if (strcmp(words[i], "--bytes") == 0)
            asked.bytes = atol(words[i + 1]);
        else if (strcmp(words[i], "--class") == 0)
            asked.class = words[i + 1];
        else if (strcmp(words[i], "--maintain") == 0)
            asked.maintain = words[i + 1];
        else if (strcmp(words[i], "--journal") == 0)
            asked.journal = words[i + 1];
    }
}

int main(int n, char **words)
{
    bool is_good = true;

    read_words(n, words);
    snprintf(path, sizeof(path), "memory-%ld.db", (long)getpid());
    printf("%-15s %-15s %8s %10s %10s %10s %10s %9s %9s\n", "class", "step", "rows", "most",
        "pages", "by hand", "pages", "time", "by hand");
    fflush(stdout);
    for (size_t i = 0; i < N_CLASSES; i++)
        if (asked.class == NULL || strcmp(asked.class, classes[i].name) == 0)
            is_good = class_is_good(&classes[i]) && is_good;
    return is_good ? 0 : 1;
}
