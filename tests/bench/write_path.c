/* The write path, four ways: no view, no view and one index more, such as Lockstep makes where
** a join lacks it, hand-written triggers, Lockstep. Runs transactions of 1,000 changes over 100
** groups, each followed by one read of the view, as often as it is told; a driver counts
** instructions at two sizes, so that start-up drops out.
**
**   write_path plain|indexed|triggers|lockstep insert|update|delete TRANSACTIONS
** [ROWS_A_TRANSACTION] */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sqlite3_lockstep_init(sqlite3 *, char **, const struct sqlite3_api_routines *);

/* Right for INSERT, UPDATE and DELETE; wrong under REPLACE, as such triggers are. */
static const char trigger_schema[] =
    "CREATE TABLE totals(region TEXT PRIMARY KEY, n INTEGER, total) WITHOUT ROWID;"
    "CREATE TRIGGER ti AFTER INSERT ON sales BEGIN"
    "  INSERT INTO totals VALUES(new.region, 1, new.amount)"
    "    ON CONFLICT(region) DO UPDATE SET n = n + 1, total = total + new.amount; END;"
    "CREATE TRIGGER td AFTER DELETE ON sales BEGIN"
    "  UPDATE totals SET n = n - 1, total = total - old.amount WHERE region = old.region;"
    "  DELETE FROM totals WHERE region = old.region AND n = 0; END;"
    "CREATE TRIGGER tu AFTER UPDATE ON sales BEGIN"
    "  UPDATE totals SET n = n - 1, total = total - old.amount WHERE region = old.region;"
    "  INSERT INTO totals VALUES(new.region, 1, new.amount)"
    "    ON CONFLICT(region) DO UPDATE SET n = n + 1, total = total + new.amount;"
    "  DELETE FROM totals WHERE region = old.region AND n = 0; END;";

static sqlite3 *db;

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
    exit(1);
}

static void run(const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        die(sql);
}

static void set_up(const char *mode)
{
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
        "CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, amount INT, note TEXT);");
    if (strcmp(mode, "triggers") == 0) {
        run(trigger_schema);
    } else if (strcmp(mode, "lockstep") == 0) {
        if (sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK)
            die("lockstep");
        run("CREATE VIRTUAL TABLE totals USING lockstep("
            "SELECT region, count(*) AS n, sum(amount) AS total FROM sales GROUP BY region)");
    } else {
        run("CREATE VIEW totals AS SELECT region, 0 AS n, 0 AS total FROM sales LIMIT 0");
        if (strcmp(mode, "indexed") == 0)
            run("CREATE INDEX lockstep_index_1 ON sales(region)");
    }
}

static void change(sqlite3_stmt *statement, const char *kind, int i)
{
    char region[16];

    snprintf(region, sizeof(region), "region%d", i * 7 % 100);
    if (strcmp(kind, "insert") == 0) {
        sqlite3_bind_text(statement, 1, region, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int(statement, 2, i % 1000);
    } else {
        sqlite3_bind_int(statement, 1, i + 1);
        if (strcmp(kind, "update") == 0)
            sqlite3_bind_int(statement, 2, i % 777);
    }
    if (sqlite3_step(statement) != SQLITE_DONE)
        die(kind);
    sqlite3_reset(statement);
}

static void read_view(sqlite3_stmt *statement)
{
    while (sqlite3_step(statement) == SQLITE_ROW)
        ;
    if (sqlite3_reset(statement) != SQLITE_OK)
        die("read");
}

int main(int argc, char **argv)
{
    static const char *const texts[] = {"INSERT INTO sales(region, amount) VALUES(?1, ?2)",
        "UPDATE sales SET amount = ?2 WHERE id = ?1", "DELETE FROM sales WHERE id = ?1"};
    const char *mode, *kind;
    int n, rows, i = 0;
    sqlite3_stmt *write, *read;

    if (argc < 4)
        return 2;
    mode = argv[1];
    kind = argv[2];
    n = atoi(argv[3]);
    rows = argc > 4 ? atoi(argv[4]) : 1000;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        die("open");
    set_up(mode);
    if (strcmp(kind, "insert") != 0)
        run("INSERT INTO sales(region, amount) SELECT 'region' || (value * 7 % 100), value % "
            "1000"
            "  FROM (WITH RECURSIVE c(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM c"
            "  WHERE value < 11999) SELECT value FROM c)");
    if (sqlite3_prepare_v2(db,
            texts[kind[0] == 'i'   ? 0
                  : kind[0] == 'u' ? 1
                                   : 2],
            -1, &write, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT * FROM totals", -1, &read, NULL) != SQLITE_OK)
        die("prepare");
    read_view(read);
    for (int t = 0; t < n; t++) {
        run("BEGIN");
        for (int r = 0; r < rows; r++)
            change(write, kind, i++);
        run("COMMIT");
        read_view(read);
    }
    sqlite3_finalize(write);
    sqlite3_finalize(read);
    sqlite3_close(db);
    return 0;
}
