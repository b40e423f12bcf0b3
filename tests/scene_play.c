/* Playing a scene, beside a twin: the same tables without the extension, to which only is
** done what the first one says it has done. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/branch.h"
#include "tests/live.h"
#include "tests/must.h"
#include "tests/scenes.h"

static const char tables[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);"
    "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2), ('a', 3), (NULL, 4), ('c', 5);"
    "CREATE TABLE u(k TEXT, y INT); CREATE INDEX uk ON u(k);"
    "INSERT INTO u VALUES('a', 1), ('a', 2), ('b', 3), ('q', 4);";

static const char *const views[] = {"v", "w"};

/* Where points are chosen they are many, and one in so many goes on after a failure. */
enum { GOES_ON = 8 };

/* The pages of a database. */
struct image {
    unsigned char *bytes;
    sqlite3_int64 len;
};

struct play {
    const struct scene *scene;
    const struct scene_fault *fault;
    sqlite3 *db, *twin;
    struct reader reader; /* OPEN's */
    char *reader_due;     /* what it is to give; NULL where there is none */
    struct image before;  /* of the file, before the statement that runs */
    bool has_failed;      /* a statement has */
    bool is_over;         /* what the rest of the scene would show others do */
};

static bool has(sqlite3 *db, const char *name)
{
    return number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) > 0;
}

/* A view is there and right, or nothing is left of it (indexes keep their names when a view is
** renamed). */
static void must_be_sound(sqlite3 *db)
{
    must_agree(db, "PRAGMA integrity_check", "SELECT 'ok'");
    for (int i = 0; i < 2; i++)
        if (has(db, views[i]))
            must_be_right(db, views[i]);
        else
            ck_assert_int_eq(number(db,
                                 "SELECT count(*) FROM sqlite_schema WHERE type <> 'index'"
                                 " AND name GLOB '%s_*'",
                                 views[i]),
                0);
}

static void must_be_whole(sqlite3 *db)
{
    must_be_sound(db);
    for (int i = 0; i < 2; i++)
        if (has(db, views[i]))
            run(db, "INSERT INTO %s(lockstep) VALUES('integrity-check')", views[i]);
}

/* The next statement of a list, which moves on; NULL at its end. The caller frees it. */
static char *next_statement(const char **list)
{
    const char *start = *list + strspn(*list, " ");
    char *text = strdup(start);
    size_t n = 0;

    must(text != NULL);
    while (start[n] != '\0') {
        n += strcspn(start + n, ";");
        n += start[n] == ';';
        memcpy(text, start, n);
        text[n] = '\0';
        if (sqlite3_complete(text))
            break;
    }
    *list = start + n;
    if (n > 0)
        return text;
    free(text);
    return NULL;
}

/* The twin has the tables and, as an ordinary view, v. */
static bool is_for_the_twin(const char *sql)
{
    return strstr(sql, "lockstep") == NULL && strstr(sql, "v_state") == NULL &&
           strncmp(sql, "DROP", 4) != 0 && strncmp(sql, "ALTER TABLE v", 13) != 0 &&
           strncmp(sql, "ALTER TABLE w", 13) != 0 && strncmp(sql, "CREATE v", 8) != 0 &&
           strncmp(sql, "SELECT", 6) != 0 && strcmp(sql, "OPEN;") != 0 &&
           strcmp(sql, "CLOSE;") != 0;
}

static void do_in_twin(struct play *play, const char *sql)
{
    if (is_for_the_twin(sql))
        run(play->twin, "%s", sql);
}

static char *contents(sqlite3 *db)
{
    char *t = rows(db, "SELECT (SELECT sql FROM sqlite_schema WHERE name = 't'), * FROM t");
    char *u = rows(db, "SELECT * FROM u");
    char *both = sqlite3_mprintf("%s%s", t, u);

    must(both != NULL);
    sqlite3_free(t);
    sqlite3_free(u);
    return both;
}

