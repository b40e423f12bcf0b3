/* Making a case, and turning its templates into SQL. */
#include "tests/diff_case.h"

#include <stdlib.h>
#include <string.h>

/* Often hardly anything fits into memory: of its own random numbers, so that nothing else of
** the case depends on it. */
static unsigned choose_step_bytes(uint64_t seed)
{
    static const unsigned sizes[] = {1, 2000, 6000, 30000};
    struct diff_random random = diff_random_new(~seed);

    return diff_random_percent(&random, 30) ? sizes[diff_random_below(&random, 4)] : 0;
}

/* Drawn apart, so that all else is as it would be in the main database. */
static void choose_home(struct diff_case *c)
{
    struct diff_random random = diff_random_new(c->seed ^ 0x686f6d65);
    bool is_elsewhere = c->options.with_homes && diff_random_percent(&random, 20);

    c->home = c->options.with_between ? "main." : "";
    if (is_elsewhere)
        c->home = c->n_connections == 1 && diff_random_percent(&random, 60) ? "temp." : "aux.";
    if (strcmp(c->home, "temp.") != 0)
        return;
    c->is_file = false;
    c->journal_mode = "memory";
}

void diff_case_make(struct diff_case *c, uint64_t seed, const struct diff_options *options)
{
    static const char *const modes[] = {"memory", "memory", "delete", "wal", "persist", NULL};
    struct diff_random random = diff_random_new(seed);

    *c = (struct diff_case){.seed = seed, .options = *options, .journal_mode = "memory"};
    bool is_shared = options->with_many_connections && diff_random_percent(&random, 45);
    c->n_connections = is_shared ? DIFF_CONNECTIONS : 1;
    c->is_file = is_shared || diff_random_percent(&random, 60);
    if (c->is_file)
        c->journal_mode = diff_random_word(&random, modes);
    c->encoding = diff_random_percent(&random, 92) ? "UTF-8" : "UTF-16le";
    c->step_bytes = choose_step_bytes(seed);
    c->is_exact = !options->with_inexact_sums || diff_random_percent(&random, 50);
    c->may_fail = options->with_failing_queries && diff_random_percent(&random, 40) &&
                  !(options->composed > 0 && diff_random_percent(&random, options->composed));
    c->has_foreign_keys = options->with_foreign_keys && diff_random_percent(&random, 25);
    choose_home(c);
    diff_case_make_tables(c, &random);
    diff_case_make_views(c, &random);
    diff_case_make_steps(c, &random);
}

void diff_case_free(struct diff_case *c)
{
    free(c->steps);
    diff_arena_clear(&c->arena);
    *c = (struct diff_case){0};
}

bool diff_case_has_commit_views(const struct diff_case *c)
{
    for (unsigned i = 0; i < c->n_views; i++) {
        if (strstr(c->views[i].options, "maintain=commit") != NULL)
            return true;
    }
    return false;
}

struct diff_step *diff_case_add(
    struct diff_case *c, enum diff_step_kind kind, unsigned connection)
{
    if (c->n_steps == c->cap_steps) {
        c->cap_steps = 2 * c->cap_steps + 64;
        c->steps = diff_resize(c->steps, c->cap_steps * sizeof *c->steps);
    }
    struct diff_step *step = &c->steps[c->n_steps++];
    *step = (struct diff_step){.kind = kind, .connection = connection};
    return step;
}

void diff_names_init(struct diff_names *names, const struct diff_case *c)
{
    for (unsigned t = 0; t < c->n_tables; t++) {
        names->tables[t] = c->tables[t].name;
        for (unsigned i = 0; i < DIFF_COLUMNS; i++)
            names->columns[t][i] = c->tables[t].columns[i].name;
    }
}

const char *diff_place(const struct diff_case *c)
{
    return c->options.with_between ? c->home : "";
}

