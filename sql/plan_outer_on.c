/* What members of FROM are joined on, where RIGHT and FULL joins have been taken apart.
**
** With USING or NATURAL, or by hand, several columns stand for one: coalesce(a.k, b.k) = c.k.
** No index finds the rows of such a term. In a part it is one of them alone: those that are
** NULL there are left out, and b.k too where b is joined on a.k = b.k, since it is then a.k or
** NULL, and NULL if a.k is. Where coalesce(...) has neither affinity nor collation the other
** side decides: it is written first, and the two compare as one kind of values. */
#include "sql/plan_outer.h"

#include "sql/binder.h"
#include "sql/reach.h"

/* Columns. */

const char *zsql_outer_column(struct zsql_splitter *splitter, size_t source, const char *name)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const struct zsql_source *from = zsql_source_at(splitter->core->bound, source);
    const char *table = zsql_text_quoted(arena, from->name, '"');
    const char *column = zsql_text_quoted(arena, name, '"');

    return table == NULL || column == NULL ? NULL
                                           : zsql_text_format(arena, "%s.%s", table, column);
}

const char *zsql_outer_coalesce(
    struct zsql_splitter *splitter, const struct zsql_columns *columns)
{
    struct zsql_arena *arena = splitter->planner->arena;
    const char *text = zsql_outer_column(splitter, columns->sources[0], columns->names[0]);

    for (size_t i = 1; text != NULL && i < columns->n; i++) {
        const char *column =
            zsql_outer_column(splitter, columns->sources[i], columns->names[i]);
        text = column == NULL ? NULL
                              : zsql_text_format(
                                    arena, "%s%s, %s", i == 1 ? "coalesce(" : "", text, column);
    }
    return text == NULL || columns->n == 1 ? text : zsql_text_format(arena, "%s)", text);
}

void zsql_outer_find_merged(
    const struct zsql_bound *bound, const char *name, struct zsql_columns *columns)
{
    size_t first = columns->n;

    for (size_t i = 0; i < bound->sources.n && columns->n < 64; i++) {
        const struct zsql_source *source = zsql_source_at(bound, i);

        if (zsql_bind_find(source, name) < 0)
            continue;
        if (columns->n > first && (source->from->join & ZSQL_JOIN_RIGHT) == 0)
            continue;
        if ((source->from->join & ZSQL_JOIN_LEFT) == 0)
            columns->n = first;
        columns->sources[columns->n] = i;
        columns->names[columns->n++] = name;
    }
}

const char *zsql_outer_merged_name(const struct zsql_bound *bound, const struct zsql_expr *expr)
{
    if (expr->binding != ZSQL_COLUMN || expr->scope != bound || expr->table.text != NULL)
        return NULL;
    for (size_t i = 0; i < bound->sources.n; i++) {
        const struct zsql_source *source = zsql_source_at(bound, i);

        for (size_t j = 0; j < source->merged.n; j++) {
            if (zsql_same_name(source->merged.items[j], expr->name.text))
                return expr->name.text;
        }
    }
    return NULL;
}

/* Terms. */

/* A term X = Y, as what its sides read: columns of which the first that is not NULL counts. n
** is 0 for anything else. */
struct term {
    struct zsql_columns x, y;
    struct zsql_expr *y_expr; /* NULL: y is a column that USING or NATURAL names */
};

static void add_column(struct zsql_columns *columns, size_t source, const char *name)
{
    if (columns->n == 64)
        return;
    columns->sources[columns->n] = source;
    columns->names[columns->n++] = name;
}

/* Is it made of the core's columns and coalesce() alone? */
static bool read_columns(
    const struct zsql_bound *bound, struct zsql_expr *expr, struct zsql_columns *columns)
{
    const char *name = zsql_outer_merged_name(bound, expr);
    bool is_coalesce = expr->kind == ZSQL_CALL && expr->call->function.is_builtin &&
                       (zsql_same_name(expr->name.text, "coalesce") ||
                           zsql_same_name(expr->name.text, "ifnull"));

    if (name != NULL) {
        zsql_outer_find_merged(bound, name, columns);
        return true;
    }
    if (expr->binding == ZSQL_COLUMN && expr->scope == bound && expr->column >= 0) {
        add_column(columns, expr->source, expr->name.text);
        return true;
    }
    for (size_t i = 0; is_coalesce && i < expr->operands.n; i++)
        is_coalesce = read_columns(bound, expr->operands.items[i], columns);
    return is_coalesce;
}

static struct zsql_columns columns_of(const struct zsql_bound *bound, struct zsql_expr *expr)
{
    struct zsql_columns columns = {.n = 0}, none = {.n = 0};

