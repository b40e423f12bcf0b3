/* Generating SELECTs. Over rows a leaf is a column or a literal; over groups it is one of the
** groups' own expressions, an aggregate or a literal. */
#include "tests/random_select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((unsigned)(sizeof(a) / sizeof((a)[0])))
#define MAX_KEYS 3
#define MAX_RESULTS 4

const char *const random_select_table =
    "CREATE TABLE t(a INT, b REAL, c TEXT, n TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM, x,"
    " id INTEGER PRIMARY KEY);"
    "INSERT INTO t(a, b, c, n, r, x) VALUES"
    " (1, 0.5, 'a', 'a', 'a', 1), (1, 1.0, 'A', 'b', 'a', '1'), (2, NULL, '1', 'a', 'b', 'a'),"
    " (NULL, 2.5, 'a', '1', 'a', NULL), (2, 1.0, NULL, NULL, NULL, x'61'),"
    " (0, -1.0, 'b', 'b', 'b', 2), (1, 0.5, '2', '2', '1', 'A'), (3, 2.0, 'a', 'a', '2', 3.5),"
    " ('x', 2.0, 'b', 'b', 'a', 'b'), (1, 1.0, '1', '1', 'b', 1), (2, 2.0, 'B', 'a', 'b', 2),"
    " (-1, 0.0, 'a', 'b', '1', 'a'), (1, 1.0, '1', '1', '1', '1');";

struct maker {
    struct random *random;
    FILE *out;
    char *keys[MAX_KEYS]; /* groups' expressions */
    unsigned n_keys;
    bool is_grouped;
    unsigned n_aliases; /* q0, q1, ...: usable where they may be seen */
};

static void put_rows_expr(struct maker *maker, int depth);
static void put_expr(struct maker *maker, int depth);

static const char *pick(struct maker *maker, const char *const *words, unsigned n)
{
    return words[random_below(maker->random, n)];
}

static void put_literal(struct maker *maker)
{
    static const char *const literals[] = {"0", "1", "2", "-1", "0.5", "1.0", "'a'", "'A'",
        "'1'", "'b '", "NULL", "x'61'", "TRUE", "\"lit'eral\"", "'it''s'", "0x1"};
    fprintf(maker->out, "%s", pick(maker, literals, COUNT(literals)));
}

static void put_column(struct maker *maker)
{
    static const char *const columns[] = {"a", "b", "c", "n", "r", "x", "a", "b", "c", "n",
        "t.a", "\"b\"", "[c]", "`n`", "T . N", "main.t.x", "(r)", "id", "rowid", "_ROWID_"};
    fprintf(maker->out, "%s", pick(maker, columns, COUNT(columns)));
}

static void put_aggregate(struct maker *maker)
{
    static const char *const names[] = {
        "count(", "sum(", "TOTAL(", "avg(", "min(", "max(", "count (", "\"max\"("};

    if (random_once_in(maker->random, 4)) {
        fprintf(maker->out, "count(*)");
    } else {
        fprintf(maker->out, "%s%s", pick(maker, names, COUNT(names)),
            random_once_in(maker->random, 5) ? "DISTINCT " : "");
        put_rows_expr(maker, 1);
        fprintf(maker->out, ")");
    }
    if (random_once_in(maker->random, 6)) {
        fprintf(maker->out, " FILTER (WHERE ");
        put_rows_expr(maker, 1);
        fprintf(maker->out, ")");
    }
}

static void put_leaf(struct maker *maker)
{
    if (maker->n_aliases > 0 && random_once_in(maker->random, 5))
        fprintf(maker->out, "q%u", random_below(maker->random, maker->n_aliases));
    else if (random_once_in(maker->random, 3))
        put_literal(maker);
    else if (!maker->is_grouped)
        put_column(maker);
    else if (maker->n_keys > 0 && random_once_in(maker->random, 2))
        fprintf(maker->out, "%s", maker->keys[random_below(maker->random, maker->n_keys)]);
    else
        put_aggregate(maker);
}

static void put_comparison(struct maker *maker, int depth)
{
    static const char *const operators[] = {
        "=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT", "=="};

    put_expr(maker, depth);
    fprintf(maker->out, " %s ", pick(maker, operators, COUNT(operators)));
    put_expr(maker, depth);
}

static void put_arithmetic(struct maker *maker, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "||", "AND", "OR", "%", "&", "/"};

    put_expr(maker, depth);
    fprintf(maker->out, " %s ", pick(maker, operators, COUNT(operators)));
    put_expr(maker, depth);
}

static void put_list(struct maker *maker, int depth, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        fprintf(maker->out, "%s", i == 0 ? "" : ", ");
        put_expr(maker, depth);
    }
}

static void put_call(struct maker *maker, int depth)
{
    static const struct {
        const char *name;
        unsigned n;
    } functions[] = {{"coalesce", 2}, {"ifnull", 2}, {"NullIf", 2}, {"min", 2}, {"max", 3},
        {"abs", 1}, {"length", 1}, {"lower", 1}, {"typeof", 1}, {"likely", 1}, {"round", 1},
        {"iif", 3}, {"quote", 1}, {"instr", 2}};
    unsigned i = random_below(maker->random, COUNT(functions));

    fprintf(maker->out, "%s(", functions[i].name);
    put_list(maker, depth, functions[i].n);
    fprintf(maker->out, ")");
}

