/* A view's plan in words: a line an operator, and one for the view's stored rows. */
#ifndef LS_EXPLAIN_H
#define LS_EXPLAIN_H

#include "ext/view.h"

/* What an operator reads. */
struct ls_input {
    const char *table; /* NULL: what another operator makes */
    size_t line;       /* of that one */
    bool is_looked_up; /* a join: in all that it has made */
};

struct ls_line {
    const char *operator; /* the term of the field: source, join, map, ... */
    char *detail;         /* SQL, over the columns c0, c1, ... of the input; of a join, then a
                             line about each table that it reads */
    const char *cost;     /* what a change costs: "per change", "per key", ... */
    struct ls_input *inputs;
    size_t n_inputs;
    bool is_result;         /* it keeps the view's rows, in <view>_data */
    unsigned kept_from[2];  /* what it keeps in <view>_trace: the first two bytes of its keys */
    unsigned kept_until[2]; /* from these up to, not including, those; 0: nothing */
};

struct ls_explanation {
    sqlite3 *db;
    char *schema;
    char *view;
    struct ls_line *lines;
    size_t n;
    struct ls_pool_block *pool; /* holds the lines, inputs and details */
};

/* Explains a view. schema NULL: the first database that has one of that name. On error *message
** is a sentence, or NULL (sqlite3_free it). SQLite's code. */
ZS_CHECKED int ls_explain(struct ls_connection *connection, const char *schema,
    const char *view, struct ls_explanation **explanation, char **message);
void ls_explanation_free(struct ls_explanation *explanation); /* accepts NULL */

bool ls_line_keeps(const struct ls_line *line); /* anything */

/* What a line's operator keeps, as it is stored: so many cells (of the view: rows) of so many
** bytes. Reads all of it. */
ZS_CHECKED int ls_line_kept(const struct ls_explanation *explanation,
    const struct ls_line *line, sqlite3_int64 *cells, sqlite3_int64 *bytes);

/* "posts, 2": tables by name, operators by number. */
void ls_line_append_inputs(const struct ls_line *line, sqlite3_str *text);

#endif
