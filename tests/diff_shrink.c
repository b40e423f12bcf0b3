/* Delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input,
** 2002): take something away, replay, and keep the smaller case where it still fails with the
** same tag. */
#include "tests/diff_compose.h"
#include "tests/diff_shrink.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shrinker {
    struct diff_case *c;
    const struct diff_engine *engine;
    const char *folder;
    const char *tag;
    char reason[200]; /* of a refusal; else empty */
    time_t deadline;
    bool has_changed;
};

/* Of views that are refused, for the same reason. */
static bool is_same_reason(const struct shrinker *s, const struct diff_mismatch *mismatch)
{
    char reason[sizeof s->reason];
    if (s->reason[0] == 0)
        return true;
    diff_refusal_reason(mismatch->detail.data, reason, sizeof reason);
    return strcmp(reason, s->reason) == 0;
}

static bool still_fails(struct shrinker *s, const struct diff_case *candidate)
{
    struct diff_mismatch mismatch = {0};
    static struct diff_counts ignored;
    ignored = (struct diff_counts){.refusals_fail = strcmp(s->tag, "refused") == 0};
    bool is_same = !diff_replay(candidate, s->engine, s->folder, &mismatch, &ignored) &&
                   strcmp(mismatch.tag, s->tag) == 0 && is_same_reason(s, &mismatch);
    diff_text_free(&mismatch.detail);
    return is_same;
}

static bool is_late(const struct shrinker *s)
{
    return time(NULL) > s->deadline;
}

/* Tries the case with steps [from, from + n) left out. */
static bool try_without_steps(struct shrinker *s, unsigned from, unsigned n)
{
    struct diff_case candidate = *s->c;
    unsigned rest = s->c->n_steps - from - n;

    candidate.steps = diff_resize(NULL, (s->c->n_steps + 1) * sizeof *candidate.steps);
    memcpy(candidate.steps, s->c->steps, from * sizeof *candidate.steps);
    memcpy(candidate.steps + from, s->c->steps + from + n, rest * sizeof *candidate.steps);
    candidate.n_steps = from + rest;
    bool fails = still_fails(s, &candidate);
    if (fails) {
        memcpy(s->c->steps, candidate.steps, candidate.n_steps * sizeof *candidate.steps);
        s->c->n_steps = candidate.n_steps;
        s->has_changed = true;
    }
    free(candidate.steps);
    return fails;
}

static void drop_steps(struct shrinker *s)
{
    for (unsigned n = s->c->n_steps / 2; n > 0; n /= 2) {
        for (unsigned from = 0; from + n <= s->c->n_steps && !is_late(s);) {
            if (!try_without_steps(s, from, n))
                from += n;
        }
    }
}

/* Replaces *field by value where the case goes on failing; field lies in *s->c. */
static void try_field(struct shrinker *s, void *field, const void *value, size_t size)
{
    enum { table = sizeof(struct diff_table), view = sizeof(struct diff_view) };
    char before[table > view ? table : view];

    if (memcmp(field, value, size) == 0 || is_late(s))
        return;
    memcpy(before, field, size);
    memcpy(field, value, size);
    if (still_fails(s, s->c))
        s->has_changed = true;
    else
        memcpy(field, before, size);
}

static void try_text(struct shrinker *s, const char **field, const char *text)
{
    try_field(s, field, &text, sizeof text);
}

static void simplify_case(struct shrinker *s)
{
    static const bool no = false;
    static const unsigned none = 0, one = 1, two = 2;
    for (unsigned t = 0; t < s->c->n_tables; t++) {
        try_field(s, &s->c->tables[t].n_columns, &none, sizeof none);
    }
    if (s->c->n_connections > 2)
        try_field(s, &s->c->n_connections, &two, sizeof two);
    try_field(s, &s->c->n_connections, &one, sizeof one);
    try_field(s, &s->c->has_foreign_keys, &no, sizeof no);
    try_field(s, &s->c->step_bytes, &none, sizeof none);
    try_text(s, &s->c->encoding, "UTF-8");
    try_text(s, &s->c->journal_mode, "memory");
    if (s->c->n_connections == 1)
        try_field(s, &s->c->is_file, &no, sizeof no);
}

static void drop_item(const char **items, unsigned *n, unsigned i)
{
    memmove(items + i, items + i + 1, (*n - i - 1) * sizeof *items);
    --*n;
}

static void simplify_table(struct shrinker *s, struct diff_table *t)
{
    for (unsigned i = t->n_extras; i-- > 0;) {
        struct diff_table smaller = *t;
        drop_item(smaller.extras, &smaller.n_extras, i);
        try_field(s, t, &smaller, sizeof smaller);
    }
    for (unsigned i = t->n_constraints; i-- > 0;) {
        struct diff_table smaller = *t;
        drop_item(smaller.constraints, &smaller.n_constraints, i);
        try_field(s, t, &smaller, sizeof smaller);
    }
    try_text(s, &t->suffix, "");
    for (unsigned i = 0; i < t->n_columns; i++) {
        try_text(s, &t->columns[i].definition, NULL);
        if (t->columns[i].definition != NULL && t->columns[i].definition[0] != 0) {
            try_text(s, &t->columns[i].definition, "");
            try_text(s, &t->columns[i].definition, t->columns[i].type);
        }
    }
}

static void drop_view_column(struct shrinker *s, struct diff_view *v, unsigned i)
{
    struct diff_view smaller = *v;
    unsigned rest = v->n_columns - i - 1;

    if (v->n_columns == 1)
        return;
    memmove(smaller.columns + i, v->columns + i + 1, rest * sizeof *v->columns);
    smaller.n_columns--;
    try_field(s, v, &smaller, sizeof smaller);
}

