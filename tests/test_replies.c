/* What was replied is remembered under what was asked, and under nothing else. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ext/replies.h"
#include "ext/statement.h"
#include "tests/suite.h"

enum { MOST_QUESTIONS = 64, MANY = 30000 };

static struct ls_question questions[MOST_QUESTIONS];
static int n_questions;
static const char places[2];

/* ask(place, value, ...), a function: one question more. */
static void ask(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)context;
    ck_assert_int_lt(n_questions, MOST_QUESTIONS);
    ls_question_make(
        &questions[n_questions++], &places[sqlite3_value_int(argv[0])], argc - 1, argv + 1);
}

static void ask_each(const char *sql)
{
    sqlite3 *db;

    n_questions = 0;
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_create_function(db, "ask", -1, SQLITE_UTF8, NULL, ask, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

START_TEST(what_differs_is_asked_in_other_words)
{
    ask_each("SELECT ask(0), ask(1), ask(0, 1), ask(1, 1), ask(0, 1.0), ask(0, '1'),"
             " ask(0, x'31'), ask(0, NULL), ask(0, ''), ask(0, x''), ask(0, 0), ask(0, 0.0),"
             " ask(0, NULL, NULL), ask(0, '', ''), ask(0, 'a', 'b'), ask(0, 'ab', ''),"
             " ask(0, '', 'ab'), ask(0, 'ab'), ask(0, 'a', NULL, 'b'), ask(0, 'A'),"
             " ask(0, 'a' || char(0)), ask(0, 'a'), ask(0, 49), ask(0, -1)");
    ck_assert_int_eq(n_questions, 24);
    for (int i = 0; i < n_questions; i++) {
        ck_assert_uint_gt(questions[i].len, 0);
        for (int j = 0; j < i; j++)
            ck_assert_msg(
                questions[i].len != questions[j].len ||
                    memcmp(questions[i].bytes, questions[j].bytes, questions[i].len) != 0,
                "%d and %d", i, j);
    }
}
END_TEST

START_TEST(what_is_long_is_not_remembered)
{
    struct ls_replies replies = {.version = 7};

    ask_each("SELECT ask(0, hex(zeroblob(50))), ask(0, hex(zeroblob(60))),"
             " ask(0, zeroblob(56), zeroblob(56)), ask(0, zeroblob(300))");
    ck_assert_uint_gt(questions[0].len, 0);
    for (int i = 1; i < n_questions; i++)
        ck_assert_uint_eq(questions[i].len, 0);
    for (int i = 0; i < 2; i++)
        ls_replies_note(&replies, &questions[3], 0, (struct zs_bytes){NULL, 0}, 0);
    ck_assert_ptr_null(ls_replies_find(&replies, &questions[3]));
    ls_replies_forget(&replies);
}
END_TEST

/* A row of an integer and a text. */
static struct zs_bytes make_row(struct zs_buffer *row, int64_t integer)
{
    struct zs_value number = {.type = ZS_INTEGER, .integer = integer};
    struct zs_value text = {.type = ZS_TEXT, .bytes = {(const uint8_t *)"text", 4}};

    zs_buffer_reset(row);
    ck_assert_int_eq(zs_row_append_identity(row, &number), ZS_OK);
    ck_assert_int_eq(zs_row_append_identity(row, &text), ZS_OK);
    return zs_buffer_bytes(row);
}

START_TEST(it_replies_as_before_up_to_the_next_version)
{
    struct ls_replies replies = {.version = 0};
    struct ls_reply *held;
    struct zs_buffer row;

    zs_buffer_init(&row, &ls_alloc);
    ask_each("SELECT ask(0, 1), ask(0, 2), ask(0, 3)");
    ck_assert(!ls_replies_are_of(&replies, 1));
    ck_assert(ls_replies_are_of(&replies, 1));
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_null(ls_replies_find(&replies, &questions[0]));
        ls_replies_note(&replies, &questions[0], 2, make_row(&row, 5), 3);
        ls_replies_note(&replies, &questions[1], 2, (struct zs_bytes){NULL, 0}, 0);
    }
    ck_assert_ptr_null(ls_replies_find(&replies, &questions[2]));
    held = ls_replies_find(&replies, &questions[1]);
    ck_assert_int_eq(held->weight, 0);
    ls_reply_release(held);
    held = ls_replies_find(&replies, &questions[0]);
    ck_assert(!ls_replies_are_of(&replies, 2));
    ck_assert_ptr_null(ls_replies_find(&replies, &questions[0]));
    /* Who holds it does so yet. */
    ck_assert_int_eq(held->weight, 3);
    ck_assert(zs_bytes_equal(held->row, make_row(&row, 5)));
    ck_assert_int_eq(held->values[0].integer, 5);
    ck_assert_uint_eq(held->values[1].bytes.len, 4);
    ck_assert_int_eq(memcmp(held->values[1].bytes.data, "text", 4), 0);
    ls_reply_release(held);
    zs_buffer_clear(&row);
    ls_replies_forget(&replies);
}
END_TEST

START_TEST(it_does_not_remember_without_bound)
{
    struct ls_replies replies = {.version = 1};
    struct zs_buffer row;
    size_t most = 0;

    zs_buffer_init(&row, &ls_alloc);
    for (int i = 0; i < MANY; i++) {
        struct ls_question question = {.len = sizeof(i)};
        struct ls_reply *reply;

        memcpy(question.bytes, &i, sizeof(i));
        for (int k = 0; k < 2; k++)
            ls_replies_note(&replies, &question, 1, make_row(&row, i), 1);
        reply = ls_replies_find(&replies, &question);
        ck_assert_int_eq(reply->values[0].integer, i);
        ls_reply_release(reply);
        most = replies.memo.n > most ? replies.memo.n : most;
    }
    ck_assert_uint_lt(most, MANY / 2);
    zs_buffer_clear(&row);
    ls_replies_forget(&replies);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replies");
    TCase *tests = tcase_create("replies");

    tcase_add_test(tests, what_differs_is_asked_in_other_words);
    tcase_add_test(tests, what_is_long_is_not_remembered);
    tcase_add_test(tests, it_replies_as_before_up_to_the_next_version);
    tcase_add_test(tests, it_does_not_remember_without_bound);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
