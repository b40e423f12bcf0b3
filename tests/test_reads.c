/* What a read of a view costs where the table is large: the first rows of an order cost no look
** at the others. Counted in steps of SQLite's virtual machine, in which all scanning shows. */
#include <check.h>

#include "tests/live.h"
#include "tests/suite.h"

enum { SMALL = 1000, LARGE = 20000, N_READS = 5 };

static sqlite3 *make(int n)
{
    sqlite3 *db = live_open(":memory:");

    run(db,
        "CREATE TABLE score(id INTEGER PRIMARY KEY, player TEXT, points INT);"
        "CREATE INDEX score_points ON score(points);"
        "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < %d)"
        " INSERT INTO score(player, points) SELECT 'p' || i, i * 7919 %% 1000003 FROM i;"
        "CREATE VIRTUAL TABLE best USING lockstep("
        "SELECT player, points FROM score ORDER BY points DESC, player LIMIT 10 OFFSET 2);"
        "CREATE VIRTUAL TABLE board USING lockstep(index=(total DESC),"
        " SELECT player, sum(points) AS total FROM score GROUP BY player);"
        "CREATE VIRTUAL TABLE ranked USING lockstep("
        "SELECT player, points FROM score ORDER BY points DESC, length(player))",
        n);
    return db;
}

/* What a few changes cost, each followed by a read. */
static const struct {
    const char *read;
    bool is_cheap;
} reads[] = {
    {"SELECT sum(points) FROM best", true},
    {"SELECT count(*) FROM (SELECT * FROM board ORDER BY total DESC LIMIT 10)", true},
    {"SELECT count(*) FROM (SELECT * FROM board ORDER BY total LIMIT 10)", true},
    {"SELECT count(*) FROM (SELECT * FROM board WHERE total > 1000 ORDER BY total LIMIT 5)",
        true},
    {"SELECT count(*) FROM (SELECT * FROM board WHERE player IN ('p1', 'p3', 'p99'))", true},
    {"SELECT count(*) FROM (SELECT player, points FROM ranked LIMIT 10)", true},
    {"SELECT count(*) FROM (SELECT * FROM board ORDER BY length(player) LIMIT 10)", false},
    {"SELECT count(*) FROM (SELECT * FROM ranked ORDER BY player LIMIT 10)", false},
};

static long cost_of(int n, const char *read)
{
    sqlite3 *db = make(n);
    long cost;

    for (int i = 0; i <= N_READS; i++) {
        run(db, "DELETE FROM score WHERE points = (SELECT max(points) FROM score)");
        if (i == 1)
            live_count_begin(db);
        number(db, read);
    }
    cost = live_count_end(db);
    live_close(db);
    return cost;
}

START_TEST(the_first_rows_of_an_order_cost_no_look_at_the_others)
{
    long small = cost_of(SMALL, reads[_i].read);
    long large = cost_of(LARGE, reads[_i].read);

    ck_assert_int_gt(small, 0);
    ck_assert_msg((large <= 2 * small) == reads[_i].is_cheap, "%s: %ld, %ld", reads[_i].read,
        small, large);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reads");
    TCase *tcase = tcase_create("reads");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, the_first_rows_of_an_order_cost_no_look_at_the_others, 0,
        sizeof(reads) / sizeof(reads[0]));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
