/* Scenes of the tests of damage. */
#include "tests/damage_scene.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/must.h"

static const char tables[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x REAL, s TEXT COLLATE NOCASE);"
    "CREATE TABLE u(k TEXT PRIMARY KEY, t INT, y INT) WITHOUT ROWID;"
    "CREATE TABLE w(a, b UNIQUE);";

/* Views of every kind; each has one right answer. */
static const char *const selects[] = {
    "SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g",
    "SELECT g, min(x) AS a, max(s) AS b, count(DISTINCT s) AS c FROM t GROUP BY g HAVING "
    "count(*) > 1",
    "SELECT count(*) AS n, avg(x) AS a, total(x) AS s FROM t",
    "SELECT g, length(group_concat(s)) AS l, json_array_length(json_group_array(x)) AS j FROM "
    "t GROUP BY g",
    "SELECT g, max(id) AS m, s, x FROM t GROUP BY g",
    "SELECT id, upper(s) AS s FROM t WHERE x > 2",
    "SELECT DISTINCT g % 3 AS r, x > 4 AS b FROM t",
    "SELECT t.id, t.g, u.y FROM t JOIN u ON u.t = t.id",
    "SELECT t.g, count(u.y) AS n, sum(u.y) AS s FROM t LEFT JOIN u ON u.t = t.g GROUP BY t.g",
    "SELECT g, x, id FROM t ORDER BY x DESC, id LIMIT 4",
    "SELECT g AS a FROM t UNION SELECT y FROM u UNION ALL SELECT b FROM w",
    "SELECT g FROM t EXCEPT SELECT y FROM u",
    "SELECT k, (SELECT count(*) FROM t WHERE t.g = u.y) AS n FROM u",
    "SELECT id FROM t WHERE g IN (SELECT y FROM u GROUP BY y HAVING count(*) > 1)",
    "SELECT m, count(*) AS n FROM (SELECT g, max(x) AS m FROM t GROUP BY g) GROUP BY m",
    "SELECT a, b FROM w",
};
enum { N_SELECTS = sizeof(selects) / sizeof(*selects) };

void scene_tell(struct scene *scene, int connection, const char *text)
{
    sqlite3_str_appendf(scene->told, "/* %d */ %s;\n", connection + 1, text);
}

void scene_blame(struct scene *scene, const char *what, const char *more)
{
    fprintf(stderr, "%s%s: %s\n", sqlite3_str_value(scene->told), what, more);
    ck_abort_msg("%s: %.3000s", what, more);
}

sqlite3 *scene_any(struct scene *scene, int *connection)
{
    *connection = (int)random_below(&scene->random, 2);
    return scene->db[*connection];
}

void scene_run(struct scene *scene, int connection, const char *text)
{
    scene_tell(scene, connection, text);
    if (attempt(scene->db[connection], text) != SQLITE_OK)
        scene_blame(scene, text, sqlite3_errmsg(scene->db[connection]));
}

/* Changes. */

static char *statement(struct random *random)
{
    int a = (int)random_below(random, 12), b = (int)random_below(random, 6);
    int c = (int)random_below(random, 8);

    switch (random_below(random, 9)) {
    case 0:
    case 1:
        return sqlite3_mprintf(
            "INSERT OR REPLACE INTO t VALUES(%d, %d, %d * 0.5, '%c')", a, b, c, 'a' + c);
    case 2:
        return sqlite3_mprintf("INSERT INTO t(g, x, s) SELECT g + 1, x + %d, s FROM t"
                               " WHERE id < 4 AND (SELECT count(*) FROM t) < 40",
            c);
    case 3:
        return sqlite3_mprintf("UPDATE t SET g = %d, x = x + 0.25 WHERE id = %d", b, a);
    case 4:
        return sqlite3_mprintf("DELETE FROM t WHERE id = %d", a);
    case 5:
        return sqlite3_mprintf("INSERT OR REPLACE INTO u VALUES('k%d', %d, %d)", a, c, b);
    case 6:
        return sqlite3_mprintf("UPDATE u SET y = y + 1, t = %d WHERE k > 'k%d'", b, a);
    case 7:
        return sqlite3_mprintf("INSERT OR REPLACE INTO w VALUES(%d, %d)", a, b);
    default:
        return sqlite3_mprintf("DELETE FROM u WHERE y = %d", b);
    }
}

