/* What an operator made, as relations: now, past and what changed, each read by random queries
** like a table of the same rows that knows no looking up. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ext/batchtable.h"
#include "ext/encoder.h"
#include "ext/relation.h"
#include "ext/statement.h"
#include "tests/live.h"
#include "tests/must.h"
#include "tests/random.h"
#include "tests/suite.h"

/* Columns and how they are arranged. Values need not be what a column's affinity makes of
** them. */
static const struct kind {
    struct zsql_output_column columns[3];
    int arranged[3];
    size_t n_arranged;
} kinds[] = {
    {{{"", "INT", ZS_BINARY, "BINARY", ""}, {"", "", ZS_BINARY, "BINARY", ""},
         {"", "TEXT", ZS_BINARY, "BINARY", ""}},
        {0}, 1},
    {{{"", "", ZS_BINARY, "BINARY", ""}, {"", "TEXT", ZS_NOCASE, "NOCASE", ""},
         {"", "REAL", ZS_BINARY, "BINARY", ""}},
        {1, 0}, 2},
    {{{"", "TEXT", ZS_BINARY, "BINARY", ""}, {"", "NUMERIC", ZS_BINARY, "BINARY", ""},
         {"", "", ZS_RTRIM, "RTRIM", ""}},
        {2, 1, 0}, 3},
    {{{"", "TEXT", ZS_RTRIM, "RTRIM", ""}, {"", "", ZS_NOCASE, "NOCASE", ""},
         {"", "INT", ZS_BINARY, "BINARY", ""}},
        {0, 1}, 2},
    {{{"", "", ZS_BINARY, "BINARY", ""}, {"", "", ZS_BINARY, "BINARY", ""},
         {"", "BLOB", ZS_BINARY, "BINARY", ""}},
        {1, 2}, 2},
};
enum { N_KINDS = sizeof(kinds) / sizeof(*kinds) };

/* @ and # are the relation, or what it should be like. */
static const char *const queries[] = {
    "SELECT c0, c1, c2 FROM @",
    "SELECT count(*) FROM @",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c0 = o.i",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c0 = o.t",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c0 = o.r",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c1 = o.t",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c1 = o.i",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c1 = o.n AND x.c0 = o.i",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c1 = o.n AND x.c0 = o.n",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c2 = o.t AND x.c1 = +o.t",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x WHERE x.c2 = o.n",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o, @ AS x"
    " WHERE x.c2 = o.t AND x.c1 = +o.n AND x.c0 = +o.t",
    "SELECT o.*, x.c1, x.c2 FROM o JOIN @ AS x ON x.c1 COLLATE NOCASE = o.t",
    "SELECT o.*, x.c1, x.c2 FROM o JOIN @ AS x ON x.c1 COLLATE BINARY = o.t",
    "SELECT o.*, x.c1, x.c2 FROM o JOIN @ AS x ON o.t COLLATE RTRIM = x.c0",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o LEFT JOIN @ AS x ON x.c1 = o.t AND x.c0 = o.i",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM @ AS x LEFT JOIN o ON x.c1 = o.t AND x.c0 = o.i",
    "SELECT x.c0, x.c1, y.c2 FROM @ AS x, # AS y WHERE x.c0 = y.c0",
    "SELECT x.c0, x.c1, y.c2 FROM @ AS x, # AS y WHERE x.c0 = y.c1 AND x.c2 IS y.c2",
    "SELECT x.c0, x.c1, y.c2 FROM @ AS x, # AS y WHERE x.c2 = y.c1 AND x.c1 = y.c1",
    "SELECT c0, c1, c2 FROM @ WHERE c0 IN (1, '5', 'a', x'61', NULL)",
    "SELECT c0, c1, c2 FROM @ WHERE c1 IN (SELECT n FROM o) OR c2 = '5'",
    "SELECT c0, c1, c2 FROM @ WHERE c0 = 5 OR c1 = 'a' OR c2 = 5.0",
    "SELECT c0, c1, c2 FROM @ WHERE c0 = '5' OR c0 = 5",
    "SELECT c0, c1, c2 FROM @ WHERE c0 IS NULL OR c1 IS NULL",
    "SELECT o.*, x.c0 FROM o, @ AS x WHERE x.c0 = o.i OR x.c1 = o.t",
    "SELECT o.* FROM o WHERE EXISTS (SELECT 1 FROM @ AS x WHERE x.c2 = o.t)",
    "SELECT o.* FROM o WHERE EXISTS (SELECT 1 FROM @ AS x WHERE x.c0 = o.n)",
    "SELECT o.* FROM o WHERE o.n NOT IN (SELECT c1 FROM @ WHERE c1 IS NOT NULL)",
    "SELECT o.* FROM o WHERE o.n IN (SELECT c0 FROM @)",
    "SELECT u.i, x.c0, x.c1 FROM (SELECT i FROM o UNION ALL SELECT '5' UNION ALL SELECT ' 5') "
    "AS u, @ AS x WHERE x.c1 = u.i",
    "SELECT u.i, x.c0, x.c2 FROM (SELECT i FROM o UNION SELECT '5' UNION SELECT ' 5') AS u,"
    " @ AS x WHERE x.c0 = u.i",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o FULL JOIN @ AS x ON x.c0 = o.i OR x.c1 = o.t",
    "SELECT o.*, x.c0, x.c1, x.c2 FROM o RIGHT JOIN @ AS x ON x.c1 = o.t",
};
enum { N_QUERIES = sizeof(queries) / sizeof(*queries), N_OUTER = 2 };

