/* A type is whatever somebody wrote between a column's name and its constraints, without its
** quotes: "INT); DROP TABLE t; --" is one. A default may be a name, which means a text: DEFAULT
** new. */
#include "ext/declared.h"

#include <string.h>

#include "ext/spelling.h"
#include "ext/table.h"

static const char digits[] = "0123456789";

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Takes words off, none of which means something else to SQLite: DOUBLE PRECISION. */
static const char *skip_words(const char *text)
{
    while (is_letter(*text)) {
        size_t n = 1;

        while (is_letter(text[n]) || (text[n] != '\0' && strchr(digits, text[n]) != NULL))
            n++;
        if (sqlite3_keyword_check(text, (int)n))
            break;
        text += n;
        text += *text == ' ';
    }
    return text;
}

/* And what may follow: "(10)", "(10,2)". */
static const char *skip_numbers(const char *text)
{
    const char *at = text;

    if (*at != '(')
        return text;
    do {
        at++;
        at += *at == ' ';
        if (strspn(at, digits) == 0)
            return text;
        at += strspn(at, digits);
    } while (*at == ',');
    return *at == ')' ? at + 1 : text;
}

char *ls_declared_type(const char *type)
{
    bool is_usual = *skip_numbers(skip_words(type)) == '\0';

    return sqlite3_mprintf(is_usual ? "%s" : "\"%w\"", type);
}

/* Is all of the text a name, quoted or not? */
static bool is_name(const char *text, struct zsql_token token)
{
    if (zsql_lex(text, token.end).kind != TK_END_OF_TEXT || token.kind == TK_CTIME_KW)
        return false;
    if (is_letter(text[token.start]) &&
        (ls_token_spells(text, token, "true") || ls_token_spells(text, token, "false")))
        return false;
    return token.kind == TK_ID || zsql_parse_falls_back(token.kind);
}

char *ls_declared_default(const char *text)
{
    struct zsql_token token = zsql_lex(text, 0);
    char *name, *quoted;

    if (!is_name(text, token))
        return sqlite3_mprintf("%s", text);
    name = ls_token_name(text, token);
    quoted = name == NULL ? NULL : sqlite3_mprintf("%Q", name);
    sqlite3_free(name);
    return quoted;
}

int ls_declared_so(sqlite3 *db, const char *schema, const char *table, const char *column,
    const char *type, const char *collation, bool *is_so)
{
    const char *has_type = NULL, *has_collation = NULL;
    int rc = sqlite3_table_column_metadata(
        db, schema, table, column, &has_type, &has_collation, NULL, NULL, NULL);

    *is_so = rc == SQLITE_OK &&
             ls_affinity_of(has_type == NULL ? "" : has_type) == ls_affinity_of(type) &&
             sqlite3_stricmp(has_collation, collation) == 0;
    return rc;
}
