/* The folds of SQL.
**
** The specs are served by lanes, one for each argument and, over distinct values, collation:
** count(DISTINCT x), sum(DISTINCT x) and min(x) are read from the same. A ZS_REFOLD has its own
** place. What a group keeps, and the format of its state, is in fold_group.c. */
#include "core/fold.h"

#include "core/fold_group.h"
#include "core/fold_read.h"

enum { n_ahead = 8 };

struct sql_fold {
    struct zs_fold base;
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_group_plan plan;
    struct zs_numbers numbers;
    struct zs_refolder refolder;
    struct zs_lane_plan *lanes;     /* plan's, with room for one a column */
    struct zs_refold_plan *refolds; /* likewise */
    unsigned n_slots;               /* of the multiset, without that of the keys */
    unsigned n_columns;
    struct zs_fold_column *columns;
};

/* What a spec asks of its lane. */
static const struct {
    bool is_ordered; /* over distinct values even without DISTINCT */
    unsigned keeps;
    unsigned keeps_distinct;
} needs_of[] = {
    [ZS_COUNT_ROWS] = {false, 0, 0},
    [ZS_COUNT] = {false, ZS_KEEPS_COUNT, ZS_KEEPS_COUNT},
    [ZS_SUM] = {false, ZS_KEEPS_SUM, ZS_KEEPS_SUM},
    [ZS_TOTAL] = {false, ZS_KEEPS_SUM, ZS_KEEPS_SUM},
    [ZS_AVG] = {false, ZS_KEEPS_SUM, ZS_KEEPS_SUM},
    [ZS_MIN] = {true, ZS_KEEPS_FIRST, ZS_KEEPS_FIRST},
    [ZS_MAX] = {true, ZS_KEEPS_LAST, ZS_KEEPS_LAST},
    [ZS_UNANIMOUS] = {true, ZS_KEEPS_FIRST | ZS_KEEPS_LAST, ZS_KEEPS_FIRST | ZS_KEEPS_COUNT},
};

static bool needs_slot(const struct zs_fold_spec *spec)
{
    return spec->is_distinct || needs_of[spec->kind].is_ordered;
}

/* Values of one identity are the first and the last under any collation. */
static bool suits_any_collation(const struct zs_fold_spec *spec)
{
    return spec->kind == ZS_UNANIMOUS && !spec->is_distinct;
}

static bool serves(const struct zs_lane_plan *lane, const struct zs_fold_spec *spec)
{
    return lane->argument == spec->argument && (lane->slot != 0) == needs_slot(spec) &&
           (lane->slot == 0 || lane->collation == spec->collation || suits_any_collation(spec));
}

static void plan_column(struct sql_fold *fold, struct zs_fold_column *column)
{
    const struct zs_fold_spec *spec = &column->spec;
    unsigned i = 0;

    while (i < fold->plan.n_lanes && !serves(&fold->lanes[i], spec))
        i++;
    if (i == fold->plan.n_lanes) {
        fold->lanes[i] = (struct zs_lane_plan){.numbers = &fold->numbers,
            .argument = spec->argument,
            .slot = needs_slot(spec) ? ++fold->n_slots : 0,
            .collation = spec->collation};
        fold->plan.n_lanes++;
    }
    fold->lanes[i].keeps |=
        spec->is_distinct ? needs_of[spec->kind].keeps_distinct : needs_of[spec->kind].keeps;
    column->lane = i;
}

static bool has_lane(const struct zs_fold_spec *spec)
{
    return spec->kind != ZS_COUNT_ROWS && spec->kind != ZS_REFOLD;
}

/* Lanes ascend by argument. Columns that suit any collation come after the others of their
** argument, to find a lane that is there. */
static void plan_lanes(struct sql_fold *fold)
{
    for (unsigned argument = 0; argument < fold->plan.n_arguments; argument++) {
        for (unsigned i = 0; i < 2 * fold->n_columns; i++) {
            struct zs_fold_column *column = &fold->columns[i % fold->n_columns];
            if (has_lane(&column->spec) && column->spec.argument == argument &&
                suits_any_collation(&column->spec) == (i >= fold->n_columns))
                plan_column(fold, column);
        }
    }
}

static void plan_refolds(struct sql_fold *fold)
{
    for (unsigned i = 0; i < fold->n_columns; i++) {
        struct zs_fold_column *column = &fold->columns[i];

        if (column->spec.kind != ZS_REFOLD)
            continue;
        column->lane = fold->plan.n_refolds++;
        fold->refolds[column->lane] = (struct zs_refold_plan){.refolder = &fold->refolder,
            .number = i,
            .argument = column->spec.argument,
            .n_arguments = column->spec.n_arguments,
            .slot = ++fold->n_slots};
    }
}

static int add_items(struct zs_group *group, const struct zs_item *items, size_t n)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        /* Items are sorted, their bytes are not: have the next ones on their way. */
        if (i + n_ahead < n)
            __builtin_prefetch(items[i + n_ahead].value.data);
        rc = zs_group_add(group, &items[i]);
    }
    return rc;
}

static int read_row(
    const struct sql_fold *fold, const struct zs_group *group, struct zs_group_row *row)
{
    if (row == NULL || (group->n_rows == 0 && !fold->base.is_global))
        return ZS_OK;
    return zs_group_read(group, fold->columns, fold->n_columns, &row->bytes, &row->reading);
}

