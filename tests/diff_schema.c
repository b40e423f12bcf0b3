/* Random tables: every kind of key, affinity, collation and constraint that capture may meet.
 */
#include "tests/diff_statement.h"

#include <strings.h>

static const char *const table_names[] = {
    "t", "group", "my table", "t'1", "\xcf\x80", "sales", "Order", "x\"y", "a.b", "100%", NULL};
static const char *const column_names[] = {"a", "b", "c", "d", "e", "c d", "select", "k", "n",
    "a\"b", "\xc3\x9c", "it's", "weight", "value", "new", "x-y", "K2", "amount", "[z]", NULL};

struct type {
    const char *name;
    enum diff_domain domain;
    bool is_firm;
};

static const struct type loose_types[] = {{"INTEGER", DIFF_INTEGERS, true},
    {"INT", DIFF_INTEGERS, true}, {"TEXT", DIFF_TEXTS, true}, {"VARCHAR(10)", DIFF_TEXTS, true},
    {"REAL", DIFF_REALS, true}, {"NUMERIC", DIFF_REALS, true},
    {"DECIMAL(10,2)", DIFF_ANYTHING, true}, {"BLOB", DIFF_BLOBS, false},
    {"", DIFF_ANYTHING, false}, {"TEXT", DIFF_JSON, true}, {"", DIFF_REALS, false},
    {"", DIFF_TEXTS, false}};
static const struct type strict_types[] = {{"INTEGER", DIFF_INTEGERS, true},
    {"INT", DIFF_INTEGERS, true}, {"TEXT", DIFF_TEXTS, true}, {"REAL", DIFF_REALS, true},
    {"BLOB", DIFF_BLOBS, true}, {"ANY", DIFF_ANYTHING, false}, {"TEXT", DIFF_JSON, true}};

/* What is being made. */
struct maker {
    struct diff_case *c;
    struct diff_random *random;
    unsigned table;
    struct diff_table *t;
};

static bool percent(struct maker *m, unsigned chance)
{
    return diff_random_percent(m->random, chance);
}

static const char *conflict_clause(struct maker *m)
{
    static const char *const others[] = {" ON CONFLICT IGNORE", " ON CONFLICT FAIL",
        " ON CONFLICT ROLLBACK", " ON CONFLICT ABORT", NULL};
    if (percent(m, 70))
        return "";
    return percent(m, 65) ? " ON CONFLICT REPLACE" : diff_random_word(m->random, others);
}

static const char *unused_column_name(struct maker *m)
{
    for (;;) {
        const char *name = diff_random_word(m->random, column_names);
        bool is_used = false;
        for (unsigned i = 0; i < m->t->n_columns + m->t->n_late; i++)
            is_used = is_used || strcasecmp(m->t->columns[i].name, name) == 0;
        if (!is_used)
            return name;
    }
}

static struct diff_column *add_column(struct maker *m, struct type type)
{
    struct diff_column *column = &m->t->columns[m->t->n_columns + m->t->n_late];
    *column = (struct diff_column){.name = unused_column_name(m),
        .type = type.name,
        .definition = type.name,
        .domain = type.domain,
        .is_firm = type.is_firm,
        .collation = "BINARY"};
    m->t->n_columns++;
    return column;
}

static void extend(struct maker *m, struct diff_column *column, const char *more)
{
    column->definition = diff_arena_print(&m->c->arena, "%s%s", column->definition, more);
}

static void collate(struct maker *m, struct diff_column *column)
{
    if (column->domain != DIFF_TEXTS && column->domain != DIFF_ANYTHING)
        return;
    if (!percent(m, 40))
        return;
    column->collation = percent(m, 65) ? "NOCASE" : "RTRIM";
    column->is_firm = false;
    extend(m, column, diff_arena_print(&m->c->arena, " COLLATE %s", column->collation));
}

static struct type random_type(struct maker *m)
{
    if (m->t->is_strict)
        return strict_types[diff_random_below(
            m->random, sizeof strict_types / sizeof *strict_types)];
    return loose_types[diff_random_below(m->random, sizeof loose_types / sizeof *loose_types)];
}