/* Later versions take for granted that a column's values have its affinity, where IN compares
** them. */
static bool can_run(size_t query, bool has_odd_values)
{
    if (has_odd_values && strchr(queries[query], '#') != NULL)
        return false;
    if (has_odd_values && strstr(queries[query], " IN (") != NULL &&
        sqlite3_libversion_number() >= 3041000)
        return false;
    return query < N_QUERIES - N_OUTER || sqlite3_libversion_number() >= 3039000;
}

static const char *const values[] = {"NULL", "1", "5", "5.0", "-3", "2.5", "'5'", "' 5'",
    "'5.0'", "'a'", "'A'", "'a '", "'b'", "''", "x'61'", "x''", "9007199254740993"};

static const char *a_value(struct random *random)
{
    return values[random_below(random, sizeof(values) / sizeof(*values))];
}

static const enum zsql_form forms[] = {
    ZSQL_NOW, ZSQL_PAST, ZSQL_PLUS_OF, ZSQL_MINUS_OF, ZSQL_BATCH, ZSQL_EMPTY};
enum { N_FORMS = sizeof(forms) / sizeof(*forms) };

/* A value of another kind than the column's affinity makes is found by those that a base table
** has. Two such are not joined: a text in a column of numbers, which is then compared as a
** number, is looked up as the text that it is. */
static bool is_odd(const char *type, const char *value)
{
    bool is_number = *value == '-' || (*value >= '0' && *value <= '9');
    bool is_numeric_text = *value == '\'' && strchr(value, '5') != NULL;

    return strcmp(type, "TEXT") == 0 ? is_number
                                     : is_numeric_text && *type != '\0' && *type != 'B';
}

/* A made operator with its relations; and by each relation's side its rows in plain batches,
** with two tables that read it, for one can be read by one scan at a time. */
struct world {
    sqlite3 *db;
    struct zsql_operator operator;
    bool has_odd_values;
    struct ls_overlay *overlay;
    struct ls_made *made;
    struct ls_relation *pool;
    struct ls_relation *relations[ZSQL_EMPTY + 1];
    struct ls_batchtable *tables;
    struct zs_batch *rows[ZSQL_EMPTY + 1];
    struct ls_batchtable *like[ZSQL_EMPTY + 1][2];
};

