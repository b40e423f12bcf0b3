/* The scenes: kinds of views, times situations. */
#include "tests/scenes.h"

#include <stdio.h>

#define LOCKSTEP "CREATE VIRTUAL TABLE v USING lockstep("

static const struct kind {
    const char *name;
    const char *view;
} kinds[] = {
    {"groups",
        LOCKSTEP "SELECT k, count(*) AS n, sum(x) AS s, max(x) AS m, count(DISTINCT x) AS d"
                 " FROM t GROUP BY k HAVING n > 0)"},
    {"at-commit", LOCKSTEP "maintain=commit, SELECT k, count(*) AS n, sum(x) AS s FROM t"
                           " GROUP BY k)"},
    {"rows", LOCKSTEP "SELECT k, x FROM t WHERE x % 2)"},
    /* Of lists only what doesn't depend on their order, which is SQLite's to choose. */
    {"lists", LOCKSTEP "SELECT k, max(x) AS m, id, json_array_length(json_group_array(x)) AS j,"
                       " length(group_concat(x)) AS l FROM t GROUP BY k)"},
    {"top", LOCKSTEP "index=(x DESC), SELECT k, x FROM t ORDER BY x % 3 DESC NULLS FIRST, x"
                     " LIMIT 3 OFFSET 1)"},
    {"joins", LOCKSTEP
        "SELECT t.k, count(*) AS n, sum(y) AS s FROM t LEFT JOIN u ON u.k = t.k GROUP BY t.k"
        " UNION ALL SELECT y, x, 0 FROM t, u WHERE x = y AND EXISTS (SELECT 1 FROM t AS a WHERE"
        " a.k = u.k))"},
    {"subqueries", LOCKSTEP
        "SELECT t.k, sum(q.s) AS s, (SELECT max(y) FROM u WHERE u.k = t.k) AS m FROM t LEFT "
        "JOIN"
        " (SELECT k, sum(y) AS s FROM u GROUP BY k) AS q ON q.k = t.k WHERE x IN (SELECT max(x)"
        " FROM t GROUP BY k UNION SELECT 3) GROUP BY t.k HAVING count(*) < (SELECT sum(y) FROM "
        "u))"},
    {"sets",
        LOCKSTEP "maintain=commit, SELECT DISTINCT k FROM t EXCEPT SELECT k FROM u WHERE y > 1"
                 " UNION SELECT k FROM t JOIN u USING(k) INTERSECT SELECT k FROM u)"},
};
enum { N_KINDS = sizeof(kinds) / sizeof(*kinds) };

/* The tables that each begins with are scene_play's. */
#define WRITE                                                                                  \
    "INSERT INTO t(k, x) VALUES('a', 10), ('z', 11); UPDATE t SET k = 'b' WHERE x = 1;"        \
    "DELETE FROM t WHERE x = 2; UPDATE u SET k = 'z' WHERE y = 2; DELETE FROM u WHERE y = 3;"  \
    "INSERT INTO u VALUES('a', 10);"
#define WRITE_MORE                                                                             \
    "INSERT INTO t(k, x) VALUES('b', 20), ('y', 21); UPDATE t SET k = 'a' WHERE x = 5;"        \
    "UPDATE u SET y = y + 1; DELETE FROM t WHERE x = 3;"
#define READ "SELECT * FROM v;"

