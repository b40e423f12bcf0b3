/* A trigger that only selects changes nothing; and if it names neither a view nor a virtual table, it
** reads none. One that writes may fire others: those of the tables that it names, and of those whose
** rows refer to theirs, are judged likewise. A function that is not SQLite's own may do anything, and
** a constraint, an index or a default of a table that is written to may call one. */
#include "ext/bystander.h"

#include <string.h>

#include "ext/spelling.h"
#include "ext/statement.h"
#include "ext/trigger.h"

enum { MOST_TABLES = 100 };

struct judgement {
    sqlite3 *db;
    const struct ls_table *table;
    char *changed
        [MOST_TABLES]; /* tables that may be written to; of a statement, views it reads */
    int n_changed;
    bool may_write;     /* to the table itself, too */
    bool is_behind;     /* triggers fire between a row's change and our AFTER triggers */
    bool is_everywhere; /* a TEMP trigger was met, which may name tables of any database */
    bool stands_by;     /* as far as is known */
};

/* Functions. */

/* Is it a keyword of statements that write, which the grammar of SELECT has not? */
static bool is_word_of_writes(const char *text, struct zsql_token token)
{
    return strchr("\"`'[", text[token.start]) == NULL &&
           (ls_token_spells(text, token, "RETURNING") || ls_token_spells(text, token, "SET"));
}

/* May a token before a parenthesis be a function's name? INTO has a table's behind it. */
static bool may_be_called(const char *text, struct zsql_token token, bool is_behind_into)
{
    if (token.kind == TK_CAST || token.kind == TK_RAISE || is_behind_into ||
        is_word_of_writes(text, token))
        return false;
    return token.kind == TK_ID || token.kind == TK_INDEXED || token.kind == TK_JOIN_KW ||
           zsql_parse_falls_back(token.kind);
}

/* Is it SQLite's own, and nobody's besides? One that is not there may come; but what stands in ON
** CONFLICT(k) is none then. */
static int judge_function(
    struct judgement *j, const char *text, struct zsql_token token, bool may_be_none)
{
    sqlite3_int64 is_own = 0;
    char *name = ls_token_name(text, token);
    int rc = name == NULL ? SQLITE_NOMEM
                          : ls_query_integer(j->db, 0, &is_own,
                                "SELECT ifnull(min(builtin), %d)"
                                " FROM pragma_function_list WHERE name = %Q COLLATE NOCASE",
                                may_be_none, name);

    sqlite3_free(name);
    j->stands_by = j->stands_by && is_own != 0;
    return rc;
}

/* What functions stand behind, without a parenthesis. */
static bool is_operator(int kind)
{
    return kind == TK_LIKE_KW || kind == TK_MATCH || kind == TK_PTR || kind == TK_CTIME_KW;
}

/* Within so many parentheses at least. */
static int judge_functions(struct judgement *j, const char *text, int least)
{
    struct zsql_token token = zsql_lex_in_context(text, 0, 0), next;
    bool is_behind_into = false;
    int rc = SQLITE_OK, depth = 0, previous = 0;

    for (; rc == SQLITE_OK && j->stands_by && token.kind != TK_END_OF_TEXT; token = next) {
        next = zsql_lex_in_context(text, token.end, token.kind);
        depth += (token.kind == TK_LP) - (token.kind == TK_RP);
        if (depth >= least &&
            (is_operator(token.kind) ||
                (next.kind == TK_LP && may_be_called(text, token, is_behind_into))))
            rc = judge_function(
                j, text, token, previous == TK_ON && ls_token_spells(text, token, "CONFLICT"));
        if (token.kind != TK_DOT && next.kind != TK_DOT)
            is_behind_into = ls_token_spells(text, token, "INTO");
        previous = token.kind;
    }
    return rc;
}

/* Names. */

typedef int name_visit(struct judgement *j, const char *schema, const char *name);

