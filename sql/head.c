/* One pass over the tokens. What is marked is taken out of what has been written when its
** parenthesis closes: by then that of all that is marked within it has been taken out before,
** and what is the same text twice becomes one common table expression. */
#include "sql/head.h"

#include <string.h>

#include "core/buffer.h"
#include "sql/lex.h"
#include "sql/text.h"

/* Even where each takes twelve places of the parser's stack, so many parentheses fit. */
enum { MOST_OPEN = 7 };

/* Marking. */

struct marker {
    struct zsql_arena *arena;
    struct zsql_edits *edits;
};

static bool is_apart(const struct zsql_select *select)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        if (core->is_values || core->bound->is_correlated)
            return false;
    }
    return true;
}

static int mark(struct marker *marker, const struct zsql_select *select, const char *text)
{
    uint32_t start = select->span.start;

    return is_apart(select) ? zsql_edits_add(marker->arena, marker->edits,
                                  (struct zsql_span){start, start}, text)
                            : ZS_OK;
}

static int mark_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    return from->kind == ZSQL_FROM_SELECT ? mark(ctx, from->select, ZSQL_APART_MEMBER) : ZS_OK;
}

/* Of a compound the cores may have other affinities than `SELECT *` has. */
static int mark_in(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->kind == ZSQL_IN_SELECT && expr->select->cores.n == 1
               ? mark(ctx, expr->select, ZSQL_APART_VALUES)
               : ZS_OK;
}

int zsql_head_mark(struct zsql_arena *arena, struct zsql_core *core, struct zsql_edits *edits)
{
    struct marker marker = {arena, edits};
    int rc = zsql_core_walk_from(core, mark_from, &marker);

    return rc == ZS_OK ? zsql_core_walk(core, mark_in, &marker) : rc;
}

bool zsql_head_is_from_apart(const struct zsql_core *core)
{
    const struct zsql_from *first = core->from.n == 1 ? core->from.items[0] : NULL;

    if (!core->bound->is_correlated)
        return true;
    return first != NULL && (first->kind == ZSQL_FROM_TABLE || first->kind == ZSQL_FROM_MADE ||
                                (first->kind == ZSQL_FROM_SELECT && is_apart(first->select)));
}

/* Writing. */

/* A parenthesis that is open, and what in it is to be taken out. */
struct open {
    size_t start; /* where it is in what has been written */
    size_t body;  /* and where that begins which is marked */
    char mark;    /* 0: nothing is */
};

struct writer {
    struct zsql_arena *arena;
    const char *text;
    bool is_deep; /* what is marked is taken out */
    struct zs_buffer out;
    struct zsql_list open;   /* of struct open */
    struct zsql_list bodies; /* of const char, in the order of the WITH */
};

static bool is_mark(char byte)
{
    return byte == *ZSQL_APART_MEMBER || byte == *ZSQL_APART_VALUES;
}

static bool is_deep(const char *text)
{
    struct zsql_token token = zsql_lex(text, 0);
    int n_open = 0, most = 0;

    for (; token.kind != TK_END_OF_TEXT; token = zsql_lex(text, token.end)) {
        n_open += (token.kind == TK_LP) - (token.kind == TK_RP);
        most = n_open > most ? n_open : most;
    }
    return most > MOST_OPEN;
}

static int open_one(struct writer *writer)
{
    struct open *open = zsql_arena_get(writer->arena, sizeof(*open));

    if (open == NULL)
        return ZS_NOMEM;
    *open = (struct open){writer->out.len, 0, '\0'};
    return zsql_list_append(writer->arena, &writer->open, open);
}

/* The first that is marked goes as far as the parenthesis. */
static void note(struct writer *writer, char mark)
{
    struct open *open = writer->open.n > 0 ? writer->open.items[writer->open.n - 1] : NULL;

    if (open != NULL && open->mark == '\0') {
        open->body = writer->out.len;
        open->mark = mark;
    }
}

/* The number of a body in the WITH. */
static int number_of(struct writer *writer, const char *body, size_t *number)
{
    for (*number = 0; *number < writer->bodies.n; ++*number)
        if (strcmp(writer->bodies.items[*number], body) == 0)
            return ZS_OK;
    return zsql_list_append(writer->arena, &writer->bodies, (void *)body);
}