static const char *even_value(struct world *world, struct random *random, size_t column)
{
    const char *value = a_value(random);

    while (is_odd(world->operator.columns[column].type, value))
        value = a_value(random);
    return value;
}

/* Adds rows at random: a few values a column, or, in large, many in the last. */
static void add_rows(struct world *world, struct random *random, unsigned n, bool is_large,
    struct zs_batch *rows)
{
    struct ls_encoder encoder = {.n_columns = 3};
    struct zs_buffer key, value;

    zs_buffer_init(&key, &ls_alloc);
    zs_buffer_init(&value, &ls_alloc);
    for (unsigned i = 0; i < n; i++) {
        const char *a = a_value(random), *b = a_value(random), *c = a_value(random);
        sqlite3_stmt *statement;
        char number[20];

        if (!world->has_odd_values) {
            a = even_value(world, random, 0);
            b = even_value(world, random, 1);
            c = even_value(world, random, 2);
        }
        snprintf(number, sizeof(number), "%d", (int)random_below(random, 1000));
        must(ls_prepare(world->db, &statement, "SELECT %s, %s, %s", a, b,
                 is_large ? number : c) == SQLITE_OK);
        must(sqlite3_step(statement) == SQLITE_ROW);
        must(ls_encode(&encoder, statement, 0, &key, &value) == ZS_OK);
        must(zs_batch_add(rows, (struct zs_bytes){NULL, 0}, zs_buffer_bytes(&value),
                 1 + (int64_t)random_below(random, 2)) == ZS_OK);
        sqlite3_finalize(statement);
    }
    must(zs_batch_consolidate(rows) == ZS_OK);
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
}

/* One step: what changes is taken and integrated. */
static void step(struct world *world, const struct zs_batch *change)
{
    struct zs_delta out;

    must(zs_delta_init(&out, &ls_alloc) == ZS_OK);
    ls_made_reset(world->made);
    must(ls_made_take(world->made, change, &out) == ZS_OK);
    must(zs_delta_consolidate(&out) == ZS_OK);
    must(zs_trace_apply_all(ls_made_trace(world->made), zs_batch_items(out.rows),
             zs_batch_len(out.rows)) == ZS_OK);
    zs_delta_clear(&out);
}

static void add_sign(struct world *world, const struct zs_item *item, enum zsql_form form)
{
    must(zs_batch_add(world->rows[form], item->key, item->value,
             item->weight < 0 ? -item->weight : item->weight) == ZS_OK);
}

/* What changes between the two: the step, and the forms that are made of it. */
static void change(struct world *world)
{
    struct zs_batch *delta;

    must(zs_batch_new(&ls_alloc, &delta) == ZS_OK);
    must(zs_batch_add_all(delta, world->rows[ZSQL_NOW], 1) == ZS_OK);
    must(zs_batch_add_all(delta, world->rows[ZSQL_PAST], -1) == ZS_OK);
    must(zs_batch_consolidate(delta) == ZS_OK);
    for (size_t i = 0; i < zs_batch_len(delta); i++) {
        const struct zs_item *item = &zs_batch_items(delta)[i];

        add_sign(world, item, ZSQL_BATCH);
        add_sign(world, item, item->weight > 0 ? ZSQL_PLUS_OF : ZSQL_MINUS_OF);
    }
    step(world, delta);
    zs_batch_free(delta);
}

static void make_relations(struct world *world)
{
    for (size_t i = 0; i < N_FORMS; i++) {
        enum zsql_form form = forms[i];

        must(ls_relation_take_made(world->db, &world->pool, world->made, form, false,
                 &world->relations[form]) == SQLITE_OK);
        for (int j = 0; j < 2; j++) {
            must(ls_batchtable_take(world->db, &world->tables,
                     &world->operator, & world->like[form][j]) == ZS_OK);
            ls_batchtable_repeat(world->like[form][j], world->rows[form]);
        }
    }
}

