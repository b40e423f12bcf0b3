/* From constraints to spans of keys. A constraint `c = 5` leaves the rows with 5 there, and
** those that SQLite may compare as if they had it: what they are depends on the other side's
** affinity, which is not known here. These strays are all of one type. */
#include "ext/narrow.h"

#include <string.h>

#include "ext/selection.h"
#include "ext/statement.h"

/* Values besides its own that may pass for one. */
enum strays { NONE, TEXTS, NUMBERS };

static const struct zs_value first_number = {.type = ZS_REAL, .real = -__builtin_inf()};
static const struct zs_value first_text = {.type = ZS_TEXT};
static const struct zs_value first_blob = {.type = ZS_BLOB};

/* Can it be how SQLite writes a number? NOCASE and RTRIM may stand between the two. */
static bool may_spell_number(struct zs_bytes text)
{
    return text.len > 0 && (strchr("-0123456789Ii", text.data[0]) != NULL);
}

static enum strays strays_of(enum ls_affinity affinity, const struct zs_value *value)
{
    bool is_number = value->type == ZS_INTEGER || value->type == ZS_REAL;

    if (is_number && !ls_affinity_is_numeric(affinity))
        return TEXTS;
    if (value->type == ZS_TEXT && affinity == LS_NONE && may_spell_number(value->bytes))
        return NUMBERS;
    return NONE;
}

/* Can a bound be used? Below a text lie numbers that are written as texts, and so on: those
** that may be beyond it are not looked for. */
static bool is_sharp(enum ls_affinity affinity, const struct zs_value *value, bool is_above)
{
    bool is_number = value->type == ZS_INTEGER || value->type == ZS_REAL;

    if (is_number)
        return is_above || ls_affinity_is_numeric(affinity);
    return value->type != ZS_TEXT || ls_affinity_is_numeric(affinity) ||
           (is_above && affinity == LS_TEXT);
}

/* A constraint on a column by one of the operators, and its value. */
static int find(const struct ls_view *view, const char *items, sqlite3_value **argv,
    size_t column, const char *operators, struct zs_value *value, bool *found)
{
    struct ls_item item;
    int rc;

    *found = false;
    for (int i = 0; ls_item_next(&items, &item) && ls_item_is_constraint(&item); i++) {
        if ((size_t)item.column != column || strchr(operators, item.op) == NULL)
            continue;
        *found = true;
        rc = ls_selection_value(view, &item, argv[i], value);
        return rc == SQLITE_OK ? ZS_OK : rc == SQLITE_NOMEM ? ZS_NOMEM : ZS_REFUSED;
    }
    return ZS_OK;
}

/* The one row. */

int ls_narrow_place(const struct ls_view *view, const char *items, sqlite3_value **argv,
    struct zs_buffer *place, bool *is_one)
{
    const struct ls_location *location = ls_pipeline_location(view->pipeline);
    int rc = ZS_OK;

    *is_one = location->n_keys > 0 && location->is_compared_alike;
    zs_buffer_reset(place);
    for (int i = 0; rc == ZS_OK && *is_one && i < location->n_keys; i++) {
        size_t column = (size_t)location->key_columns[i];
        struct zs_value value;

        rc = find(view, items, argv, column, "=i", &value, is_one);
        if (rc != ZS_OK || !*is_one)
            break;
        *is_one = strays_of(ls_selection_affinity(view, (int)column), &value) == NONE;
        rc = zs_row_append_comparison(place, &value, location->collations[i]);
    }
    return rc;
}

/* Spans. */

/* The first key behind all that begin with these bytes. One byte, the order's number, is less
** than 255. */
static void step_behind(struct zs_buffer *key)
{
    while (key->data[key->len - 1] == 0xff)
        key->len--;
    key->data[key->len - 1]++;
}

