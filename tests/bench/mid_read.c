/* Reads of a view in the middle of a statement, against the same statements over a table that
** hand-written triggers keep. Runs a statement that changes, or looks at, so many rows and reads
** the view for each; a driver counts instructions at two sizes, so that start-up and what a
** statement costs by itself drop out.
**
**   mid_read triggers|lockstep STATEMENT ROWS
**   mid_read list */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sqlite3_lockstep_init(sqlite3 *, char **, const struct sqlite3_api_routines *);

enum { TABLE_ROWS = 12000 };

/* Both are kept by groups of region, and by id. Right for what the statements do. */
static const char trigger_schema[] =
    "CREATE TABLE totals(region TEXT PRIMARY KEY, n INTEGER, total) WITHOUT ROWID;"
    "INSERT INTO totals SELECT region, count(*), sum(amount) FROM sales GROUP BY region;"
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

static const char trigger_by_id[] =
    "CREATE TABLE large(id INTEGER PRIMARY KEY, amount);"
    "INSERT INTO large SELECT id, amount FROM sales WHERE amount >= 100;"
    "CREATE TRIGGER li AFTER INSERT ON sales WHEN new.amount >= 100 BEGIN"
    "  INSERT INTO large VALUES(new.id, new.amount); END;"
    "CREATE TRIGGER ld AFTER DELETE ON sales BEGIN DELETE FROM large WHERE id = old.id; END;"
    "CREATE TRIGGER lu AFTER UPDATE ON sales BEGIN"
    "  DELETE FROM large WHERE id = old.id;"
    "  INSERT INTO large SELECT new.id, new.amount WHERE new.amount >= 100; END;";

static const char view_schema[] =
    "CREATE VIRTUAL TABLE totals USING lockstep("
    "SELECT region, count(*) AS n, sum(amount) AS total FROM sales GROUP BY region);";

static const char view_by_id[] = "CREATE VIRTUAL TABLE large USING lockstep(index=(id),"
                                 "SELECT id, amount FROM sales WHERE amount >= 100);";

struct statement {
    const char *name;
    bool is_by_id; /* reads large, not totals */
    const char *set_up;
    const char *text; /* of so many rows as ?1 says */
};

static const struct statement statements[] = {
    {"another-table", false, "",
        "UPDATE plans SET aim = (SELECT total FROM totals WHERE totals.region = plans.region)"
        " WHERE id <= ?1"},
    {"own-table", false, "",
        "UPDATE sales SET amount = (SELECT total % 1000 FROM totals"
        " WHERE totals.region = sales.region) WHERE id <= ?1"},
    {"trigger", false,
        "CREATE TRIGGER noted AFTER INSERT ON sales BEGIN"
        "  INSERT INTO history SELECT new.id, total FROM totals WHERE region = new.region; "
        "END;",
        "INSERT INTO sales(region, amount) SELECT region, aim FROM plans WHERE id <= ?1"},
    {"insert-select", false, "",
        "INSERT INTO history SELECT plans.id, total FROM plans CROSS JOIN totals"
        " ON totals.region = plans.region WHERE plans.id <= ?1"},
    {"returning", false, "",
        "UPDATE plans SET aim = aim + 1 WHERE id <= ?1"
        " RETURNING (SELECT total FROM totals WHERE totals.region = CAST(plans.region AS "
        "TEXT))"},
    {"own-returning", false, "",
        "INSERT INTO sales(region, amount) SELECT region, aim FROM plans WHERE id <= ?1"
        " RETURNING (SELECT total FROM totals WHERE totals.region = CAST(sales.region AS "
        "TEXT))"},
    {"by-index", true, "",
        "UPDATE plans SET aim = (SELECT amount FROM large WHERE large.id = plans.id)"
        " WHERE id <= ?1"},
    {"own-by-index", true, "",
        "UPDATE sales SET amount = (SELECT large.amount % 1000 FROM large"
        " WHERE large.id = sales.id) + 100 WHERE id <= ?1"},
};
enum { N_STATEMENTS = sizeof(statements) / sizeof(*statements) };

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

static void fill(void)
{
    sqlite3_stmt *insert;

    run("CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, amount INT, note TEXT);"
        "CREATE TABLE plans(id INTEGER PRIMARY KEY, region TEXT, aim INT);"
        "CREATE TABLE history(id INT, total INT);");
    if (sqlite3_prepare_v2(db,
            "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < ?1 - 1)"
            "INSERT INTO sales(region, amount)"
            "  SELECT 'region' || (i * 7 % 100), 100 + i * 13 % 900 FROM c",
            -1, &insert, NULL) != SQLITE_OK)
        die("fill");
    sqlite3_bind_int(insert, 1, TABLE_ROWS);
    if (sqlite3_step(insert) != SQLITE_DONE)
        die("fill");
    sqlite3_finalize(insert);
    run("INSERT INTO plans SELECT id, region, amount FROM sales");
}

static void set_up(const char *mode, const struct statement *statement)
{
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
    fill();
    if (strcmp(mode, "triggers") == 0) {
        run(statement->is_by_id ? trigger_by_id : trigger_schema);
    } else {
        if (sqlite3_lockstep_init(db, NULL, NULL) != SQLITE_OK)
            die("lockstep");
        run(statement->is_by_id ? view_by_id : view_schema);
    }
    run(statement->set_up);
    /* Triggers that are newer than Lockstep's are reckoned with from the next read on. */
    run(statement->is_by_id ? "SELECT count(*) FROM large" : "SELECT count(*) FROM totals");
}

static void run_rows(const char *text, int rows)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
        die(text);
    sqlite3_bind_int(statement, 1, rows);
    while (sqlite3_step(statement) == SQLITE_ROW)
        ;
    if (sqlite3_finalize(statement) != SQLITE_OK)
        die(text);
}

static int list(void)
{
    for (int i = 0; i < N_STATEMENTS; i++)
        printf("%s\n", statements[i].name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    if (argc != 4)
        return 2;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        die("open");
    for (int i = 0; i < N_STATEMENTS; i++)
        if (strcmp(argv[2], statements[i].name) == 0) {
            set_up(argv[1], &statements[i]);
            run_rows(statements[i].text, atoi(argv[3]));
            sqlite3_close(db);
            return 0;
        }
    return 2;
}
