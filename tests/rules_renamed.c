/* Rule 9 where columns are renamed under views that other views read: these know the names that a
** view was created with, and say nothing wrong when another column takes such a name. */
#include "tests/rules.h"

static const char *const sources[] = {
    "SELECT k, x, y FROM t",
    "SELECT * FROM t",
    "SELECT * FROM t NATURAL JOIN o",
    "SELECT k, x, y FROM t ORDER BY y LIMIT 4",
    "SELECT k, count(*) AS n, x, max(y) AS y FROM t GROUP BY k",
    "SELECT k, x, y FROM t UNION ALL SELECT k, 1, 2.5 FROM o",
    "SELECT p.* FROM p LEFT JOIN o USING (k)",
    "WITH c(k, x, y) AS (SELECT k, x, y FROM t) SELECT k, x, y FROM c WHERE x IS NOT NULL",
};
enum { N_SOURCES = sizeof(sources) / sizeof(*sources) };

/* Each reads a view "a", or one that does. */
static const char *const readers[] = {
    "SELECT k, sum(x) AS s FROM a GROUP BY a.k",
    "SELECT * FROM q WHERE x > 1",
    "SELECT K, a.X AS z FROM a JOIN o USING (k)",
    "SELECT count(*) AS n, max(s) AS m FROM v0 WHERE k IN (SELECT k FROM a)",
};
enum { N_READERS = sizeof(readers) / sizeof(*readers) };

/* What is done to the names. */
static const char *const renamings[] = {
    "ALTER TABLE t RENAME COLUMN x TO renamed",
    "ALTER TABLE t RENAME COLUMN k TO K",
    "ALTER TABLE t RENAME COLUMN x TO s; ALTER TABLE t RENAME COLUMN y TO x;"
    "ALTER TABLE t RENAME COLUMN s TO y",
    "ALTER TABLE t RENAME COLUMN x TO once; ALTER TABLE t RENAME COLUMN once TO x",
    "ALTER TABLE t RENAME COLUMN y TO z; ALTER TABLE a RENAME TO b; ALTER TABLE b RENAME TO a",
};
enum { N_RENAMINGS = sizeof(renamings) / sizeof(*renamings) };

static void make(sqlite3 *db, int source)
{
    make_table(db);
    run(db, "CREATE TABLE o(k TEXT, name TEXT); INSERT INTO o VALUES('a', 'A'), ('c', 'C');"
            "CREATE VIEW p AS SELECT * FROM t");
    run(db, "CREATE VIRTUAL TABLE a USING lockstep(%s)", sources[source]);
    run(db, "CREATE VIEW q AS SELECT a.k, x, y FROM a");
    for (int i = 0; i < N_READERS; i++)
        run(db, "CREATE VIRTUAL TABLE v%d USING lockstep(%s)", i, readers[i]);
}

/* By place, whatever the columns are called. */
static void write_some(sqlite3 *db)
{
    run(db, "INSERT INTO t VALUES(NULL, 'a', 21, 1), (NULL, 'c', 22, -9);"
            "DELETE FROM t WHERE id = (SELECT min(id) FROM t)");
}

static void all_are_right(sqlite3 *db)
{
    for (int i = 0; i < N_READERS; i++) {
        char *name = sqlite3_mprintf("v%d", i);

        must_be_right(db, name);
        run(db, "INSERT INTO v%d(lockstep) VALUES('integrity-check')", i);
        sqlite3_free(name);
    }
}

/* _i: what a reads. Another connection has the views open, and the file is opened again. What is
** renamed may be taken back. */
START_TEST(a_view_keeps_its_names_for_those_that_read_it)
{
    for (int which = 0; which < N_RENAMINGS * 2; which++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path), *other = live_open(path);

        make(db, _i);
        all_are_right(other);
        run(db, "BEGIN; %s", renamings[which / 2]);
        write_some(db);
        all_are_right(db);
        run(db, which % 2 == 0 ? "COMMIT" : "ROLLBACK");
        all_are_right(other);
        write_some(other);
        all_are_right(db);
        live_close(other);
        live_close(db);
        db = live_open(path);
        write_some(db);
        all_are_right(db);
        run(db,
            "INSERT INTO v3(lockstep) VALUES('rebuild'); DROP TABLE v2;"
            "CREATE VIRTUAL TABLE v2 USING lockstep(%s)",
            readers[2]);
        write_some(db);
        all_are_right(db);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* A view of SELECT * whose table has got a column says so; what reads the others goes on, as
** long as it is plain which those are. */
START_TEST(a_column_that_takes_anothers_name_is_not_read_for_it)
{
    static const char *const said = "view a gives 5 columns now, not 4";
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    run(db, "CREATE VIRTUAL TABLE a USING lockstep(SELECT * FROM t);"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, sum(x) AS s FROM a GROUP BY k);"
            "ALTER TABLE t ADD COLUMN z INT DEFAULT 7");
    must_agree(db, "SELECT * FROM v", "SELECT k, sum(x) FROM t GROUP BY k");
    run(db, "ALTER TABLE t RENAME COLUMN x TO w");
    must_say(db, said, "SELECT * FROM v");
    run(db, "ALTER TABLE t RENAME COLUMN z TO x");
    must_say(db, said, "SELECT * FROM v");
    run(db, "ALTER TABLE t RENAME COLUMN x TO z; ALTER TABLE t RENAME COLUMN w TO x");
    must_agree(db, "SELECT * FROM v", "SELECT k, sum(x) FROM t GROUP BY k");
    live_close(db);
}
END_TEST

TCase *rules_renamed(void)
{
    TCase *tests = tcase_create("renamed");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_view_keeps_its_names_for_those_that_read_it, 0, N_SOURCES);
    tcase_add_test(tests, a_column_that_takes_anothers_name_is_not_read_for_it);
    tcase_set_timeout(tests, 120);
    return tests;
}
