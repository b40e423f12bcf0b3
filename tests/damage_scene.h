/* A scene of the tests of damage: two connections to a file with views of every kind, changes
** of their tables, reads that are judged, and a protocol of all of it that is printed where one
** fails. */
#ifndef TESTS_DAMAGE_SCENE_H
#define TESTS_DAMAGE_SCENE_H

#include <stdbool.h>

#include "tests/damage.h"
#include "tests/live.h"

enum { SCENE_MOST_VIEWS = 5 };

struct scene {
    struct random random;
    const char *path;
    sqlite3 *db[2];
    int views[SCENE_MOST_VIEWS]; /* v<i> is of the i-th kind */
    int n_views;
    enum damage_blindness blindness;
    bool has_damaged_pages; /* tables that SQLite can't drop may be left, under another name */
    sqlite3_str *told;
};

/* Makes one, with views that are filled; closes it. */
void scene_begin(struct scene *scene, int salt);
void scene_end(struct scene *scene);

/* The connections alone. */
void scene_open(struct scene *scene);
void scene_close(struct scene *scene);

/* Notes what is done, and fails with all that was. */
void scene_tell(struct scene *scene, int connection, const char *text);
void scene_blame(struct scene *scene, const char *what, const char *more);

/* One of the connections. */
sqlite3 *scene_any(struct scene *scene, int *connection);

/* SQL that must succeed. */
void scene_run(struct scene *scene, int connection, const char *text);

/* A random change of the user's tables, which goes in unless a log's damage keeps SQLite from
** it. */
void scene_change(struct scene *scene, bool is_damaged);

/* Reads a view: it is right or, if it may fail, says what is wrong and how to mend it. */
void scene_read(struct scene *scene, int view, bool may_fail);
void scene_read_all(struct scene *scene, bool may_fail);

/* A command, likewise; where it must succeed, advice to drop a table or the view is
** followed. */
void scene_command(struct scene *scene, int view, const char *name, bool may_fail);

/* n of these at random. */
void scene_work(struct scene *scene, int n, bool is_damaged);

/* Makes every view anew, which then is right, and works. */
void scene_mend(struct scene *scene);

/* Drops every view, which leaves nothing behind. */
void scene_drop_all(struct scene *scene);

#endif