/* Tries again where a connection still knows triggers of a log that is gone: SQLite reads the
** schema anew for a statement that runs, not for one that it can't compile. */
static int attempt_twice(sqlite3 *db, const char *text)
{
    int rc = attempt(db, text);

    if (rc == SQLITE_OK ||
        strstr(sqlite3_errmsg(db), "no such table: main.lockstep_log_") == NULL)
        return rc;
    (void)number(db, "SELECT count(*) FROM sqlite_schema");
    return attempt(db, text);
}

/* A log that is missing, has lost a column or is no table any more is something that SQLite
** itself stumbles over. */
void scene_change(struct scene *scene, bool is_damaged)
{
    char *text = statement(&scene->random);
    int connection;
    sqlite3 *db = scene_any(scene, &connection);

    scene_tell(scene, connection, text);
    if (attempt_twice(db, text) != SQLITE_OK &&
        !(is_damaged && (strstr(sqlite3_errmsg(db), "lockstep_log_") != NULL ||
                            sqlite3_errcode(db) == SQLITE_CORRUPT)))
        scene_blame(scene, text, sqlite3_errmsg(db));
    sqlite3_free(text);
}

/* Reads. */

static int read_rows(sqlite3 *db, const char *text, char **rows_read)
{
    sqlite3_stmt *statement;
    int rc = sqlite3_prepare_v2(db, text, -1, &statement, NULL);

    *rows_read = NULL;
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        ;
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    if (rc == SQLITE_OK)
        *rows_read = rows(db, text);
    return rc;
}

/* Does a message tell the view, and what mends it? A log may have come to hold rows that can't
** be computed, of which SQLite says the same as of the table's own. */
static bool is_helpful(const struct scene *scene, const char *message, int view)
{
    char head[40];

    snprintf(head, sizeof(head), "lockstep: view v%d: ", view);
    return strstr(message, head) != NULL &&
           (scene->blindness == DAMAGE_IS_UNSEEN ||
               strstr(message, "(lockstep) VALUES('rebuild')") != NULL);
}

void scene_read(struct scene *scene, int view, bool may_fail)
{
    bool looks = random_once_in(&scene->random, 3);
    char *text = sqlite3_mprintf("SELECT * FROM v%d%s", view, looks ? " WHERE 1 = g" : "");
    char *other =
        sqlite3_mprintf("SELECT * FROM (%s)%s", selects[view], looks ? " WHERE 1 = g" : "");
    char *has, *should;
    int connection;
    sqlite3 *db = scene_any(scene, &connection);

    if (looks && strstr(selects[view], "SELECT g,") != selects[view]) {
        text[strlen(text) - 12] = '\0';
        other[strlen(other) - 12] = '\0';
        looks = false;
    }
    scene_tell(scene, connection, text);
    if (read_rows(db, text, &has) != SQLITE_OK) {
        if (!may_fail || !is_helpful(scene, sqlite3_errmsg(db), view))
            scene_blame(scene, text, sqlite3_errmsg(db));
    } else if (!may_fail || scene->blindness == DAMAGE_IS_SEEN ||
               (scene->blindness == DAMAGE_HIDES_ROWS && !looks)) {
        should = rows(db, other);
        if (strcmp(has, should) != 0)
            scene_blame(scene, text, has);
        sqlite3_free(should);
    }
    sqlite3_free(has);
    sqlite3_free(text);
    sqlite3_free(other);
}

/* A command; advice to drop a table is followed. */
void scene_command(struct scene *scene, int view, const char *name, bool may_fail)
{
    char *text = sqlite3_mprintf("INSERT INTO v%d(lockstep) VALUES('%s')", view, name);
    char table[80];
    int connection;
    sqlite3 *db = scene_any(scene, &connection);

    for (int i = 0; i < 6; i++) {
        const char *advice;

        scene_tell(scene, connection, text);
        if (attempt(db, text) == SQLITE_OK)
            break;
        if ((!may_fail && i == 5) || !is_helpful(scene, sqlite3_errmsg(db), view))
            scene_blame(scene, text, sqlite3_errmsg(db));
        if (may_fail)
            break;
        advice = strstr(sqlite3_errmsg(db), "DROP TABLE \"");
        if (advice == NULL || sscanf(advice, "DROP TABLE \"%60[^\"]\"", table) != 1)
            scene_blame(scene, text, sqlite3_errmsg(db));
        else {
            char *drop = sqlite3_mprintf("DROP TABLE \"%w\"", table);

            scene_run(scene, connection, drop);
            sqlite3_free(drop);
        }
    }
    sqlite3_free(text);
}

