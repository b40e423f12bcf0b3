/* SELECT: lists of columns, GROUP BY, DISTINCT, set operations, ORDER BY and LIMIT. */
#include <string.h>

#include "tests/diff_compose.h"

/* A SELECT in the making. */
struct core {
    struct diff_composer *m;
    struct diff_wish wish;
    struct diff_scope scope;
    struct diff_text from;
    struct diff_composed_column columns[DIFF_RELATION_COLUMNS];
    unsigned n;
    struct diff_text groups;
    const char *having;
    bool is_distinct;
    const char *star; /* stands for all columns; or NULL */
};

static struct diff_composed_column firm_form(
    struct diff_composer *m, const struct diff_composed_column *of)
{
    return (struct diff_composed_column){.text = diff_compose_print(m, "typeof(%s)", of->text),
        .domain = DIFF_TEXTS,
        .kind = 'T',
        .letter = 'B',
        .is_firm = true,
        .item = -1};
}

static unsigned n_wanted(struct core *core, unsigned most)
{
    return core->wish.n_columns > 0 ? core->wish.n_columns : 1 + diff_choose(core->m, most);
}

/* A value by a subquery over the columns in sight, or an expression over them. */
static struct diff_composed_column shown(struct core *core, const struct diff_scope *scope)
{
    struct diff_composer *m = core->m;
    const char *text = NULL;

    if (core->wish.depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_SELECT, 9))
        text = diff_compose_value(m, scope, core->wish.depth + 1);
    if (text == NULL)
        return diff_compose_scalar(m, scope, core->wish.depth);
    return (struct diff_composed_column){.text = text,
        .domain = DIFF_INTEGERS,
        .kind = 'O',
        .letter = 'B',
        .affinity = 'S',
        .is_rough = true,
        .item = -1};
}

/* a.*: not where columns are renamed, which SQLite forbids then. */
static bool make_star(struct core *core)
{
    const struct diff_scope *scope = &core->scope;
    unsigned first = 0, n = 1;

    if (scope->n == 0 || core->wish.n_columns > 0 || core->wish.is_firm ||
        core->m->c->options.with_ddl)
        return false;
    int item = scope->columns[diff_choose(core->m, scope->n)].item;
    while (first < scope->n && scope->columns[first].item != item)
        first++;
    while (first + n < scope->n && scope->columns[first + n].item == item)
        n++;
    const char *dot = strchr(scope->columns[first].text, '.');
    if (item < 0 || n > DIFF_RELATION_COLUMNS || scope->columns[first].text[0] != 'a' ||
        !diff_may(core->m, DIFF_STAR, 100))
        return false;
    memcpy(core->columns, scope->columns + first, n * sizeof *core->columns);
    core->n = n;
    core->star = diff_compose_print(
        core->m, "%.*s.*", (int)(dot - scope->columns[first].text), scope->columns[first].text);
    return true;
}

static void make_projection(struct core *core)
{
    if (diff_chance(core->m, 15) && make_star(core))
        return;
    core->n = n_wanted(core, 4);
    for (unsigned i = 0; i < core->n; i++) {
        const struct diff_scope *scope = &core->scope;
        if (!core->wish.is_firm && scope->n > 0 && diff_chance(core->m, 15))
            core->columns[i] = scope->columns[diff_choose(core->m, scope->n)];
        else
            core->columns[i] = shown(core, scope);
    }
}

static void make_distinct(struct core *core)
{
    core->is_distinct = true;
    core->n = n_wanted(core, 3);
    for (unsigned i = 0; i < core->n; i++) {
        struct diff_composed_column column = shown(core, &core->scope);
        if (core->wish.is_firm && !column.is_firm)
            column = firm_form(core->m, &column);
        column.is_loose = !column.is_firm;
        core->columns[i] = column;
    }
}

static void make_global(struct core *core)
{
    core->n = n_wanted(core, 3);
    for (unsigned i = 0; i < core->n; i++)
        core->columns[i] = diff_compose_fold(core->m, &core->scope, core->wish);
    if (core->wish.depth == 0 && diff_may(core->m, DIFF_HAVING, 8)) {
        struct diff_scope none = {.n = 0};
        core->having = diff_compose_having(core->m, &core->scope, &none, core->wish.depth);
    }
    core->scope.rows = 1;
}

