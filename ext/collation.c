/* Collations that users register. SQLite lists names of some that are not there, and so is asked
** to compile a comparison. */
#include "ext/collation.h"

#include "ext/spelling.h"
#include "ext/statement.h"
#include "ext/table.h"

bool ls_collation_is_users(const char *name)
{
    enum zs_collation ignored;

    return !ls_collation_of(name, &ignored);
}

static bool is_of_sqlite(const char *text, struct zsql_token token)
{
    return ls_token_spells(text, token, "BINARY") || ls_token_spells(text, token, "NOCASE") ||
           ls_token_spells(text, token, "RTRIM");
}

bool ls_text_collates(const char *text)
{
    struct zsql_token token = zsql_lex(text, 0);
    int before = TK_END_OF_TEXT;

    for (; token.kind != TK_END_OF_TEXT; token = zsql_lex(text, token.end)) {
        if (before == TK_COLLATE && !is_of_sqlite(text, token))
            return true;
        before = token.kind;
    }
    return false;
}

int ls_collation_find(sqlite3 *db, const char *name, bool *is_there)
{
    sqlite3_stmt *probe;
    int rc = ls_prepare(db, &probe, "SELECT '' = '' COLLATE \"%w\"", name);

    sqlite3_finalize(probe);
    *is_there = rc == SQLITE_OK;
    return (rc & 0xff) == SQLITE_ERROR ? SQLITE_OK : rc;
}
