/* A memo against a table of what was noted. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ext/memo.h"
#include "tests/random.h"
#include "tests/suite.h"

enum { N_KEYS = 500, N_NOTES = 20000, LONGEST = 40 };

/* Of a key what was noted last; len is -1 where nothing was. */
struct known {
    int len;
    uint8_t value[LONGEST];
};

/* Number i as a key; they differ in length, and 0 is the empty one. */
static struct zs_bytes key_of(int i, char *buffer)
{
    int len = i == 0 ? 0 : sprintf(buffer, "%*d", i % 7, i);

    return (struct zs_bytes){(const uint8_t *)buffer, (size_t)len};
}

static void note(struct ls_memo *memo, struct known *known, struct random *random)
{
    int i = (int)random_below(random, N_KEYS);
    char buffer[LONGEST];

    known[i].len = (int)random_below(random, LONGEST);
    for (int k = 0; k < known[i].len; k++)
        known[i].value[k] = (uint8_t)random_below(random, 256);
    ck_assert_int_eq(ls_memo_note(memo, key_of(i, buffer),
                         (struct zs_bytes){known[i].value, (size_t)known[i].len}),
        ZS_OK);
}

static void must_know(const struct ls_memo *memo, const struct known *known)
{
    size_t n = 0;

    for (int i = 0; i < N_KEYS; i++) {
        struct zs_bytes value;
        char buffer[LONGEST];
        bool found = ls_memo_find(memo, key_of(i, buffer), &value);

        ck_assert_int_eq(found, known[i].len >= 0);
        if (!found)
            continue;
        n++;
        ck_assert_uint_eq(value.len, (size_t)known[i].len);
        ck_assert(value.len == 0 || memcmp(value.data, known[i].value, value.len) == 0);
    }
    ck_assert_uint_eq(memo->n, n);
}

static void know_nothing(struct known *known)
{
    for (int i = 0; i < N_KEYS; i++)
        known[i].len = -1;
}

START_TEST(it_gives_what_was_noted_last_until_all_is_forgotten)
{
    struct known known[N_KEYS];
    struct ls_memo memo = {.slots = NULL};
    struct random random = random_new(1);

    know_nothing(known);
    must_know(&memo, known);
    for (int i = 0; i < N_NOTES; i++) {
        note(&memo, known, &random);
        if (i % 997 == 0)
            must_know(&memo, known);
        if (i % 6000 == 5999) {
            must_know(&memo, known);
            ls_memo_forget(&memo);
            know_nothing(known);
            must_know(&memo, known);
            ck_assert_uint_eq(memo.n_noted, 0);
        }
    }
    must_know(&memo, known);
    ls_memo_forget(&memo);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memo");
    TCase *tests = tcase_create("memo");

    random_announce();
    tcase_add_test(tests, it_gives_what_was_noted_last_until_all_is_forgotten);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
