/* Reading ahead in <view>_data. Where rows lie by an integer as their key, who asks for one often
** asks for its neighbours next: a statement that goes through a table, or changes a range of it.
** After the second of them some places are read at once, inside SQLite, then more; what they
** hold, and which hold nothing, is known until the next are read, or the table may be another.
**
** A place that holds any other row than that of its number, or one that can't be read, ends that:
** then each is looked up by itself, and says what is wrong. */
#include <string.h>

#include "ext/checksum.h"
#include "ext/result_private.h"
#include "ext/statement.h"

enum {
    FEW = 4,   /* places read at first; LS_MOST_AHEAD at most */
    NEAR = 16, /* so far behind the last place, the next counts as its neighbour */
};

#define POINTER "lockstep places" /* the type of a bound result */

/* The arguments of lockstep_ahead. */
enum { RESULT, ROWID, WEIGHT, CHECKSUM, FIRST_COLUMN };
enum {
    MOST_COLUMNS = 90, /* a function of SQLite may have 127 arguments, or fewer */
    MOST_BYTES = 1 << 18,
};

void ls_ahead_init(struct ls_ahead *ahead)
{
    zs_buffer_init(&ahead->records, &ls_alloc);
}

void ls_ahead_clear(struct ls_ahead *ahead)
{
    zs_buffer_clear(&ahead->records);
}

void ls_ahead_forget(struct ls_ahead *ahead)
{
    ahead->from = ahead->to = 0;
    ahead->n = 0;
    zs_buffer_reset(&ahead->records);
}

/* Appends the row in the arguments to the records. Its key is to be the number of its place. */
static int append_row(const struct ls_result *result, struct zs_buffer *records,
    const struct ls_record *head, int argc, sqlite3_value **argv)
{
    int key = FIRST_COLUMN + result->location->key_columns[0];
    uint64_t sum = ls_checksum_begin(head->rowid, head->stored_weight);
    int rc = ZS_OK;

    for (int i = FIRST_COLUMN; rc == ZS_OK && i < argc; i++) {
        struct zs_value value = ls_value(argv[i]);

        rc = ls_read_status(&value);
        if (rc != ZS_OK)
            break;
        if (i == key && (value.type != ZS_INTEGER || value.integer != head->rowid))
            return ZS_CORRUPT;
        sum = ls_checksum_add(sum, &value);
        rc = zs_row_append_identity(records, &value);
    }
    if (rc == ZS_OK &&
        (head->stored_weight != 1 || sqlite3_value_type(argv[WEIGHT]) != SQLITE_INTEGER ||
            sqlite3_value_type(argv[CHECKSUM]) != SQLITE_INTEGER ||
            sqlite3_value_int64(argv[CHECKSUM]) != (int64_t)(uint32_t)sum))
        rc = ZS_CORRUPT;
    return rc;
}

/* The slot of a place, which no row was met of; NULL where that is not so, which the table's
** primary key keeps from happening, if it has one. */
static struct ls_slot *slot_of(struct ls_ahead *ahead, int64_t home)
{
    struct ls_slot *slot;

    if (home < ahead->from || home >= ahead->to)
        return NULL;
    slot = &ahead->slots[home - ahead->from];
    return slot->len == 0 ? slot : NULL;
}

/* Notes the record of one place. */
static int note(struct ls_result *result, int argc, sqlite3_value **argv)
{
    struct zs_buffer *records = &result->ahead.records;
    struct ls_record head = {
        sqlite3_value_int64(argv[WEIGHT]), sqlite3_value_int64(argv[ROWID])};
    struct ls_slot *slot = slot_of(&result->ahead, head.rowid);
    size_t row;
    int rc;

    if (slot == NULL)
        return ZS_CORRUPT;
    slot->at = records->len;
    rc = zs_buffer_append(records, &head, sizeof(head));
    if (rc == ZS_OK)
        rc = ls_record_append(records, head.stored_weight, (struct zs_bytes){NULL, 0});
    row = records->len;
    if (rc == ZS_OK)
        rc = append_row(result, records, &head, argc, argv);
    if (rc == ZS_OK)
        ls_record_set_last(records, row);
    slot->len = records->len - slot->at;
    return rc;
}

/* lockstep_ahead(result, rowid, weight, checksum, column, ...), an aggregate. */
static void step_ahead(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct ls_result *result = argc > 0 ? sqlite3_value_pointer(argv[RESULT], POINTER) : NULL;
    struct ls_ahead *ahead;

    if (result == NULL || argc != FIRST_COLUMN + result->location->n_columns) /* a user's */
        return;
    ahead = &result->ahead;
    ahead->is_odd = ahead->is_odd || note(result, argc, argv) != ZS_OK;
    ahead->n_rows++;
    if (ahead->records.len > MOST_BYTES)
        sqlite3_result_error(context, "the rows are too long to be read ahead", -1);
}