/* Renders what stands between two backticks: t1, t1.2, v3 or h. */
static void render_reference(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, const char *reference, struct diff_text *out)
{
    unsigned index = (unsigned)(reference[1] - '0');
    const char *place = reading == DIFF_AS_VIEW ? "" : diff_place(c);

    if (reference[0] == 'h') {
        diff_text_add(out, "%s", c->home);
    } else if (reference[0] == 't' && reference[2] == '.') {
        diff_text_add_name(out, names->columns[index][atoi(reference + 3)]);
    } else if (reference[0] == 't') {
        diff_text_add(out, "%s", place);
        diff_text_add_name(out, names->tables[index]);
    } else if (reading == DIFF_AS_VIEW || reading == DIFF_IN_PLACE) {
        diff_text_add(out, "%s", place);
        diff_text_add_name(out, c->views[index].name);
    } else {
        diff_text_add(out, "(");
        diff_render_view(c, names, reading, index, out);
        diff_text_add(out, ")");
    }
}

void diff_render(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, const char *sql, struct diff_text *out)
{
    for (const char *at = sql; *at != 0;) {
        size_t n = strcspn(at, "`@");
        diff_text_add_bytes(out, at, n);
        at += n;
        if (*at == '@') {
            diff_text_add(out, "%s", reading == DIFF_AS_ORACLE ? "exact_" : "");
            at++;
        } else if (*at == '`') {
            render_reference(c, names, reading, at + 1, out);
            at = strchr(at + 1, '`') + 1;
        }
    }
}

void diff_render_view(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, unsigned view, struct diff_text *out)
{
    const struct diff_view *v = &c->views[view];
    struct diff_text text = {0};

    if (v->text != NULL) {
        diff_render(c, names, reading, v->text, out);
        return;
    }
    diff_text_add(&text, "SELECT %s", v->is_distinct ? "DISTINCT " : "");
    for (unsigned i = 0; i < v->n_columns && !v->sees_all_columns; i++) {
        diff_text_add(&text, "%s%s", i > 0 ? ", " : "", v->columns[i].text);
        if (v->columns[i].alias != NULL) {
            diff_text_add(&text, " AS ");
            diff_text_add_name(&text, v->columns[i].alias);
        }
    }
    diff_text_add(&text, "%s FROM `t%u`", v->sees_all_columns ? "*" : "", v->table);
    if (v->where != NULL)
        diff_text_add(&text, " WHERE %s", v->where);
    for (unsigned i = 0; i < v->n_groups; i++)
        diff_text_add(&text, "%s%s", i > 0 ? ", " : " GROUP BY ", v->groups[i]);
    if (v->having != NULL)
        diff_text_add(&text, " HAVING %s", v->having);
    if (v->order != NULL)
        diff_text_add(&text, " ORDER BY %s", v->order);
    diff_render(c, names, reading, text.data, out);
    diff_text_free(&text);
}

void diff_render_members(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, unsigned view, struct diff_text *out)
{
    const struct diff_view *v = &c->views[view];
    struct diff_text text = {0};

    if (v->text != NULL) {
        diff_render(c, names, reading, v->members != NULL ? v->members : v->text, out);
        return;
    }
    diff_text_add(&text, "SELECT ");
    for (unsigned i = 0; i < v->n_columns; i++) {
        const char *member = v->columns[i].member;
        diff_text_add(&text, "%s%s", i > 0 ? ", " : "", member != NULL ? member : "NULL");
    }
    diff_text_add(&text, " FROM `t%u`", v->table);
    if (v->where != NULL)
        diff_text_add(&text, " WHERE %s", v->where);
    diff_render(c, names, DIFF_AS_PLAIN, text.data, out);
    diff_text_free(&text);
}

void diff_render_table(const struct diff_case *c, const struct diff_names *names,
    unsigned table, struct diff_text *out)
{
    const struct diff_table *t = &c->tables[table];
    struct diff_text text = {0};

    const char *separator = "";
    diff_text_add(&text, "CREATE TABLE `h``t%u`(", table);
    for (unsigned i = 0; i < t->n_columns; i++) {
        if (t->columns[i].definition == NULL)
            continue; /* made smaller */
        diff_text_add(&text, "%s`t%u.%u` %s", separator, table, i, t->columns[i].definition);
        separator = ", ";
    }
    for (unsigned i = 0; i < t->n_constraints; i++)
        diff_text_add(&text, ", %s", t->constraints[i]);
    diff_text_add(&text, ")%s", t->suffix);
    diff_render(c, names, DIFF_AS_VIEW, text.data, out);
    diff_text_free(&text);
}