static void constrain(struct maker *m, struct diff_column *column, unsigned index)
{
    struct diff_arena *arena = &m->c->arena;

    if (percent(m, 15)) {
        struct diff_text text = {0};
        struct diff_column sure = *column;
        sure.is_unique = true;
        diff_text_add(&text, " NOT NULL%s DEFAULT (", conflict_clause(m));
        diff_literal(m->c, m->random, &sure, &text);
        diff_text_add(&text, ")");
        extend(m, column, diff_arena_take(arena, &text));
    }
    if (percent(m, 12)) {
        column->is_unique = true;
        extend(m, column, diff_arena_print(arena, " UNIQUE%s", conflict_clause(m)));
    }
    if (percent(m, 12)) {
        const char *bad = column->domain == DIFF_TEXTS ? "'b'" : "3";
        extend(m, column,
            diff_arena_print(arena, " CHECK (`t%u.%u` IS NOT %s)", m->table, index, bad));
    }
}

static void add_plain_column(struct maker *m)
{
    struct diff_column *column = add_column(m, random_type(m));
    collate(m, column);
    constrain(m, column, m->t->n_columns - 1);
}

static void add_generated_column(struct maker *m)
{
    static const char *const formulas[] = {"substr(`t%u.%u`, 1, 1)", "coalesce(`t%u.%u`, 0)",
        "length(`t%u.%u`)", "`t%u.%u` || '-'", "typeof(`t%u.%u`)", NULL};
    unsigned source = diff_random_below(m->random, m->t->n_columns);
    struct type type = m->t->is_strict ? (struct type){"ANY", DIFF_ANYTHING, false}
                                       : loose_types[percent(m, 50) ? 2 : 8];
    struct diff_column *column = add_column(m, type);
    struct diff_text text = {0};

    column->is_generated = true;
    column->is_firm = false;
    diff_text_add(&text, "%s AS (", column->definition);
    diff_text_add(&text, diff_random_word(m->random, formulas), m->table, source);
    diff_text_add(&text, ") %s", percent(m, 50) ? "STORED" : "VIRTUAL");
    column->definition = diff_arena_take(&m->c->arena, &text);
}

static void add_constraint(struct maker *m, const char *constraint)
{
    if (m->t->n_constraints < DIFF_EXTRAS)
        m->t->constraints[m->t->n_constraints++] = constraint;
}

static void key_integer(struct maker *m)
{
    struct diff_column *column = add_column(m, (struct type){"INTEGER", DIFF_KEYS_ONLY, true});
    const char *clause = conflict_clause(m);
    bool is_counted = percent(m, 20);
    column->is_unique = true;
    m->t->rowid_column = 0;
    extend(m, column,
        diff_arena_print(
            &m->c->arena, " PRIMARY KEY%s%s", clause, is_counted ? " AUTOINCREMENT" : ""));
}

static void key_text(struct maker *m)
{
    struct diff_column *column = add_column(m, (struct type){"TEXT", DIFF_TEXTS, true});
    column->is_unique = true;
    collate(m, column);
    extend(m, column, diff_arena_print(&m->c->arena, " PRIMARY KEY%s", conflict_clause(m)));
}

static void key_not_rowid(struct maker *m)
{
    struct diff_column *column = add_column(m, (struct type){"INT", DIFF_KEYS_ONLY, true});
    column->is_unique = true;
    extend(m, column, diff_arena_print(&m->c->arena, " PRIMARY KEY%s", conflict_clause(m)));
}

static void key_composite(struct maker *m)
{
    static const char *const orders[] = {"", " DESC", " COLLATE NOCASE", "", NULL};
    collate(m, add_column(m, (struct type){"TEXT", DIFF_TEXTS, true}));
    add_column(m, (struct type){"INTEGER", DIFF_KEYS_ONLY, true});
    add_constraint(
        m, diff_arena_print(&m->c->arena, "PRIMARY KEY(`t%u.0`%s, `t%u.1`)%s", m->table,
               diff_random_word(m->random, orders), m->table, conflict_clause(m)));
}

static void key_without_rowid(struct maker *m)
{
    key_composite(m);
    m->t->has_rowid = false;
}

static void key_none(struct maker *m)
{
    add_plain_column(m);
}

