/* Scenes in which something may go wrong at any moment: a view of each kind in each of the
** situations that views get into. Who plays one says what goes wrong: memory, calls of the file
** system, interrupts. */
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include <sqlite3.h>
#include <stdbool.h>

struct scene {
    char name[64];
    const char *view;   /* how v is created; already there, unless `during` holds "CREATE v" */
    const char *before; /* run first, with nothing going wrong */
    const char *during; /* statements that may fail; OPEN begins to read v, CLOSE reads it on */
};

int scene_count(void);

/* Which one; its strings live as long as the program. */
struct scene scene_of(int which);

/* How something goes wrong. */
struct scene_fault {
    sqlite3 *(*open)(void);                       /* an empty database with the extension */
    void (*begin)(sqlite3 *db);                   /* from now on points are branch_here's */
    void (*pause)(bool is_paused);                /* nothing goes wrong while it is */
    void (*end)(sqlite3 *db);                     /* nothing goes wrong any more */
    bool (*may_say)(int rc, const char *message); /* may a statement fail so? */
    void (*reopened)(void (*check)(sqlite3 *db)); /* judges what a close has left; or NULL */
    long every;                                   /* one of so many is tried */
    bool stays; /* while any statement of the connection runs: nothing is OPEN then */
};

/* Plays a scene, if its name holds LOCKSTEP_SCENE or that is not given, in all its branches
** (tests/branch.h). In each:
**   - a statement that fails says of what, and has taken effect whole or not at all;
**   - a read that succeeds shows the rows that are due;
**   - with all well again the views are right and whole, or gone, and stay so. */
void scene_play(int which, const struct scene_fault *fault);

#endif
