/* A mark is \x01, the form as a letter from 'a' on, the occurrence in decimal, and \x02; a
** weight \x03, the occurrence and \x02. */
#include "sql/template.h"

#include <stdlib.h>
#include <string.h>

#include "sql/head.h"
#include "sql/text.h"

const char *zsql_template_mark(struct zsql_arena *arena, size_t occurrence)
{
    return zsql_text_format(
        arena, "%c%c%zu%c", ZSQL_MARK_BEGINS, 'a' + ZSQL_AS_SET, occurrence, ZSQL_MARK_ENDS);
}

const char *zsql_template_set(
    struct zsql_arena *arena, const char *text, size_t occurrence, enum zsql_form form)
{
    const char *sought = zsql_template_mark(arena, occurrence);
    char *copy = zsql_arena_copy(arena, text, strlen(text));

    if (sought == NULL || copy == NULL)
        return NULL;
    for (char *at = strstr(copy, sought); at != NULL; at = strstr(at + 1, sought))
        at[1] = (char)('a' + (int)form);
    return copy;
}

const char *zsql_template_weight(struct zsql_arena *arena, size_t occurrence)
{
    return zsql_text_format(arena, "%c%zu%c", ZSQL_WEIGHT_BEGINS, occurrence, ZSQL_MARK_ENDS);
}

const char *zsql_template_show_weight(
    struct zsql_arena *arena, const char *text, size_t occurrence)
{
    const char *sought = zsql_template_weight(arena, occurrence), *at;

    while (text != NULL && sought != NULL && (at = strstr(text, sought)) != NULL)
        text = zsql_text_format(arena, "%.*s, lockstep_weight AS lockstep_weight_%zu%s",
            (int)(at - text), text, occurrence, at + strlen(sought));
    return sought == NULL ? NULL : text;
}

/* A copy without the weights that are not shown. */
static const char *drop_weights(struct zsql_arena *arena, const char *text)
{
    char *copy = zsql_arena_copy(arena, text, strlen(text));
    char *end = copy;

    for (const char *at = copy; at != NULL && *at != '\0'; at++)
        if (*at == ZSQL_WEIGHT_BEGINS)
            at = strchr(at, ZSQL_MARK_ENDS);
        else
            *end++ = *at;
    if (end != NULL)
        *end = '\0';
    return copy;
}

static size_t count_marks(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++)
        n += *text == ZSQL_MARK_BEGINS;
    return n;
}

int zsql_template_cut(struct zsql_arena *arena, const char *text, struct zsql_template *made)
{
    struct zsql_piece *pieces;
    size_t n;

    text = zsql_head_write(arena, text, NULL);
    text = text == NULL ? NULL : drop_weights(arena, text);
    if (text == NULL)
        return ZS_NOMEM;
    n = count_marks(text) + 1;
    pieces = zsql_arena_get(arena, n * sizeof(*pieces));
    if (pieces == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++) {
        size_t len = strcspn(text, "\x01");

        pieces[i] = (struct zsql_piece){zsql_arena_copy(arena, text, len), -1, ZSQL_AS_SET};
        if (pieces[i].text == NULL)
            return ZS_NOMEM;
        text += len;
        if (*text == '\0')
            continue;
        pieces[i].form = (enum zsql_form)(text[1] - 'a');
        pieces[i].occurrence = (int)strtol(text + 2, NULL, 10);
        text = strchr(text, ZSQL_MARK_ENDS) + 1;
    }
    *made = (struct zsql_template){pieces, n};
    return ZS_OK;
}
