/* The law of costs: at fixed sizes of groups and matches a small transaction and a read of what
** it touched cost no more than logarithmically more where tables are larger. A driver counts
** instructions at three sizes.
**
**   cost_law classes                  prints the classes of views
**   cost_law base FILE ROWS           makes the tables
**   cost_law create FILE CLASS        makes the view; prints what its query and creating it took, in
**                                     milliseconds of CPU
**   cost_law state FILE NEW           writes the view's state to a new file; prints what it took
**   cost_law change FILE CLASS TIMES  so many transactions, each followed by a read */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int sqlite3_lockstep_init(sqlite3 *, char **, const void *);

/* Ten rows of fact stand beside one of dim, by g, which has an index, and by h, which has none;
** other has something for every second of dim. */
static const struct class
{
    const char *name;
    const char *key; /* the column by which is read; NULL: all rows are, which are few */
    bool changes_dim;
    const char *text;
} classes[] = {{"filter", "id", false, "SELECT id, g, x FROM fact WHERE x < 500"},
    {"global", NULL, false, "SELECT count(*) AS n, sum(x) AS total FROM fact"},
    {"aggregate", "g", false,
        "SELECT g, count(*) AS n, sum(x) AS total, avg(x) AS mean FROM fact GROUP BY g"},
    {"min-max", "g", false, "SELECT g, min(x) AS least, max(t) AS most FROM fact GROUP BY g"},
    {"count-distinct", "g", false, "SELECT g, count(DISTINCT x) AS n FROM fact GROUP BY g"},
    {"having", "g", false, "SELECT g, sum(x) AS s FROM fact GROUP BY g HAVING sum(x) > 5000"},
    {"bare", "g", false, "SELECT g, max(x) AS most, t FROM fact GROUP BY g"},
    {"group-concat", "g", false, "SELECT g, group_concat(t) AS list FROM fact GROUP BY g"},
    {"distinct", "g", false, "SELECT DISTINCT g, x FROM fact"},
    {"join", "g", false, "SELECT f.id, f.g, f.x, d.name FROM fact f JOIN dim d ON d.id = f.g"},
    {"join-of-dim", "g", true,
        "SELECT f.id, f.g, f.x, d.name FROM fact f JOIN dim d ON d.id = f.g"},
    {"join-own-index", "g", true,
        "SELECT f.id, f.h AS g, f.x, d.name FROM fact f JOIN dim d ON d.id = f.h"},
    {"left-join", "g", false,
        "SELECT d.id AS g, d.name, count(f.id) AS n, sum(f.x) AS total FROM dim d LEFT JOIN "
        "fact f ON f.g = d.id GROUP BY d.id, d.name"},
    {"left-join-of-dim", "g", true,
        "SELECT d.id AS g, d.name, count(f.id) AS n, sum(f.x) AS total FROM dim d LEFT JOIN "
        "fact f ON f.g = d.id GROUP BY d.id, d.name"},
    {"right-join", "g", false,
        "SELECT d.id AS g, d.name, f.x FROM fact f RIGHT JOIN dim d ON f.g = d.id"},
    {"right-join-of-dim", "g", true,
        "SELECT d.id AS g, d.name, f.x FROM fact f RIGHT JOIN dim d ON f.g = d.id"},
    {"full-join", "g", false,
        "SELECT g, count(*) AS n, sum(f.x) AS x, max(o.x) AS y FROM fact f FULL JOIN other o "
        "USING (g) GROUP BY g"},
    {"full-join-of-three", "g", false,
        "SELECT coalesce(f.g, o.g, d.id) AS g, f.x, o.x AS y, d.name FROM fact f FULL JOIN "
        "other o ON o.g = f.g FULL JOIN dim d ON d.id = coalesce(f.g, o.g)"},
    {"full-join-of-dim", "g", true,
        "SELECT coalesce(f.g, o.g, d.id) AS g, f.x, o.x AS y, d.name FROM fact f FULL JOIN "
        "other o ON o.g = f.g FULL JOIN dim d ON d.id = coalesce(f.g, o.g)"},
    {"left-join-chain", "g", true,
        "SELECT f.id, f.g, o.x AS y, d.name FROM fact f LEFT JOIN other o ON o.g = f.g LEFT "
        "JOIN dim d ON d.id = o.id"},
    {"exists", "g", false,
        "SELECT d.id AS g, d.name FROM dim d WHERE EXISTS (SELECT 1 FROM fact f WHERE f.g = "
        "d.id AND f.x < 100)"},
    {"not-exists", "g", false,
        "SELECT d.id AS g, d.name FROM dim d WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.g "
        "= d.id AND f.x < 100)"},
    {"in", "g", false,
        "SELECT d.id AS g, d.name FROM dim d WHERE d.id IN (SELECT g FROM fact WHERE x < 100)"},
    {"not-in", "g", false,
        "SELECT d.id AS g, d.name FROM dim d WHERE d.id NOT IN (SELECT g FROM fact WHERE x < "
        "100)"},
    {"scalar", "g", false,
        "SELECT d.id AS g, (SELECT count(*) FROM fact f WHERE f.g = d.id) AS n FROM dim d"},
    {"scalar-max", NULL, false,
        "SELECT id, g, x FROM fact WHERE x = (SELECT max(x) FROM fact)"},
    {"above-average", "g", false,
        "SELECT id, g, x FROM fact WHERE x > (SELECT avg(x) FROM fact)"},
    {"as-of", "g", false,
        "SELECT f.id, f.g, (SELECT p.t FROM fact p WHERE p.g = f.g AND p.x < f.x ORDER BY p.x "
        "DESC, p.id LIMIT 1) AS before FROM fact f"},
    {"rank", "g", false,
        "SELECT f.id, f.g, (SELECT count(*) FROM fact p WHERE p.g = f.g AND p.x > f.x) AS "
        "above "
        "FROM fact f"},
    {"latest-join", "g", false,
        "SELECT d.id AS g, d.name, f.x FROM dim d JOIN fact f ON f.id = (SELECT l.id FROM fact "
        "l WHERE l.g = d.id ORDER BY l.x DESC, l.id LIMIT 1)"},
    {"latest-left-join", "g", false,
        "SELECT d.id AS g, d.name, f.x FROM dim d LEFT JOIN fact f ON f.id = (SELECT l.id FROM "
        "fact l WHERE l.g = d.id ORDER BY l.x DESC, l.id LIMIT 1)"},
    {"division", "g", false,
        "SELECT d.id AS g, d.name FROM dim d WHERE NOT EXISTS (SELECT 1 FROM (SELECT 0 AS r "
        "UNION ALL SELECT 1) p WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.g = d.id AND f.x "
        "% 3 = p.r))"},
    {"union-all", "g", false, "SELECT g, x FROM fact UNION ALL SELECT g, x FROM other"},
    {"union", "g", false, "SELECT g, x FROM fact UNION SELECT g, x FROM other"},
    {"intersect", "g", false, "SELECT g FROM fact INTERSECT SELECT g FROM other"},
    {"except", "g", false, "SELECT id AS g FROM dim EXCEPT SELECT g FROM fact WHERE x < 100"},
    {"top-n", NULL, false, "SELECT id, x FROM fact ORDER BY x DESC, id LIMIT 10"},
    {NULL, NULL, false, NULL}};