static void put_case(struct maker *maker, int depth)
{
    fprintf(maker->out, "CASE ");
    if (random_once_in(maker->random, 2))
        put_expr(maker, depth);
    fprintf(maker->out, " WHEN ");
    put_expr(maker, depth);
    fprintf(maker->out, " THEN ");
    put_expr(maker, depth);
    if (random_once_in(maker->random, 2)) {
        fprintf(maker->out, " ELSE ");
        put_expr(maker, depth);
    }
    fprintf(maker->out, " END");
}

static void put_wrapped(struct maker *maker, int depth)
{
    static const char *const befores[] = {
        "(", "+", "-", "NOT ", "CAST(", "CAST(", "CAST(", "(", "(", "(", "~", "(/* ( */"};
    static const char *const afters[] = {")", "", "", "", " AS TEXT)", " AS INT)", " AS REAL)",
        " COLLATE NOCASE)", " COLLATE RTRIM)", " IS NULL)", "", " -- x\n)"};
    unsigned i = random_below(maker->random, COUNT(befores));

    fprintf(maker->out, "%s", befores[i]);
    put_expr(maker, depth);
    fprintf(maker->out, "%s", afters[i]);
}

static void put_expr(struct maker *maker, int depth)
{
    if (depth <= 0) {
        put_leaf(maker);
        return;
    }
    depth--;
    switch (random_below(maker->random, 11)) {
    case 0:
    case 1:
        put_comparison(maker, depth);
        break;
    case 2:
        put_arithmetic(maker, depth);
        break;
    case 3:
        put_call(maker, depth);
        break;
    case 4:
        put_case(maker, depth);
        break;
    case 5:
    case 6:
        put_wrapped(maker, depth);
        break;
    case 7:
        put_expr(maker, depth);
        fprintf(maker->out, random_once_in(maker->random, 2) ? " IN (" : " NOT IN(");
        put_list(maker, depth, random_below(maker->random, 4));
        fprintf(maker->out, ")");
        break;
    case 8:
        put_expr(maker, 0);
        fprintf(maker->out, " BETWEEN ");
        put_expr(maker, 0);
        fprintf(maker->out, " AND ");
        put_expr(maker, 0);
        break;
    case 9:
        fprintf(maker->out, "(");
        put_list(maker, 0, 2);
        fprintf(maker->out, ") < (");
        put_list(maker, 0, 2);
        fprintf(maker->out, ")");
        break;
    default:
        put_leaf(maker);
    }
}

/* An expression over rows, also within one over groups. */
static void put_rows_expr(struct maker *maker, int depth)
{
    struct maker inner = *maker;

    inner.is_grouped = false;
    inner.n_aliases = 0;
    put_expr(&inner, depth);
}

static void make_keys(struct maker *maker)
{
    maker->n_keys = random_below(maker->random, MAX_KEYS + 1);
    for (unsigned i = 0; i < maker->n_keys; i++) {
        struct maker inner = *maker;
        size_t len;

        inner.out = open_memstream(&maker->keys[i], &len);
        inner.is_grouped = false;
        inner.n_aliases = 0;
        if (random_once_in(maker->random, 2))
            put_column(&inner);
        else
            put_expr(&inner, 1);
        fclose(inner.out);
    }
}

static unsigned put_results(struct maker *maker)
{
    unsigned n = 1 + random_below(maker->random, MAX_RESULTS);

    for (unsigned i = 0; i < n; i++) {
        fprintf(maker->out, "%s", i == 0 ? "" : ", ");
        if (maker->is_grouped && i < maker->n_keys && random_once_in(maker->random, 2))
            fprintf(maker->out, "%s", maker->keys[i]);
        else
            put_expr(maker, (int)random_below(maker->random, 3));
        fprintf(maker->out, " AS q%u", i);
    }
    return n;
}

static void put_clause(struct maker *maker, const char *word, unsigned n_aliases)
{
    fprintf(maker->out, " %s ", word);
    maker->n_aliases = n_aliases;
    put_expr(maker, 2);
    maker->n_aliases = 0;
}

char *random_select(struct random *random)
{
    struct maker maker = {.random = random};
    char *text = NULL;
    size_t len;
    unsigned n;

    maker.out = open_memstream(&text, &len);
    maker.is_grouped = !random_once_in(random, 4);
    if (maker.is_grouped)
        make_keys(&maker);
    fprintf(maker.out, random_once_in(random, 4) ? "SELECT DISTINCT " : "SELECT ");
    n = put_results(&maker);
    fprintf(maker.out, " FROM t");
    if (random_once_in(random, 2)) {
        bool was_grouped = maker.is_grouped;
        maker.is_grouped = false;
        put_clause(&maker, "WHERE", was_grouped ? 0 : n);
        maker.is_grouped = was_grouped;
    }
    for (unsigned i = 0; i < maker.n_keys; i++) {
        fprintf(maker.out, i == 0 ? " GROUP BY " : ", ");
        if (random_once_in(random, 6))
            fprintf(maker.out, "q%u", random_below(random, n));
        else if (random_once_in(random, 8))
            fprintf(maker.out, "%u", 1 + random_below(random, n));
        else
            fprintf(maker.out, "%s", maker.keys[i]);
    }
    if (maker.is_grouped && random_once_in(random, 2))
        put_clause(&maker, "HAVING", n);
    if (random_once_in(random, 8))
        fprintf(maker.out, " ORDER BY q0 DESC, abs(a)");
    fclose(maker.out);
    for (unsigned i = 0; i < maker.n_keys; i++)
        free(maker.keys[i]);
    return text;
}
