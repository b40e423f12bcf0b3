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

bool ls_text_spells(const char *text, const char *name)
{
    struct zsql_token token = zsql_lex(text, 0);

    for (; token.kind != TK_END_OF_TEXT; token = zsql_lex(text, token.end))
        if (ls_token_spells(text, token, name))
            return true;
    return false;
}
