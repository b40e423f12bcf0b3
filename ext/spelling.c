/* Names in a text of SQL. */
#include "ext/spelling.h"

#include <string.h>

#include "ext/api.h"

bool ls_token_spells(const char *text, struct zsql_token token, const char *name)
{
    char quote = text[token.start] == '[' ? ']' : text[token.start];
    uint32_t at = token.start + 1, last = token.end - 1;

    if (strchr("\"`']", quote) == NULL)
        return token.end - token.start == strlen(name) &&
               sqlite3_strnicmp(text + token.start, name, (int)strlen(name)) == 0;
    for (; at < last && *name != '\0'; at++, name++) {
        if (sqlite3_strnicmp(text + at, name, 1) != 0)
            return false;
        if (text[at] == quote)
            at++; /* doubled */
    }
    return at == last && *name == '\0';
}

char *ls_token_name(const char *text, struct zsql_token token)
{
    sqlite3_str *name = sqlite3_str_new(NULL);
    char quote = text[token.start] == '[' ? ']' : text[token.start];
    bool is_quoted = strchr("\"`']", quote) != NULL;
    uint32_t last = token.end - is_quoted;

    for (uint32_t at = token.start + is_quoted; at < last; at++) {
        sqlite3_str_appendchar(name, 1, text[at]);
        at += is_quoted && text[at] == quote;
    }
    if (sqlite3_str_errcode(name) == SQLITE_OK && sqlite3_str_length(name) == 0) {
        sqlite3_free(sqlite3_str_finish(name)); /* finished, an empty text is NULL */
        return sqlite3_mprintf("");
    }
    return sqlite3_str_finish(name);
}

bool ls_text_spells(const char *text, const char *name)
{
    struct zsql_token token = zsql_lex(text, 0);

    for (; token.kind != TK_END_OF_TEXT; token = zsql_lex(text, token.end))
        if (ls_token_spells(text, token, name))
            return true;
    return false;
}
