/* Cells in memory: cases, the laws of cells, and rivals that the laws catch. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/cells_laws.h"
#include "tests/check_alloc.h"
#include "tests/must.h"
#include "tests/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct zs_bytes bytes(const char *text)
{
    return (struct zs_bytes){(const uint8_t *)text, strlen(text)};
}

static struct zs_cells *new_cells(const struct zs_alloc *alloc)
{
    struct zs_cells *cells;
    ck_assert_int_eq(zs_memory_cells_new(alloc, &cells), ZS_OK);
    return cells;
}

static void put(struct zs_cells *cells, const char *key, const char *value)
{
    must(zs_cells_put(cells, bytes(key), bytes(value)) == ZS_OK);
}

static void remove_key(struct zs_cells *cells, const char *key)
{
    must(zs_cells_remove(cells, bytes(key)) == ZS_OK);
}

static void begin(struct zs_cells *cells)
{
    must(cells->methods->begin(cells) == ZS_OK);
}

/* value NULL: nothing is there. */
static void assert_holds(struct zs_cells *cells, const char *key, const char *value)
{
    struct zs_bytes got;
    bool found;

    must(zs_cells_get(cells, bytes(key), &got, &found) == ZS_OK);
    must(found == (value != NULL));
    if (found)
        must(zs_bytes_equal(got, bytes(value)));
    else
        must(got.data == NULL && got.len == 0);
}

static void number_key(unsigned i, char key[16])
{
    snprintf(key, 16, "%06u", i);
}

static void put_number(struct zs_cells *cells, unsigned i)
{
    char key[16];
    number_key(i, key);
    put(cells, key, key);
}

static void remove_number(struct zs_cells *cells, unsigned i)
{
    char key[16];
    number_key(i, key);
    remove_key(cells, key);
}

/* Walks forward; counts the cells. */
static size_t count_cells(struct zs_cells *cells)
{
    struct zs_buffer from;
    struct zs_bytes key;
    struct zs_bytes value;
    bool found = true;
    size_t n = 0;

    zs_buffer_init(&from, &zs_alloc_libc);
    while (found) {
        must(cells->methods->seek(cells, zs_buffer_bytes(&from), true, &key, &value, &found) ==
             ZS_OK);
        if (!found)
            break;
        n++;
        zs_buffer_reset(&from);
        must(zs_buffer_append(&from, key.data, key.len) == ZS_OK);
        must(zs_buffer_append_byte(&from, 0) == ZS_OK);
    }
    zs_buffer_clear(&from);
    return n;
}

START_TEST(a_cell_holds_what_was_put_last)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);

    assert_holds(cells, "a", NULL);
    put(cells, "a", "one");
    put(cells, "b", "two");
    put(cells, "a", "a value too long to stand in the cell");
    assert_holds(cells, "a", "a value too long to stand in the cell");
    put(cells, "a", "short");
    assert_holds(cells, "a", "short");
    assert_holds(cells, "b", "two");
    ck_assert_uint_eq(zs_memory_cells_len(cells), 2);
    remove_key(cells, "a");
    remove_key(cells, "a");
    remove_key(cells, "never there");
    assert_holds(cells, "a", NULL);
    ck_assert_uint_eq(zs_memory_cells_len(cells), 1);
    zs_cells_free(cells);
    zs_cells_free(NULL);
}
END_TEST

START_TEST(keys_and_values_may_be_empty)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);

    assert_holds(cells, "", NULL);
    put(cells, "", "");
    assert_holds(cells, "", "");
    put(cells, "\x01", "");
    ck_assert_uint_eq(count_cells(cells), 2);
    remove_key(cells, "");
    assert_holds(cells, "", NULL);
    assert_holds(cells, "\x01", "");
    zs_cells_free(cells);
}
END_TEST

START_TEST(a_key_that_begins_another_is_another_key)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    const struct zs_bytes zero = {(const uint8_t *)"a\0", 2};

    put(cells, "a", "1");
    ck_assert_int_eq(zs_cells_put(cells, zero, bytes("2")), ZS_OK);
    put(cells, "eight by", "3");
    put(cells, "eight bytes", "4");
    assert_holds(cells, "a", "1");
    assert_holds(cells, "eight by", "3");
    assert_holds(cells, "eight bytes", "4");
    remove_key(cells, "a");
    ck_assert_uint_eq(count_cells(cells), 3);
    zs_cells_free(cells);
}
END_TEST