static const struct situation {
    const char *name, *before, *during;
} situations[] = {
    {"created", "", "CREATE v;" READ},
    {"created-with-another",
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT k FROM t);" WRITE "BEGIN;",
        "CREATE v;" READ "DROP TABLE w; COMMIT;" READ},
    {"written", "", WRITE READ},
    {"read", WRITE, READ "SELECT * FROM v WHERE k = 'a';" WRITE_MORE READ},
    {"replaced", WRITE READ "REPLACE INTO t(id, k, x) VALUES(3, 'r', 10);",
        READ "REPLACE INTO t(k, x) VALUES('q', 11);" READ},
    {"rolled-back-to", "BEGIN;" WRITE,
        READ "SAVEPOINT s; UPDATE t SET x = -x;" READ "ROLLBACK TO s;" READ
             "RELEASE s; COMMIT;"},
    {"released", "BEGIN;" WRITE READ "SAVEPOINT a; DELETE FROM t WHERE x > 3;" READ,
        "SAVEPOINT b; INSERT INTO t(k, x) VALUES('s', 77); RELEASE a;" READ "COMMIT;" READ},
    {"stored", WRITE, "INSERT INTO v(lockstep) VALUES('store');" READ},
    {"stored-and-rolled-back", "BEGIN;" WRITE READ,
        "INSERT INTO v(lockstep) VALUES('store');" READ "ROLLBACK;" READ},
    {"rebuilt", WRITE,
        "INSERT INTO v(lockstep) VALUES('rebuild');" READ
        "INSERT INTO v(lockstep) VALUES('integrity-check');"},
    {"dirty", WRITE "UPDATE v_state SET dirty = 1;", "DELETE FROM t WHERE x = 3;" READ},
    {"renamed-and-dropped", WRITE READ,
        "ALTER TABLE v RENAME TO w; SELECT * FROM w; ALTER TABLE w RENAME TO v; DROP TABLE v;"},
    {"met-by-a-trigger", WRITE "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; END;",
        READ "INSERT INTO t(k, x) VALUES('t', 90);" READ},
    {"followed", READ,
        "ALTER TABLE t ADD COLUMN z;" READ WRITE READ
        "ALTER TABLE t RENAME COLUMN x TO xx;" READ
        "ALTER TABLE t RENAME COLUMN xx TO x;" READ},
    {"read-by-a-write", WRITE,
        "INSERT INTO t(k, x) SELECT k, 100 + max(id) FROM t WHERE k IN"
        " (SELECT k FROM v) GROUP BY k;" READ},
    {"returned", WRITE,
        "INSERT INTO t(k, x) VALUES('a', 20), ('r', 21) RETURNING (SELECT count(*) FROM v);"
        "INSERT INTO t(k, x) VALUES('r', 22) RETURNING (SELECT count(*) FROM v);"
        "REPLACE INTO t(id, k, x) VALUES(2, 'a', 23), (2, 'r', 24)"
        " RETURNING (SELECT count(*) FROM v);" READ},
    {"grown",
        "INSERT INTO t(k, x) WITH i(i) AS (VALUES(20) UNION ALL SELECT i + 1 FROM i WHERE i < "
        "4500)"
        " SELECT 'g' || i % 50, i FROM i;",
        READ "DELETE FROM t WHERE x > 30;" READ},
};
enum { N_SITUATIONS = sizeof(situations) / sizeof(*situations) };

/* Kinds and situations that go together. */
#define COUNTED LOCKSTEP "SELECT k, count(*) AS n FROM t GROUP BY k)"
#define STORED "INSERT INTO v(lockstep) VALUES('store');"
#define ASK                                                                                    \
    "SELECT * FROM v WHERE k = 'a'; SELECT * FROM v WHERE k > 'a' AND k <= 'z';"               \
    "SELECT * FROM v WHERE k IN ('a', 'b', NULL) ORDER BY k DESC;"                             \
    "SELECT * FROM v WHERE k IS NULL;"