/* Scenes. */

void scene_open(struct scene *scene)
{
    for (int i = 0; i < 2; i++) {
        scene->db[i] = live_open(scene->path);
        damage_register(scene->db[i], &scene->random);
    }
}

void scene_close(struct scene *scene)
{
    live_close(scene->db[0]);
    live_close(scene->db[1]);
}

void scene_begin(struct scene *scene, int salt)
{
    *scene = (struct scene){.random = random_new((uint64_t)salt), .path = live_path()};
    scene->told = sqlite3_str_new(NULL);
    scene_open(scene);
    if (random_once_in(&scene->random, 2))
        run(scene->db[0], "PRAGMA journal_mode = WAL");
    scene_run(scene, 0, tables);
    for (int i = 0; i < 10; i++)
        scene_change(scene, false);
    for (int view = 0; view < N_SELECTS && scene->n_views < SCENE_MOST_VIEWS; view++) {
        char *text = sqlite3_mprintf("CREATE VIRTUAL TABLE v%d USING lockstep(%s%s)", view,
            random_once_in(&scene->random, 3) ? "maintain=commit, " : "", selects[view]);

        if (random_below(&scene->random, N_SELECTS) < SCENE_MOST_VIEWS) {
            scene_run(scene, (int)random_below(&scene->random, 2), text);
            scene->views[scene->n_views++] = view;
        }
        sqlite3_free(text);
    }
}

void scene_end(struct scene *scene)
{
    scene_close(scene);
    sqlite3_free(sqlite3_str_finish(scene->told));
}

void scene_work(struct scene *scene, int n, bool is_damaged)
{
    for (int i = 0; i < n; i++) {
        unsigned what = random_below(&scene->random, 4);
        int view = scene->n_views == 0
                       ? -1
                       : scene->views[random_below(&scene->random, (unsigned)scene->n_views)];

        if (what < 2 || view < 0)
            scene_change(scene, is_damaged);
        else if (what < 3)
            scene_read(scene, view, is_damaged);
        else
            scene_command(scene, view,
                random_once_in(&scene->random, 2) ? "store" : "integrity-check", is_damaged);
    }
}

void scene_read_all(struct scene *scene, bool may_fail)
{
    for (int i = 0; i < scene->n_views; i++)
        scene_read(scene, scene->views[i], may_fail);
}

void scene_mend(struct scene *scene)
{
    for (int i = 0; i < scene->n_views; i++)
        scene_command(scene, scene->views[i], "rebuild", false);
    scene->blindness = DAMAGE_IS_SEEN;
    scene_read_all(scene, false);
    scene_work(scene, 8, false);
    for (int i = 0; i < scene->n_views; i++)
        scene_command(scene, scene->views[i], "integrity-check", false);
}

#define LEFT_BEHIND                                                                            \
    "SELECT name FROM sqlite_schema WHERE name NOT IN ('t', 'u', 'w')"                         \
    " AND name NOT GLOB 'stray*' AND name NOT GLOB 'sqlite_auto*' AND tbl_name NOT GLOB "      \
    "'stray*'"

void scene_drop_all(struct scene *scene)
{
    char *left;

    for (int i = 0; i < scene->n_views; i++) {
        char *text = sqlite3_mprintf("DROP TABLE v%d", scene->views[i]);

        scene_run(scene, (int)random_below(&scene->random, 2), text);
        sqlite3_free(text);
    }
    left = rows(scene->db[0], scene->has_damaged_pages ? LEFT_BEHIND
                                  " AND tbl_name NOT GLOB 'lockstep_damaged_[0-9]*'"
                                                       : LEFT_BEHIND);
    if (strcmp(left, "0 rows\n") != 0)
        scene_blame(scene, "left behind", left);
    sqlite3_free(left);
    scene->n_views = 0;
    scene_work(scene, 3, false);
}
