/* Spelling out: a SELECT without the names of views and common table expressions. */
#ifndef ZSQL_INLINE_H
#define ZSQL_INLINE_H

#include "sql/ast.h"
#include "sql/message.h"

/* *spelled is the text with each view and each common table expression put in where it is read,
** as a subquery in FROM, and `x IN table` as `x IN (SELECT * FROM table)`, and made explicit
** (explicit.h); the text itself where there is nothing to be put in. ZS_REFUSED for what is
** recursive, or too long when it is spelled out. ZS_SYNTAX as zsql_select_parse, with *error_at
** in text. */
ZS_CHECKED int zsql_inline(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled, uint32_t *error_at);

#endif
