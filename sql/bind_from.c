/* The sources of a core: FROM from left to right, members in parentheses with the others. */
#include "sql/binder.h"

#include "sql/text.h"
#include "sql/traits.h"

int zsql_bind_find(const struct zsql_source *source, const char *name)
{
    for (size_t i = 0; i < source->relation.n_columns; i++) {
        if (zsql_same_name(source->relation.columns[i].name, name))
            return (int)i;
    }
    return -1;
}

/* The columns of a subquery: its first core's. What they are called, VALUES says by number. */
static int describe_select(struct zsql_binder *binder, const struct zsql_select *select,
    struct zsql_relation *relation)
{
    const struct zsql_core *core = select->cores.items[0];
    const struct zsql_expr *row = core->is_values ? core->rows.items[0] : NULL;
    size_t n = row != NULL ? row->operands.n : core->bound->outputs.n;
    struct zsql_column *columns = zsql_arena_get(binder->arena, n * sizeof(*columns));

    if (columns == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (row != NULL) {
            columns[i].name = zsql_text_format(binder->arena, "column%zu", i + 1);
            columns[i].type = "";
            columns[i].collation = "BINARY";
        } else {
            const struct zsql_output *output = core->bound->outputs.items[i];
            struct zsql_traits traits = zsql_traits_of_column(select, i);

            columns[i].name = output->name;
            columns[i].type = traits.type;
            columns[i].kept_type = traits.kept_type;
            columns[i].collation = traits.collation != NULL ? traits.collation : "BINARY";
        }
        if (columns[i].name == NULL)
            return ZS_NOMEM;
    }
    *relation = (struct zsql_relation){
        .kind = ZSQL_SUBQUERY_RELATION, .rowid_column = -1, .columns = columns, .n_columns = n};
    return ZS_OK;
}

static bool is_schema(const char *name)
{
    return zsql_same_name(name, "sqlite_schema") || zsql_same_name(name, "sqlite_master") ||
           zsql_same_name(name, "sqlite_temp_schema") ||
           zsql_same_name(name, "sqlite_temp_master");
}

static int find_relation(
    struct zsql_binder *binder, const struct zsql_from *from, struct zsql_relation *relation)
{
    bool is_found = false;
    int rc;

    if (from->kind == ZSQL_FROM_FUNCTION)
        rc = binder->catalogue->table_function(
            binder->catalogue->ctx, from->name.text, relation, &is_found);
    else
        rc = binder->catalogue->relation(
            binder->catalogue->ctx, from->schema.text, from->name.text, relation, &is_found);
    if (rc == ZS_OK && !is_found)
        rc = zsql_refuse(binder->message,
            is_schema(from->name.text)
                ? "the system table %s is not maintained: join it where the view is read"
                : "no such table: %s",
            from->name.text);
    return rc;
}

static int add_source(struct zsql_binder *binder, const struct zsql_from *from, size_t item)
{
    struct zsql_source *source = zsql_arena_get(binder->arena, sizeof(*source));
    int rc = ZS_OK;

    if (source == NULL)
        return ZS_NOMEM;
    source->from = from;
    source->item = item;
    source->name = from->alias.text != NULL ? from->alias.text : from->name.text;
    if (from->kind == ZSQL_FROM_SELECT) {
        rc = zsql_bind_select(binder, from->select,
            (struct zsql_place){binder->bound->core, NULL, from}, binder->bound->parent);
        if (rc == ZS_OK)
            rc = describe_select(binder, from->select, &source->relation);
    } else {
        rc = find_relation(binder, from, &source->relation);
    }
    if (rc == ZS_OK) {
        source->is_used = zsql_arena_get(
            binder->arena, (source->relation.n_columns + 1) * sizeof(*source->is_used));
        rc = source->is_used == NULL ? ZS_NOMEM : ZS_OK;
    }
    return rc == ZS_OK ? zsql_list_append(binder->arena, &binder->bound->sources, source) : rc;
}

bool zsql_bind_has_column(
    const struct zsql_bound *bound, size_t first, size_t end, const char *name)
{
    for (size_t i = first; i < end; i++) {
        const struct zsql_source *source = bound->sources.items[i];
        int column = zsql_bind_find(source, name);

        if (column >= 0 && !source->relation.columns[column].is_hidden)
            return true;
    }
    return false;
}

