/* What a change can touch by alternatives, as in
**
**   EXISTS (SELECT 1 FROM u WHERE u.a = t.a OR u.b = t.b)    t.a IN (...) OR t.b IN (...)
**
** one of the conditions holds, each of which comes of one alternative; each must give one. */
#include "sql/affected_private.h"

struct either {
    struct zsql_inquiry *inquiry;
    zsql_compared_fn *compared;
    void *ctx;
};

static int visit_either(const struct either *either, const struct zsql_expr *term,
    struct zsql_found *found, const char **condition);

/* The terms of one alternative, which are joined by AND. */
static int visit_alternative(const struct either *either, const struct zsql_expr *term,
    struct zsql_found *found, const char **condition)
{
    int rc = ZS_OK;

    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_OR)
        return visit_either(either, term, found, condition);
    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_AND) {
        rc = visit_alternative(either, term->operands.items[0], found, condition);
        return rc == ZS_OK
                   ? visit_alternative(either, term->operands.items[1], found, condition)
                   : rc;
    }
    for (size_t i = 0; rc == ZS_OK && i < ZSQL_N_READINGS; i++) {
        const char *before = *condition;
        struct zsql_comparison comparison;

        if (!zsql_comparison_read(term, i, &comparison))
            continue;
        rc = either->compared(either->ctx, &comparison, condition);
        found->has_equality |= *condition != before && comparison.op == ZSQL_OP_EQUAL;
        found->has_range |= *condition != before && comparison.op != ZSQL_OP_EQUAL;
    }
    return rc;
}

static int visit_either(const struct either *either, const struct zsql_expr *term,
    struct zsql_found *found, const char **condition)
{
    struct zsql_arena *arena = either->inquiry->planner->arena;
    struct zsql_found of[2] = {{false, false}, {false, false}};
    const char *conditions[2] = {NULL, NULL};
    const char *text;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < 2; i++) {
        rc = visit_alternative(either, term->operands.items[i], &of[i], &conditions[i]);
        if (rc != ZS_OK || conditions[i] == NULL)
            return rc;
    }
    text = zsql_text_format(arena, "(%s OR %s)", conditions[0], conditions[1]);
    if (text != NULL && *condition != NULL)
        text = zsql_text_format(arena, "%s AND %s", *condition, text);
    *condition = text;
    if (of[0].has_equality && of[1].has_equality)
        found->has_equality = true;
    else
        found->has_range = true;
    return text == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_by_either(struct zsql_inquiry *inquiry, const struct zsql_expr *term,
    zsql_compared_fn *compared, void *ctx, struct zsql_found *found, const char **condition)
{
    const struct either either = {inquiry, compared, ctx};

    return term->kind == ZSQL_BINARY && term->op == ZSQL_OP_OR
               ? visit_either(&either, term, found, condition)
               : ZS_OK;
}
