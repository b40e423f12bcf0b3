/* Random statements that write a table, as templates. */
#ifndef DIFF_STATEMENT_H
#define DIFF_STATEMENT_H

#include "tests/diff_case.h"

/* A statement that writes some table of the case, in every way that SQL has. */
const char *diff_statement(struct diff_case *c, struct diff_random *random);

/* INSERT of a few rows into one table, without surprises. */
const char *diff_statement_fill(
    struct diff_case *c, struct diff_random *random, unsigned table);

/* CREATE TRIGGER with a random time, event and body; head: "TRIGGER" or "TEMP TRIGGER" and the
** name. In diff_trigger.c. */
const char *diff_trigger(
    struct diff_case *c, struct diff_random *random, unsigned table, const char *head);

/* The parts, in diff_insert.c and diff_update.c. */
struct diff_writer {
    struct diff_case *c;
    struct diff_random *random;
    unsigned table;
    const struct diff_table *t;
    struct diff_text *out;
};

void diff_write_insert(struct diff_writer *w);
void diff_write_insert_select(struct diff_writer *w);
void diff_write_upsert(struct diff_writer *w);
void diff_write_update(struct diff_writer *w);
void diff_write_update_from(struct diff_writer *w);
void diff_write_key_change(struct diff_writer *w);
void diff_write_failing_update(struct diff_writer *w);
void diff_write_delete(struct diff_writer *w);

/* In diff_forms.c; the view of a table is made by diff_forms_add_view. */
void diff_write_limited(struct diff_writer *w);
void diff_write_with(struct diff_writer *w);
void diff_write_through_view(struct diff_writer *w);
void diff_forms_add_view(struct diff_case *c, unsigned table);

/* "", or OR and a conflict clause. */
void diff_write_conflict(struct diff_writer *w);

/* A column that can be written; DIFF_COLUMNS where there is none (never). */
unsigned diff_writable_column(struct diff_writer *w);

/* RETURNING, sometimes. */
void diff_write_returning(struct diff_writer *w);

/* A view, of whatever tables, whose rows can be counted in the middle of a statement; false
** where there is none. */
bool diff_countable_view(struct diff_writer *w, unsigned *view);

/* A view over the writer's table whose column can be read in the middle of a statement with one
** right answer; false where there is none. */
bool diff_readable_view(struct diff_writer *w, unsigned *view, unsigned *column);

#endif