static sqlite3 *db;

static void die(const char *what)
{
    fprintf(stderr, "cost_law: %s: %s\n", what, sqlite3_errmsg(db));
    exit(1);
}

static void run(const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        die(sql);
}

static sqlite3_stmt *prepared(const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        die(sql);
    return statement;
}

/* Runs a statement to its end; the first column of the last row. */
static long step_all(sqlite3_stmt *statement)
{
    long value = 0;
    while (sqlite3_step(statement) == SQLITE_ROW)
        value = (long)sqlite3_column_int64(statement, 0);
    if (sqlite3_reset(statement) != SQLITE_OK)
        die(sqlite3_sql(statement));
    return value;
}

static long number(const char *sql)
{
    sqlite3_stmt *statement = prepared(sql);
    long value = step_all(statement);
    sqlite3_finalize(statement);
    return value;
}

static void open_file(const char *path)
{
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK)
        die(path);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA mmap_size = 2000000000; "
        "PRAGMA cache_size = -500000");
}

static void make_base(const char *rows)
{
    sqlite3_stmt *fill;

    run("BEGIN; CREATE TABLE fact(id INTEGER PRIMARY KEY, g INT, x INT, t TEXT, h INT);"
        "CREATE TABLE dim(id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE other(id INTEGER PRIMARY KEY, g INT, x INT);");
    fill = prepared("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < "
                    "?1) INSERT INTO fact SELECT i, i * 7919 % (?1 / 10) + 1, i * 31 % 1000, "
                    "'text ' || (i % 77), NULL FROM c");
    sqlite3_bind_text(fill, 1, rows, -1, SQLITE_STATIC);
    sqlite3_bind_int64(fill, 1, atol(rows));
    step_all(fill);
    sqlite3_finalize(fill);
    run("UPDATE fact SET h = g");
    run("INSERT INTO dim SELECT DISTINCT g, 'name ' || g FROM fact;"
        "INSERT INTO other SELECT id, id, id * 17 % 1000 FROM dim WHERE id % 2 = 0;"
        "CREATE INDEX fact_g ON fact(g); CREATE INDEX other_g ON other(g); COMMIT; ANALYZE;");
}

