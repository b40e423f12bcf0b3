/* Is a view equal to its query, a query over views to the same over their queries, and a table
** to its twin. Tags of what is found:
**   rows    other rows, types or bits       member  a value that is not in the table now
**   error   the view failed, not its query  silent  the query failed, not the view
**   message the view failed with a message of its own
**   order   the right rows in another order than the view's own
**   plain   other rows than the query with sum, on data whose sums are exact
**   probe   a query over views              table, schema  the twin has another content */
#include <string.h>

#include "tests/diff_world.h"

static const char *spec_of(const struct diff_view *view, char letters[DIFF_VIEW_COLUMNS + 1])
{
    for (unsigned i = 0; i < view->n_columns; i++)
        letters[i] = view->columns[i].spec;
    letters[view->n_columns] = 0;
    return letters;
}

void diff_show_both(struct diff_world *world, const char *first, const struct diff_result *a,
    const char *second, const struct diff_result *b)
{
    struct diff_text *out = &world->mismatch->detail;
    diff_text_add(out, "%s:\n", first);
    diff_result_print(a, "    ", out);
    diff_text_add(out, "%s:\n", second);
    diff_result_print(b, "    ", out);
}

static bool differ(
    struct diff_world *world, const char *tag, unsigned connection, unsigned view)
{
    if (world->mismatch->tag == NULL) {
        diff_world_fail(world, tag, (int)view, "view %s on connection %u",
            world->c->views[view].name, connection);
        diff_show_both(world, "view", &world->a, "query", &world->b);
    }
    return false;
}

/* Does a failing view say what its query says? Where several rows are bad either may be named.
 */
static bool is_same_failure(const struct diff_result *view, const struct diff_result *query)
{
    static const char *const known[] = {"integer overflow", "malformed JSON", NULL};
    if (strstr(view->error, query->error) != NULL)
        return true;
    for (unsigned i = 0; known[i] != NULL; i++) {
        if (strstr(view->error, known[i]) != NULL)
            return true;
    }
    return false;
}

/* Whether keys[] of the row at i of the canonical result and of the row at k of the canonical
** members are equal; tells also of each column whether the values shown are identical. */
static bool match_member(struct diff_world *world, const struct diff_view *v, size_t i,
    size_t k, bool identical[DIFF_VIEW_COLUMNS])
{
    size_t a = world->a.rows[i].at, m = world->members.rows[k].at;
    size_t c_a = world->c_a.rows[i].at, c_m = world->c_b.rows[k].at;
    bool is_same_group = true;

    for (unsigned column = 0; column < v->n_columns; column++) {
        struct diff_value shown = diff_result_value(&world->a, &a);
        struct diff_value member = diff_result_value(&world->members, &m);
        struct diff_value c_shown = diff_result_value(&world->c_a, &c_a);
        struct diff_value c_member = diff_result_value(&world->c_b, &c_m);
        identical[column] = diff_value_is_identical(&shown, &member);
        if (v->columns[column].is_group_key && !diff_value_is_identical(&c_shown, &c_member))
            is_same_group = false;
    }
    return is_same_group;
}

/* Each value shown for several that compare equal is in the table now, all keys of a row in one
** row of the table. */
static bool row_is_present(struct diff_world *world, const struct diff_view *v, size_t i)
{
    bool has_keys = false, identical[DIFF_VIEW_COLUMNS];
    bool is_found[DIFF_VIEW_COLUMNS] = {false};

    for (size_t k = 0; k < world->members.n; k++) {
        if (!match_member(world, v, i, k, identical))
            continue;
        bool is_key_found = true;
        for (unsigned column = 0; column < v->n_columns; column++) {
            is_found[column] = is_found[column] || identical[column];
            if (v->columns[column].is_group_key && !identical[column])
                is_key_found = false;
        }
        has_keys = has_keys || is_key_found;
    }
    size_t at = world->a.rows[i].at;
    for (unsigned column = 0; column < v->n_columns; column++) {
        struct diff_value shown = diff_result_value(&world->a, &at);
        const struct diff_view_column *of = &v->columns[column];
        if (of->member != NULL && of->is_group_key && !has_keys)
            return false;
        if (of->member != NULL && !of->is_group_key && shown.type != SQLITE_NULL &&
            !is_found[column])
            return false;
    }
    return true;
}