static void begin_world(struct world *world, const struct kind *kind)
{
    *world = (struct world){.db = live_open(":memory:")};
    world->operator=(struct zsql_operator){.kind = ZSQL_AGGREGATE_BY,
        .columns = (struct zsql_output_column *)kind->columns,
        .n_columns = 3,
        .is_read = true,
        .arranged = kind->arranged,
        .n_arranged = kind->n_arranged};
    run(world->db, "CREATE TABLE v_trace(k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID;"
                   " CREATE TABLE o(i INT, t TEXT, n, r REAL)");
    /* SQLite 3.40.1 forgets RTRIM in the Bloom filter of such an index. */
    run(world->db, "PRAGMA automatic_index = off");
    must(ls_overlay_new(world->db, &ls_alloc, "main", "v", &world->overlay) == ZS_OK);
    must(ls_made_new(world->db, &ls_alloc, &world->operator, 7, world->overlay, &world->made) ==
         ZS_OK);
    for (size_t i = 0; i < N_FORMS; i++)
        must(zs_batch_new(&ls_alloc, &world->rows[forms[i]]) == ZS_OK);
}

static void store(struct world *world)
{
    must(ls_overlay_store(world->overlay) == SQLITE_OK);
    ls_overlay_forget(world->overlay);
}

/* What has been taken out more often than it is there. */
static void drop_negative(struct zs_batch *rows)
{
    size_t n = zs_batch_len(rows);

    for (size_t i = 0; i < n; i++) {
        const struct zs_item item = zs_batch_items(rows)[i];

        if (item.weight < 0)
            must(zs_batch_add(rows, item.key, item.value, -item.weight) == ZS_OK);
    }
    must(zs_batch_consolidate(rows) == ZS_OK);
}

static void make_world(
    struct world *world, const struct kind *kind, struct random *random, bool is_large)
{
    unsigned most = is_large ? 900 : 30;

    begin_world(world, kind);
    world->has_odd_values = random_below(random, 2) == 0;
    for (int i = 0; i < 12; i++)
        run(world->db, "INSERT INTO o VALUES(%s, %s, %s, %s)", a_value(random), a_value(random),
            a_value(random), a_value(random));
    add_rows(world, random, random_below(random, most), is_large, world->rows[ZSQL_PAST]);
    step(world, world->rows[ZSQL_PAST]);
    if (random_below(random, 2) == 0)
        store(world);
    if (random_below(random, 4) > 0)
        must(zs_batch_add_all(world->rows[ZSQL_NOW], world->rows[ZSQL_PAST], 1) == ZS_OK);
    for (size_t i = 0; i < zs_batch_len(world->rows[ZSQL_PAST]); i++)
        if (random_below(random, 3) == 0)
            must(zs_batch_add(world->rows[ZSQL_NOW], (struct zs_bytes){NULL, 0},
                     zs_batch_items(world->rows[ZSQL_PAST])[i].value, -1) == ZS_OK);
    add_rows(world, random, random_below(random, most), is_large, world->rows[ZSQL_NOW]);
    drop_negative(world->rows[ZSQL_NOW]);
    change(world);
    make_relations(world);
}

static void free_world(struct world *world)
{
    for (size_t i = 0; i < N_FORMS; i++) {
        ls_relation_give_back(world->relations[forms[i]]);
        ls_batchtable_give_back(world->like[forms[i]][0]);
        ls_batchtable_give_back(world->like[forms[i]][1]);
        zs_batch_free(world->rows[forms[i]]);
    }
    ls_made_free(world->made);
    ls_overlay_free(world->overlay);
    live_close(world->db);
    ls_relation_free_all(world->pool);
    ls_batchtable_free_all(world->tables);
}

/* The query with names put in for @ and #. */
static char *query_of(const char *text, const char *name, const char *other)
{
    sqlite3_str *written = sqlite3_str_new(NULL);

    for (; *text != '\0'; text++)
        if (*text == '@' || *text == '#')
            sqlite3_str_appendf(written, "\"%w\"", *text == '@' ? name : other);
        else
            sqlite3_str_appendchar(written, 1, *text);
    return sqlite3_str_finish(written);
}