START_TEST(what_get_and_seek_lent_can_be_put_and_removed)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    struct zs_bytes key;
    struct zs_bytes value;
    bool found;

    put(cells, "key", "a value too long to stand in the cell");
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(
            cells->methods->seek(cells, bytes(""), true, &key, &value, &found), ZS_OK);
        ck_assert_int_eq(zs_cells_put(cells, key, value), ZS_OK);
        ck_assert_int_eq(
            cells->methods->seek(cells, bytes(""), true, &key, &value, &found), ZS_OK);
        ck_assert_int_eq(zs_cells_put(cells, value, key), ZS_OK);
        remove_key(cells, "a value too long to stand in the cell");
        begin(cells);
    }
    ck_assert_int_eq(cells->methods->seek(cells, bytes(""), true, &key, &value, &found), ZS_OK);
    ck_assert_int_eq(zs_cells_remove(cells, key), ZS_OK);
    assert_holds(cells, "key", NULL);
    cells->methods->rollback(cells);
    assert_holds(cells, "key", "a value too long to stand in the cell");
    zs_cells_free(cells);
}
END_TEST

START_TEST(seeking_in_nothing_finds_nothing)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    struct zs_bytes key;
    struct zs_bytes value;
    bool found = true;

    ck_assert_int_eq(
        cells->methods->seek(cells, bytes("a"), true, &key, &value, &found), ZS_OK);
    ck_assert(!found);
    ck_assert_int_eq(
        cells->methods->seek(cells, bytes("a"), false, &key, &value, &found), ZS_OK);
    ck_assert(!found);
    ck_assert_int_eq(
        cells->methods->seek(cells, (struct zs_bytes){NULL, 0}, false, &key, &value, &found),
        ZS_OK);
    ck_assert(!found);
    zs_cells_free(cells);
}
END_TEST

/* How the numbers come and go: i * step mod a prime. */
static const unsigned steps[] = {1, 9972, 77, 5003};

START_TEST(many_cells_come_and_go_in_any_order)
{
    enum { N = 9973 };
    struct check_alloc check;
    struct zs_cells *cells;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    for (size_t there = 0; there < COUNT(steps); there++) {
        for (unsigned i = 0; i < N; i++)
            put_number(cells, i * steps[there] % N);
        ck_assert_uint_eq(count_cells(cells), N);
        for (unsigned i = 0; i < N; i++)
            remove_number(cells, i * steps[_i] % N);
        ck_assert_uint_eq(zs_memory_cells_len(cells), 0);
        ck_assert_uint_eq(count_cells(cells), 0);
        ck_assert_uint_eq(check.n_blocks, 1);
    }
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

/* Many at once, in a tree that is three levels high. */

struct numbers {
    bool puts;
    unsigned n_there; /* before */
    unsigned n_shown;
};

static int put_or_remove(void *ctx, size_t i, const struct zs_bytes *old,
    struct zs_bytes *value, enum zs_cell_change *change)
{
    struct numbers *numbers = ctx;

    (void)i;
    numbers->n_there += old != NULL;
    *change = numbers->puts ? ZS_CELL_IS_PUT : ZS_CELL_IS_REMOVED;
    *value = bytes("1");
    return ZS_OK;
}

static int count_shown(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    struct numbers *numbers = ctx;
    char wanted[16];

    number_key((unsigned)i, wanted);
    must(zs_bytes_equal(key, bytes(wanted)) && value.len == 1);
    *is_enough = false;
    numbers->n_shown++;
    return ZS_OK;
}

START_TEST(many_are_found_at_once_in_a_high_tree)
{
    enum { N = 9973 };
    static char texts[N][16];
    static struct zs_bytes keys[N];
    static struct zs_span spans[N];
    struct numbers numbers = {.puts = true};
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    struct zs_buffer next;

    zs_buffer_init(&next, &zs_alloc_libc);
    for (unsigned i = 0; i < N; i++) {
        number_key(i * steps[_i] % N, texts[i]);
        keys[i] = bytes(texts[i]);
        spans[i * steps[_i] % N].from = keys[i];
    }
    for (unsigned i = 0; i + 1 < N; i++)
        spans[i].to = spans[i + 1].from;
    ck_assert_int_eq(zs_cells_update(cells, keys, N, put_or_remove, &numbers), ZS_OK);
    ck_assert_uint_eq(numbers.n_there, 0);
    ck_assert_int_eq(zs_cells_walk(cells, spans, N, &next, count_shown, &numbers), ZS_OK);
    ck_assert_uint_eq(numbers.n_shown, N);
    ck_assert_int_eq(zs_cells_update(cells, keys, N, put_or_remove, &numbers), ZS_OK);
    ck_assert_uint_eq(numbers.n_there, N);
    numbers.puts = false;
    ck_assert_int_eq(zs_cells_update(cells, keys, N, put_or_remove, &numbers), ZS_OK);
    ck_assert_uint_eq(numbers.n_there, 2 * N);
    ck_assert_uint_eq(count_cells(cells), 0);
    zs_buffer_clear(&next);
    zs_cells_free(cells);
}
END_TEST

/* Walks forward over exactly the numbers that are there. */
static void assert_numbers(struct zs_cells *cells, const bool *is_there, unsigned n)
{
    char from[16] = "";

    for (unsigned i = 0; i <= n; i++) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        while (i < n && !is_there[i])
            i++;
        must(cells->methods->seek(cells, bytes(from), true, &key, &value, &found) == ZS_OK);
        must(found == (i < n));
        number_key(i, from);
        must(!found || zs_bytes_equal(key, bytes(from)));
        strcat(from, "\x01");
    }
}

