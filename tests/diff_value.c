/* Literals chosen to hurt: small domains so that groups die and return, NULL often, 1 beside
** 1.0, 'a' beside 'A' and 'a ', numbers that overflow sums or do not add up in a double. */
#include "tests/diff_case.h"

static const char *const small_integers[] = {"0", "1", "2", "3", "1", "2", "-1", NULL};
static const char *const loose_integers[] = {"'2'", "1.0", "2.5", "'x'", "7", "-3", NULL};
static const char *const huge_integers[] = {"9223372036854775807", "4611686018427387904",
    "-9223372036854775807", "-4611686018427387904", "9007199254740993", NULL};
static const char *const exact_reals[] = {
    "0.5", "0.25", "1.0", "1", "-2.75", "2.5", "0.0", "'1.5'", "-0.5", NULL};
static const char *const inexact_reals[] = {"0.1", "1e16", "0.3", "-1e16", "1e-300", "1e999",
    "-1e999", "1e308", "3.3e5", "(0.0 * -1)", NULL};
static const char *const texts[] = {"''", "'a'", "'A'", "'a '", "'b'", "'B '", "'ab'", "'Ab'",
    "'10'", "'1'", "'01'", "'1.0'", "'a%'", "'x''y'", NULL};
static const char *const odd_texts[] = {"CAST(x'6100' AS TEXT)", "CAST(x'610062' AS TEXT)",
    "'\xc3\xa9'", "'\xc3\x89'", "'\xef\xbd\x9e'", "'\xf0\x9d\x84\x9e'", "' a'", "'NULL'",
    "' 1'", "'0x10'", "'2 '", NULL};
static const char *const blobs[] = {
    "x''", "x'61'", "x'00'", "x'ff41'", "x'31'", "zeroblob(3)", NULL};
static const char *const good_json[] = {"'{\"a\":1}'", "'{\"a\":\"x\"}'", "'{\"a\":null}'",
    "'[1,2]'", "'{\"a\":0.5}'", "'{}'", "'null'", "'{\"a\":2}'", NULL};
static const char *const bad_json[] = {"'{\"a\":'", "'oops'", "''", NULL};

static const char *number(
    const struct diff_case *c, struct diff_random *random, const char *const *inexact)
{
    if (!c->is_exact && diff_random_percent(random, 25))
        return diff_random_word(random, inexact);
    return diff_random_word(random, exact_reals);
}

static const char *integer(const struct diff_case *c, struct diff_random *random)
{
    if (c->may_fail && !c->is_exact && diff_random_percent(random, 8))
        return diff_random_word(random, huge_integers);
    bool is_small = diff_random_percent(random, 85);
    return diff_random_word(random, is_small ? small_integers : loose_integers);
}

static const char *text_or_blob(struct diff_random *random)
{
    if (diff_random_percent(random, 80))
        return diff_random_word(random, texts);
    return diff_random_word(random, diff_random_percent(random, 70) ? odd_texts : blobs);
}

static const char *json(const struct diff_case *c, struct diff_random *random)
{
    bool is_bad = c->may_fail && diff_random_percent(random, 6);
    return diff_random_word(random, is_bad ? bad_json : good_json);
}

static const char *anything(const struct diff_case *c, struct diff_random *random)
{
    switch (diff_random_below(random, 4)) {
    case 0:
        return number(c, random, inexact_reals);
    case 1:
        return text_or_blob(random);
    case 2:
        return diff_random_word(random, blobs);
    default:
        return integer(c, random);
    }
}

/* Behind the highest rowid SQLite draws them at random, and the twin draws others. */
static void add_key(
    const struct diff_case *c, struct diff_random *random, struct diff_text *out)
{
    static const char *const far[] = {"-9223372036854775808", "-9223372036854775807",
        "9007199254740993", "4611686018427387904", "-2147483649", "4294967296", NULL};

    if (c->may_fail && !c->is_exact && diff_random_percent(random, 4)) /* sums overflow */
        diff_text_add(out, "%s", diff_random_word(random, far));
    else
        diff_text_add(out, "%d", (int)diff_random_below(random, 8) - 1);
}

void diff_literal(const struct diff_case *c, struct diff_random *random,
    const struct diff_column *column, struct diff_text *out)
{
    const char *literal = NULL;
    bool is_key = column->domain == DIFF_KEYS_ONLY || column->is_unique;

    if (diff_random_percent(random, is_key ? 8 : 22))
        literal = "NULL";
    else if (diff_random_percent(random, 3))
        literal = anything(c, random);
    else if (column->domain == DIFF_KEYS_ONLY)
        add_key(c, random, out);
    else if (column->domain == DIFF_INTEGERS)
        literal = integer(c, random);
    else if (column->domain == DIFF_REALS)
        literal = number(c, random, inexact_reals);
    else if (column->domain == DIFF_TEXTS)
        literal = text_or_blob(random);
    else if (column->domain == DIFF_BLOBS)
        literal = diff_random_word(random, blobs);
    else if (column->domain == DIFF_JSON)
        literal = json(c, random);
    else
        literal = anything(c, random);
    /* Behind the highest rowid SQLite draws them at random, and the twin draws others. */
    if (column->domain == DIFF_KEYS_ONLY && literal == huge_integers[0])
        literal = "NULL";
    if (literal != NULL)
        diff_text_add(out, "%s", literal);
}
