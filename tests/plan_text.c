/* Printing plans:
**
**   source t: a INT, rowid INTEGER
**   join t, 2                                      (tables, and operators by number)
**     SELECT a FROM <0> x JOIN <1> y ON ...        (<i>: occurrence i as the difference says)
**     +plus 0, -minus 0: SELECT ...                (a difference's sign, form, occurrence)
**   map c0 INT, upper(c1) NOCASE where c0 > 1
**   group by c0 INT, least c3 shows c1 TEXT: count(*), sum(c1), max(distinct c2 NOCASE),
**     refold(c3..c4: group_concat(c0, c1))
**   plus 2 5: c0 INT                               (operators by number, from 0)
**   top c1 NOCASE desc, c0 nulls last: 10 from 5   (or: all from 5)
**   map c0, 1 of 2                                 (its input, where it is not the one before)
**   rows name, name              (may repeat; or: keys 0 1 -; a list in any order has a ~ and
**                                any other value that is not certain a ?; so rows may differ)
**   order 1 NOCASE desc; 1 hidden                  (by the root's columns, the last hidden)
**   exact SELECT ... */
#include "tests/plan_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fold_names[] = {
    "count(*)", "count", "sum", "total", "avg", "min", "max", "unanimous"};

static const char *const collations[] = {"", " NOCASE", " RTRIM"};

static size_t first_argument(const struct zsql_operator *operator)
{
    return operator->n_keys + operator->n_bare;
}

static void print_traits(FILE *out, const struct zsql_output_column *column)
{
    if (column->type[0] != '\0')
        fprintf(out, " %s", column->type);
    fprintf(out, "%s", collations[column->collation]);
}

static void print_source(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, "source %s%s%s", operator->schema != NULL ? operator->schema : "",
        operator->schema != NULL ? "." : "", operator->table);
    for (size_t i = 0; i < operator->n_columns; i++) {
        fprintf(out, "%s%s(%d)",
            i == 0 ? ": " : ", ", operator->columns[i].name, operator->source_columns[i]);
        print_traits(out, &operator->columns[i]);
    }
}

static size_t number_of(const struct zsql_plan *plan, const struct zsql_operator *operator)
{
    size_t i = 0;

    while (plan->operators[i] != operator)
        i++;
    return i;
}

static void print_template(FILE *out, const struct zsql_template *text)
{
    static const char *const forms[] = {
        "", " now", " past", " plus", " minus", " batch", " empty"};

    for (size_t i = 0; i < text->n_pieces; i++) {
        const struct zsql_piece *piece = &text->pieces[i];
        fprintf(out, "%s", piece->text);
        if (piece->occurrence >= 0)
            fprintf(out, "<%d%s>", piece->occurrence, forms[piece->form]);
    }
}

/* Differences of the same text stand on one line; the text is left out where it is the
** join's. */
static void print_join(
    FILE *out, const struct zsql_plan *plan, const struct zsql_operator *operator)
{
    static const char *const forms[] = {"", "now", "past", "plus", "minus", "batch", "empty"};
    char *whole = NULL;
    size_t whole_len;
    FILE *text_out = open_memstream(&whole, &whole_len);

    print_template(text_out, &operator->text);
    fclose(text_out);
    fprintf(out, "join");
    for (size_t i = 0; i < operator->n_reads; i++) {
        const struct zsql_read *read = &operator->reads[i];
        fprintf(out, i == 0 ? " " : ", ");
        if (read->made != NULL)
            fprintf(out, "%zu", number_of(plan, read->made));
        else
            fprintf(out, "%s", plan->tables[read->table].name);
    }
    fprintf(out, "\n  %s", whole);
    for (size_t i = 0; i < operator->n_differences; i++) {
        const struct zsql_difference *difference = &operator->differences[i];
        char *text = NULL;
        size_t len;
        FILE *one = open_memstream(&text, &len);

        fprintf(out, "%s%c%s %zu", difference->sign > 0 ? "\n  " : ", ",
            difference->sign > 0 ? '+' : '-', forms[difference->form], difference->occurrence);
        print_template(one, &difference->text);
        fclose(one);
        if (difference->sign < 0 && strcmp(text, whole) != 0)
            fprintf(out, ": %s", text);
        free(text);
    }
    free(whole);
}

static void print_arranged(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, " kept by");
    for (size_t i = 0; i < operator->n_arranged; i++)
        fprintf(out, " %d", operator->arranged[i]);
}

static void print_plus(
    FILE *out, const struct zsql_plan *plan, const struct zsql_operator *operator)
{
    fprintf(out, "plus");
    for (size_t i = 0; i < operator->n_inputs; i++)
        fprintf(out, " %zu", number_of(plan, operator->inputs[i]));
    fprintf(out, ":");
    for (size_t i = 0; i < operator->n_columns; i++) {
        fprintf(out, "%sc%zu", i == 0 ? " " : ", ", i);
        print_traits(out, &operator->columns[i]);
    }
}

static void print_map(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, "map");
    for (size_t i = 0; i < operator->n_columns; i++) {
        fprintf(out, "%s%s", i == 0 ? " " : ", ", operator->expressions[i]);
        print_traits(out, &operator->columns[i]);
    }
    if (operator->condition != NULL)
        fprintf(out, " where %s", operator->condition);
}