static void add_unique_index(struct maker *m, unsigned number)
{
    static const char *const parts[] = {"`t%u.%u`", "`t%u.%u` COLLATE NOCASE",
        "lower(`t%u.%u`)", "coalesce(`t%u.%u`, 0)", "`t%u.%u` DESC", NULL};
    struct diff_text text = {0};
    struct diff_table *t = m->t;
    unsigned first = diff_random_below(m->random, t->n_columns);
    bool is_unique = percent(m, 65);

    diff_text_add(&text, "CREATE %sINDEX `h`i%u_%u ON `t%u`(", is_unique ? "UNIQUE " : "",
        m->table, number, m->table);
    diff_text_add(&text, diff_random_word(m->random, parts), m->table, first);
    if (percent(m, 40))
        diff_text_add(
            &text, ", `t%u.%u`", m->table, diff_random_below(m->random, t->n_columns));
    diff_text_add(&text, ")");
    if (percent(m, 30))
        diff_text_add(&text, " WHERE `t%u.%u` %s", m->table,
            diff_random_below(m->random, t->n_columns), percent(m, 50) ? "IS NOT NULL" : "> 1");
    t->extras[t->n_extras++] = diff_arena_take(&m->c->arena, &text);
}

/* A column that refers to the single-column key of table 0, sometimes of its own. */
static void add_foreign_key(struct maker *m)
{
    static const char *const actions[] = {
        "CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "CASCADE", NULL};
    const struct diff_column *parent = &m->c->tables[0].columns[0];
    if (!parent->is_unique || m->t->is_strict || (m->table == 0 && percent(m, 60)))
        return;
    const char *delete = diff_random_word(m->random, actions);
    const char *update = diff_random_word(m->random, actions);
    struct diff_column *column =
        add_column(m, (struct type){parent->type, parent->domain, parent->is_firm});
    extend(m, column,
        diff_arena_print(&m->c->arena, " REFERENCES `t0`(`t0.0`) ON DELETE %s ON UPDATE %s%s",
            delete, update, percent(m, 25) ? " DEFERRABLE INITIALLY DEFERRED" : ""));
}

static void (*const key_makers[])(struct maker *) = {
    key_integer, key_text, key_not_rowid, key_composite, key_without_rowid, key_none};
static const unsigned key_weights[] = {30, 15, 8, 10, 17, 20};

static void make_name(struct maker *m)
{
    for (;;) {
        bool is_used = false;
        m->t->name = diff_random_word(m->random, table_names);
        for (unsigned i = 0; i < m->table; i++)
            is_used = is_used || strcasecmp(m->c->tables[i].name, m->t->name) == 0;
        if (!is_used)
            return;
    }
}

static void make_table(struct maker *m)
{
    struct diff_table *t = m->t;

    t->has_rowid = true;
    t->rowid_column = -1;
    make_name(m);
    t->is_strict = percent(m, 15);
    key_makers[diff_random_weighted(m->random, key_weights, 6)](m);
    for (unsigned n = 2 + diff_random_below(m->random, 3); n > 0; n--)
        add_plain_column(m);
    if (m->c->has_foreign_keys)
        add_foreign_key(m);
    if (percent(m, 25))
        add_generated_column(m);
    if (percent(m, 10))
        add_constraint(m, diff_arena_print(&m->c->arena, "UNIQUE(`t%u.%u`, `t%u.1`)%s",
                              m->table, t->n_columns - 1, m->table, conflict_clause(m)));
    t->suffix = t->has_rowid ? (t->is_strict ? " STRICT" : "")
                             : (t->is_strict ? " WITHOUT ROWID, STRICT" : " WITHOUT ROWID");
    for (unsigned i = 0; i < 2; i++) {
        if (percent(m, 30))
            add_unique_index(m, i);
    }
}

/* Triggers that are older than the views. They may write any table, so all are there. */
static void add_triggers(struct maker *m)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *head = diff_arena_print(&m->c->arena, "TRIGGER `h`old_%u_%u", m->table, i);
        if (percent(m, 35))
            m->t->extras[m->t->n_extras++] = diff_trigger(m->c, m->random, m->table, head);
    }
}

void diff_case_make_tables(struct diff_case *c, struct diff_random *random)
{
    c->n_tables = 1 + diff_random_below(random, DIFF_TABLES);
    for (unsigned i = 0; i < c->n_tables; i++) {
        struct maker m = {c, random, i, &c->tables[i]};
        make_table(&m);
    }
    for (unsigned i = 0; i < c->n_tables; i++)
        diff_forms_add_view(c, i);
    for (unsigned i = 0; i < c->n_tables && c->options.with_user_triggers; i++) {
        struct maker m = {c, random, i, &c->tables[i]};
        add_triggers(&m);
    }
}