/* A span within those of a prefix: what lies from one value to another, or, of NULL, to the end
** of the prefix. Where the order descends they change places. */
static int set_span(struct ls_pending *pending, int i, struct zs_bytes prefix,
    const struct zs_order *order, const struct zs_value *from, const struct zs_value *to)
{
    struct zs_buffer *low = &pending->spans[i].from, *high = &pending->spans[i].to;
    const struct zs_value *first = order->is_descending ? to : from;
    const struct zs_value *last = order->is_descending ? from : to;
    int rc;

    zs_buffer_reset(low);
    zs_buffer_reset(high);
    rc = zs_buffer_append(low, prefix.data, prefix.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(high, prefix.data, prefix.len);
    if (rc == ZS_OK && first != NULL)
        rc = zs_row_append_order(low, first, order);
    if (rc == ZS_OK && last != NULL)
        rc = zs_row_append_order(high, last, order);
    if (rc == ZS_OK)
        step_behind(high);
    return rc;
}

/* The spans of a value and of its strays, ascending. */
static int set_strays(struct ls_pending *pending, struct zs_bytes prefix,
    const struct zs_order *order, const struct zs_value *value, enum strays strays)
{
    const struct zs_value *from = strays == TEXTS ? &first_text : &first_number;
    const struct zs_value *to = strays == TEXTS ? &first_blob : &first_text;
    int own = (strays == TEXTS) == order->is_descending ? 1 : 0;
    int rc = set_span(pending, own, prefix, order, value, value);

    if (rc == ZS_OK)
        rc = set_span(pending, 1 - own, prefix, order, from, to);
    pending->n_spans = 2;
    return rc;
}

static int set_range(const struct ls_view *view, const char *items, sqlite3_value **argv,
    const struct ls_key *key, struct ls_pending *pending, struct zs_bytes prefix)
{
    enum ls_affinity affinity = ls_selection_affinity(view, (int)key->column);
    struct zs_value from, to;
    bool has_from, has_to;
    int rc = find(view, items, argv, key->column, ">g", &from, &has_from);

    if (rc == ZS_OK)
        rc = find(view, items, argv, key->column, "<l", &to, &has_to);
    if (rc != ZS_OK)
        return rc;
    has_from = has_from && is_sharp(affinity, &from, true);
    has_to = has_to && is_sharp(affinity, &to, false);
    return set_span(
        pending, 0, prefix, &key->order, has_from ? &from : NULL, has_to ? &to : NULL);
}

/* Equalities make the prefix longer, up to a column that has none or one with strays. */
static int narrow(const struct ls_view *view, const char *items, sqlite3_value **argv,
    const struct ls_encoder *encoder, struct ls_pending *pending, struct zs_buffer *prefix)
{
    int rc = zs_buffer_append_byte(prefix, (uint8_t)pending->order);

    for (size_t i = 0; rc == ZS_OK && i < encoder->n_keys; i++) {
        const struct ls_key *key = &encoder->keys[i];
        struct zs_value value;
        enum strays strays;
        bool found;

        if (key->column >= (size_t)view->n_columns) /* only the order reads it */
            break;
        rc = find(view, items, argv, key->column, "=i", &value, &found);
        if (rc == ZS_OK && !found)
            return set_range(view, items, argv, key, pending, zs_buffer_bytes(prefix));
        if (rc != ZS_OK)
            return rc;
        strays = strays_of(ls_selection_affinity(view, (int)key->column), &value);
        if (strays != NONE)
            return set_strays(pending, zs_buffer_bytes(prefix), &key->order, &value, strays);
        rc = zs_row_append_order(prefix, &value, &key->order);
    }
    return rc != ZS_OK ? rc
                       : set_span(pending, 0, zs_buffer_bytes(prefix), &(struct zs_order){0},
                             NULL, NULL);
}

/* Terms. */

/* Can a column's values be put in an order here, which knows SQLite's own collations only? */
static bool can_order(const struct ls_view *view, int column)
{
    enum zs_collation ignored;

    return ls_collation_of(view->columns[column].collation, &ignored);
}

/* Appends the columns that constraints hold to one value. Which they are, and not in what order
** they are asked for, tells one order from another. */
static int append_held(const struct ls_view *view, const char *items, sqlite3_value **argv,
    struct zsql_order *terms, size_t *n)
{
    for (int column = 0; column < view->n_columns; column++) {
        struct zs_value value;
        bool found;
        int rc = find(view, items, argv, (size_t)column, "=i", &value, &found);

        if (rc != ZS_OK)
            return rc;
        if (found && can_order(view, column) &&
            strays_of(ls_selection_affinity(view, column), &value) == NONE)
            terms[(*n)++] = ls_selection_term(view, column, false);
    }
    return ZS_OK;
}

/* The asked order, or else a column that is narrowed in another way. */
static void append_asked(const struct ls_view *view, const char *items,
    struct zsql_order *terms, size_t *n, bool *is_ordered)
{
    const struct zsql_plan *plan = view->definition->plan;
    int narrowed = -1;
    struct ls_item item;

    *is_ordered = false;
    while (ls_item_next(&items, &item)) {
        if (ls_item_is_constraint(&item)) {
            narrowed = can_order(view, item.column) ? item.column : narrowed;
            continue;
        }
        for (size_t i = 0; item.column < 0 && i < plan->n_order; i++)
            terms[(*n)++] = plan->order[i];
        if (item.column >= 0)
            terms[(*n)++] = ls_selection_term(view, item.column, item.op == '-');
        *is_ordered = *is_ordered || item.column >= 0 || plan->n_order > 0;
    }
    if (!*is_ordered && narrowed >= 0)
        terms[(*n)++] = ls_selection_term(view, narrowed, false);
}

/* The number of the order by some terms. Where there are too many others they are forgotten,
** once no cursor walks over them. */
static int find_order(
    struct ls_view *view, const struct zsql_order *terms, size_t n, int *number)
{
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    int utf16 = ls_pipeline_utf16(view->pipeline);
    int rc = ls_result_order(result, terms, n, utf16, number);

    if (rc != ZS_OK || *number >= 0)
        return rc;
    if (ls_view_detach_cursors(view) != SQLITE_OK)
        return ZS_NOMEM;
    ls_result_forget_orders(result);
    rc = ls_result_show(result);
    return rc == ZS_OK ? ls_result_order(result, terms, n, utf16, number) : rc;
}

int ls_narrow_pending(struct ls_view *view, const char *items, sqlite3_value **argv,
    struct ls_pending *pending, bool *is_ordered)
{
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    size_t n = 0,
           most = view->definition->plan->n_order + (size_t)view->n_columns + strlen(items);
    struct zsql_order *terms;
    struct zs_buffer prefix;
    int number, rc;

    *is_ordered = false;
    if (ls_result_pending(result) == 0)
        return ls_pending_begin(pending, NULL, 0);
    terms = zs_alloc_zeroed(&ls_alloc, most * sizeof(*terms));
    if (terms == NULL)
        return ZS_NOMEM;
    rc = append_held(view, items, argv, terms, &n);
    if (rc == ZS_OK)
        append_asked(view, items, terms, &n, is_ordered);
    if (rc == ZS_OK)
        rc = find_order(view, terms, n, &number);
    sqlite3_free(terms);
    if (rc == ZS_OK)
        rc = ls_pending_begin(pending, result, number);
    if (rc != ZS_OK || number == 0)
        return rc;
    zs_buffer_init(&prefix, &ls_alloc);
    rc = narrow(view, items, argv, ls_result_encoder(result, number), pending, &prefix);
    zs_buffer_clear(&prefix);
    return rc;
}
