/* Answers that are remembered: each is allocated by itself, and freed when no cursor stands on
** it any more. */
#include "ext/replies.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ext/statement.h"

enum { MOST_BYTES = 1 << 20, MOST_OF_ROW = 4096 };

/* What a value holds, how many bytes that is, and its type: read from its end, a question has
** one meaning. */
static bool append_value(struct ls_question *question, sqlite3_value *argument)
{
    struct zs_value value = ls_value(argument);
    bool is_long = value.type == ZS_TEXT || value.type == ZS_BLOB;
    size_t len = is_long ? value.bytes.len : value.type == ZS_NULL ? 0 : sizeof(value.integer);
    const void *data = is_long ? (const void *)value.bytes.data : &value.integer;
    uint8_t *end = question->bytes + question->len;

    if (ls_read_status(&value) != ZS_OK || len + 2 > LS_MOST_ASKED - question->len)
        return false;
    zs_copy(end, data, len);
    end[len] = (uint8_t)len;
    end[len + 1] = (uint8_t)value.type;
    question->len += len + 2;
    return true;
}

void ls_question_make(
    struct ls_question *question, const char *place, int argc, sqlite3_value **argv)
{
    memcpy(question->bytes, &place, sizeof(place));
    question->len = sizeof(place);
    for (int i = 0; i < argc; i++)
        if (!append_value(question, argv[i])) {
            question->len = 0;
            return;
        }
}

bool ls_replies_are_of(struct ls_replies *replies, uint64_t version)
{
    if (replies->version == version)
        return true;
    ls_replies_forget(replies);
    replies->version = version;
    return false;
}

struct ls_reply *ls_replies_find(
    const struct ls_replies *replies, const struct ls_question *question)
{
    struct zs_bytes key = {question->bytes, question->len}, found;
    struct ls_reply *reply;

    if (key.len == 0 || !ls_memo_find(&replies->memo, key, &found))
        return NULL;
    memcpy(&reply, found.data, sizeof(reply));
    reply->n_holders++;
    return reply;
}

void ls_reply_release(struct ls_reply *reply)
{
    if (reply != NULL && --reply->n_holders == 0)
        sqlite3_free(reply);
}

/* Was it asked for lately? It has been now. */
static bool was_asked(struct ls_replies *replies, const struct ls_question *question)
{
    uint64_t hash = XXH3_64bits(question->bytes, question->len);
    uint32_t *asked = replies->asked[hash & (LS_N_ASKED - 1)];
    uint32_t half = (uint32_t)(hash >> 32) | 1;
    bool was = asked[0] == half || asked[1] == half;

    if (asked[0] != half)
        asked[1] = asked[0];
    asked[0] = half;
    return was;
}

/* Takes the row apart. */
static int read_values(struct ls_reply *reply, size_t n)
{
    size_t at = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && reply->weight > 0 && i < n; i++)
        rc = zs_row_read(reply->row, &at, &reply->values[i]);
    return rc;
}

void ls_replies_note(struct ls_replies *replies, const struct ls_question *question, size_t n,
    struct zs_bytes row, int64_t weight)
{
    size_t head = sizeof(struct ls_reply) + n * sizeof(struct zs_value);
    struct ls_reply *reply;
    uint8_t *bytes;

    if (question->len == 0 || row.len > MOST_OF_ROW || !was_asked(replies, question))
        return;
    if (replies->n_bytes > MOST_BYTES)
        ls_replies_forget(replies);
    reply = zs_alloc_zeroed(&ls_alloc, head + row.len);
    if (reply == NULL)
        return;
    bytes = (uint8_t *)reply + head;
    zs_copy(bytes, row.data, row.len);
    reply->row = (struct zs_bytes){bytes, row.len};
    reply->weight = weight;
    reply->n_holders = 1;
    if (read_values(reply, n) != ZS_OK ||
        ls_memo_note(&replies->memo, (struct zs_bytes){question->bytes, question->len},
            (struct zs_bytes){(const uint8_t *)&reply, sizeof(reply)}) != ZS_OK) {
        ls_reply_release(reply);
        return;
    }
    reply->next = replies->last;
    replies->last = reply;
    replies->n_bytes += head + row.len + question->len;
}

void ls_replies_forget(struct ls_replies *replies)
{
    while (replies->last != NULL) {
        struct ls_reply *reply = replies->last;

        replies->last = reply->next;
        ls_reply_release(reply);
    }
    replies->n_bytes = 0;
    if (replies->memo.slots != NULL)
        ls_memo_forget(&replies->memo);
}