/* The view that a shorter or lesser list of choices makes. */
static bool try_choices(
    struct shrinker *s, struct diff_view *v, const unsigned *choices, unsigned n)
{
    struct diff_view before = *v;
    struct diff_text bytes = {0};

    if (is_late(s))
        return false;
    diff_text_add_bytes(&bytes, (const char *)choices, n * sizeof *choices);
    v->choices = (const unsigned *)(const void *)diff_arena_take(&s->c->arena, &bytes);
    v->n_choices = n;
    diff_compose(s->c, NULL, v);
    bool is_same = strcmp(v->text, before.text) == 0;
    if (is_same && n < before.n_choices)
        return true;
    if (!is_same && still_fails(s, s->c)) {
        s->has_changed = true;
        return true;
    }
    *v = before;
    return false;
}

/* Leaves out stretches of a composed view's choices, then makes each the first there is. */
static void simplify_choices(struct shrinker *s, struct diff_view *v)
{
    unsigned *choices = diff_resize(NULL, (v->n_choices + 1) * sizeof *choices);

    for (unsigned n = v->n_choices / 2; n > 0; n /= 2) {
        for (unsigned from = 0; from + n <= v->n_choices && !is_late(s);) {
            unsigned rest = v->n_choices - from - n;
            memcpy(choices, v->choices, from * sizeof *choices);
            memcpy(choices + from, v->choices + from + n, rest * sizeof *choices);
            if (!try_choices(s, v, choices, from + rest))
                from += n;
        }
    }
    for (unsigned i = 0; i < v->n_choices && !is_late(s); i++) {
        memcpy(choices, v->choices, v->n_choices * sizeof *choices);
        choices[i] = 0;
        if (v->choices[i] != 0)
            try_choices(s, v, choices, v->n_choices);
    }
    free(choices);
}

static void simplify_view(struct shrinker *s, struct diff_view *v)
{
    if (v->text != NULL) {
        try_text(s, &v->options, "");
        simplify_choices(s, v);
        return;
    }

    try_text(s, &v->options, "");
    try_text(s, &v->where, NULL);
    try_text(s, &v->having, NULL);
    try_text(s, &v->order, NULL);
    for (unsigned i = v->n_columns; i-- > 0;)
        drop_view_column(s, v, i);
    bool may_ungroup = strcmp(s->tag, "create") != 0; /* a bare column is refused */
    for (unsigned i = v->n_groups; i-- > 0 && may_ungroup;) {
        struct diff_view smaller = *v;
        drop_item(smaller.groups, &smaller.n_groups, i);
        try_field(s, v, &smaller, sizeof smaller);
    }
}

/* The end of the parenthesis that opens at text[0], past it; NULL where there is none. */
static const char *past_parenthesis(const char *text)
{
    unsigned depth = 0;
    for (bool is_quoted = false; *text != 0; text++) {
        if (*text == '\'')
            is_quoted = !is_quoted;
        else if (!is_quoted && *text == '(')
            depth++;
        else if (!is_quoted && *text == ')' && --depth == 0)
            return text + 1;
    }
    return NULL;
}

/* Leaves out one row of VALUES after another. */
static void simplify_rows(struct shrinker *s, struct diff_step *step)
{
    const char *values = step->sql == NULL ? NULL : strstr(step->sql, " VALUES (");
    for (const char *row = values == NULL ? NULL : values + 8; row != NULL && *row == '(';) {
        const char *end = past_parenthesis(row), *before = step->sql;
        if (end == NULL)
            return;
        bool is_last = strncmp(end, ", (", 3) != 0;
        bool is_only = is_last && row == values + 8;
        if (is_only)
            return;
        int head = (int)(row - before) - (is_last ? 2 : 0);
        const char *tail = end + (is_last ? 0 : 2);
        try_text(s, &step->sql, diff_arena_print(&s->c->arena, "%.*s%s", head, before, tail));
        if (step->sql == before) {
            row = is_last ? NULL : end + 2;
        } else {
            values = strstr(step->sql, " VALUES (");
            row = step->sql + head;
        }
    }
}

static void simplify_steps(struct shrinker *s)
{
    for (unsigned i = 0; i < s->c->n_steps; i++) {
        struct diff_step *step = &s->c->steps[i];
        unsigned first = 0;
        try_field(s, &step->connection, &first, sizeof first);
        for (unsigned k = 0; k < s->c->n_views && step->kind == DIFF_CHECK; k++) {
            unsigned mask = step->mask & ~(1u << k);
            try_field(s, &step->mask, &mask, sizeof mask);
        }
        if (step->kind == DIFF_SQL)
            simplify_rows(s, step);
    }
}

void diff_shrink(struct diff_case *c, const struct diff_engine *engine, const char *folder,
    const struct diff_mismatch *mismatch)
{
    struct shrinker s = {.c = c,
        .engine = engine,
        .folder = folder,
        .tag = mismatch->tag,
        .deadline = time(NULL) + 30,
        .has_changed = true};

    if (strcmp(mismatch->tag, "refused") == 0)
        diff_refusal_reason(mismatch->detail.data, s.reason, sizeof s.reason);

    if (mismatch->step + 1 < c->n_steps)
        try_without_steps(&s, mismatch->step + 1, c->n_steps - mismatch->step - 1);
    while (s.has_changed && !is_late(&s)) {
        s.has_changed = false;
        drop_steps(&s);
        simplify_case(&s);
        for (unsigned t = 0; t < c->n_tables; t++)
            simplify_table(&s, &c->tables[t]);
        for (unsigned i = 0; i < c->n_views; i++)
            simplify_view(&s, &c->views[i]);
        simplify_steps(&s);
    }
}