static const struct scene others[] = {
    {"functions", NULL, "",
        "SELECT exact_sum(x), exact_avg(x), exact_total(x), unanimous(k) FROM t;"},
    {"listed", LOCKSTEP "SELECT k FROM t)", WRITE,
        "SELECT * FROM lockstep_views; SELECT * FROM lockstep_plan('v'); SELECT"
        " lockstep_dot('v');"},
    {"explained",
        LOCKSTEP "SELECT t.k, max(y) AS m FROM t LEFT JOIN u ON u.k = t.k WHERE x IN"
                 " (SELECT max(x) FROM t GROUP BY k) GROUP BY t.k ORDER BY m LIMIT 2)",
        WRITE, "SELECT * FROM lockstep_plan('v'); SELECT lockstep_dot('v');"},
    {"over-a-view", COUNTED,
        WRITE
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT n, count(*) AS g FROM v GROUP BY n);",
        WRITE_MORE "SELECT * FROM w;" READ "DROP TABLE w;"},
    {"outer joins",
        LOCKSTEP "SELECT t.k, u.y, count(*) AS n FROM t FULL JOIN u ON u.k = t.k"
                 " GROUP BY 1, 2)",
        WRITE READ, WRITE_MORE READ},
    {"first groups",
        LOCKSTEP "SELECT k, sum(x) AS s FROM t GROUP BY k ORDER BY s DESC, k LIMIT 2)",
        WRITE READ, WRITE_MORE READ},
    /* Of many rows few are kept, which then have gone. */
    {"first rows", LOCKSTEP "SELECT k, x FROM t ORDER BY x DESC, k LIMIT 2)",
        "SELECT lockstep_build_bytes(1600); INSERT INTO t(k, x) WITH i(i) AS (VALUES(100)"
        " UNION ALL SELECT i + 1 FROM i WHERE i < 140) SELECT i, i FROM i;"
        "INSERT INTO v(lockstep) VALUES('rebuild');",
        READ "DELETE FROM t WHERE x > 110;" READ "BEGIN; UPDATE t SET x = -x WHERE x > 50;" READ
             "ROLLBACK;" READ},
    {"table functions",
        LOCKSTEP "SELECT t.k, j.value AS y FROM t, json_each('[1, ' || x || ']') AS j)",
        WRITE READ, WRITE_MORE READ},
    {"asked groups", COUNTED, WRITE STORED WRITE_MORE, ASK},
    {"asked rows", LOCKSTEP "index=(k, x), SELECT k, x FROM t)", WRITE STORED WRITE_MORE, ASK},
    {"rows by key", LOCKSTEP "index=(id), SELECT x, id, k FROM t WHERE x % 2)",
        WRITE STORED WRITE_MORE,
        "UPDATE u SET y = y + (SELECT count(x) FROM v WHERE id = u.y);"
        "UPDATE t SET x = x + 1000 * (SELECT count(*) FROM v WHERE v.id = t.id);" READ
        "SELECT y, (SELECT x FROM v WHERE id = y % 4) FROM u;"
        "INSERT INTO t(k, x) VALUES('n', 301);" STORED READ},
    {"asked joins", LOCKSTEP "index=(k), SELECT t.k, y FROM t LEFT JOIN u ON u.k = t.k)",
        WRITE STORED WRITE_MORE, ASK},
    /* The least integer has no abs. */
    {"rows that failed", LOCKSTEP "SELECT k, sum(abs(x)) AS s FROM t GROUP BY k)",
        WRITE READ "INSERT INTO t(k, x) VALUES('f', -9223372036854775807 - 1);" STORED
                   "DELETE FROM t WHERE k = 'f';",
        READ WRITE_MORE READ},
    {"in pieces", COUNTED,
        "SELECT lockstep_step_bytes(60000); INSERT INTO t(k, x) WITH i(i) AS (VALUES(100)"
        " UNION ALL SELECT i + 1 FROM i WHERE i < 220) SELECT i, i FROM i;",
        READ "DELETE FROM t WHERE x > 50;" READ},
    {"an index of expressions", COUNTED,
        WRITE READ "CREATE UNIQUE INDEX e ON t(abs(x), lower(k)) WHERE k IS NOT 'q';",
        "REPLACE INTO t(k, x) VALUES('A', -10);" READ
        "REPLACE INTO t(k, x) VALUES('Q', -10);" READ},
    {"vacuumed", LOCKSTEP "SELECT u.k, y, x FROM u, t WHERE u.k = t.k)", WRITE READ WRITE_MORE,
        "VACUUM;" READ},
    {"read by a trigger", COUNTED,
        WRITE READ "CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE u SET y = y + (SELECT"
                   " sum(n) FROM v) WHERE k = 'a'; END;",
        "INSERT INTO t(k, x) VALUES('t', 90), ('a', 91);" READ},
    {"open meanwhile", LOCKSTEP "SELECT k, x FROM t)", WRITE STORED WRITE_MORE,
        "OPEN; INSERT INTO t(k, x) VALUES('o', 70);" READ STORED "CLOSE;" READ},
    {"open meanwhile, much", LOCKSTEP "SELECT k, x FROM t)",
        WRITE STORED "SELECT lockstep_step_bytes(400);",
        "OPEN; INSERT INTO t(k, x) VALUES('o', 70);" READ STORED "CLOSE;" READ},
};
enum { N_OTHERS = sizeof(others) / sizeof(*others) };

int scene_count(void)
{
    return N_KINDS * N_SITUATIONS + N_OTHERS;
}

struct scene scene_of(int which)
{
    struct scene scene = {.view = NULL};
    const struct kind *kind = &kinds[which % N_KINDS];
    const struct situation *situation;

    if (which >= N_KINDS * N_SITUATIONS)
        return others[which - N_KINDS * N_SITUATIONS];
    situation = &situations[which / N_KINDS];
    snprintf(scene.name, sizeof(scene.name), "%s %s", kind->name, situation->name);
    scene.view = kind->view;
    scene.before = situation->before;
    scene.during = situation->during;
    return scene;
}
