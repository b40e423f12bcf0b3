/* Rebuilds: the law, and the rules of jobs. */
#include <check.h>
#include <stdio.h>

#include "tests/check_alloc.h"
#include "tests/property.h"
#include "tests/rebuild_laws.h"
#include "tests/rebuild_stage.h"
#include "tests/suite.h"

enum { CASES = 300 };

static const struct property loaded = {REBUILD_LOADED, rebuild_check};

START_TEST(a_load_in_chunks_equals_a_load_in_one_step)
{
    static const enum rebuild_kind real = REBUILD_REAL;
    property_must_hold(&loaded, rebuild_kind_name(real), &real, CASES);
}
END_TEST

START_TEST(the_law_of_rebuilds_catches_rivals)
{
    enum rebuild_kind kind = (enum rebuild_kind)_i;
    struct property law = {rebuild_kind_tag(kind), rebuild_check};

    property_must_catch(&(struct rival){rebuild_kind_name(kind), &kind, &law}, CASES);
}
END_TEST

static bool must_not_be_asked(void *ctx)
{
    (void)ctx;
    ck_abort_msg("asked after the last chunk");
    return true;
}

START_TEST(each_call_loads_at_least_one_chunk_and_the_last_says_so)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(!stage.is_done);
        ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
        ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 1);
    }
    ck_assert(stage.is_done);
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK); /* nothing */
    ck_assert(stage.is_done);
    ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 1);
    stage_expect(&stage, stage.small.rows, "a/x+1 b/x+1 c/x+1");
    stage_expect(&stage, stage.integral, "a/x+1 b/x+1 c/x+1");
    stage_expect(&stage, stage.delayed, "");
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    stage_expect(&stage, stage.delayed, "a/x+1 b/x+1 c/x+1");
    stage_expect(&stage, stage.integral, "a/x+1 b/x+1 c/x+1");
    stage_expect(&stage, stage.small.rows, "");
    stage_close(&stage);
}
END_TEST

START_TEST(nobody_is_asked_whether_to_stop_after_the_last_chunk)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "aa");
    ck_assert_int_eq(zs_rebuild_step(stage.rebuild, stage.small.circuit, must_not_be_asked,
                         NULL, &stage.is_done),
        ZS_OK);
    ck_assert(stage.is_done);
    stage_close(&stage);
}
END_TEST

START_TEST(an_empty_snapshot_takes_its_tick_and_no_snapshot_too)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ba");
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert(stage.is_done);
    ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 1);
    zs_rebuild_free(stage.rebuild);
    ck_assert_int_eq(zs_rebuild_new(stage.small.circuit, NULL, 0, 1, &stage.rebuild), ZS_OK);
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert(stage.is_done);
    ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 2);
    stage_close(&stage);
}
END_TEST

START_TEST(what_is_pushed_between_chunks_is_part_of_the_tick)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    stage_push(&stage, "a/x-1 z/x+1");
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    stage_expect(&stage, stage.small.rows, "b/x+1 c/x+1 z/x+1");
    ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 1);
    stage_close(&stage);
}
END_TEST

START_TEST(a_rebuild_belongs_to_one_circuit)
{
    struct stage stage;
    struct stage other;
    struct zs_snapshot foreign;
    struct zs_rebuild *rebuild;

    stage_open(&stage, &zs_alloc_libc, "ac");
    stage_open(&other, &zs_alloc_libc, "ac");
    ck_assert(zs_rebuild_belongs_to(stage.rebuild, stage.small.circuit));
    ck_assert(!zs_rebuild_belongs_to(stage.rebuild, other.small.circuit));
    ck_assert_int_eq(
        zs_rebuild_step(stage.rebuild, other.small.circuit, NULL, NULL, &stage.is_done),
        ZS_FOREIGN);
    ck_assert(!stage.is_done);
    ck_assert_uint_eq(zs_circuit_ticks(other.small.circuit), 0);
    foreign = (struct zs_snapshot){other.small.input, NULL, NULL}; /* not read */
    ck_assert_int_eq(zs_rebuild_new(stage.small.circuit, &foreign, 1, 1, &rebuild), ZS_FOREIGN);
    ck_assert_ptr_null(rebuild);
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    stage_close(&stage);
    stage_close(&other);
}
END_TEST

/* Interruptions. */

