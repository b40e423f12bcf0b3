/* What xFilter is given for the constraints of idxStr (selection.h): for each one value, or those of
** an IN, which SQLite gives at once. */
#ifndef LS_ARGUMENT_H
#define LS_ARGUMENT_H

#include "ext/view.h"

struct ls_argument {
    sqlite3_value *value; /* borrowed; for an IN it says nothing */
    bool is_several;
    bool is_any; /* there are too many: it narrows nothing */
    bool has_number, has_text;
    sqlite3_value **values; /* copies, none NULL */
    size_t n, cap;
};

struct ls_arguments {
    struct ls_argument few[4];
    struct ls_argument *items; /* one a constraint */
    int n;
};

/* Only within xFilter. SQLite's code; clear them also then. */
ZS_CHECKED int ls_arguments_read(struct ls_arguments *arguments, sqlite3 *db, const char *items,
    int argc, sqlite3_value **argv);
void ls_arguments_clear(struct ls_arguments *arguments);

/* How many parameters of a statement stand for it. So that few statements serve all, several have as
** many as the next power of 2, of which the last may be NULL. */
int ls_argument_n_parameters(const struct ls_argument *argument);

/* A letter by which statements for different arguments are told: by types, and by how many. */
char ls_argument_letter(const struct ls_argument *argument);

#endif
