/* Names in a text of SQL, whatever they stand for there. */
#ifndef LS_SPELLING_H
#define LS_SPELLING_H

#include <stdbool.h>

#include "sql/lex.h"

/* Does a token spell that name as SQLite compares names, quoted or not? */
bool ls_token_spells(const char *text, struct zsql_token token, const char *name);

/* The name, without quotes. sqlite3_free it; NULL without memory. */
char *ls_token_name(const char *text, struct zsql_token token);

/* Does any token of the text? */
bool ls_text_spells(const char *text, const char *name);

#endif