static const struct class *find(const char *name)
{
    const struct class *class = classes;
    while (class->name != NULL && strcmp(class->name, name) != 0)
        class ++;
    if (class->name == NULL)
        die("no such class");
    return class;
}

static double milliseconds(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

/* Its plain query, as a program that steps through it. */
static void run_query(const struct class *class)
{
    sqlite3_stmt *query = prepared(class->text);
    step_all(query);
    sqlite3_finalize(query);
}

static bool create_view(const struct class *class)
{
    char *sql = class->key == NULL
                    ? sqlite3_mprintf("CREATE VIRTUAL TABLE v USING lockstep(%s)", class->text)
                    : sqlite3_mprintf("CREATE VIRTUAL TABLE v USING lockstep(index=(%s), %s)",
                          class->key, class->text);
    bool is_made = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    return is_made;
}

/* Runs what the rows of a statement say, one text a row. */
static void run_each(const char *texts)
{
    sqlite3_stmt *statement = prepared(texts);
    char *all = sqlite3_mprintf("");

    while (sqlite3_step(statement) == SQLITE_ROW)
        all = sqlite3_mprintf("%z%s;", all, sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    run(all);
    sqlite3_free(all);
}

/* Writing the state: the tables of the view with rows, as sqlite_schema tells them, filled from
** the finished ones in the order of their keys, and then their indexes made as CREATE makes
** them, in one transaction. Counted besides the rows' way into the trees is only that they are
** read from such a tree; that they have to be found out, hashed and sorted is not. */
static void write_state(void)
{
    run("BEGIN");
    run_each("SELECT sql FROM made.sqlite_schema WHERE name IN ('v_data', 'v_trace')");
    run("INSERT INTO main.v_data SELECT * FROM made.v_data ORDER BY lockstep_row;"
        "INSERT INTO main.v_trace SELECT * FROM made.v_trace ORDER BY k");
    run_each("SELECT sql FROM made.sqlite_schema WHERE type = 'index' AND tbl_name = 'v_data'");
    run("COMMIT");
}

/* Indexes of base tables that CREATE made are part of the state. */
static void write_base_indexes(void)
{
    run_each("SELECT sql FROM scratch.dropped");
}

/* 2 where the view is refused. */
static int create(const struct class *class)
{
    double begin = milliseconds(), after_query;

    run_query(class);
    after_query = milliseconds();
    if (!create_view(class)) {
        printf("refused\n");
        return 2;
    }
    printf("%.0f %.0f\n", after_query - begin, milliseconds() - after_query);
    return 0;
}

/* In a process of its own, where memory and files are as new as for CREATE. */
static void write_again(const char *path, const char *state)
{
    char *attach = sqlite3_mprintf("ATTACH %Q AS made", path);
    double indexes, writing;

    run("ATTACH ':memory:' AS scratch; CREATE TABLE scratch.dropped AS SELECT name, sql FROM "
        "main.sqlite_schema WHERE type = 'index' AND name LIKE 'lockstep\\_index\\_%' ESCAPE "
        "'\\'");
    run_each("SELECT 'DROP INDEX ' || name FROM scratch.dropped");
    indexes = milliseconds();
    write_base_indexes();
    indexes = milliseconds() - indexes;
    sqlite3_close(db);
    open_file(state);
    run(attach);
    writing = milliseconds();
    write_state();
    printf("%.0f\n", indexes + milliseconds() - writing);
    sqlite3_free(attach);
}

/* A row gets another number, moves to another group, or is replaced. */
static void change(const struct class *class, sqlite3_stmt *const statements[4], long i, long n)
{
    long id = i * 104729 % n + 1, dim = i * 7919 % (n / 10) + 1;
    sqlite3_stmt *statement = statements[class->changes_dim ? 3 : i % 3];

    sqlite3_bind_int64(statement, 1, class->changes_dim ? dim : id);
    sqlite3_bind_int64(statement, 2, i % 3 == 1 ? dim : i % 5 == 0 ? 2000 + i : i * 37 % 1000);
    step_all(statement);
}

static void change_often(const struct class *class, long times)
{
    long n = number("SELECT count(*) FROM fact");
    char *sql = sqlite3_mprintf(
        class->key == NULL ? "SELECT * FROM v" : "SELECT * FROM v WHERE %s = ?", class->key);
    sqlite3_stmt *read = prepared(sql);
    sqlite3_stmt *const statements[4] = {prepared("UPDATE fact SET x = ?2 WHERE id = ?1"),
        prepared("UPDATE fact SET g = ?2 WHERE id = ?1"),
        prepared(
            "INSERT OR REPLACE INTO fact SELECT id, g, ?2, 'new', h FROM fact WHERE id = ?1"),
        prepared("UPDATE dim SET name = 'name ' || ?2 WHERE id = ?1")};
    sqlite3_stmt *group = prepared("SELECT g FROM fact WHERE id = ?");

    for (long i = 1; i <= times; i++) {
        run("BEGIN");
        change(class, statements, i, n);
        run("COMMIT");
        sqlite3_bind_int64(group, 1, i * 104729 % n + 1);
        long key = class->changes_dim ? i * 7919 % (n / 10) + 1 : step_all(group);
        if (class->key != NULL)
            sqlite3_bind_int64(
                read, 1, strcmp(class->key, "id") == 0 ? i * 104729 % n + 1 : key);
        step_all(read);
    }
    for (int i = 0; i < 4; i++)
        sqlite3_finalize(statements[i]);
    sqlite3_finalize(group);
    sqlite3_finalize(read);
    sqlite3_free(sql);
}

int main(int n, char **words)
{
    int status = 0;

    if (n == 2 && strcmp(words[1], "classes") == 0) {
        for (const struct class *class = classes; class->name != NULL; class ++)
            printf("%s\n", class->name);
        return 0;
    }
    if (n < 4)
        return 2;
    open_file(words[2]);
    if (strcmp(words[1], "base") == 0)
        make_base(words[3]);
    else if (strcmp(words[1], "create") == 0)
        status = create(find(words[3]));
    else if (strcmp(words[1], "state") == 0)
        write_again(words[2], words[3]);
    else if (n == 5)
        change_often(find(words[3]), atol(words[4]));
    sqlite3_close(db);
    return status;
}