START_TEST(a_step_between_chunks_interrupts_for_good)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK); /* before: no harm */
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert(stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_MISUSE);
    ck_assert(!stage.is_done);
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert(stage_is_interrupted(&stage));
    stage_close(&stage);
}
END_TEST

START_TEST(a_step_after_the_last_chunk_interrupts_nothing)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ab");
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert(stage.is_done);
    stage_close(&stage);
}
END_TEST

START_TEST(a_chunk_of_another_job_interrupts)
{
    struct stage stage;
    struct stage second;

    stage_open(&stage, &zs_alloc_libc, "ac");
    second = stage;
    second.rebuild = NULL;
    stage_new_job(&second, "df");
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(stage_load_one(&second), ZS_OK);
    ck_assert(stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_MISUSE);
    ck_assert_int_eq(stage_load_rest(&second), ZS_OK);
    zs_rebuild_free(second.rebuild);
    stage_close(&stage);
}
END_TEST

START_TEST(a_step_that_is_rolled_back_between_chunks_interrupts_nothing)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    stage_push(&stage, "z/x+1");
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    stage_expect(&stage, stage.small.rows, "a/x+1 b/x+1 c/x+1");
    stage_expect(&stage, stage.integral, "a/x+1 b/x+1 c/x+1");
    stage_close(&stage);
}
END_TEST

/* A job that loads n_before chunks, the first ones before a transaction and the rest inside. */
static const struct {
    unsigned n_before;
    unsigned n_inside;
} taken_away[] = {{0, 1}, {0, 3}, {1, 1}, {1, 2}, {2, 1}};

START_TEST(a_rollback_that_takes_a_chunk_interrupts_for_good_and_all_is_as_before)
{
    struct stage stage;
    unsigned i = 0;
    unsigned n_after = taken_away[_i].n_before + taken_away[_i].n_inside;

    stage_open(&stage, &zs_alloc_libc, "ac");
    for (; i < taken_away[_i].n_before; i++)
        ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    for (; i < n_after; i++)
        ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(stage.is_done, n_after == 3);
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
    ck_assert(stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_MISUSE);
    stage_expect(&stage, stage.small.rows,
        taken_away[_i].n_before == 0   ? ""
        : taken_away[_i].n_before == 1 ? "a/x+1"
                                       : "a/x+1 b/x+1");
    /* A dead job is not revived by steps that bring the clock to where it stood. */
    for (i = 0; i < 4; i++) {
        ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
        ck_assert(stage_is_interrupted(&stage));
    }
    stage_new_job(&stage, "ac");
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    ck_assert(!stage_is_interrupted(&stage));
    stage_close(&stage);
}
END_TEST

START_TEST(a_chunk_that_is_committed_stands)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_commit(stage.small.circuit), ZS_OK);
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    ck_assert(!stage_is_interrupted(&stage));
    stage_expect(&stage, stage.integral, "a/x+1 b/x+1 c/x+1");
    stage_close(&stage);
}
END_TEST

/* Failures. */

START_TEST(a_snapshot_that_fails_is_asked_again)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    stage.status = ZS_CALLBACK;
    ck_assert_int_eq(stage_load_rest(&stage), ZS_CALLBACK);
    ck_assert(!stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    stage.status = ZS_INTERRUPT;
    ck_assert_int_eq(stage_load_rest(&stage), ZS_INTERRUPT);
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OK);
    stage_expect(&stage, stage.small.rows, "a/x+1 b/x+1 c/x+1");
    stage_close(&stage);
}
END_TEST

