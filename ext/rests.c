/* Reading on which columns a unique index rests. No pragma tells, so that texts are looked
** through for tokens that spell a column's name, whatever they stand for there: too many
** columns cost a look-up, too few would cost a row. */
#include "ext/rests.h"

#include <string.h>

#include "ext/pool.h"
#include "ext/spelling.h"

/* A part of a text. */
struct part {
    const char *text;
    uint32_t start, end;
};

/* Marks the columns that a text names, and whether it names the rowid. */
static void mark_named(const struct ls_table *table, struct ls_unique *unique, struct part part)
{
    static const char *const rowids[] = {"rowid", "_rowid_", "oid"};
    struct zsql_token token = zsql_lex(part.text, part.start);

    for (; token.kind != TK_END_OF_TEXT && token.start < part.end;
         token = zsql_lex(part.text, token.end)) {
        for (int i = 0; i < table->n_columns; i++)
            if (ls_token_spells(part.text, token, table->columns[i].name))
                unique->rests_on[i] = true;
        for (size_t i = 0; i < 3; i++)
            if (ls_token_spells(part.text, token, rowids[i]))
                unique->rests_on_rowid = true;
    }
}

static void mark_text(const struct ls_table *table, struct ls_unique *unique, const char *text)
{
    if (text != NULL)
        mark_named(table, unique, (struct part){text, 0, (uint32_t)strlen(text)});
}

/* The formulas of generated columns: what stands in parentheses behind AS, which nothing but a
** formula does between the commas of a CREATE TABLE. */
static void read_formulas(const struct ls_table *table, const char *create, struct part *parts)
{
    struct zsql_token token = zsql_lex(create, 0);
    int depth = 0, i = 0;
    bool is_formula = false;

    for (; token.kind != TK_END_OF_TEXT && i < table->n_columns;
         token = zsql_lex(create, token.end)) {
        if (token.kind == TK_LP && depth++ == 1 && is_formula)
            parts[i] = (struct part){create, token.end, token.end};
        else if (token.kind == TK_RP && --depth == 1 && parts[i].text != NULL && is_formula)
            parts[i].end = token.start;
        else if (token.kind == TK_COMMA && depth == 1)
            i++;
        if (depth <= 1)
            is_formula = token.kind == TK_AS;
    }
}

/* Follows generated columns to what their formulas name, until nothing is added. */
static void follow(
    const struct ls_table *table, struct ls_unique *unique, const struct part *formulas)
{
    int n_before, n = -1;

    do {
        n_before = n;
        n = 0;
        for (int i = 0; i < table->n_columns; i++)
            if (unique->rests_on[i] && formulas[i].text != NULL)
                mark_named(table, unique, formulas[i]);
        for (int i = 0; i < table->n_columns; i++)
            n += unique->rests_on[i];
    } while (n != n_before);
}

static int read_one(
    struct ls_table *table, struct ls_unique *unique, const struct part *formulas)
{
    unique->rests_on = ls_pool_get(&table->pool, (size_t)table->n_columns);
    if (unique->rests_on == NULL)
        return SQLITE_NOMEM;
    for (int i = 0; i < unique->n_terms; i++) {
        int column = unique->terms[i].column;

        if (column >= 0)
            unique->rests_on[column] = true;
        else
            mark_text(table, unique, unique->terms[i].expression);
        unique->is_computed =
            unique->is_computed || column < 0 || table->columns[column].is_generated;
    }
    mark_text(table, unique, unique->condition);
    follow(table, unique, formulas);
    if (table->rowid_column >= 0 && unique->rests_on[table->rowid_column])
        unique->rests_on_rowid = true;
    return SQLITE_OK;
}

int ls_rests_read(struct ls_table *table, const char *create)
{
    struct part *formulas =
        ls_pool_get(&table->pool, (size_t)table->n_columns * sizeof(*formulas));
    int rc = formulas == NULL ? SQLITE_NOMEM : SQLITE_OK;

    if (rc == SQLITE_OK)
        read_formulas(table, create, formulas);
    for (int i = 0; rc == SQLITE_OK && i < table->n_uniques; i++)
        rc = read_one(table, &table->uniques[i], formulas);
    return rc;
}
