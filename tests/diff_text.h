/* Text for the differential test: a growable buffer, and strings that live as long as a case.
 */
#ifndef DIFF_TEXT_H
#define DIFF_TEXT_H

#include <stddef.h>

/* NUL-terminated; data is NULL while nothing was added. Running out of memory ends the program.
 */
struct diff_text {
    char *data;
    size_t len;
    size_t cap;
};

void diff_text_add(struct diff_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void diff_text_add_bytes(struct diff_text *text, const char *bytes, size_t n);
void diff_text_reset(struct diff_text *text); /* empty, and data is not NULL */
void diff_text_free(struct diff_text *text);

/* Adds a name in double quotes, each quote in it doubled. */
void diff_text_add_name(struct diff_text *text, const char *name);

/* Owns strings until it is cleared. */
struct diff_arena {
    char **strings;
    size_t n;
    size_t cap;
};

const char *diff_arena_print(struct diff_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes the buffer's bytes; the buffer is empty again. */
const char *diff_arena_take(struct diff_arena *arena, struct diff_text *text);
void diff_arena_clear(struct diff_arena *arena);

/* realloc that ends the program where there is no memory. */
void *diff_resize(void *p, size_t n);

#endif