/* The keys as columns; what is no column could be taken for a position. */
static void make_keys(struct core *core, struct diff_scope *keys, struct diff_scope *shown_keys)
{
    struct diff_composer *m = core->m;
    struct diff_scope alone = core->scope;
    alone.outer = NULL;
    for (unsigned n = 1 + diff_chance(m, 40), i = 0; i < n; i++) {
        struct diff_composed_column key;
        if (!diff_compose_pick(m, &alone, &key))
            key = (struct diff_composed_column){
                .text = "NULL", .kind = 'O', .letter = 'B', .is_firm = true, .item = -1};
        if (core->wish.is_firm && !key.is_firm)
            key = firm_form(m, &key);
        else if (!key.is_key && diff_chance(m, 12))
            key = firm_form(m, &key);
        diff_text_add(&core->groups, "%s%s", i > 0 ? ", " : " GROUP BY ", key.text);
        key.is_loose = !key.is_firm;
        keys->columns[keys->n++] = key;
        if (key.is_firm)
            shown_keys->columns[shown_keys->n++] = key;
    }
}

/* 3.40.1 makes a number of a text that groups are by, for good, where a subquery looks it up in
** an index of numbers, or where it is IN a list of them: there it is no column. */
static struct diff_scope keys_within(struct diff_composer *m, const struct diff_scope *keys)
{
    struct diff_scope within = *keys;

    for (unsigned i = 0; i < within.n; i++) {
        struct diff_composed_column *key = &within.columns[i];
        if (key->affinity != 'T')
            continue;
        key->text = diff_compose_print(m, "(%s || '')", key->text);
        key->affinity = 0;
        key->letter = 'B';
    }
    return within;
}

/* A column of the table whose key is grouped by: the same in all rows of a group. */
static bool find_bare(
    struct core *core, const struct diff_scope *keys, struct diff_composed_column *column)
{
    for (unsigned i = 0; i < keys->n; i++) {
        if (!keys->columns[i].is_key)
            continue;
        unsigned first = diff_choose(core->m, core->scope.n);
        for (unsigned k = 0; k < core->scope.n; k++) {
            *column = core->scope.columns[(first + k) % core->scope.n];
            if (column->item == keys->columns[i].item &&
                (column->is_firm || !core->wish.is_firm))
                return true;
        }
    }
    return false;
}

static const struct diff_composed_column *some_key(struct core *core)
{
    unsigned first = diff_choose(core->m, core->scope.n);
    for (unsigned i = 0; i < core->scope.n; i++) {
        const struct diff_composed_column *column =
            &core->scope.columns[(first + i) % core->scope.n];
        if (column->is_key)
            return column;
    }
    return NULL;
}

/* The greatest or the least key of each group, and columns of the row that has it. */
static bool make_latest(struct core *core)
{
    struct diff_composer *m = core->m;
    struct diff_scope keys = {.n = 0}, firm_keys = {.n = 0}, of = {.n = 0};
    const struct diff_composed_column *key = core->scope.n > 0 ? some_key(core) : NULL;

    if (key == NULL || core->wish.is_correlated || !diff_may(m, DIFF_LATEST, 20))
        return false;
    for (unsigned i = 0; i < core->scope.n; i++) {
        if (core->scope.columns[i].item == key->item)
            diff_scope_add(&of, core->scope.columns[i]);
    }
    make_keys(core, &keys, &firm_keys);
    core->n = n_wanted(core, 4);
    for (unsigned i = 0; i < core->n; i++) {
        struct diff_composed_column *column = &core->columns[i];
        if (i == 0) {
            *column = *key;
            column->text =
                diff_compose_print(m, diff_chance(m, 70) ? "max(%s)" : "min(%s)", key->text);
            column->affinity = 0;
        } else if (i == 1 && !keys.columns[0].is_loose) {
            *column = keys.columns[0];
        } else {
            *column = of.columns[diff_choose(m, of.n)];
            if (core->wish.is_firm && !column->is_firm)
                *column = firm_form(m, column);
        }
        column->is_key = false;
    }
    core->scope.rows = core->scope.rows / 2 + 1;
    return true;
}

/* Of what compares equal, any may be shown; of lists, all orders of their elements differ. */
static void make_distinct_groups(struct core *core)
{
    for (unsigned i = 0; i < core->n; i++) {
        if (core->columns[i].letter == 'G' || core->columns[i].letter == 'J')
            return;
    }
    if (!diff_may(core->m, DIFF_DISTINCT_GROUPS, 10))
        return;
    core->is_distinct = true;
    for (unsigned i = 0; i < core->n; i++) {
        if (core->wish.is_firm && !core->columns[i].is_firm)
            core->columns[i] = firm_form(core->m, &core->columns[i]);
        core->columns[i].is_loose = !core->columns[i].is_firm;
    }
}

