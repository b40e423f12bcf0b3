/* A source: where a delta enters. Turns what a base table's log has that the view has not seen
** into the rows of the plan's first map, evaluated by SQLite, with weights. */
#ifndef LS_SOURCE_H
#define LS_SOURCE_H

#include "core/batch.h"
#include "ext/encoder.h"
#include "ext/runs.h"
#include "ext/each_row.h"
#include "ext/table.h"
#include "sql/plan.h"

struct ls_source;

/* For operators SOURCE and MAP of a plan over a table that has a log, by its number in the
** plan; encoder is that of the map's output. All are borrowed, and so is alloc, which serves
** what grows with the log. */
ZS_CHECKED int ls_source_new(sqlite3 *db, const struct zs_alloc *alloc,
    const struct ls_table *table, size_t number, const struct zsql_operator *input,
    const struct zsql_operator *map, const struct ls_encoder *encoder,
    struct ls_source **source);
void ls_source_free(struct ls_source *source);

/* The function that its statements use. */
ZS_CHECKED int ls_source_register(sqlite3 *db);

/* The highest position in the log, 0 where it is empty. SQLite's code. O(log n). */
ZS_CHECKED int ls_source_end(struct ls_source *source, sqlite3_int64 *last);

/* At most how many rows the table has, as its rowids tell; -1 where that is not known. O(log
** n). */
ZS_CHECKED int ls_source_size(struct ls_source *source, sqlite3_int64 *rows);

/* Adds to delta what the log's rows behind from say, up to last, which is all of them. A row
** whose expressions fail adds an error, LS_ERROR_OF_ROW. *has_candidates tells whether base
** rows were read again, so that the answer is for this moment; *is_lost that the log cannot
** tell what changed and the view must be rebuilt. SQLite's code; its message is in
** sqlite3_errmsg. */
ZS_CHECKED int ls_source_take(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, struct zs_delta *delta, bool *has_candidates, bool *is_lost);

/* A row that has been inserted is to be read ahead of its log by the next take, besides what the log has:
** the one of that rowid; NULL: none. The take that follows finds it in the log, and takes back what was
** read ahead. */
void ls_source_expect(struct ls_source *source, const sqlite3_int64 *rowid);
bool ls_source_is_ahead(const struct ls_source *source); /* or is to be, by the next take */

/* A level begins, of that number; and those from a level on are merged into the one below it, or undone.
** Of what was read ahead there is what there was when the level began then. */
ZS_CHECKED int ls_source_begin_level(struct ls_source *source, unsigned level);
void ls_source_end_levels(struct ls_source *source, unsigned level);
void ls_source_undo_levels(struct ls_source *source, unsigned level);

/* What of that ls_source_take does once the log has been read into delta, by ls_source_look, say.
** is_counted: the log has asked for the row expected, too, so that it is in delta. */
ZS_CHECKED int ls_source_take_ahead(
    struct ls_source *source, bool is_counted, struct zs_delta *delta);

/* The same with some of these rows, where *is_plain: none of them asks for more than adding up,
** or fails. */
ZS_CHECKED int ls_source_add(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain);

/* Adds to delta all that the log has behind from, and sets *last to where it ends, in one scan:
** where these are so many rows at most, none of which asks for more than adding up, or fails.
** Else, where they were not read before, or the schema has moved since, it is false, and delta
** holds anything. */
bool ls_source_look(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 most,
    struct zs_delta *delta, sqlite3_int64 *last);

/* What SQLite says of the row of that key, of which there is an error, and which row it is:
** "malformed JSON (row id=5 of t)". Free with sqlite3_free. SQLite's code. */
ZS_CHECKED int ls_source_explain(struct ls_source *source, struct zs_bytes key, char **said);

/* Shows row each row of the whole table, in the order of the map's keys if is_sorted says so.
** *has_failing_row is set, with an error code, where some row's expressions fail: begin anew
** with the other, which is slower, in no order, and has an error in place of such a row: it
** fills delta up to so many rows and calls piece, which empties it, as long as there are
** more. */
ZS_CHECKED int ls_source_scan(struct ls_source *source, bool is_sorted, ls_row_fn *row,
    void *ctx, bool *has_failing_row, char **message);
typedef int ls_piece_fn(void *ctx);
ZS_CHECKED int ls_source_scan_by_key(struct ls_source *source, struct zs_delta *delta,
    size_t rows, ls_piece_fn *piece, void *ctx);

#endif