enum query {
    READABLES,   /* views and virtual tables */
    DEFINITIONS, /* the text of one of these */
    TABLES,
    CHILDREN, /* tables whose rows may change when rows of a table do */
    TEXTS,    /* of a table and its indexes */
    TRIGGERS, /* the texts of those of the user's upon a table */
    OF_LOGS,  /* triggers upon logs, which changes are written to: nobody's business */
};

static int give_up(struct judgement *j, const char *schema, const char *name)
{
    (void)schema;
    (void)name;
    j->stands_by = false;
    return SQLITE_OK;
}

/* Over one database. sqlite3_free it. */
static char *text_of(enum query query, const char *schema, const char *table)
{
    switch (query) {
    case READABLES:
        return sqlite3_mprintf("SELECT name FROM \"%w\".sqlite_schema WHERE type = 'view'"
                               " OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL%%')",
            schema);
    case DEFINITIONS:
        return sqlite3_mprintf(
            "SELECT sql FROM \"%w\".sqlite_schema WHERE name = %Q COLLATE NOCASE"
            " AND (type = 'view'"
            " OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL%%'))",
            schema, table);
    case TABLES:
        return sqlite3_mprintf(
            "SELECT name FROM \"%w\".sqlite_schema WHERE type = 'table'", schema);
    case CHILDREN:
        return sqlite3_mprintf("SELECT child.name FROM \"%w\".sqlite_schema AS child,"
                               " pragma_foreign_key_list(child.name, %Q) AS reference"
                               " WHERE child.type = 'table' AND child.sql LIKE '%%REFERENCES%%'"
                               " AND reference.\"table\" = %Q COLLATE NOCASE"
                               " AND (reference.on_delete NOT IN ('NO ACTION', 'RESTRICT')"
                               " OR reference.on_update NOT IN ('NO ACTION', 'RESTRICT'))",
            schema, schema, table);
    case OF_LOGS:
        return sqlite3_mprintf("SELECT name FROM \"%w\".sqlite_schema WHERE type = 'trigger'"
                               " AND tbl_name LIKE 'lockstep_log_%%'",
            schema);
    case TEXTS:
        return sqlite3_mprintf(
            "SELECT sql FROM \"%w\".sqlite_schema WHERE sql IS NOT NULL"
            " AND type IN ('table', 'index') AND tbl_name = %Q COLLATE NOCASE",
            schema, table);
    case TRIGGERS:
        break;
    }
    return sqlite3_mprintf("SELECT sql" LS_USERS_TRIGGERS, schema, table);
}

/* Shows visit what a query gives in one database, as far as a text spells it, if there is one. */
static int visit_in(struct judgement *j, const char *text, const char *schema,
    char *query /* owned */, name_visit *visit)
{
    sqlite3_stmt *statement;
    int rc = ls_prepare_text(j->db, &statement, query);

    while (rc == SQLITE_OK && j->stands_by && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);

        if (name == NULL)
            rc = SQLITE_NOMEM;
        else if (text == NULL || ls_text_spells(text, name))
            rc = visit(j, schema, name);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc;
}