/* Whole subtrees go and their range falls to the neighbours, which take other keys in then. */
START_TEST(gaps_of_any_size_are_filled_again)
{
    enum { N = 9973 };
    static bool is_there[N];
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    struct random random = random_new(6);

    for (unsigned round = 0; round < 60; round++) {
        unsigned first = round < 2 || random_once_in(&random, 2) ? 0 : random_below(&random, N);
        unsigned end = first + random_below(&random, round % 2 == 0 ? N : N / 4);

        for (unsigned i = first; i < N && i < end; i++) {
            if (round % 3 == 1)
                remove_number(cells, i);
            else
                put_number(cells, i);
            is_there[i] = round % 3 != 1;
        }
        for (unsigned n = random_below(&random, 50); n > 0; n--) {
            unsigned i = random_below(&random, N);
            put_number(cells, i);
            is_there[i] = true;
        }
        assert_numbers(cells, is_there, N);
    }
    zs_cells_free(cells);
}
END_TEST

/* The leaf at the left edge takes what comes before it, whatever it lost its neighbours to. */
START_TEST(a_key_before_all_others_comes_first)
{
    enum { N = 9973 };
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    struct random random = random_new(8);

    for (unsigned i = 0; i < N; i++)
        put_number(cells, i);
    for (unsigned i = 1; i < N; i += 2)
        remove_number(cells, i); /* lest a full leaf be split and set right by that */
    for (unsigned i = 0; i + 1 < N; i += 2) {
        char least[16];
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        remove_number(cells, i);
        number_key(random_below(&random, i + 1), least);
        put(cells, least, "");
        must(cells->methods->seek(cells, bytes(""), true, &key, &value, &found) == ZS_OK);
        must(found && zs_bytes_equal(key, bytes(least)));
        remove_key(cells, least);
    }
    zs_cells_free(cells);
}
END_TEST

START_TEST(clearing_forgets_all)
{
    struct check_alloc check;
    struct zs_cells *cells;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    for (unsigned i = 0; i < 1000; i++)
        put_number(cells, i);
    zs_memory_cells_clear(cells);
    ck_assert_uint_eq(zs_memory_cells_len(cells), 0);
    ck_assert_uint_eq(count_cells(cells), 0);
    ck_assert_uint_eq(check.n_blocks, 1);
    put(cells, "a", "b");
    assert_holds(cells, "a", "b");
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

/* Transactions */

START_TEST(a_rollback_brings_back_what_was_put_over_and_removed)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);

    put(cells, "kept", "1");
    put(cells, "changed", "old, and too long to stand in the cell");
    put(cells, "removed", "3");
    begin(cells);
    put(cells, "changed", "new");
    put(cells, "changed", "newer, and too long to stand in the cell");
    remove_key(cells, "removed");
    put(cells, "added", "4");
    put(cells, "added and removed", "5");
    remove_key(cells, "added and removed");
    ck_assert_uint_eq(zs_memory_cells_len(cells), 3);
    cells->methods->rollback(cells);
    ck_assert_uint_eq(zs_memory_cells_len(cells), 3);
    ck_assert_uint_eq(count_cells(cells), 3);
    assert_holds(cells, "kept", "1");
    assert_holds(cells, "changed", "old, and too long to stand in the cell");
    assert_holds(cells, "removed", "3");
    assert_holds(cells, "added", NULL);
    zs_cells_free(cells);
}
END_TEST