static bool are_twins(const struct play *play)
{
    char *given = contents(play->db), *due = contents(play->twin);
    bool are_same = strcmp(given, due) == 0;

    sqlite3_free(given);
    sqlite3_free(due);
    return are_same;
}

/* What a statement that failed has left: all of it, or nothing, or nothing of the
** transaction. */
static void must_be_all_or_nothing(struct play *play, const char *sql)
{
    bool has_ended = sqlite3_get_autocommit(play->db) && !sqlite3_get_autocommit(play->twin);
    bool are_same = are_twins(play);

    if (has_ended)
        run(play->twin, are_same ? "COMMIT" : "ROLLBACK");
    if (are_same || are_twins(play))
        return;
    do_in_twin(play, sql);
    if (!are_twins(play))
        ck_abort_msg("half done: %s", sql);
}

static struct image image_of(sqlite3 *db)
{
    struct image image;

    image.bytes = sqlite3_serialize(db, "main", &image.len, 0);
    must(image.bytes != NULL);
    return image;
}

static bool is_as_before(const struct play *play)
{
    struct image now = image_of(play->db);
    bool are_same = now.len == play->before.len &&
                    memcmp(now.bytes, play->before.bytes, (size_t)now.len) == 0;

    sqlite3_free(now.bytes);
    return are_same;
}

/* What the query of its view gives in place of a read. */
static char *rows_due(sqlite3 *db, const char *sql)
{
    char *query =
        sqlite3_mprintf("SELECT * FROM %c_query%s", sql[14], sql + 15); /* "SELECT * FROM v" */
    char *due;

    must(query != NULL);
    due = rows(db, query);
    sqlite3_free(query);
    return due;
}

static bool reads_a_view(const char *sql)
{
    return strncmp(sql, "SELECT * FROM v", 15) == 0 || strncmp(sql, "SELECT * FROM w", 15) == 0;
}

static void must_be_due(const char *sql, const char *given, const char *due)
{
    if (strcmp(given, due) != 0)
        ck_abort_msg("%s\n  gives %s  not %s", sql, given, due);
}

static void do_nothing(bool is_paused)
{
    (void)is_paused;
}

/* As long as a statement of the connection runs, it stays interrupted, and its file failing. */
static void stop_reading(struct play *play)
{
    char *rest = NULL;

    reader_close(&play->reader, do_nothing, &rest);
    sqlite3_free(rest);
    sqlite3_free(play->reader_due);
    play->reader_due = NULL;
}

static void judge(struct play *play, const char *sql, int rc, const char *given)
{
    if (rc != SQLITE_OK && !branch_is_taken())
        ck_abort_msg("%s\n  in: %s", sqlite3_errmsg(play->db), sql);
    if (rc != SQLITE_OK && !play->has_failed &&
        !play->fault->may_say(rc, sqlite3_errmsg(play->db)))
        ck_abort_msg("says \"%s\" (%d)\n  in: %s", sqlite3_errmsg(play->db), rc, sql);
    if (rc != SQLITE_OK) {
        stop_reading(play);
        must_be_all_or_nothing(play, sql);
        play->is_over = branch_is_chosen() && !branch_is_alone() &&
                        branch_point() / 2 % GOES_ON != 0 && is_as_before(play);
        if (!play->is_over && !play->has_failed && branch_point() % 4 < 2)
            must_be_sound(play->db);
        play->has_failed = true;
        return;
    }
    do_in_twin(play, sql);
    if (!are_twins(play))
        ck_abort_msg("not done, though it says so: %s", sql);
    if (reads_a_view(sql)) {
        char *due = rows_due(play->db, sql);

        must_be_due(sql, given, due);
        sqlite3_free(due);
    }
    if (strcmp(sql, "CLOSE;") == 0 && play->reader_due != NULL)
        must_be_due(sql, given, play->reader_due);
}