static void print_fold(
    FILE *out, const struct zsql_operator *operator, const struct zs_fold_spec * spec)
{
    fprintf(out, "%s", fold_names[spec->kind]);
    if (spec->kind != ZS_COUNT_ROWS)
        fprintf(out, "(%sc%zu%s)", spec->is_distinct ? "distinct " : "",
            first_argument(operator) + spec->argument, collations[spec->collation]);
}

static void print_refold(FILE *out, const struct zsql_operator *operator, size_t i)
{
    const struct zs_fold_spec *spec = &operator->specs[i];
    size_t first = first_argument(operator) + spec->argument;

    fprintf(out, "refold(c%zu", first);
    if (spec->n_arguments > 1)
        fprintf(out, "..c%zu", first + spec->n_arguments - 1);
    fprintf(out, ": %s", operator->refolds[i]);
    if (*operator->refold_orders[i] != '\0')
        fprintf(out, " order %s", operator->refold_orders[i]);
    fprintf(out, ")");
}

/* The bare columns, and of which row they are. */
static void print_bare(FILE *out, const struct zsql_operator *operator)
{
    static const char *const choices[] = {", any row", ", least", ", greatest"};

    if (operator->n_bare == 0)
        return;
    fprintf(out, "%s", choices[operator->choice]);
    if (operator->choice != ZS_ANY_ROW)
        fprintf(out, " c%zu%s", first_argument(operator) + operator->choice_argument,
            collations[operator->choice_collation]);
    for (size_t i = 0; i < operator->n_bare; i++) {
        fprintf(out, "%s c%zu", i == 0 ? " shows" : ",", operator->n_keys + i);
        print_traits(out, &operator->columns[operator->n_keys + i]);
    }
}

static void print_groups(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, operator->is_global ? "group all" : "group by");
    for (size_t i = 0; i < operator->n_keys; i++) {
        fprintf(out, "%sc%zu", i == 0 ? " " : ", ", i);
        print_traits(out, &operator->columns[i]);
    }
    print_bare(out, operator);
    for (size_t i = 0; i < operator->n_specs; i++) {
        fprintf(out, "%s", i == 0 ? ": " : ", ");
        if (operator->specs[i].kind == ZS_REFOLD)
            print_refold(out, operator, i);
        else
            print_fold(out, operator, & operator->specs[i]);
    }
}

static void print_order(FILE *out, const struct zsql_order *order, size_t n, const char *column)
{
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s%zu%s%s%s", i == 0 ? " " : ", ", column, order[i].column,
            collations[order[i].collation], order[i].is_descending ? " desc" : "",
            order[i].has_nulls_last == order[i].is_descending ? ""
            : order[i].has_nulls_last                         ? " nulls last"
                                                              : " nulls first");
}

static void print_top(FILE *out, const struct zsql_operator *operator)
{
    fprintf(out, "top");
    print_order(out, operator->order, operator->n_order, "c");
    if (operator->limit<0)
        fprintf(out, ": all");
    else
        fprintf(out, ": %lld", (long long)operator->limit);
    if (operator->offset> 0)
        fprintf(out, " from %lld", (long long)operator->offset);
}

static void print_root(FILE *out, const struct zsql_plan *plan)
{
    static const char *const marks[] = {"", "~", "?"};
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];

    fprintf(out, "rows");
    for (size_t i = 0; i < root->n_columns; i++)
        fprintf(out, "%s%s%s", i == 0 ? " " : ", ", root->columns[i].name,
            marks[plan->certainty == NULL ? ZSQL_CERTAIN : plan->certainty[i]]);
    if (plan->is_keyed) {
        fprintf(out, "; keys");
        for (size_t i = 0; i < plan->n_keys; i++)
            fprintf(out, plan->key_columns[i] < 0 ? " -" : " %d", plan->key_columns[i]);
    }
    fprintf(out, "%s", plan->may_repeat ? "; may repeat" : "");
    fprintf(out, plan->may_have_other_rows ? "; may differ\n" : "\n");
    if (plan->n_order > 0) {
        fprintf(out, "order");
        print_order(out, plan->order, plan->n_order, "");
        if (plan->n_hidden > 0)
            fprintf(out, "; %zu hidden", plan->n_hidden);
        fputc('\n', out);
    }
}

char *plan_text(const struct zsql_plan *plan)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    for (size_t i = 0; i < plan->n_operators; i++) {
        const struct zsql_operator *operator= plan->operators[i];
        if (operator->kind == ZSQL_SOURCE)
            print_source(out, operator);
        else if (operator->kind == ZSQL_JOIN)
            print_join(out, plan, operator);
        else if (operator->kind == ZSQL_PLUS)
            print_plus(out, plan, operator);
        else if (operator->kind == ZSQL_MAP)
            print_map(out, operator);
        else if (operator->kind == ZSQL_TOP)
            print_top(out, operator);
        else
            print_groups(out, operator);
        if (operator->is_read)
            print_arranged(out, operator);
        if (operator->input != NULL && operator->input != plan->operators[i - 1])
            fprintf(out, " of %zu", number_of(plan, operator->input));
        fputc('\n', out);
    }
    print_root(out, plan);
    fclose(out);
    return text;
}