static void end(sqlite3_context *context)
{
    (void)context; /* what was read is in the records */
}

int ls_ahead_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "lockstep_ahead", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        NULL, NULL, step_ahead, end, NULL);
}

char *ls_ahead_text(const struct ls_result *result, sqlite3_stmt *get)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text,
        "SELECT count(*), lockstep_ahead(?3, lockstep_row, lockstep_weight, lockstep_checksum");
    for (int i = 0; i < result->location->n_columns; i++)
        sqlite3_str_appendf(text, ", \"%w\"", sqlite3_column_name(get, i));
    sqlite3_str_appendf(text, ") FROM \"%w\".\"%w_data\" WHERE lockstep_row BETWEEN ?1 AND ?2",
        result->layer.schema, result->layer.view);
    return sqlite3_str_finish(text);
}

/* Reads the places. SQLite's code. An authorizer may have kept the function from being called. */
static int scan(struct ls_result *result, sqlite3_stmt *statement)
{
    struct ls_ahead *ahead = &result->ahead;
    sqlite3_int64 n_rows = 0;
    int rc = sqlite3_bind_int64(statement, 1, ahead->from);

    ahead->n_rows = 0;
    zs_buffer_reset(&ahead->records);
    memset(ahead->slots, 0, (size_t)ahead->n * sizeof(*ahead->slots));
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, ahead->to - 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_pointer(statement, 3, result, POINTER, NULL);
    if (rc == SQLITE_OK)
        rc = ls_step_integer(statement, &n_rows);
    ahead->is_odd = ahead->is_odd || rc != SQLITE_OK || n_rows != ahead->n_rows;
    return rc;
}

/* What fails where a place is looked up by itself, too, is passed on there, or does not; the rest
** may have ended the transaction. */
static bool is_of_reading_ahead(int rc)
{
    int code = rc & 0xff;

    return code == SQLITE_ERROR || code == SQLITE_AUTH || code == SQLITE_CORRUPT ||
           code == SQLITE_TOOBIG;
}

/* Is it known what this place holds? */
static bool knows(const struct ls_result *result, int64_t home)
{
    const struct ls_ahead *ahead = &result->ahead;

    return home >= ahead->from && home < ahead->to && !ahead->is_odd &&
           ahead->n_distrusted == result->layer.n_distrusted;
}

bool ls_ahead_find(const struct ls_result *result, int64_t home, struct zs_bytes *record)
{
    static const struct ls_record nothing = {0, 0};
    const struct ls_slot *slot;

    if (!knows(result, home))
        return false;
    slot = &result->ahead.slots[home - result->ahead.from];
    *record = slot->len == 0
                  ? (struct zs_bytes){(const uint8_t *)&nothing, sizeof(nothing)}
                  : (struct zs_bytes){result->ahead.records.data + slot->at, slot->len};
    return true;
}

bool ls_result_reads_ahead(const struct ls_result *result)
{
    return result->ahead.n > 0;
}

/* How many places are worth reading, from this one on. */
static int choose(const struct ls_result *result, int64_t home)
{
    const struct ls_ahead *ahead = &result->ahead;
    bool is_near = home >= ahead->to && home - ahead->to < NEAR;

    if (!is_near || ahead->is_odd || ahead->is_off ||
        result->location->n_columns > MOST_COLUMNS)
        return 0;
    return ahead->n == 0 ? FEW : ahead->n < LS_MOST_AHEAD ? 2 * ahead->n : LS_MOST_AHEAD;
}

int ls_ahead_read(struct ls_result *result, int64_t home)
{
    struct ls_ahead *ahead = &result->ahead;
    sqlite3_stmt *statement;
    int rc = SQLITE_OK;

    ahead->n = choose(result, home);
    ahead->from = ahead->n == 0 ? home + 1 : home; /* its neighbour may be next */
    ahead->to = ahead->from + ahead->n;
    ahead->is_odd = false;
    ahead->n_distrusted = result->layer.n_distrusted;
    if (ahead->n == 0)
        return ZS_OK;
    ahead->is_off = ls_result_prepared(result, LS_AHEAD, &statement) != SQLITE_OK;
    ahead->is_odd = ahead->is_off;
    if (!ahead->is_off)
        rc = scan(result, statement);
    ahead->is_off = ahead->is_off || is_of_reading_ahead(rc);
    return rc == SQLITE_OK || is_of_reading_ahead(rc) ? ZS_OK
                                                      : ls_layer_failed(&result->layer, rc);
}