static void must_be_like(struct world *world, const char *query, enum zsql_form form)
{
    const char *name = ls_relation_name(world->relations[form]);
    char *text = query_of(query, name, name);
    char *like = query_of(query, ls_batchtable_name(world->like[form][0]),
        ls_batchtable_name(world->like[form][1]));

    must_agree(world->db, text, like);
    sqlite3_free(text);
    sqlite3_free(like);
}

static void look(struct world *world, size_t query)
{
    for (size_t form = 0; form < N_FORMS; form++)
        if (can_run(query, world->has_odd_values))
            must_be_like(world, queries[query], forms[form]);
}

START_TEST(every_form_reads_like_a_table_of_its_rows)
{
    for (int round = 0; round < 40; round++) {
        struct random random = random_new((uint64_t)(100 * _i + round));
        struct world world;

        make_world(&world, &kinds[_i], &random, false);
        for (size_t query = 0; query < N_QUERIES; query++)
            look(&world, query);
        free_world(&world);
    }
}
END_TEST

/* More rows than are read at a time, also of one key. */
START_TEST(many_rows_are_read_in_pieces)
{
    for (int round = 0; round < 4; round++) {
        struct random random = random_new((uint64_t)(100 * _i + round));
        struct world world;

        make_world(&world, &kinds[_i], &random, true);
        for (size_t query = 0; query < 12; query++)
            look(&world, query);
        free_world(&world);
    }
}
END_TEST

/* Rows (i, i, i) for i from 1 to n, each once. */
static void fill(struct world *world, int n)
{
    struct ls_encoder encoder = {.n_columns = 3};
    struct zs_buffer key, value;
    sqlite3_stmt *statement;

    zs_buffer_init(&key, &ls_alloc);
    zs_buffer_init(&value, &ls_alloc);
    must(ls_prepare(world->db, &statement,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
             " SELECT i, i, i FROM n",
             n) == SQLITE_OK);
    zs_batch_reset(world->rows[ZSQL_NOW]);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        must(ls_encode(&encoder, statement, 0, &key, &value) == ZS_OK);
        must(zs_batch_add(world->rows[ZSQL_NOW], (struct zs_bytes){NULL, 0},
                 zs_buffer_bytes(&value), 1) == ZS_OK);
    }
    sqlite3_finalize(statement);
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
    step(world, world->rows[ZSQL_NOW]);
    store(world);
    ls_made_reset(world->made);
}

START_TEST(rows_are_looked_up_by_what_they_are_arranged_by)
{
    long counts[2];

    for (int i = 0; i < 2; i++) {
        struct world world;
        const char *name;
        char *text;

        begin_world(&world, &kinds[0]);
        run(world.db, "INSERT INTO o(i) VALUES(5), (7), (-1)");
        fill(&world, i == 0 ? 1000 : 10000);
        make_relations(&world);
        name = ls_relation_name(world.relations[i == 0 ? ZSQL_NOW : ZSQL_PAST]);
        text = query_of("SELECT count(*) FROM o JOIN @ AS x ON x.c0 = o.i", name, NULL);
        live_count_begin(world.db);
        ck_assert_int_eq(number(world.db, "%s", text), 2);
        counts[i] = live_count_end(world.db);
        sqlite3_free(text);
        free_world(&world);
    }
    ck_assert_int_lt(counts[1], counts[0] + 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("made");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_set_timeout(laws, 300);
    tcase_add_loop_test(laws, every_form_reads_like_a_table_of_its_rows, 0, N_KINDS);
    tcase_add_loop_test(laws, many_rows_are_read_in_pieces, 0, N_KINDS);
    tcase_add_test(laws, rows_are_looked_up_by_what_they_are_arranged_by);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