    return read_columns(bound, expr, &columns) ? columns : none;
}

static bool read_term(const struct zsql_bound *bound, const struct zsql_expr *expr,
    bool is_x_left, struct term *term)
{
    struct zsql_expr *x, *y;

    if (expr->kind != ZSQL_BINARY || expr->op != ZSQL_OP_EQUAL || expr->is_negated)
        return false;
    x = expr->operands.items[is_x_left ? 0 : 1];
    y = expr->operands.items[is_x_left ? 1 : 0];
    *term = (struct term){columns_of(bound, x), columns_of(bound, y), y};
    return true;
}

/* The term of USING or NATURAL for a column of the source: X is of all sources before that have
** it. */
static struct term merged_term(const struct zsql_bound *bound, size_t source, const char *name)
{
    struct term term = {.x = {.n = 0}};

    for (size_t i = 0; i < source; i++) {
        if (zsql_bind_find(zsql_source_at(bound, i), name) >= 0)
            add_column(&term.x, i, name);
    }
    add_column(&term.y, source, name);
    return term;
}

static bool is_absent(
    const struct zsql_splitter *splitter, const struct zsql_outer_part *part, size_t source)
{
    return (part->absent >> zsql_source_at(splitter->core->bound, source)->item & 1) != 0;
}

static bool are_absent(const struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    const struct zsql_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        if (!is_absent(splitter, part, columns->sources[i]))
            return false;
    }
    return columns->n > 0;
}

static bool holds(const struct zsql_columns *columns, size_t source, const char *name)
{
    for (size_t i = 0; i < columns->n; i++) {
        if (columns->sources[i] == source && zsql_same_name(columns->names[i], name))
            return true;
    }
    return false;
}

/* Does the term X = Y say of a column that it is NULL or one of those that are known? */
static bool is_bound_by(
    const struct zsql_columns *known, size_t source, const char *name, const struct term *term)
{
    const struct zsql_columns *x = &term->x, *y = &term->y;

    if (y->n != 1 || !holds(y, source, name)) {
        x = &term->y;
        y = &term->x;
    }
    for (size_t i = 0; i < x->n; i++) {
        if (!holds(known, x->sources[i], x->names[i]))
            return false;
    }
    return x->n > 0 && y->n == 1 && holds(y, source, name);
}

/* Is the member of the column joined on a term that says so? */
static bool is_bound(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    const struct zsql_columns *known, size_t source, const char *name)
{
    const struct zsql_bound *bound = splitter->core->bound;
    size_t item = zsql_source_at(bound, source)->item;
    const struct zsql_from *member;
    struct zsql_list terms = {0};
    struct term term;

    if (item == part->head)
        return false;
    if (part->has_changed_places && item == 0)
        item = part->head;
    member = splitter->core->from.items[item];
    for (size_t j = 0; member->on == NULL && j < bound->sources.n; j++) {
        const struct zsql_source *merging = zsql_source_at(bound, j);

        for (size_t k = 0; merging->from == member && k < merging->merged.n; k++) {
            term = merged_term(bound, j, merging->merged.items[k]);
            if (is_bound_by(known, source, name, &term))
                return true;
        }
    }
    if (zsql_expr_terms(splitter->planner->arena, member->on, &terms) != ZS_OK)
        return false;
    for (size_t j = 0; j < terms.n; j++) {
        if (read_term(bound, terms.items[j], true, &term) &&
            is_bound_by(known, source, name, &term))
            return true;
    }
    return false;
}

/* A column of a source, as an expression. */
static struct zsql_expr column_at(
    const struct zsql_bound *bound, size_t source, const char *name)
{
    return (struct zsql_expr){.kind = ZSQL_NAME,
        .name.text = name,
        .binding = ZSQL_COLUMN,
        .scope = bound->core->bound,
        .source = (unsigned)source,
        .column = zsql_bind_find(zsql_source_at(bound, source), name)};
}

/* May a column stand for others in a comparison with Y? In its place, if it is only NULL where
** they are; where they come first, they are to be equal to it as all are. */
static bool is_comparable(
    const struct zsql_bound *bound, const struct term *term, size_t i, size_t only)
{
    struct zsql_expr x = column_at(bound, term->x.sources[i], term->x.names[i]), y;
    struct zsql_traits of_x = zsql_traits_of(&x), of_y;
    bool is_binary = of_x.collation == NULL || zsql_same_name(of_x.collation, "BINARY");

    if (term->y_expr == NULL)
        y = column_at(bound, term->y.sources[0], term->y.names[0]);
    of_y = zsql_traits_of(term->y_expr != NULL ? term->y_expr : &y);
    return zsql_traits_class(&of_x) == zsql_traits_class(&of_y) &&
           (is_binary || (i == only && of_y.collation != NULL));
}

