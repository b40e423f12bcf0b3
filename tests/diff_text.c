/* Growable text, and an arena of strings. */
#include "tests/diff_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *diff_resize(void *p, size_t n)
{
    void *moved = realloc(p, n);
    if (moved == NULL) {
        fputs("differential: out of memory\n", stderr);
        exit(2);
    }
    return moved;
}

static void reserve(struct diff_text *text, size_t n)
{
    if (text->cap - text->len > n)
        return;
    text->cap = 2 * (text->len + n + 32);
    text->data = diff_resize(text->data, text->cap);
}

void diff_text_add_bytes(struct diff_text *text, const char *bytes, size_t n)
{
    reserve(text, n);
    memcpy(text->data + text->len, bytes, n);
    text->len += n;
    text->data[text->len] = 0;
}

static void add_formatted(struct diff_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    reserve(text, (size_t)n);
    vsnprintf(text->data + text->len, (size_t)n + 1, format, arguments);
    text->len += (size_t)n;
}

void diff_text_add(struct diff_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(text, format, arguments);
    va_end(arguments);
}

void diff_text_add_name(struct diff_text *text, const char *name)
{
    diff_text_add_bytes(text, "\"", 1);
    for (const char *at = name; *at != 0; at++)
        diff_text_add_bytes(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    diff_text_add_bytes(text, "\"", 1);
}

void diff_text_reset(struct diff_text *text)
{
    text->len = 0;
    diff_text_add_bytes(text, "", 0);
}

void diff_text_free(struct diff_text *text)
{
    free(text->data);
    *text = (struct diff_text){0};
}

const char *diff_arena_take(struct diff_arena *arena, struct diff_text *text)
{
    if (text->data == NULL)
        diff_text_reset(text);
    if (arena->n == arena->cap) {
        arena->cap = 2 * arena->cap + 16;
        arena->strings = diff_resize(arena->strings, arena->cap * sizeof *arena->strings);
    }
    char *string = text->data;
    arena->strings[arena->n++] = string;
    *text = (struct diff_text){0};
    return string;
}

const char *diff_arena_print(struct diff_arena *arena, const char *format, ...)
{
    struct diff_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    add_formatted(&text, format, arguments);
    va_end(arguments);
    return diff_arena_take(arena, &text);
}

void diff_arena_clear(struct diff_arena *arena)
{
    for (size_t i = 0; i < arena->n; i++)
        free(arena->strings[i]);
    free(arena->strings);
    *arena = (struct diff_arena){0};
}
