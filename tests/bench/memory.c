/* Memory and time of large transactions: for each class of views every row of a table is
** inserted, updated, replaced and deleted in one transaction, which is read from before it
** ends, rolled back and rolled back to a savepoint; and the view is made anew and checked.
**
**   memory [--rows N] [--class NAME] [--maintain read|commit] [--bytes N]
**
** prints for each step its CPU time, without views and with one, and the most that SQLite and
** Lockstep had allocated, less what was allocated before; the page cache, of 2 MB, counts with
** it. --bytes makes the bounds of bounds.h smaller. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int sqlite3_lockstep_init(sqlite3 *, char **, const void *);

static const struct class
{
    const char *name;
    const char *text;
} classes[] = {
    {"few groups", "SELECT g % 100 AS g, count(*) AS n, sum(x) AS s FROM t GROUP BY 1"},
    {"many groups", "SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g"},
    {"filter", "SELECT id, x FROM t WHERE x % 2 = 0"},
    {"join", "SELECT t.id, t.x, d.name FROM t JOIN d ON d.id = t.h"},
    {"join of groups", "SELECT d.name, sum(t.x) AS s FROM t JOIN d ON d.id = t.h GROUP BY 1"},
    {"left join", "SELECT t.id, t.x, d.name FROM t LEFT JOIN d ON d.id = t.h"},
    {"distinct", "SELECT DISTINCT g, h FROM t"},
    {"min-max", "SELECT h, min(x) AS least, max(x) AS most FROM t GROUP BY h"},
    {"count-distinct", "SELECT h % 10 AS h, count(DISTINCT x) AS n FROM t GROUP BY 1"},
    {"top-n", "SELECT id, x FROM t ORDER BY x DESC, id LIMIT 10"},
    {"union", "SELECT g FROM t UNION SELECT id FROM d"},
    {"made", "SELECT t.id, q.s FROM t JOIN (SELECT h, sum(x) AS s FROM t GROUP BY h) AS q ON "
             "q.h = t.h"},
    {"group-concat", "SELECT g, group_concat(x) AS l FROM t GROUP BY g"},
};
enum { N_CLASSES = sizeof(classes) / sizeof(*classes) };

static sqlite3 *db;
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

static double cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The steps: SQL with %d for the number of rows. Those that read the view are left out
** without. */
static const struct step {
    const char *name;
    bool needs_view;
    const char *sql;
} steps[] = {
    {"create", true, NULL},
    {"insert", false,
        "BEGIN; WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT %d)"
        " INSERT INTO t SELECT i, i * 7919 %% 5000011, i %% 1000, i * 31 %% 1000003, 'row ' || "
        "i FROM r"},
    {"read", true, "SELECT count(*) FROM v"},
    {"commit", false, "COMMIT"},
    {"read", true, "SELECT count(*) FROM v"},
    {"update", false, "BEGIN; SAVEPOINT s; UPDATE t SET x = x + 1, h = h + 1"},
    {"read", true, "SELECT count(*) FROM v"},
    {"rollback to", false, "ROLLBACK TO s"},
    {"read", true, "SELECT count(*) FROM v"},
    {"rollback", false, "ROLLBACK"},
    {"read", true, "SELECT count(*) FROM v"},
    {"update", false, "BEGIN; UPDATE t SET x = x + 1, h = h + 1; COMMIT"},
    {"read", true, "SELECT count(*) FROM v"},
    {"replace", false, "BEGIN; REPLACE INTO t SELECT id, g, h, x + 1, s FROM t"},
    {"read", true, "SELECT count(*) FROM v"},
    {"commit", false, "COMMIT"},
    {"query", true, "SELECT count(*) FROM v_query"},
    {"rebuild", true, "INSERT INTO v(lockstep) VALUES('rebuild')"},
    {"check", true, "INSERT INTO v(lockstep) VALUES('integrity-check')"},
    {"delete", false, "BEGIN; DELETE FROM t WHERE id > 0; COMMIT"},
    {"read", true, "SELECT count(*) FROM v"},
    {"file", false, "SELECT 1"},
};
enum { N_STEPS = sizeof(steps) / sizeof(*steps) };

static double plain[N_STEPS];

static void open_base(void)
{
    unlink(path);
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK)
        die(path);
    run("PRAGMA synchronous = OFF; PRAGMA cache_size = -2000; PRAGMA temp_store = FILE;"
        "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, h INT, x INT, s TEXT);"
        "CREATE TABLE d(id INTEGER PRIMARY KEY, name TEXT);"
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 900)"
        "INSERT INTO d SELECT i, 'name ' || i %% 100 FROM r");
}

static void measure(const struct class *class, const char *maintain, long rows, size_t i)
{
    sqlite3_int64 before = sqlite3_memory_used();
    double begin = cpu();
    const struct step *step = &steps[i];

    (void)sqlite3_memory_highwater(1);
    if (step->sql == NULL)
        run("CREATE VIRTUAL TABLE v USING lockstep(maintain=%s, %s)", maintain, class->text);
    else
        run(step->sql, (int)rows);
    if (class == NULL) {
        plain[i] = cpu() - begin;
        return;
    }
    printf("%-15s %-12s %9ld %8.2f s", class->name, step->name, rows, cpu() - begin);
    if (step->needs_view)
        printf("          ");
    else
        printf(" %8.2f s", plain[i]);
    printf(" %8.1f MB\n", (double)(sqlite3_memory_highwater(0) - before) / 1e6);
    fflush(stdout);
}

static void course(
    const struct class *class, const char *maintain, long rows, long bytes, size_t from)
{
    open_base();
    if (bytes > 0)
        run("SELECT lockstep_build_bytes(%ld)", bytes);
    for (size_t i = from; i < N_STEPS; i++)
        if (class != NULL || !steps[i].needs_view)
            measure(class, maintain, rows, i);
    sqlite3_close(db);
    unlink(path);
}

int main(int n, char **words)
{
    long rows = 100000, bytes = 0;
    const char *only = NULL, *maintain = "read";

    for (int i = 1; i + 1 < n; i += 2) {
        if (strcmp(words[i], "--rows") == 0)
            rows = atol(words[i + 1]);
        else if (strcmp(words[i], "--bytes") == 0)
            bytes = atol(words[i + 1]);
        else if (strcmp(words[i], "--class") == 0)
            only = words[i + 1];
        else if (strcmp(words[i], "--maintain") == 0)
            maintain = words[i + 1];
    }
    snprintf(path, sizeof(path), "memory-%ld.db", (long)getpid());
    course(NULL, maintain, rows, bytes, 0);
    for (size_t i = 0; i < N_CLASSES; i++)
        if (only == NULL || strcmp(only, classes[i].name) == 0)
            course(&classes[i], maintain, rows, bytes, 0);
    return 0;
}
