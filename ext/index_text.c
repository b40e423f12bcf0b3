/* Cutting a CREATE INDEX text at the commas of its first parenthesis. */
#include "ext/index_text.h"

#include <string.h>

#include "ext/api.h"
#include "sql/lex.h"

/* The text between two offsets; the newline ends a comment that it may close with. */
static const char *cut(
    struct ls_pool_block **pool, const char *text, uint32_t start, uint32_t end, int *rc)
{
    return ls_pool_take(pool, sqlite3_mprintf("%.*s\n", (int)(end - start), text + start), rc);
}

int ls_index_text_read(
    struct ls_pool_block **pool, const char *text, struct ls_index_text *read)
{
    struct zsql_token token = zsql_lex(text, 0);
    uint32_t start, end;
    int depth = 1, rc = SQLITE_OK;

    *read = (struct ls_index_text){NULL, 0, NULL};
    read->terms = ls_pool_get(pool, (strlen(text) + 1) * sizeof(*read->terms));
    if (read->terms == NULL)
        return SQLITE_NOMEM;
    while (token.kind != TK_LP && token.kind != TK_END_OF_TEXT)
        token = zsql_lex(text, token.end);
    start = end = token.end;
    while (depth > 0 && rc == SQLITE_OK) {
        token = zsql_lex(text, token.end);
        if (token.kind == TK_END_OF_TEXT)
            return SQLITE_CORRUPT;
        depth += token.kind == TK_LP ? 1 : token.kind == TK_RP ? -1 : 0;
        if ((token.kind == TK_COMMA && depth == 1) || depth == 0) {
            read->terms[read->n_terms++] = cut(pool, text, start, end, &rc);
            start = end = token.end;
        } else if (depth != 1 || (token.kind != TK_ASC && token.kind != TK_DESC)) {
            end = token.end;
        }
    }
    token = zsql_lex(text, token.end);
    if (rc == SQLITE_OK && token.kind == TK_WHERE)
        read->condition = cut(pool, text, token.end, (uint32_t)strlen(text), &rc);
    return rc;
}