static int step(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state, struct zs_group_row *before, struct zs_group_row *after)
{
    const struct sql_fold *sql_fold = (const struct sql_fold *)fold;
    struct zs_group group;
    int rc = zs_group_init(&group, &sql_fold->plan, sql_fold->alloc);

    if (rc == ZS_OK)
        rc = zs_group_load(&group, state);
    if (rc == ZS_OK)
        rc = read_row(sql_fold, &group, before);
    if (rc == ZS_OK)
        rc = add_items(&group, items, n);
    if (rc == ZS_OK)
        rc = zs_group_settle(&group, key, multiset);
    if (rc == ZS_OK)
        rc = zs_group_save(&group, new_state);
    if (rc == ZS_OK)
        rc = read_row(sql_fold, &group, after);
    zs_group_clear(&group);
    return rc;
}

static int change(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    return step(fold, key, state, items, n, multiset, new_state, NULL, NULL);
}

static int read(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    struct zs_buffer *result, enum zs_reading *reading)
{
    const struct sql_fold *sql_fold = (const struct sql_fold *)fold;
    struct zs_group group;
    int rc;

    (void)key;
    *reading = ZS_NO_ROW;
    if (state.len == 0 && !fold->is_global)
        return ZS_OK;
    rc = zs_group_init(&group, &sql_fold->plan, sql_fold->alloc);
    if (rc == ZS_OK)
        rc = zs_group_load(&group, state);
    if (rc == ZS_OK)
        rc = zs_group_read(&group, sql_fold->columns, sql_fold->n_columns, result, reading);
    zs_group_clear(&group);
    return rc;
}

static bool are_sensible(
    const struct zs_fold_spec *specs, unsigned n_specs, unsigned n_arguments)
{
    for (unsigned i = 0; i < n_specs; i++) {
        unsigned n = specs[i].kind == ZS_REFOLD ? specs[i].n_arguments : 1;

        if (specs[i].kind != ZS_COUNT_ROWS &&
            (n == 0 || specs[i].argument >= n_arguments || n > n_arguments - specs[i].argument))
            return false;
    }
    return true;
}

int zs_sql_fold_new(const struct zs_alloc *alloc, unsigned n_keys, unsigned n_arguments,
    const struct zs_fold_spec *specs, unsigned n_specs, bool is_global, struct zs_fold **fold)
{
    struct sql_fold *made;

    *fold = NULL;
    if (!are_sensible(specs, n_specs, n_arguments))
        return ZS_MISUSE;
    made = zs_alloc_zeroed(alloc, sizeof(*made));
    if (made == NULL)
        return ZS_NOMEM;
    made->base = (struct zs_fold){change, read, is_global, step};
    made->alloc = alloc;
    made->n_columns = n_specs;
    made->columns = zs_alloc_zeroed(alloc, n_specs * sizeof(*made->columns));
    made->lanes = zs_alloc_zeroed(alloc, n_specs * sizeof(*made->lanes));
    made->refolds = zs_alloc_zeroed(alloc, n_specs * sizeof(*made->refolds));
    if (made->columns == NULL || made->lanes == NULL || made->refolds == NULL) {
        zs_fold_free(&made->base);
        return ZS_NOMEM;
    }
    for (unsigned i = 0; i < n_specs; i++)
        made->columns[i].spec = specs[i];
    made->plan = (struct zs_group_plan){.n_keys = n_keys,
        .n_arguments = n_arguments,
        .lanes = made->lanes,
        .refolds = made->refolds};
    plan_lanes(made);
    plan_refolds(made);
    *fold = &made->base;
    return ZS_OK;
}

void zs_fold_free(struct zs_fold *fold)
{
    struct sql_fold *made = (struct sql_fold *)fold;

    if (made == NULL)
        return;
    zs_alloc_free(made->alloc, made->columns);
    zs_alloc_free(made->alloc, made->lanes);
    zs_alloc_free(made->alloc, made->refolds);
    zs_alloc_free(made->alloc, made);
}

void zs_fold_set_numbers(struct zs_fold *fold, zs_number_fn *fn, void *ctx)
{
    ((struct sql_fold *)fold)->numbers = (struct zs_numbers){fn, ctx};
}

void zs_fold_set_refold(struct zs_fold *fold, zs_refold_fn *fn, void *ctx)
{
    ((struct sql_fold *)fold)->refolder = (struct zs_refolder){fn, ctx};
}

int zs_fold_set_choice(
    struct zs_fold *fold, enum zs_choice choice, unsigned argument, enum zs_collation collation)
{
    struct sql_fold *sql_fold = (struct sql_fold *)fold;

    if (choice != ZS_ANY_ROW &&
        (argument >= sql_fold->plan.n_arguments || sql_fold->plan.n_keys == 0))
        return ZS_MISUSE;
    sql_fold->plan.choice = (struct zs_choice_plan){choice, argument, collation};
    return ZS_OK;
}

bool zs_fold_needs_multiset(const struct zs_fold *fold)
{
    const struct sql_fold *sql_fold = (const struct sql_fold *)fold;
    return sql_fold->plan.n_keys > 0 || sql_fold->n_slots > 0;
}

bool zs_fold_keeps_values(const struct zs_fold *fold)
{
    const struct sql_fold *sql_fold = (const struct sql_fold *)fold;
    return sql_fold->n_slots > 0 || sql_fold->plan.choice.choice != ZS_ANY_ROW;
}