static void make_groups(struct core *core)
{
    struct diff_composer *m = core->m;
    struct diff_scope keys = {.n = 0}, firm_keys = {.n = 0}, within;
    struct diff_composed_column bare;

    if (make_latest(core))
        return;

    core->n = n_wanted(core, 4);
    make_keys(core, &keys, &firm_keys);
    within = keys_within(m, &firm_keys);
    firm_keys.within = &within;
    for (unsigned i = 0, k = 0; i < core->n; i++) {
        if (k < keys.n && diff_chance(m, 75))
            core->columns[i] = keys.columns[k++];
        else if (!core->wish.is_correlated && find_bare(core, &keys, &bare) &&
                 diff_may(m, DIFF_BARE, 40))
            core->columns[i] = bare;
        else if (firm_keys.n > 0 && diff_chance(m, 8))
            core->columns[i] = shown(core, &firm_keys);
        else
            core->columns[i] = diff_compose_fold(m, &core->scope, core->wish);
        if (core->wish.is_firm && core->columns[i].is_loose)
            core->columns[i] = firm_form(m, &core->columns[i]);
    }
    make_distinct_groups(core);
    if (diff_may(m, DIFF_HAVING, 28))
        core->having = diff_compose_having(m, &core->scope, &firm_keys, core->wish.depth);
    core->scope.rows = core->scope.rows / 2 + 1;
}

static void choose_shape(struct core *core)
{
    if (diff_may(core->m, DIFF_GROUP, 34))
        make_groups(core);
    else if (diff_may(core->m, DIFF_GLOBAL, 14))
        make_global(core);
    else if (diff_may(core->m, DIFF_DISTINCT, 16))
        make_distinct(core);
    else
        make_projection(core);
}

static void take_columns(struct core *core, struct diff_relation *relation)
{
    relation->n = core->n;
    relation->rows = core->scope.rows;
    for (unsigned i = 0; i < core->n; i++) {
        relation->columns[i] = core->columns[i];
        relation->columns[i].text = core->star != NULL ? strchr(core->columns[i].text, '.') + 1
                                                       : diff_compose_print(core->m, "c%u", i);
        relation->columns[i].is_key = false;
    }
}

static void make_core(struct diff_composer *m, const struct diff_scope *outer,
    struct diff_wish wish, struct diff_relation *relation, struct diff_text *out)
{
    struct core core = {.m = m, .wish = wish, .scope = {.outer = outer}};
    const char *where = NULL, *link = NULL;

    diff_compose_from(m, &core.scope, wish, &core.from);
    if (outer != NULL && diff_may(m, DIFF_CORRELATED, 100))
        link = diff_compose_link(m, &core.scope, false);
    if (diff_chance(m, link != NULL ? 25 : 55))
        where = diff_compose_condition(m, &core.scope, wish.depth);
    core.scope.outer = NULL;
    core.wish.is_correlated = outer != NULL;
    choose_shape(&core);
    diff_text_add(out, "SELECT %s%s", core.is_distinct ? "DISTINCT " : "",
        core.star != NULL ? core.star : "");
    for (unsigned i = 0; core.star == NULL && i < core.n; i++)
        diff_text_add(out, "%s%s AS c%u", i > 0 ? ", " : "", core.columns[i].text, i);
    diff_text_add(out, "%s", core.from.data);
    if (link != NULL)
        diff_text_add(out, " WHERE %s", link);
    if (where != NULL)
        diff_text_add(out, " %s %s", link != NULL ? "AND" : "WHERE", where);
    if (core.groups.data != NULL)
        diff_text_add(out, "%s", core.groups.data);
    if (core.having != NULL)
        diff_text_add(out, " HAVING %s", core.having);
    take_columns(&core, relation);
    diff_text_free(&core.from);
    diff_text_free(&core.groups);
}

static const char *set_operation(struct diff_composer *m, bool may_merge)
{
    if (may_merge && diff_may(m, DIFF_UNION, 34))
        return " UNION ";
    if (may_merge && diff_may(m, DIFF_EXCEPT, 34))
        return " EXCEPT ";
    if (may_merge && diff_may(m, DIFF_INTERSECT, 34))
        return " INTERSECT ";
    return diff_may(m, DIFF_UNION_ALL, 100) ? " UNION ALL " : NULL;
}

