/* Random conditions that never fail: in WHERE, in FILTER, and in the statements that write. */
#include "tests/diff_case.h"

struct maker {
    const struct diff_case *c;
    struct diff_random *random;
    unsigned table;
    struct diff_text *out;
};

static unsigned some_column(struct maker *m)
{
    return diff_random_below(m->random, m->c->tables[m->table].n_columns);
}

static void add_column(struct maker *m, unsigned column)
{
    diff_text_add(m->out, "`t%u.%u`", m->table, column);
}

static void add_literal(struct maker *m, unsigned column)
{
    diff_literal(m->c, m->random, &m->c->tables[m->table].columns[column], m->out);
}

static void null_test(struct maker *m)
{
    add_column(m, some_column(m));
    diff_text_add(m->out, diff_random_percent(m->random, 50) ? " IS NULL" : " IS NOT NULL");
}

static void comparison(struct maker *m)
{
    static const char *const operators[] = {
        " = ", " <> ", " < ", " > ", " >= ", " <= ", " IS ", " IS NOT ", NULL};
    unsigned column = some_column(m);
    add_column(m, column);
    diff_text_add(m->out, "%s", diff_random_word(m->random, operators));
    if (diff_random_percent(m->random, 80))
        add_literal(m, column);
    else
        add_column(m, some_column(m));
}

static void between(struct maker *m)
{
    unsigned column = some_column(m);
    add_column(m, column);
    diff_text_add(m->out, " BETWEEN ");
    add_literal(m, column);
    diff_text_add(m->out, " AND ");
    add_literal(m, column);
}

static void in_list(struct maker *m)
{
    unsigned column = some_column(m);
    add_column(m, column);
    diff_text_add(m->out, diff_random_percent(m->random, 75) ? " IN (" : " NOT IN (");
    add_literal(m, column);
    for (unsigned n = diff_random_below(m->random, 3); n > 0; n--) {
        diff_text_add(m->out, ", ");
        add_literal(m, column);
    }
    diff_text_add(m->out, ")");
}

/* The plus: 3.40.1 loses the rows of a LEFT JOIN whose right table's INTEGER PRIMARY KEY is
** compared with a pattern that begins with a letter. */
static void pattern(struct maker *m)
{
    static const char *const patterns[] = {" LIKE 'a%'", " LIKE '_'", " GLOB 'a*'",
        " LIKE '%1%'", " NOT LIKE 'A'", " LIKE 'a\\%' ESCAPE '\\'", NULL};
    diff_text_add(m->out, "+");
    add_column(m, some_column(m));
    diff_text_add(m->out, "%s", diff_random_word(m->random, patterns));
}

static void of_function(struct maker *m)
{
    static const char *const before[] = {
        "typeof(", "substr(", "coalesce(", "length(", "nullif(", "lower(", "instr(", NULL};
    static const char *const after[] = {") = 'text'", ", 1, 1) = 'a'", ", 2) >= 2", ") < 2",
        ", 1) IS NULL", ") = 'a'", ", 'a') > 0"};
    unsigned i = diff_random_below(m->random, 7);
    diff_text_add(m->out, "%s", before[i]);
    add_column(m, some_column(m));
    diff_text_add(m->out, "%s", after[i]);
}

static void of_case(struct maker *m)
{
    unsigned column = some_column(m);
    diff_text_add(m->out, "CASE ");
    add_column(m, column);
    diff_text_add(m->out, " WHEN ");
    add_literal(m, column);
    diff_text_add(m->out, " THEN 1 WHEN ");
    add_literal(m, column);
    diff_text_add(m->out, " THEN 0 ELSE ");
    add_column(m, some_column(m));
    diff_text_add(m->out, " IS NULL END");
}

static void row_value(struct maker *m)
{
    unsigned a = some_column(m), b = some_column(m);
    diff_text_add(m->out, "(");
    add_column(m, a);
    diff_text_add(m->out, ", ");
    add_column(m, b);
    diff_text_add(m->out, ") > (");
    add_literal(m, a);
    diff_text_add(m->out, ", ");
    add_literal(m, b);
    diff_text_add(m->out, ")");
}

static void arithmetic(struct maker *m)
{
    static const char *const tails[] = {" + 1 > 2", " * 2 = 2", " % 2 = 1", " || 'x' > 'ax'",
        " & 1", " -> '$.a' IS NULL", NULL};
    const char *tail = diff_random_word(m->random, tails);
    if (tail[1] == '-') {
        unsigned column = some_column(m);
        diff_text_add(m->out, "CASE WHEN json_valid(");
        add_column(m, column);
        diff_text_add(m->out, ") THEN json_extract(");
        add_column(m, column);
        diff_text_add(m->out, ", '$.a') > 0 END");
        return;
    }
    add_column(m, some_column(m));
    diff_text_add(m->out, "%s", tail);
}

static void collated(struct maker *m)
{
    static const char *const tails[] = {" COLLATE NOCASE = 'a'", " COLLATE RTRIM = 'a'",
        " = 'A' COLLATE NOCASE", " COLLATE BINARY > 'a'", NULL};
    add_column(m, some_column(m));
    diff_text_add(m->out, "%s", diff_random_word(m->random, tails));
}

static void (*const terms[])(struct maker *) = {null_test, comparison, between, in_list,
    pattern, of_function, of_case, row_value, arithmetic, collated};
static const unsigned weights[] = {10, 40, 6, 14, 6, 8, 6, 3, 8, 4};

static void term(struct maker *m)
{
    terms[diff_random_weighted(m->random, weights, 10)](m);
}

void diff_condition(const struct diff_case *c, struct diff_random *random, unsigned table,
    struct diff_text *out)
{
    struct maker m = {c, random, table, out};
    unsigned shape = diff_random_below(random, 10);

    if (shape < 6) {
        term(&m);
        return;
    }
    diff_text_add(out, shape == 9 ? "NOT (" : "(");
    term(&m);
    diff_text_add(out, shape == 7 ? " AND " : " OR ");
    term(&m);
    diff_text_add(out, ")");
}