/* Which columns of the sources from middle on are those of sources before it. */
static int merge_columns(
    struct zsql_binder *binder, const struct zsql_from *from, size_t first, size_t middle)
{
    struct zsql_bound *bound = binder->bound;
    int rc = ZS_OK;

    for (size_t i = middle; i < bound->sources.n; i++) {
        struct zsql_source *source = bound->sources.items[i];

        for (size_t j = 0; rc == ZS_OK && j < from->using.n; j++) {
            const struct zsql_name *name = from->using.items[j];
            rc = zsql_list_append(binder->arena, &source->merged, (void *)name->text);
        }
        for (size_t j = 0; rc == ZS_OK && j < source->relation.n_columns; j++) {
            const struct zsql_column *column = &source->relation.columns[j];
            if ((from->join & ZSQL_JOIN_NATURAL) != 0 && !column->is_hidden &&
                zsql_bind_has_column(bound, first, middle, column->name))
                rc = zsql_list_append(binder->arena, &source->merged, (void *)column->name);
        }
    }
    return rc;
}

static void set_nullable(struct zsql_bound *bound, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        ((struct zsql_source *)bound->sources.items[i])->is_nullable = true;
}

/* Columns that are joined by name are used. */
static void use_merged(struct zsql_bound *bound, size_t first, size_t middle)
{
    for (size_t i = middle; i < bound->sources.n; i++) {
        const struct zsql_source *merging = bound->sources.items[i];

        for (size_t j = first; j < bound->sources.n; j++) {
            struct zsql_source *source = bound->sources.items[j];
            for (size_t k = 0; k < merging->merged.n; k++) {
                int column = zsql_bind_find(source, merging->merged.items[k]);
                if (column >= 0)
                    source->is_used[column] = true;
            }
        }
    }
}

/* The name of a join in parentheses is one of all its sources. */
static void name_join(struct zsql_bound *bound, const struct zsql_from *join, size_t first)
{
    for (size_t i = first; i < bound->sources.n; i++) {
        struct zsql_source *source = bound->sources.items[i];

        if (join->items.n == 1)
            source->name = join->alias.text;
        else
            source->join_name = join->alias.text;
    }
}

/* The members of FROM, or of parentheses in it. whole is the member of FROM that they are
** within, or SIZE_MAX. */
static int add_members(
    struct zsql_binder *binder, const struct zsql_list *members, size_t whole)
{
    struct zsql_bound *bound = binder->bound;
    size_t first = bound->sources.n;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < members->n; i++) {
        const struct zsql_from *from = members->items[i];
        size_t item = whole == SIZE_MAX ? i : whole;
        size_t middle = bound->sources.n;

        if (from->kind == ZSQL_FROM_JOIN)
            rc = add_members(binder, &from->items, item);
        else
            rc = add_source(binder, from, item);
        if (rc == ZS_OK && from->kind == ZSQL_FROM_JOIN && from->alias.text != NULL)
            name_join(bound, from, middle);
        if (rc == ZS_OK)
            rc = merge_columns(binder, from, first, middle);
        if (rc == ZS_OK)
            use_merged(bound, first, middle);
        if ((from->join & ZSQL_JOIN_LEFT) != 0)
            set_nullable(bound, middle, bound->sources.n);
        if ((from->join & ZSQL_JOIN_RIGHT) != 0) {
            set_nullable(bound, first, middle);
            bound->has_right_join = true;
        }
    }
    return rc;
}

/* What the members are joined on, and the arguments of table-valued functions: these see the
** names of all sources. */
static int bind_conditions(struct zsql_binder *binder, const struct zsql_list *members)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < members->n; i++) {
        const struct zsql_from *from = members->items[i];

        rc = bind_conditions(binder, &from->items);
        for (size_t j = 0; rc == ZS_OK && j < from->arguments.n; j++)
            rc = zsql_bind_expr(binder, from->arguments.items[j]);
        if (rc == ZS_OK)
            rc = zsql_bind_expr(binder, from->on);
    }
    return rc;
}

int zsql_bind_from(struct zsql_binder *binder)
{
    const struct zsql_list *members = &binder->bound->core->from;
    int rc = add_members(binder, members, SIZE_MAX);

    return rc == ZS_OK ? bind_conditions(binder, members) : rc;
}
