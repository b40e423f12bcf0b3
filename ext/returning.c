/* RETURNING is answered when a row has changed, and before any of our AFTER triggers has logged that.
** What a row was, nothing tells then. But of one that has come to be there is nothing to tell, and
** which it is SQLite says. So an INSERT upon a table with rowids is known, unless
**   - it may have updated a row instead (ON CONFLICT DO UPDATE);
**   - a view may be read by it elsewhere: in what is inserted, or in triggers, when no row is in this
**     state, or another. */
#include "ext/returning.h"

#include <string.h>

#include "ext/bystander.h"
#include "ext/spelling.h"
#include "ext/statement.h"

/* A text, and the token at hand. */
struct reading {
    const char *text;
    struct zsql_token token;
};

static void go_on(struct reading *r)
{
    r->token = zsql_lex(r->text, r->token.end);
}

static bool is_word(const struct reading *r, const char *word)
{
    return ls_token_spells(r->text, r->token, word);
}

/* Goes to the first or, if is_last, to the last token outside parentheses that is one of two words. False
** where there is none. */
static bool find(struct reading *r, const char *word, const char *other, bool is_last)
{
    struct zsql_token found = {TK_END_OF_TEXT, 0, 0};
    int depth = 0;

    for (; r->token.kind != TK_END_OF_TEXT; go_on(r)) {
        depth += (r->token.kind == TK_LP) - (r->token.kind == TK_RP);
        if (depth != 0 || !(is_word(r, word) || is_word(r, other)))
            continue;
        found = r->token;
        if (!is_last)
            break;
    }
    r->token = found;
    return found.kind != TK_END_OF_TEXT;
}

/* The name of what is inserted into, and its schema's; start == end for none. */
struct target {
    struct zsql_token schema, name;
};

static bool read_target(const char *text, struct target *target)
{
    struct reading r = {text, zsql_lex(text, 0)};

    *target = (struct target){{TK_END_OF_TEXT, 0, 0}, {TK_END_OF_TEXT, 0, 0}};
    if (is_word(&r, "WITH") ? !find(&r, "INSERT", "REPLACE", false)
                            : !is_word(&r, "INSERT") && !is_word(&r, "REPLACE"))
        return false;
    go_on(&r);
    if (r.token.kind == TK_OR) {
        go_on(&r);
        go_on(&r);
    }
    if (!is_word(&r, "INTO"))
        return false;
    go_on(&r);
    target->name = r.token;
    go_on(&r);
    if (r.token.kind != TK_DOT)
        return true;
    target->schema = target->name;
    go_on(&r);
    target->name = r.token;
    return true;
}

/* Is the target that table, and no other of its name? */
static int is_target(sqlite3 *db, const char *text, const struct target *target,
    const struct ls_table *table, bool *is_it)
{
    sqlite3_int64 n = 0;
    int rc = SQLITE_OK;

    *is_it = ls_token_spells(text, target->name, table->name);
    if (!*is_it)
        return SQLITE_OK;
    if (target->schema.kind != TK_END_OF_TEXT) {
        *is_it = ls_token_spells(text, target->schema, table->schema);
        return SQLITE_OK;
    }
    /* Without a schema's name SQLite looks in temp, then in main. */
    if (sqlite3_stricmp(table->schema, "main") == 0)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM temp.sqlite_schema WHERE name = %Q COLLATE NOCASE"
            " AND type IN ('table', 'view')",
            table->name);
    else
        n = sqlite3_stricmp(table->schema, "temp") != 0;
    *is_it = n == 0;
    return rc;
}

/* Does nothing of the user's come between an insertion and our AFTER trigger, nor read a view in a
** trigger? */
static bool is_undisturbed(const struct ls_table *table)
{
    return table->rowid_name != NULL && !table->has_onlookers && !table->has_early_triggers &&
           !table->has_newer_triggers && !table->has_temp_triggers && !table->is_watched &&
           !table->is_wary && !table->has_false_images;
}

/* Does it insert rows, and update none, and is a view read nowhere but in RETURNING, where nothing else
** is inserted? */
static int judge(sqlite3 *db, const struct ls_table *table, const char *text, bool *is_known)
{
    struct reading r = {text, zsql_lex(text, 0)};

    *is_known = false;
    if (ls_text_spells(text, "UPDATE") || !find(&r, "RETURNING", "RETURNING", true))
        return SQLITE_OK;
    return ls_bystander_statement(db, table, text, r.token.start, is_known);
}

/* The number of the table that is inserted into, if it is one of the definition's, or -1. */
static int find_table(
    sqlite3 *db, const struct ls_definition *definition, const char *text, int *table)
{
    struct target target;
    bool is_it = false;
    int rc = SQLITE_OK, i = -1;

    *table = -1;
    if (!read_target(text, &target))
        return SQLITE_OK;
    while (rc == SQLITE_OK && !is_it && ++i < (int)definition->plan->n_tables)
        rc = is_target(db, text, &target, definition->tables[i], &is_it);
    if (rc == SQLITE_OK && is_it && is_undisturbed(definition->tables[i]))
        *table = i;
    return rc;
}

/* Such a statement, as it was seen before, or NULL. */
static struct ls_seen_insert *find_seen(struct ls_returning *returning, const char *text)
{
    for (int i = 0; i < LS_N_SEEN_INSERTS; i++)
        if (returning->seen[i].text != NULL && strcmp(returning->seen[i].text, text) == 0)
            return &returning->seen[i];
    return NULL;
}

bool ls_returning_has_judged(struct ls_returning *returning, sqlite3_stmt *statement)
{
    const char *text = sqlite3_sql(statement);
    const struct ls_seen_insert *seen = text == NULL ? NULL : find_seen(returning, text);

    return seen != NULL && seen->is_judged;
}

static int note(struct ls_returning *returning, const char *text, struct ls_seen_insert **seen)
{
    *seen = &returning->seen[returning->n_noted++ % LS_N_SEEN_INSERTS];
    sqlite3_free((*seen)->text);
    **seen = (struct ls_seen_insert){.text = sqlite3_mprintf("%s", text), .table = -1};
    return (*seen)->text == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int ls_returning_inserts(struct ls_returning *returning, sqlite3 *db,
    const struct ls_definition *definition, sqlite3_stmt *statement, bool is_small, int *table)
{
    const char *text = sqlite3_sql(statement);
    struct ls_seen_insert *seen;
    bool is_known = false, may_wait;
    int rc = SQLITE_OK, found = -1;

    *table = -1;
    if (text == NULL || definition == NULL)
        return SQLITE_OK;
    seen = find_seen(returning, text);
    if (seen != NULL && seen->is_judged) {
        *table = seen->table;
        return SQLITE_OK;
    }
    rc = find_table(db, definition, text, &found);
    if (rc != SQLITE_OK || found < 0)
        return rc;
    may_wait = seen == NULL && returning->n_noted >= LS_N_SEEN_INSERTS;
    if (seen == NULL)
        rc = note(returning, text, &seen);
    if (rc != SQLITE_OK || (may_wait && is_small))
        return rc;
    rc = judge(db, definition->tables[found], text, &is_known);
    if (rc != SQLITE_OK)
        return rc;
    seen->is_judged = true;
    seen->table = *table = is_known ? found : -1;
    return SQLITE_OK;
}

void ls_returning_forget(struct ls_returning *returning)
{
    for (int i = 0; i < LS_N_SEEN_INSERTS; i++)
        sqlite3_free(returning->seen[i].text);
    *returning = (struct ls_returning){.n_noted = 0};
}