/* Takes out what is marked in the parenthesis that closes at a place in the text, and names
** it. */
static int take_out(struct writer *writer, const struct open *open, uint32_t at)
{
    bool is_member = open->mark == *ZSQL_APART_MEMBER;
    const char *body = zsql_arena_copy(writer->arena,
        (const char *)writer->out.data + open->body, writer->out.len - open->body);
    const char *name;
    size_t number;
    int rc = body == NULL ? ZS_NOMEM : number_of(writer, body, &number);

    if (rc != ZS_OK)
        return rc;
    writer->out.len = is_member ? open->start : open->body;
    name = zsql_text_format(writer->arena,
        is_member ? "lockstep_head_%zu%s" : "SELECT * FROM lockstep_head_%zu)%s", number,
        is_member && writer->text[at] != ' ' ? " " : "");
    return name == NULL ? ZS_NOMEM : zsql_text_append_piece(&writer->out, name, false);
}

/* Closes the innermost parenthesis, which ends at a place in the text. */
static int close_one(struct writer *writer, uint32_t at)
{
    const struct open *open = writer->open.items[--writer->open.n];

    return open->mark != '\0' ? take_out(writer, open, at)
                              : zs_buffer_append_byte(&writer->out, ')');
}

/* Writes what stands between a place and the end of a token. */
static int write_token(struct writer *writer, uint32_t at, struct zsql_token token)
{
    int rc = zs_buffer_append(&writer->out, writer->text + at, token.start - at);

    if (rc == ZS_OK && token.kind == TK_ILLEGAL && is_mark(writer->text[token.start])) {
        note(writer, writer->text[token.start]);
        return ZS_OK;
    }
    if (rc == ZS_OK && token.kind == TK_RP && writer->is_deep)
        return close_one(writer, token.end);
    if (rc == ZS_OK && token.kind == TK_LP && writer->is_deep)
        rc = open_one(writer);
    return rc == ZS_OK ? zs_buffer_append(
                             &writer->out, writer->text + token.start, token.end - token.start)
                       : rc;
}

/* "WITH lockstep_head_0 AS NOT MATERIALIZED (...), ... " and the rest; NULL without memory. */
static const char *write_head(struct writer *writer, const char *rest)
{
    struct zs_buffer head;
    const char *text = NULL;
    int rc = ZS_OK;

    zs_buffer_init(&head, zsql_arena_table(writer->arena));
    for (size_t i = 0; rc == ZS_OK && i < writer->bodies.n; i++) {
        const char *name = zsql_text_format(writer->arena,
            "%s lockstep_head_%zu AS NOT MATERIALIZED (", i == 0 ? "WITH" : "),", i);

        rc = name == NULL ? ZS_NOMEM : zsql_text_append_piece(&head, name, false);
        if (rc == ZS_OK)
            rc = zsql_text_append_piece(&head, writer->bodies.items[i], false);
    }
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&head, ") ", false);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&head, rest, false);
    if (rc == ZS_OK)
        text = zsql_arena_copy(writer->arena, (const char *)head.data, head.len);
    zs_buffer_clear(&head);
    return text;
}

const char *zsql_head_write(struct zsql_arena *arena, const char *text, const char **body)
{
    struct writer writer = {.arena = arena, .text = text, .is_deep = is_deep(text)};
    struct zsql_token token = {0};
    const char *rest = NULL, *whole;
    uint32_t at = 0;
    int rc = ZS_OK;

    zs_buffer_init(&writer.out, zsql_arena_table(arena));
    do {
        token = zsql_lex(text, at);
        rc = write_token(&writer, at, token);
        at = token.end;
    } while (rc == ZS_OK && token.kind != TK_END_OF_TEXT);
    if (rc == ZS_OK)
        rest = zsql_arena_copy(arena, (const char *)writer.out.data, writer.out.len);
    zs_buffer_clear(&writer.out);
    whole = rest == NULL || writer.bodies.n == 0 ? rest : write_head(&writer, rest);
    if (whole != NULL && body != NULL)
        *body = whole + strlen(whole) - strlen(rest);
    return whole;
}
