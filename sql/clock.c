/* A date function's arguments tell whether it reads the clock: SQLite flags all as
** deterministic. */
#include "sql/clock.h"

#include "sql/lex.h"
#include "sql/refuse.h"
#include "sql/text.h"

/* The date functions, and where their times and modifiers begin: those look at the clock when
** there is no time or the time is 'now', and at the time zone for 'localtime' and 'utc'. */
static const struct date_function {
    const char *name;
    size_t first;   /* the first argument that is a time or a modifier */
    size_t n_times; /* how many times come first */
} date_functions[] = {
    {"date", 0, 1},
    {"time", 0, 1},
    {"datetime", 0, 1},
    {"julianday", 0, 1},
    {"unixepoch", 0, 1},
    {"strftime", 1, 1},
    {"timediff", 0, 2},
};

static const struct date_function *find_date_function(const struct zsql_expr *expr)
{
    for (size_t i = 0; i < sizeof(date_functions) / sizeof(date_functions[0]); i++) {
        if (zsql_same_name(expr->name.text, date_functions[i].name))
            return &date_functions[i];
    }
    return NULL;
}

static int visit_column(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *has_column = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_column, ctx);
    if (expr->binding == ZSQL_COLUMN)
        *has_column = true;
    return ZS_OK;
}

/* A value that is neither a literal nor read from a column could be 'now' in disguise. */
static bool is_computed_constant(struct zsql_expr *expr)
{
    bool has_column = false;

    while (expr->kind == ZSQL_UNARY && (expr->op == ZSQL_OP_MINUS || expr->op == ZSQL_OP_PLUS))
        expr = zsql_bound_target(expr->operands.items[0]);
    if (expr->operands.n == 0 && expr->kind != ZSQL_CALL)
        return false;
    if (zsql_expr_walk(expr, visit_column, &has_column) != ZS_OK)
        return false;
    return !has_column;
}

int zsql_refuse_clock(const struct zsql_expr *expr, struct zsql_message *message)
{
    static const char *const clocks[] = {"now", "subsec", "subsecond"};
    static const char *const zones[] = {"localtime", "utc"};
    const struct date_function *function = find_date_function(expr);
    const char *name = expr->name.text;

    if (function == NULL)
        return ZS_OK;
    if (expr->operands.n <= function->first)
        return zsql_refuse(message,
            "%s() without a time is not deterministic: say it where the view is read", name);
    for (size_t i = function->first; i < expr->operands.n; i++) {
        struct zsql_expr *argument = zsql_bound_target(expr->operands.items[i]);
        bool is_time = i < function->first + function->n_times;
        const char *const *words = is_time ? clocks : zones;
        size_t n_words = is_time ? 3 : 2;

        if (is_computed_constant(argument))
            return zsql_refuse(
                message, "%s() of a computed constant is not maintained: write it out", name);
        if (argument->kind != ZSQL_STRING && argument->binding != ZSQL_TEXT)
            continue;
        for (size_t j = 0; j < n_words; j++) {
            if (zsql_same_name(argument->name.text, words[j]))
                return zsql_refuse(message,
                    "%s() with '%s' is not deterministic: say it where the view is read", name,
                    argument->name.text);
        }
    }
    return ZS_OK;
}

struct watcher {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits *edits;
};

/* The last token of a text before a place; there is one at or behind from. */
static struct zsql_span token_before(const char *text, uint32_t from, uint32_t at)
{
    struct zsql_token token = zsql_lex(text, from), next = zsql_lex(text, token.end);

    while (next.start < at) {
        token = next;
        next = zsql_lex(text, token.end);
    }
    return (struct zsql_span){token.start, token.end};
}

static bool is_watched_argument(const struct zsql_expr *call, size_t i)
{
    const struct date_function *function =
        call->kind == ZSQL_CALL ? find_date_function(call) : NULL;

    return function != NULL && i >= function->first && i < call->operands.n &&
           !zsql_expr_is_literal(zsql_bound_target(call->operands.items[i]));
}

/* As an argument itself may be replaced, the token before it is: the parenthesis or comma. */
static int watch_argument(
    const struct watcher *watcher, const struct zsql_expr *argument, uint32_t from)
{
    struct zsql_span before = token_before(watcher->text, from, argument->span.start);
    uint32_t end = zsql_lex(watcher->text, argument->span.end).start;
    char first = watcher->text[before.start];
    const char *text =
        zsql_text_format(watcher->arena, "%clockstep_timeless(", first == ',' ? ',' : '(');
    int rc =
        text == NULL ? ZS_NOMEM : zsql_edits_add(watcher->arena, watcher->edits, before, text);

    return rc != ZS_OK ? rc
                       : zsql_edits_add(
                             watcher->arena, watcher->edits, (struct zsql_span){end, end}, ")");
}

static int watch_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    uint32_t from = expr->name.span.end;
    int rc = ZS_OK;

    (void)descend;
    for (size_t i = 0; rc == ZS_OK && expr->kind == ZSQL_CALL && i < expr->operands.n; i++) {
        const struct zsql_expr *argument = expr->operands.items[i];

        if (is_watched_argument(expr, i))
            rc = watch_argument(ctx, argument, from);
        from = argument->span.end;
    }
    return rc;
}

int zsql_clock_edits(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_edits *edits)
{
    struct watcher watcher = {arena, text, edits};
    return zsql_core_walk(core, watch_call, &watcher);
}