static int open_reader(struct play *play)
{
    int rc;

    if (play->fault->stays)
        return SQLITE_OK;
    rc = reader_open(&play->reader, play->db, "SELECT * FROM v", play->fault->pause);

    play->fault->pause(true);
    if (rc == SQLITE_OK)
        play->reader_due = rows_due(play->db, "SELECT * FROM v");
    return rc;
}

/* A statement of a scene, and what it gives. */
static int carry_out(struct play *play, const char *sql, char **given)
{
    if (strcmp(sql, "OPEN;") == 0)
        return open_reader(play);
    if (strcmp(sql, "CLOSE;") == 0)
        return reader_close(&play->reader, play->fault->pause, given);
    if (reads_a_view(sql))
        return attempt_rows(play->db, sql, play->fault->pause, given);
    if (strcmp(sql, "CREATE v;") == 0)
        sql = play->scene->view;
    return sqlite3_exec(play->db, sql, NULL, NULL, NULL);
}

static void perform(struct play *play, const char *sql)
{
    char *given = NULL;
    int rc;

    play->fault->pause(true);
    play->before = image_of(play->db);
    play->fault->pause(false);
    rc = carry_out(play, sql, &given);
    play->fault->pause(true);
    judge(play, sql, rc, given);
    sqlite3_free(given);
    sqlite3_free(play->before.bytes);
    play->fault->pause(false);
}

/* An ordinary view, from the definition as the other has it. */
static void give_the_twin_its_view(struct play *play)
{
    sqlite3_stmt *query;

    must(sqlite3_prepare_v2(play->db, "SELECT sql FROM sqlite_schema WHERE name = 'v_query'",
             -1, &query, NULL) == SQLITE_OK);
    must(sqlite3_step(query) == SQLITE_ROW);
    run(play->twin, "%s", (const char *)sqlite3_column_text(query, 0));
    must(sqlite3_finalize(query) == SQLITE_OK);
    run(play->twin, "CREATE VIEW v AS SELECT * FROM v_query");
}

static void set_up(struct play *play)
{
    const struct scene *scene = play->scene;
    const char *rest = scene->before;
    char *sql;

    play->db = play->fault->open();
    play->twin = live_open_plain(":memory:");
    run(play->db, "%s", tables);
    run(play->twin, "%s", tables);
    if (scene->view != NULL && strstr(scene->during, "CREATE v;") == NULL) {
        run(play->db, "%s", scene->view);
        give_the_twin_its_view(play);
    }
    while ((sql = next_statement(&rest)) != NULL) {
        run(play->db, "%s", sql);
        do_in_twin(play, sql);
        free(sql);
    }
}

/* With all well again. */
static void go_on(struct play *play)
{
    sqlite3 *db = play->db;

    must_be_sound(db);
    if (has(db, "v")) {
        run(db, "INSERT INTO t(k) VALUES('again')");
        must_be_sound(db);
    }
    if (!sqlite3_get_autocommit(db))
        run(db, branch_point() % 3 == 0 ? "COMMIT" : "ROLLBACK");
    must_be_whole(db);
}

static bool is_chosen(const struct scene *scene)
{
    const char *chosen = getenv("LOCKSTEP_SCENE");

    return chosen == NULL || strstr(scene->name, chosen) != NULL;
}

void scene_play(int which, const struct scene_fault *fault)
{
    struct scene scene = scene_of(which);
    struct play play = {.scene = &scene, .fault = fault};
    const char *rest = scene.during;
    char *sql;

    if (!is_chosen(&scene))
        return;
    branch_begin(scene.name, 1 + 37L * which, fault->every);
    set_up(&play);
    fault->begin(play.db);
    while (!play.is_over && (sql = next_statement(&rest)) != NULL) {
        perform(&play, sql);
        free(sql);
    }
    fault->end(play.db);
    if (!play.is_over)
        go_on(&play);
    stop_reading(&play);
    live_close(play.db);
    live_close(play.twin);
    if (fault->reopened != NULL)
        fault->reopened(must_be_whole);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    branch_end();
}