/* Of a composed view: each row is one of those that it may show, and shown no more often. */
static bool rows_are_members(struct diff_world *world, unsigned connection, unsigned view)
{
    const struct diff_view *v = &world->c->views[view];
    char letters[DIFF_VIEW_COLUMNS + 1] = {0};

    if (v->members == NULL)
        return true;
    for (unsigned i = 0; i < v->n_columns; i++)
        letters[i] = v->columns[i].member_spec;
    diff_world_query(world, connection, view, DIFF_MEMBERS_QUERY, &world->members);
    diff_result_canonical(&world->a, letters, &world->c_a);
    diff_result_canonical(&world->members, letters, &world->c_b);
    if (world->members.rc != SQLITE_OK || diff_result_is_part(&world->c_a, &world->c_b))
        return true;
    return differ(world, "member", connection, view);
}

static bool members_are_present(struct diff_world *world, unsigned connection, unsigned view)
{
    const struct diff_view *v = &world->c->views[view];
    char letters[DIFF_VIEW_COLUMNS + 1];

    diff_world_query(world, connection, view, DIFF_MEMBERS_QUERY, &world->members);
    diff_result_canonical(&world->a, spec_of(v, letters), &world->c_a);
    diff_result_canonical(&world->members, spec_of(v, letters), &world->c_b);
    for (size_t i = 0; i < world->a.n; i++) {
        if (!row_is_present(world, v, i))
            return differ(world, "member", connection, view);
    }
    return true;
}

/* Compares two results under the view's letters; tells whether they are identical. */
static bool is_equal(struct diff_world *world, const struct diff_view *v, struct diff_result *a,
    struct diff_result *b, bool *identical)
{
    char letters[DIFF_VIEW_COLUMNS + 1];

    world->n_comparisons++;
    *identical = diff_result_is_same(a, b);
    if (*identical || strspn(spec_of(v, letters), "E") == v->n_columns)
        return *identical;
    diff_result_canonical(a, letters, &world->c_a);
    diff_result_canonical(b, letters, &world->c_b);
    return diff_result_is_same(&world->c_a, &world->c_b);
}

bool diff_compare_rows(
    struct diff_world *world, unsigned view, struct diff_result *a, struct diff_result *b)
{
    bool ignored;

    return is_equal(world, &world->c->views[view], a, b, &ignored);
}

/* Do the columns that order the view's rows come as in its query? world->a and b are as they
** came. */
static bool is_in_order(struct diff_world *world, const struct diff_view *v)
{
    const char of_first[] = {v->columns[0].collation, '?', 0};
    const char *letters = v->text != NULL ? v->ordered : v->order != NULL ? of_first : "";

    if (letters[0] == 0 || (v->text == NULL && strchr("BNR", letters[0]) == NULL))
        return true;
    diff_result_canonical(&world->a, letters, &world->c_a);
    diff_result_canonical(&world->b, letters, &world->c_b);
    return diff_result_is_same_sequence(&world->c_a, &world->c_b);
}

/* The tables that a composed view names, a bit each. */
static unsigned tables_of(const struct diff_case *c, const struct diff_view *v)
{
    unsigned tables = 0;

    for (unsigned t = 0; t < c->n_tables; t++) {
        const char name[] = {'`', 't', (char)('0' + t), '`', 0};
        tables |= strstr(v->text, name) != NULL ? 1u << t : 0;
    }
    return tables;
}

/* A table such as json_each is main's: what reads one wants main's lock, too, where the view is
** another database's. So does a view that is opened, by what it asks of the schema: README. */
static bool waits_for_main(
    struct diff_world *world, unsigned connection, const struct diff_result *result)
{
    if (strcmp(world->c->home, "aux.") != 0 || !diff_is_busy(result->rc))
        return false;
    diff_result_query(
        &world->c_a, world->real.db[connection], "SELECT count(*) FROM main.sqlite_schema");
    return diff_is_busy(world->c_a.rc);
}

bool diff_compare_view(struct diff_world *world, unsigned connection, unsigned view)
{
    const struct diff_view *v = &world->c->views[view];
    bool is_identical, is_ordered, ignored;

    diff_world_query(world, connection, view, DIFF_VIEW_QUERY, &world->a);
    diff_world_query(world, connection, view, DIFF_ORACLE_QUERY, &world->b);
    if (world->is_over)
        return true;
    if (world->a.rc != SQLITE_OK && world->b.rc != SQLITE_OK) {
        if (diff_is_busy(world->b.rc) || is_same_failure(&world->a, &world->b))
            return true;
        return differ(world, "message", connection, view);
    }
    if (world->a.rc != SQLITE_OK)
        return waits_for_main(world, connection, &world->a) ||
               differ(world, "error", connection, view);
    if (world->b.rc != SQLITE_OK)
        return waits_for_main(world, connection, &world->b) ||
               differ(world, "silent", connection, view);
    is_ordered = is_in_order(world, v);
    if (!is_equal(world, v, &world->a, &world->b, &is_identical))
        return differ(world, "rows", connection, view);
    if (!is_ordered)
        return differ(world, "order", connection, view);
    if (v->text != NULL)
        diff_course_note(&world->courses[view], &world->a, tables_of(world->c, v));
    if (world->c->is_exact && world->has_exact && !v->is_rough) {
        diff_world_query(world, connection, view, DIFF_PLAIN_QUERY, &world->b);
        if (!world->is_over && !is_equal(world, v, &world->a, &world->b, &ignored))
            return differ(world, "plain", connection, view);
    }
    if (v->text != NULL)
        return rows_are_members(world, connection, view);
    return is_identical || members_are_present(world, connection, view);
}

