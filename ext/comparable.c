/* What an affinity makes of a value is SQLite's to say: bound, it comes back as a value that
** can be asked. */
#include "ext/comparable.h"

#include "ext/statement.h"

void ls_comparable_clear(struct ls_comparable *comparable)
{
    sqlite3_finalize(comparable->statement);
    comparable->statement = NULL;
}

static bool changes(enum ls_affinity affinity, enum zs_type type)
{
    if (affinity == LS_TEXT)
        return type == ZS_INTEGER || type == ZS_REAL;
    return ls_affinity_is_numeric(affinity) && type == ZS_TEXT;
}

/* The value as a row of the statement. */
static int ask(struct ls_comparable *comparable, const struct zs_value *value)
{
    int rc = SQLITE_OK;

    if (comparable->statement == NULL)
        rc = ls_prepare(comparable->db, &comparable->statement, "SELECT ?1");
    if (rc == SQLITE_OK)
        rc = ls_bind(comparable->statement, 1, value);
    return rc == SQLITE_OK && sqlite3_step(comparable->statement) == SQLITE_ROW ? ZS_OK
                                                                                : ZS_NOMEM;
}

/* The value as text, or, where it looks like one, as a number. */
static int append_changed(struct ls_comparable *comparable, struct zs_buffer *key,
    enum ls_affinity affinity, enum zs_collation collation)
{
    sqlite3_value *copy = sqlite3_value_dup(sqlite3_column_value(comparable->statement, 0));
    struct zs_value read;
    const void *text;
    int rc;

    if (copy == NULL)
        return ZS_NOMEM;
    if (affinity == LS_TEXT) {
        text = sqlite3_value_text(copy);
        read = (struct zs_value){
            .type = ZS_TEXT, .bytes = {text, (size_t)sqlite3_value_bytes(copy)}};
    } else {
        (void)sqlite3_value_numeric_type(copy);
        read = ls_value(copy);
    }
    rc = ls_read_status(&read);
    if (rc == ZS_OK)
        rc = zs_row_append_comparison(key, &read, collation);
    sqlite3_value_free(copy);
    return rc;
}

int ls_comparable_append(struct ls_comparable *comparable, struct zs_buffer *key,
    const struct zs_value *value, enum ls_affinity affinity, enum zs_collation collation)
{
    int rc;

    if (!changes(affinity, value->type))
        return zs_row_append_comparison(key, value, collation);
    rc = ask(comparable, value);
    if (rc == ZS_OK)
        rc = append_changed(comparable, key, affinity, collation);
    if (comparable->statement != NULL)
        (void)sqlite3_reset(comparable->statement);
    return rc;
}
