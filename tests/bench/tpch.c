/* The 22 queries of TPC-H as live views: what 1,000 changes of single orders cost, each
** followed by a read of the view, against running the query instead. Each view is alone in its
** database.
**
**   tpch [SCALE [QUERY...]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/tpch/tpch.h"

enum { CHANGES = 1000 };

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void step_all(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "tpch: %s in: %s\n", sqlite3_errmsg(db), sql);
        exit(1);
    }
    while (sqlite3_step(statement) == SQLITE_ROW)
        ;
    if (sqlite3_finalize(statement) != SQLITE_OK) {
        fprintf(stderr, "tpch: %s in: %s\n", sqlite3_errmsg(db), sql);
        exit(1);
    }
}

/* Seconds of CPU that so many changes take, each followed by a statement, where there is one.
*/
static double change_and_run(struct tpch *tpch, unsigned n, const char *sql)
{
    double begin = seconds();
    for (unsigned i = 0; i < n; i++) {
        tpch_change_order(tpch);
        if (sql != NULL)
            step_all(tpch->db, sql);
    }
    return seconds() - begin;
}

/* As many runs as take a while, at most as many as there are changes; scaled to these. */
static double run_again(struct tpch *tpch, const char *sql)
{
    double spent = 0;
    unsigned n = 0;
    while (n < CHANGES && (n < 5 || spent < 2)) {
        spent += change_and_run(tpch, 1, sql);
        n++;
    }
    return spent * CHANGES / n;
}

static void measure(int query, double scale)
{
    struct tpch tpch;
    sqlite3 *db = kept_open(":memory:");
    const char *text = tpch_queries[query].text;

    tpch_make(&tpch, db, scale, 1, 0);
    double plain = change_and_run(&tpch, CHANGES, NULL);
    double again = run_again(&tpch, text);
    char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE v USING lockstep(%s)", text);
    double begin = seconds();
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) {
        double create = seconds() - begin;
        double live = change_and_run(&tpch, CHANGES, "SELECT * FROM v");
        printf("q%02d %10.3f %10.3f %12.3f %9.1f %10.3f\n", query + 1, plain, live, again,
            again / live, create);
    } else {
        printf("q%02d refused: %s\n", query + 1, sqlite3_errmsg(db));
    }
    sqlite3_free(sql);
    tpch_close(&tpch);
    sqlite3_close(db);
}

int main(int n, char **words)
{
    double scale = n > 1 ? strtod(words[1], NULL) : 0.01;

    printf("TPC-H at scale %g: seconds of CPU for %d changes of single orders\n\n", scale,
        (int)CHANGES);
    printf("%3s %10s %10s %12s %9s %10s\n", "", "no view", "and a view", "and a query", "times",
        "creation");
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < TPCH_QUERIES; i++) {
        bool is_asked = n <= 2;
        for (int k = 2; k < n; k++)
            is_asked = is_asked || atoi(words[k]) == i + 1;
        if (is_asked)
            measure(i, scale);
    }
    return 0;
}