/* What both arms' columns are like together: only firm ones of one kind stay so. Where they
** merge under some collation, any member may stand for those that are equal. Where one has
** REAL affinity SQLite may make all of them real, or not: that is up to its plan. */
static void join_arms(struct diff_relation *left, const struct diff_relation *right, bool merge)
{
    for (unsigned i = 0; i < left->n; i++) {
        struct diff_composed_column *a = &left->columns[i];
        const struct diff_composed_column *b = &right->columns[i];
        bool is_mixed_real =
            a->affinity != b->affinity && (a->affinity == 'R' || b->affinity == 'R');
        if (a->letter == 'B')
            a->letter = b->letter;
        if (!(a->is_firm && b->is_firm && a->kind == b->kind && a->letter == 'B'))
            a->is_firm = false;
        if (a->kind != b->kind)
            a->kind = 'O';
        a->is_mixed =
            a->is_mixed || b->is_mixed || a->affinity != b->affinity || a->affinity == 'S';
        a->is_rough = a->is_rough || b->is_rough;
        a->is_loose = a->is_loose || (merge && !a->is_firm) || is_mixed_real;
    }
    left->rows += right->rows;
}

static bool all_firm(const struct diff_relation *a, const struct diff_relation *b)
{
    for (unsigned i = 0; i < a->n; i++) {
        if (!a->columns[i].is_firm || !b->columns[i].is_firm ||
            a->columns[i].kind != b->columns[i].kind || a->columns[i].letter != 'B' ||
            b->columns[i].letter != 'B')
            return false;
    }
    return true;
}

/* 3.40.1 gives all rows of a compound in FROM the affinity of its first arm where its plan
** keeps them in a table of its own: arms are alike there. */
static bool may_join(
    struct diff_wish wish, const struct diff_relation *a, const struct diff_relation *b)
{
    for (unsigned i = 0; !wish.is_top && i < a->n; i++)
        if (a->columns[i].affinity != b->columns[i].affinity)
            return false;
    return true;
}

static void make_compound(struct diff_composer *m, const struct diff_scope *outer,
    struct diff_wish wish, struct diff_relation *relation, struct diff_text *out)
{
    struct diff_wish arm = {.depth = wish.depth, .is_firm = true};

    arm.n_columns = wish.n_columns > 0 ? wish.n_columns : 1 + diff_choose(m, 3);
    make_core(m, outer, arm, relation, out);
    for (unsigned n = 1 + diff_chance(m, 30) + diff_chance(m, 10); n > 0; n--) {
        struct diff_relation other;
        struct diff_text text = {0};
        /* no ORDER BY may follow VALUES */
        if ((n > 1 || wish.is_top) && diff_may(m, DIFF_VALUES, 8))
            diff_compose_values(m, relation, &other, &text);
        else
            make_core(m, outer, arm, &other, &text);
        const char *operation = set_operation(m, !wish.is_firm || all_firm(relation, &other));
        if (operation != NULL && may_join(wish, relation, &other)) {
            diff_text_add(out, "%s%s", operation, text.data);
            join_arms(relation, &other, strcmp(operation, " UNION ALL ") != 0);
        }
        diff_text_free(&text);
    }
}

/* Inside a query only where equal rows are identical, so that ties do not matter. */
static void limit_inside(
    struct diff_composer *m, const struct diff_relation *relation, struct diff_text *out)
{
    for (unsigned i = 0; i < relation->n; i++) {
        if (!relation->columns[i].is_firm || relation->columns[i].is_loose)
            return;
    }
    if (!diff_may(m, DIFF_LIMIT, 10))
        return;
    for (unsigned i = 0; i < relation->n; i++)
        diff_text_add(out, "%s%u%s", i > 0 ? ", " : " ORDER BY ", i + 1,
            diff_chance(m, 30) ? " DESC" : "");
    diff_text_add(out, " LIMIT %u", diff_choose(m, 5));
}

void diff_compose_query(struct diff_composer *m, const struct diff_scope *outer,
    struct diff_wish wish, struct diff_relation *relation, struct diff_text *out)
{
    uint64_t sets = UINT64_C(15) << DIFF_UNION_ALL;
    bool may_compound = (m->c->options.without & sets) != sets;

    if (may_compound && diff_chance(m, 20))
        make_compound(m, outer, wish, relation, out);
    else
        make_core(m, outer, wish, relation, out);
    if (wish.depth > 0)
        limit_inside(m, relation, out);
}