START_TEST(a_chunk_whose_step_fails_interrupts_the_job_and_can_be_rolled_back)
{
    struct stage stage;

    stage_open(&stage, &zs_alloc_libc, "ac");
    stage_push(&stage, "b/x+9223372036854775807");
    ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    ck_assert_int_eq(stage_load_rest(&stage), ZS_OVERFLOW);
    ck_assert(stage_is_interrupted(&stage));
    ck_assert_int_eq(stage_load_one(&stage), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
    ck_assert(stage_is_interrupted(&stage));
    stage_expect(&stage, stage.small.rows, "b/x+9223372036854775807");
    ck_assert_uint_eq(zs_circuit_ticks(stage.small.circuit), 1);
    stage_close(&stage);
}
END_TEST

START_TEST(every_allocation_of_a_load_may_fail)
{
    struct check_alloc check_alloc;
    bool has_failed = true;

    check_alloc_init(&check_alloc);
    for (unsigned long n = 1; has_failed; n++) {
        struct stage stage;
        stage_open(&stage, &check_alloc.alloc, "ad");
        stage_push(&stage, "z/x+1");
        ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
        ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
        ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
        check_alloc_fail(&check_alloc, n);
        has_failed = stage_load_rest(&stage) != ZS_OK;
        check_alloc_fail(&check_alloc, 0);
        ck_assert_int_eq(stage.is_done, !has_failed);
        ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
        stage_expect(&stage, stage.small.rows, "a/x+1");
        stage_expect(&stage, stage.delayed, "z/x+1");
        stage_expect(&stage, stage.integral, "a/x+1 z/x+1");
        ck_assert_int_eq(zs_circuit_step(stage.small.circuit), ZS_OK);
        stage_expect(&stage, stage.delayed, "a/x+1");
        stage_close(&stage);
        check_alloc_end(&check_alloc);
    }
}
END_TEST

/* The first piece in a transaction costs the same whatever the tick has brought already. */

static unsigned long count_piece(unsigned n_rows)
{
    struct check_alloc check_alloc;
    struct stage stage;
    struct zs_batch *rows = NULL;
    unsigned long n_calls;

    check_alloc_init(&check_alloc);
    stage_open(&stage, &check_alloc.alloc, "yz");
    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &rows), ZS_OK);
    for (unsigned i = 0; i < n_rows; i++) {
        char text[16];
        size_t len = (size_t)snprintf(text, sizeof(text), "%u", i);
        ck_assert_int_eq(zs_batch_add(rows, (struct zs_bytes){(const uint8_t *)text, len},
                             (struct zs_bytes){0}, 1),
            ZS_OK);
    }
    ck_assert_int_eq(zs_circuit_push(stage.small.circuit, stage.small.input, rows), ZS_OK);
    zs_batch_free(rows);
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(stage.small.circuit), ZS_OK);
    check_alloc_fail(&check_alloc, 0);
    ck_assert_int_eq(stage_load_one(&stage), ZS_OK);
    n_calls = check_alloc.n_calls;
    ck_assert_int_eq(zs_circuit_rollback(stage.small.circuit), ZS_OK);
    stage_close(&stage);
    check_alloc_end(&check_alloc);
    return n_calls;
}

START_TEST(a_piece_in_a_transaction_copies_nothing_of_the_pieces_before)
{
    ck_assert_uint_eq(count_piece(100), count_piece(10000));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rebuild");
    TCase *tcase = tcase_create("rebuild");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_load_in_chunks_equals_a_load_in_one_step);
    tcase_add_loop_test(
        tcase, the_law_of_rebuilds_catches_rivals, REBUILD_REAL + 1, REBUILD_KINDS);
    tcase_add_test(tcase, each_call_loads_at_least_one_chunk_and_the_last_says_so);
    tcase_add_test(tcase, nobody_is_asked_whether_to_stop_after_the_last_chunk);
    tcase_add_test(tcase, an_empty_snapshot_takes_its_tick_and_no_snapshot_too);
    tcase_add_test(tcase, what_is_pushed_between_chunks_is_part_of_the_tick);
    tcase_add_test(tcase, a_rebuild_belongs_to_one_circuit);
    tcase_add_test(tcase, a_step_between_chunks_interrupts_for_good);
    tcase_add_test(tcase, a_step_after_the_last_chunk_interrupts_nothing);
    tcase_add_test(tcase, a_chunk_of_another_job_interrupts);
    tcase_add_test(tcase, a_step_that_is_rolled_back_between_chunks_interrupts_nothing);
    tcase_add_loop_test(tcase,
        a_rollback_that_takes_a_chunk_interrupts_for_good_and_all_is_as_before, 0,
        sizeof(taken_away) / sizeof(taken_away[0]));
    tcase_add_test(tcase, a_chunk_that_is_committed_stands);
    tcase_add_test(tcase, a_snapshot_that_fails_is_asked_again);
    tcase_add_test(tcase, a_chunk_whose_step_fails_interrupts_the_job_and_can_be_rolled_back);
    tcase_add_test(tcase, every_allocation_of_a_load_may_fail);
    tcase_add_test(tcase, a_piece_in_a_transaction_copies_nothing_of_the_pieces_before);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