START_TEST(an_inner_commit_is_undone_by_the_outer_rollback)
{
    struct zs_cells *cells = new_cells(&zs_alloc_libc);

    put(cells, "a", "0");
    begin(cells);
    put(cells, "a", "1");
    begin(cells);
    put(cells, "a", "2");
    put(cells, "b", "2");
    cells->methods->commit(cells);
    assert_holds(cells, "a", "2");
    begin(cells);
    remove_key(cells, "a");
    remove_key(cells, "b");
    cells->methods->rollback(cells);
    assert_holds(cells, "b", "2");
    cells->methods->rollback(cells);
    assert_holds(cells, "a", "0");
    assert_holds(cells, "b", NULL);
    zs_cells_free(cells);
}
END_TEST

START_TEST(committing_and_rolling_back_need_no_memory)
{
    enum { N = 3000 };
    struct check_alloc check;
    struct zs_cells *cells;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    for (unsigned i = 0; i < N; i += 2)
        put_number(cells, i);
    for (unsigned round = 0; round < 4; round++) {
        begin(cells);
        begin(cells);
        for (unsigned i = 0; i < N; i++) {
            if (round % 2 == 0)
                put_number(cells, i * 77 % N);
            else
                remove_number(cells, i * 77 % N);
        }
        check_alloc_fail(&check, 1);
        if (round < 2)
            cells->methods->commit(cells);
        else
            cells->methods->rollback(cells);
        cells->methods->rollback(cells);
        ck_assert_uint_eq(check.n_calls, 0);
        check_alloc_fail(&check, 0);
        ck_assert_uint_eq(count_cells(cells), N / 2);
    }
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

START_TEST(an_open_transaction_costs_the_keys_changed_and_not_the_changes)
{
    struct check_alloc check;
    struct zs_cells *cells;
    size_t n_blocks = 0;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    put(cells, "a", "a value too long to stand in the cell");
    begin(cells);
    for (unsigned i = 0; i < 1000; i++) {
        begin(cells);
        put(cells, "a", "another value too long to stand in it");
        remove_key(cells, "a");
        put(cells, "a", "yet another too long to stand in it");
        put(cells, "b", "");
        remove_key(cells, "b");
        cells->methods->commit(cells);
        put(cells, "a", "and the outer one puts a long value too");
        if (i == 0)
            n_blocks = check.n_blocks;
        ck_assert_uint_eq(check.n_blocks, n_blocks);
    }
    cells->methods->rollback(cells);
    assert_holds(cells, "a", "a value too long to stand in the cell");
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

START_TEST(outside_a_transaction_nothing_is_logged)
{
    struct check_alloc check;
    struct zs_cells *cells;
    size_t n_blocks;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    put(cells, "a", "1");
    n_blocks = check.n_blocks;
    for (unsigned i = 0; i < 10; i++) {
        put(cells, "a", "2");
        remove_key(cells, "a");
        put(cells, "a", "1");
    }
    ck_assert_uint_eq(check.n_blocks, n_blocks);
    cells->methods->rollback(cells);
    cells->methods->commit(cells);
    assert_holds(cells, "a", "1");
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

START_TEST(cells_are_freed_with_transactions_open)
{
    struct check_alloc check;
    struct zs_cells *cells;

    check_alloc_init(&check);
    cells = new_cells(&check.alloc);
    put(cells, "a", "a value too long to stand in the cell");
    begin(cells);
    put(cells, "a", "another value too long to stand in it");
    begin(cells);
    remove_key(cells, "a");
    put(cells, "b", "");
    zs_cells_free(cells);
    check_alloc_end(&check);
}
END_TEST

/* The least is removed and the next one looked for, time and again: seeks must not pass the
** dead one by one. */
START_TEST(taking_the_least_again_and_again_stays_cheap_in_a_transaction)
{
    enum { N = 200000 };
    struct zs_cells *cells = new_cells(&zs_alloc_libc);
    char wanted[16];

    for (unsigned i = 0; i < N; i++)
        put_number(cells, i);
    begin(cells);
    for (unsigned i = 0; i < N; i++) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        must(cells->methods->seek(cells, bytes(""), true, &key, &value, &found) == ZS_OK);
        number_key(i, wanted);
        if (!found || !zs_bytes_equal(key, bytes(wanted)))
            ck_abort_msg("%s is not the least", wanted);
        must(zs_cells_remove(cells, key) == ZS_OK);
    }
    ck_assert_uint_eq(zs_memory_cells_len(cells), 0);
    cells->methods->rollback(cells);
    ck_assert_uint_eq(zs_memory_cells_len(cells), N);
    zs_cells_free(cells);
}
END_TEST

/* Out of memory */

struct acting {
    struct check_alloc check;
    struct zs_cells *cells;
    size_t n;
    char key[16];
    const char *held; /* what the key holds, or NULL */
    const char *value;
};

static int act_put(void *ctx)
{
    struct acting *acting = ctx;
    return zs_cells_put(acting->cells, bytes(acting->key), bytes(acting->value));
}

static int act_remove(void *ctx)
{
    struct acting *acting = ctx;
    return zs_cells_remove(acting->cells, bytes(acting->key));
}

static int act_begin(void *ctx)
{
    struct acting *acting = ctx;
    return acting->cells->methods->begin(acting->cells);
}

static void assert_unchanged(void *ctx)
{
    struct acting *acting = ctx;

    must(zs_memory_cells_len(acting->cells) == acting->n);
    assert_holds(acting->cells, acting->key, acting->held);
    if (acting->n % 101 == 0)
        ck_assert_uint_eq(count_cells(acting->cells), acting->n);
}

/* Enough of them that nodes of every kind are split, at the edge and in the middle. */
START_TEST(without_memory_nothing_changes)
{
    enum { N = 6007 };
    struct acting acting = {.value = "a value too long to stand in the cell"};

    check_alloc_init(&acting.check);
    acting.cells = new_cells(&acting.check.alloc);
    number_key(0, acting.key);
    check_alloc_sweep(&acting.check, act_begin, assert_unchanged, &acting);
    for (unsigned i = 0; i < N; i++) {
        number_key(i * steps[_i] % N, acting.key);
        acting.held = NULL;
        check_alloc_sweep(&acting.check, act_put, assert_unchanged, &acting);
        acting.n++;
        assert_holds(acting.cells, acting.key, acting.value);
    }
    ck_assert_uint_eq(count_cells(acting.cells), N);
    acting.cells->methods->commit(acting.cells);
    check_alloc_sweep(&acting.check, act_begin, assert_unchanged, &acting);
    for (unsigned i = 0; i < N; i++) {
        number_key(i, acting.key);
        acting.held = acting.value;
        check_alloc_sweep(
            &acting.check, i % 2 == 0 ? act_put : act_remove, assert_unchanged, &acting);
        acting.n -= i % 2;
    }
    acting.cells->methods->rollback(acting.cells);
    ck_assert_uint_eq(count_cells(acting.cells), N);
    zs_cells_free(acting.cells);
    check_alloc_end(&acting.check);
}
END_TEST

START_TEST(without_memory_there_are_no_cells)
{
    struct check_alloc check;
    struct zs_cells *cells;

    check_alloc_init(&check);
    check_alloc_fail(&check, 1);
    ck_assert_int_eq(zs_memory_cells_new(&check.alloc, &cells), ZS_NOMEM);
    ck_assert_ptr_null(cells);
    check_alloc_end(&check);
}
END_TEST

/* The laws */

static const struct {
    enum cells_fault fault;
    const struct property *caught_by;
} rivals[] = {
    {CELLS_PUT_KEEPS_OLD, &cells_map},
    {CELLS_REMOVE_DOES_NOTHING, &cells_map},
    {CELLS_LOOKS_AT_EIGHT_BYTES, &cells_map},
    {CELLS_SEEK_EXCLUSIVE, &cells_seek},
    {CELLS_SEEK_BACKWARD_INCLUSIVE, &cells_seek},
    {CELLS_SEEK_ENDS_AT_THE_DEAD, &cells_seek},
    {CELLS_UNDOES_OLDEST_FIRST, &cells_rollback},
    {CELLS_COMMIT_FORGETS, &cells_rollback},
    {CELLS_ROLLBACK_OF_ALL, &cells_rollback},
    {CELLS_REMOVE_UNLOGGED, &cells_rollback},
    {CELLS_FIRST_CHANGE_ONLY, &cells_rollback},
    {CELLS_UPDATE_SHOWS_NOTHING, &cells_update},
    {CELLS_UPDATE_PUTS_WHAT_STAYS, &cells_update},
    {CELLS_UPDATE_CHANGES_ON_FAILURE, &cells_update},
    {CELLS_UPDATE_GOES_ON, &cells_update},
    {CELLS_WALK_TO_INCLUSIVE, &cells_walk},
    {CELLS_WALK_ENOUGH_IS_ALL, &cells_walk},
    {CELLS_WALK_IGNORES_ENOUGH, &cells_walk},
    {CELLS_WALK_IGNORES_FAILURE, &cells_walk},
};

enum { N_CASES = 400 };

START_TEST(cells_in_memory_keep_the_laws)
{
    static const struct cells_subject subject = {cells_make_memory, CELLS_SOUND};
    for (unsigned i = 0; cells_properties[i] != NULL; i++)
        property_must_hold(cells_properties[i], "cells.h", &subject, N_CASES);
}
END_TEST

START_TEST(a_sound_model_keeps_the_laws)
{
    static const struct cells_subject subject = {cells_make_model, CELLS_SOUND};
    for (unsigned i = 0; cells_properties[i] != NULL; i++)
        property_must_hold(cells_properties[i], "the model", &subject, N_CASES / 8);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    struct cells_subject subject = {cells_make_model, rivals[_i].fault};
    struct rival rival = {"the model with a fault", &subject, rivals[_i].caught_by};
    property_must_catch(&rival, N_CASES);
}
END_TEST

START_TEST(every_fault_is_caught_by_a_law)
{
    bool is_caught[CELLS_N_FAULTS] = {[CELLS_SOUND] = true};

    for (size_t i = 0; i < COUNT(rivals); i++)
        is_caught[rivals[i].fault] = true;
    for (unsigned i = 0; i < CELLS_N_FAULTS; i++)
        ck_assert_msg(is_caught[i], "fault %u", i);
}
END_TEST

static TCase *cases_new(void)
{
    TCase *cases = tcase_create("cases");

    tcase_add_test(cases, a_cell_holds_what_was_put_last);
    tcase_add_test(cases, keys_and_values_may_be_empty);
    tcase_add_test(cases, a_key_that_begins_another_is_another_key);
    tcase_add_test(cases, what_get_and_seek_lent_can_be_put_and_removed);
    tcase_add_test(cases, seeking_in_nothing_finds_nothing);
    tcase_add_loop_test(cases, many_cells_come_and_go_in_any_order, 0, COUNT(steps));
    tcase_add_loop_test(cases, many_are_found_at_once_in_a_high_tree, 0, COUNT(steps));
    tcase_add_test(cases, gaps_of_any_size_are_filled_again);
    tcase_add_test(cases, a_key_before_all_others_comes_first);
    tcase_add_test(cases, clearing_forgets_all);
    tcase_add_test(cases, a_rollback_brings_back_what_was_put_over_and_removed);
    tcase_add_test(cases, an_inner_commit_is_undone_by_the_outer_rollback);
    tcase_add_test(cases, committing_and_rolling_back_need_no_memory);
    tcase_add_test(cases, an_open_transaction_costs_the_keys_changed_and_not_the_changes);
    tcase_add_test(cases, outside_a_transaction_nothing_is_logged);
    tcase_add_test(cases, cells_are_freed_with_transactions_open);
    tcase_add_test(cases, taking_the_least_again_and_again_stays_cheap_in_a_transaction);
    tcase_add_loop_test(cases, without_memory_nothing_changes, 0, COUNT(steps));
    tcase_add_test(cases, without_memory_there_are_no_cells);
    tcase_set_timeout(cases, 120);
    return cases;
}

static TCase *laws_new(void)
{
    TCase *laws = tcase_create("laws");

    tcase_add_test(laws, cells_in_memory_keep_the_laws);
    tcase_add_test(laws, a_sound_model_keeps_the_laws);
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, COUNT(rivals));
    tcase_add_test(laws, every_fault_is_caught_by_a_law);
    tcase_set_timeout(laws, 600);
    return laws;
}

int main(void)
{
    Suite *suite = suite_create("cells");

    random_announce();
    suite_add_tcase(suite, cases_new());
    suite_add_tcase(suite, laws_new());
    return suite_run(suite);
}