/* Does any view that the probe's text names fail as a whole? */
static bool some_view_fails(struct diff_world *world, unsigned connection, const char *sql)
{
    for (const char *at = strstr(sql, "`v"); at != NULL; at = strstr(at + 1, "`v")) {
        unsigned view = (unsigned)(at[2] - '0');
        diff_world_query(world, connection, view, DIFF_ORACLE_QUERY, &world->c_a);
        if (world->c_a.rc != SQLITE_OK)
            return true;
    }
    return false;
}

static bool views_are_there(struct diff_world *world, unsigned connection, const char *sql)
{
    for (const char *at = strstr(sql, "`v"); at != NULL; at = strstr(at + 1, "`v")) {
        if (!diff_world_has_view(world, connection, (unsigned)(at[2] - '0')))
            return false;
    }
    return true;
}

bool diff_compare_probe(struct diff_world *world, const struct diff_step *step)
{
    sqlite3 *db = world->real.db[step->connection];

    if (!views_are_there(world, step->connection, step->sql))
        return true;
    diff_result_query(&world->a, db, diff_world_render(world, DIFF_IN_PLACE, step->sql));
    diff_result_query(&world->b, db, diff_world_render(world, world->oracle, step->sql));
    world->n_comparisons++;
    if (world->b.rc != SQLITE_OK) /* fails in what it need not look at for the whole */
        return true;
    if (waits_for_main(world, step->connection, &world->a))
        return true;
    if (world->a.rc != SQLITE_OK && some_view_fails(world, step->connection, step->sql))
        return true;
    diff_result_canonical(&world->a, step->spec, &world->c_a);
    diff_result_canonical(&world->b, step->spec, &world->c_b);
    if (world->a.rc == SQLITE_OK &&
        (step->is_ordered ? diff_result_is_same_sequence(&world->c_a, &world->c_b)
                          : diff_result_is_same(&world->c_a, &world->c_b)))
        return true;
    diff_world_fail(world, "probe", -1, "on connection %u: %s", step->connection,
        diff_world_render(world, DIFF_IN_PLACE, step->sql));
    diff_show_both(world, "over the views", &world->a, "over their queries", &world->b);
    return false;
}

static bool compare_on_twin(
    struct diff_world *world, unsigned connection, const char *tag, const char *sql)
{
    diff_result_query(&world->a, world->real.db[connection], sql);
    diff_result_query(&world->b, world->twin.db[connection], sql);
    if (world->a.rc != SQLITE_OK || world->b.rc != SQLITE_OK)
        return true;
    if (diff_result_is_same(&world->a, &world->b))
        return true;
    diff_world_fail(world, tag, -1, "on connection %u: %s", connection, sql);
    diff_show_both(world, "here", &world->a, "without the extension", &world->b);
    return false;
}

bool diff_compare_tables(struct diff_world *world, unsigned connection)
{
    bool has_views = false;

    for (unsigned t = 0; t < world->c->n_tables; t++) {
        const char *sql = world->c->tables[t].has_rowid ? "SELECT rowid, * FROM `t%u`"
                                                        : "SELECT * FROM `t%u`";
        struct diff_text text = {0};
        diff_text_add(&text, sql, t);
        bool is_same = compare_on_twin(
            world, connection, "table", diff_world_render(world, DIFF_IN_PLACE, text.data));
        diff_text_free(&text);
        if (!is_same)
            return false;
    }
    for (unsigned i = 0; i < world->c->n_views; i++)
        has_views = has_views || diff_world_has_view(world, connection, i);
    return has_views || compare_on_twin(world, connection, "schema",
                            diff_world_render(world, DIFF_AS_VIEW,
                                "SELECT type, name, tbl_name FROM `h`sqlite_schema"));
}
