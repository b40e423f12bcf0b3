/* Reads of views that stay open over other statements, on both sides. */
#ifndef DIFF_CURSOR_H
#define DIFF_CURSOR_H

#include "tests/diff_result.h"

struct diff_world;
struct diff_step;

struct diff_cursor {
    sqlite3_stmt *real, *twin; /* NULL: not open */
    struct diff_result shown;  /* so far */
    struct diff_result expected;
    unsigned connection;
    unsigned view;
    bool is_touched; /* its connection may have changed what it reads */
};

/* Steps. False when a mismatch was noted: tag cursor. */
bool diff_cursor_open(struct diff_world *world, const struct diff_step *step);
bool diff_cursor_go_on(struct diff_world *world, const struct diff_step *step);

/* The connection writes. */
void diff_cursors_touch(struct diff_world *world, unsigned connection);

/* Closes those of a connection. */
void diff_cursors_close(struct diff_world *world, unsigned connection);

#endif