/* In the table's database and in temp; or in all. What others have, and can't be read just now, may
** be anything. */
static int visit_all(struct judgement *j, const char *text, enum query query, const char *table,
    name_visit *visit)
{
    sqlite3_stmt *databases;
    int rc = ls_prepare(j->db, &databases,
        "SELECT name, name NOT IN (%Q, 'temp') FROM pragma_database_list WHERE %d"
        " OR name IN (%Q, 'temp')",
        j->table->schema, j->is_everywhere, j->table->schema);

    while (rc == SQLITE_OK && j->stands_by && sqlite3_step(databases) == SQLITE_ROW) {
        const char *schema = (const char *)sqlite3_column_text(databases, 0);

        rc = schema == NULL ? SQLITE_NOMEM
                            : visit_in(j, text, schema, text_of(query, schema, table), visit);
        if (rc != SQLITE_OK && rc != SQLITE_NOMEM && rc != SQLITE_INTERRUPT &&
            sqlite3_column_int(databases, 1) != 0)
            rc = give_up(j, schema, NULL);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(databases);
    sqlite3_finalize(databases);
    return rc;
}

static int add_changed(struct judgement *j, const char *schema, const char *name)
{
    for (int i = 0; i < j->n_changed; i++)
        if (sqlite3_stricmp(j->changed[i], name) == 0)
            return SQLITE_OK;
    if (j->n_changed == MOST_TABLES)
        return give_up(j, schema, name);
    j->changed[j->n_changed] = sqlite3_mprintf("%s", name);
    return j->changed[j->n_changed++] == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

/* A trigger's statements may write to a table. */
static int write_to(struct judgement *j, const char *schema, const char *name)
{
    bool is_own = sqlite3_stricmp(name, j->table->name) == 0;

    return is_own && !j->may_write ? give_up(j, schema, name) : add_changed(j, schema, name);
}

/* Not a view or a virtual table, nor one of Lockstep's that no schema names. */
static int judge_names(struct judgement *j, const char *text)
{
    if (sqlite3_strlike("%lockstep%", text, 0) == 0)
        return give_up(j, NULL, NULL);
    return visit_all(j, text, READABLES, NULL, give_up);
}

/* Triggers. */

/* What stands behind BEGIN, or a word that is spelled so, and whether each statement is a SELECT. */
static const char *body_of(const char *create, bool *selects)
{
    struct zsql_token token = zsql_lex(create, 0);
    const char *body;
    bool is_first = true;

    while (token.kind != TK_END_OF_TEXT && !ls_token_spells(create, token, "BEGIN"))
        token = zsql_lex(create, token.end);
    body = create + token.end;
    *selects = token.kind != TK_END_OF_TEXT;
    for (token = zsql_lex(body, 0); token.kind != TK_END_OF_TEXT;
         token = zsql_lex(body, token.end)) {
        bool is_end = ls_token_spells(body, token, "END") &&
                      zsql_lex(body, token.end).kind == TK_END_OF_TEXT;

        if (is_first && token.kind != TK_SELECT && !is_end)
            *selects = false;
        is_first = token.kind == TK_SEMI;
    }
    return body;
}

/* A name_visit of its CREATE TRIGGER. */
static int judge_trigger(struct judgement *j, const char *schema, const char *create)
{
    bool selects;
    const char *body = body_of(create, &selects);
    int rc = judge_functions(j, create, 0);

    j->is_everywhere = j->is_everywhere || sqlite3_stricmp(schema, "temp") == 0;
    /* A RAISE may keep ours from firing. */
    if (rc == SQLITE_OK && j->is_behind &&
        (ls_text_spells(create, "FAIL") || ls_text_spells(create, "IGNORE")))
        return give_up(j, schema, create);
    if (rc == SQLITE_OK && j->stands_by)
        rc = judge_names(j, create);
    if (rc == SQLITE_OK && j->stands_by && !selects)
        rc = visit_all(j, body, TABLES, NULL, write_to);
    return rc;
}

/* A name_visit of the CREATE TABLE or CREATE INDEX of a table that is written to: what is checked and
** computed there. A table's columns stand in parentheses, as their types' lengths do within those. */
static int judge_text(struct judgement *j, const char *schema, const char *create)
{
    bool is_table = ls_token_spells(create, zsql_lex(create, strlen("CREATE")), "TABLE");
    struct zsql_token token = zsql_lex(create, 0);

    (void)schema;
    while (token.kind != TK_LP && token.kind != TK_END_OF_TEXT)
        token = zsql_lex(create, token.end);
    return judge_functions(j, create + token.start, is_table ? 2 : 0);
}

/* What follows from changes of the tables that are known so far, and of those that it adds. */
static int judge_changed(struct judgement *j, name_visit *visit)
{
    int rc = j->n_changed > 0 ? visit_all(j, NULL, OF_LOGS, NULL, give_up) : SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && j->stands_by && i < j->n_changed; i++) {
        rc = visit_all(j, NULL, TRIGGERS, j->changed[i], judge_trigger);
        if (rc == SQLITE_OK)
            rc = visit_all(j, NULL, TEXTS, j->changed[i], judge_text);
        if (rc == SQLITE_OK)
            rc = visit_all(j, NULL, CHILDREN, j->changed[i], visit);
    }
    return rc;
}

static int end(struct judgement *j, int rc, bool *does)
{
    for (int i = 0; i < j->n_changed; i++)
        sqlite3_free(j->changed[i]);
    *does = rc == SQLITE_OK && j->stands_by;
    return rc;
}

static int judge(struct judgement *j, const char *schema, const char *create, bool *does)
{
    int rc = judge_trigger(j, schema, create);

    if (rc == SQLITE_OK)
        rc = judge_changed(j, write_to);
    return end(j, rc, does);
}

int ls_bystander_trigger(sqlite3 *db, const struct ls_table *table, const char *schema,
    const char *create, bool *does)
{
    struct judgement j = {.db = db, .table = table, .stands_by = true};

    return judge(&j, schema, create, does);
}

int ls_bystander_reads_none(sqlite3 *db, const struct ls_table *table, const char *schema,
    const char *create, bool *does)
{
    struct judgement j = {.db = db, .table = table, .may_write = true, .stands_by = true};

    return judge(&j, schema, create, does);
}

/* A name_visit of a table that a statement reads, whose columns may be computed then. */
static int judge_table(struct judgement *j, const char *schema, const char *name)
{
    return visit_in(j, NULL, schema, text_of(TEXTS, schema, name), judge_text);
}

/* A name_visit of the CREATE VIEW or CREATE VIRTUAL TABLE of what a statement reads: its query, which
** stands behind AS or in parentheses, may read others. */
static int judge_definition(struct judgement *j, const char *schema, const char *create)
{
    bool is_virtual = ls_token_spells(create, zsql_lex(create, strlen("CREATE")), "VIRTUAL");
    struct zsql_token token = zsql_lex(create, 0);
    int rc;

    while (token.kind != TK_END_OF_TEXT &&
           !(is_virtual ? ls_token_spells(create, token, "USING") : token.kind == TK_AS))
        token = zsql_lex(create, token.end);
    if (is_virtual && !ls_token_spells(create, zsql_lex(create, token.end), "lockstep"))
        return give_up(j, schema, create);
    rc = judge_functions(j, create + token.end, is_virtual);
    if (rc == SQLITE_OK)
        rc = visit_all(j, create, TABLES, NULL, judge_table);
    return rc == SQLITE_OK ? visit_all(j, create, READABLES, NULL, add_changed) : rc;
}

int ls_bystander_statement(
    sqlite3 *db, const struct ls_table *table, const char *text, uint32_t n, bool *does)
{
    struct judgement j = {.db = db, .table = table, .is_everywhere = true, .stands_by = true};
    char *before = sqlite3_mprintf("%.*s", (int)n, text);
    int rc = before == NULL ? SQLITE_NOMEM : judge_names(&j, before);

    sqlite3_free(before);
    if (rc == SQLITE_OK)
        rc = judge_functions(&j, text, 0);
    if (rc == SQLITE_OK)
        rc = visit_all(&j, text, TABLES, NULL, judge_table);
    if (rc == SQLITE_OK)
        rc = visit_all(&j, text, READABLES, NULL, add_changed);
    for (int i = 0; rc == SQLITE_OK && j.stands_by && i < j.n_changed; i++)
        rc = visit_all(&j, NULL, DEFINITIONS, j.changed[i], judge_definition);
    return end(&j, rc, does);
}

int ls_bystander_actions(sqlite3 *db, const struct ls_table *table, bool *has_any, bool *do_all)
{
    struct judgement j = {.db = db, .table = table, .is_behind = true, .stands_by = true};
    int rc = visit_all(&j, NULL, CHILDREN, table->name, add_changed);

    *has_any = j.n_changed > 0;
    if (rc == SQLITE_OK)
        rc = judge_changed(&j, add_changed);
    return end(&j, rc, do_all);
}
