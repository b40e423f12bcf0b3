/* Tokens of SQLite's SQL. Token kinds are the TK_... of sql/parse.h, which lemon generates. */
#ifndef ZSQL_LEX_H
#define ZSQL_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "sql/parse.h"

/* Kinds beside those of the grammar. */
#define TK_END_OF_TEXT 0
#define TK_ILLEGAL 9999

struct zsql_token {
    int kind;
    uint32_t start, end; /* offsets in the text */
};

/* The first token at or after offset at of a NUL-terminated text; blanks and comments are
** skipped. WINDOW, OVER, FILTER and WITHIN come as such: where they are plain names is for
** zsql_lex_in_context to say. */
struct zsql_token zsql_lex(const char *text, uint32_t at);

/* The same, with those four words as TK_ID where SQLite reads them as names, which depends on
** the kind of the token before and on those after. */
struct zsql_token zsql_lex_in_context(const char *text, uint32_t at, int previous);

/* Is a keyword read as a name wherever the grammar has no place for the keyword? */
bool zsql_parse_falls_back(int kind);

#endif