/* Do all the columns that are not NULL in the part show what the one does? */
static bool is_enough(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    const struct term *term, size_t only)
{
    const struct zsql_bound *bound = splitter->core->bound;
    const struct zsql_columns *all = &term->x;
    struct zsql_columns known = {{all->sources[only]}, {all->names[only]}, 1};

    if (is_absent(splitter, part, all->sources[only]) ||
        !is_comparable(bound, term, only, only))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        if (is_absent(splitter, part, all->sources[i]))
            add_column(&known, all->sources[i], all->names[i]);
    }
    for (size_t i = 0; i < all->n; i++) {
        if (holds(&known, all->sources[i], all->names[i]))
            continue;
        if (!is_bound(splitter, part, &known, all->sources[i], all->names[i]) ||
            (i < only &&
                !(is_comparable(bound, term, i, only) && is_comparable(bound, term, only, i))))
            return false;
        add_column(&known, all->sources[i], all->names[i]);
    }
    return true;
}

/* The number among several columns of the one that counts in the part; n for none. */
static size_t find_only(
    struct zsql_splitter *splitter, const struct zsql_outer_part *part, const struct term *term)
{
    size_t only = 0;

    if (term->x.n < 2)
        return term->x.n;
    while (only < term->x.n && !is_enough(splitter, part, term, only))
        only++;
    return only;
}

/* "Y = x", where a column can stand for X; *text is NULL where none can. */
static int write_simpler(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    const struct term *term, const char **text)
{
    size_t only = find_only(splitter, part, term);
    const char *x, *y;

    *text = NULL;
    if (only == term->x.n)
        return ZS_OK;
    x = zsql_outer_column(splitter, term->x.sources[only], term->x.names[only]);
    y = term->y_expr != NULL
            ? zsql_outer_write(splitter, term->y_expr)
            : zsql_outer_column(splitter, term->y.sources[0], term->y.names[0]);
    if (x != NULL && y != NULL)
        *text = zsql_text_format(splitter->planner->arena, "%s = %s", y, x);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

/* A term of ON. */
static const char *write_term(struct zsql_splitter *splitter,
    const struct zsql_outer_part *part, struct zsql_expr *expr, bool *is_never)
{
    const char *text = NULL;
    struct term term;

    for (int i = 0; i < 2 && read_term(splitter->core->bound, expr, i == 0, &term); i++) {
        *is_never = *is_never || are_absent(splitter, part, &term.x);
        if (write_simpler(splitter, part, &term, &text) != ZS_OK)
            return NULL;
        if (text != NULL)
            return text;
    }
    return zsql_outer_write(splitter, expr);
}

/* A term of USING or NATURAL. */
static const char *write_merged(struct zsql_splitter *splitter,
    const struct zsql_outer_part *part, size_t source, const char *name, bool *is_never)
{
    struct term term = merged_term(splitter->core->bound, source, name);
    const char *text = NULL, *x, *y;

    *is_never = *is_never || are_absent(splitter, part, &term.x);
    if (write_simpler(splitter, part, &term, &text) != ZS_OK)
        return NULL;
    if (text != NULL)
        return text;
    x = zsql_outer_coalesce(splitter, &term.x);
    y = zsql_outer_column(splitter, source, name);
    return x == NULL || y == NULL ? NULL
                                  : zsql_text_format(splitter->planner->arena, "%s = %s", x, y);
}

static bool add_term(struct zsql_splitter *splitter, const char **all, const char *term)
{
    *all = term == NULL || *all == NULL
               ? term
               : zsql_text_format(splitter->planner->arena, "%s AND %s", *all, term);
    return *all != NULL;
}

const char *zsql_outer_on(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    size_t i, bool *is_never)
{
    const struct zsql_bound *bound = splitter->core->bound;
    const struct zsql_from *member = splitter->core->from.items[i];
    struct zsql_list terms = {0};
    const char *text = NULL;

    *is_never = false;
    if (zsql_expr_terms(splitter->planner->arena, member->on, &terms) != ZS_OK)
        return NULL;
    for (size_t j = 0; j < terms.n; j++) {
        if (!add_term(splitter, &text, write_term(splitter, part, terms.items[j], is_never)))
            return NULL;
    }
    for (size_t j = 0; j < bound->sources.n; j++) {
        const struct zsql_source *source = zsql_source_at(bound, j);

        for (size_t k = 0; source->from == member && k < source->merged.n; k++) {
            if (!add_term(splitter, &text,
                    write_merged(splitter, part, j, source->merged.items[k], is_never)))
                return NULL;
        }
    }
    return text != NULL ? text : "1";
}
