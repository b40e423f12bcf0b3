/* What the grammar's actions call to make the tree. Private to parse.y, build.c and read.c.
**
** A builder has one sticky status. After the first failure every function returns something
** harmless, so that actions need no checks; the driver stops at the end of the token. */
#ifndef ZSQL_BUILD_H
#define ZSQL_BUILD_H

#include "sql/ast.h"
#include "sql/lex.h"

/* Values of the grammar's symbols. */
struct zsql_limit {
    struct zsql_expr *limit, *offset;
};
struct zsql_join {
    unsigned flags;
    struct zsql_span span;
};
struct zsql_constraint {
    struct zsql_expr *on;
    struct zsql_list using;
};
struct zsql_like {
    struct zsql_token word;
    bool is_negated;
};
struct zsql_arguments {
    struct zsql_list list;
    uint32_t end;
};
struct zsql_over {
    struct zsql_window *window;
    uint32_t end;
};

struct zsql_builder {
    struct zsql_arena *arena;
    const char *text;
    uint32_t at; /* where the token begins that the parser looks at */
    int rc;
    struct zsql_select *select; /* the result */
    uint32_t error_at;
};

void zsql_build_fail(struct zsql_builder *builder, int rc);

void zsql_build_append(struct zsql_builder *builder, struct zsql_list *list, void *item);
struct zsql_list zsql_build_list(struct zsql_builder *builder, void *first);

struct zsql_name zsql_build_name(struct zsql_builder *builder, struct zsql_token token);

/* Expressions. A span runs from the first token to the last, given as tokens or taken from the
** operands. */
struct zsql_expr *zsql_build_leaf(
    struct zsql_builder *builder, enum zsql_expr_kind kind, struct zsql_token token);
struct zsql_expr *zsql_build_column(struct zsql_builder *builder, struct zsql_name schema,
    struct zsql_name table, struct zsql_name name);
struct zsql_expr *zsql_build_prefix(struct zsql_builder *builder, enum zsql_op op,
    struct zsql_token token, struct zsql_expr *operand);
struct zsql_expr *zsql_build_isnull(struct zsql_builder *builder, struct zsql_expr *operand,
    bool is_negated, struct zsql_token last);
struct zsql_expr *zsql_build_binary(struct zsql_builder *builder, enum zsql_op op,
    bool is_negated, struct zsql_expr *left, struct zsql_expr *right);
/* With operands from first on, a node that begins at start and ends at end. */
struct zsql_expr *zsql_build_node(struct zsql_builder *builder, enum zsql_expr_kind kind,
    uint32_t start, struct zsql_list operands, uint32_t end);
/* A node whose span is that of the list. */
struct zsql_expr *zsql_build_spanning(
    struct zsql_builder *builder, enum zsql_expr_kind kind, struct zsql_list operands);
struct zsql_expr *zsql_build_in(struct zsql_builder *builder, enum zsql_expr_kind kind,
    bool is_negated, struct zsql_expr *value, struct zsql_list items, uint32_t end);
struct zsql_expr *zsql_build_subquery(struct zsql_builder *builder, enum zsql_expr_kind kind,
    struct zsql_expr *value, uint32_t start, struct zsql_select *select, uint32_t end);
/* Puts value before the list's items. */
struct zsql_list zsql_build_before(
    struct zsql_builder *builder, void *value, struct zsql_list list);
struct zsql_expr *zsql_build_widen(
    struct zsql_expr *expr, struct zsql_token first, struct zsql_token last);
struct zsql_expr *zsql_build_collate(
    struct zsql_builder *builder, struct zsql_expr *operand, struct zsql_name name);
struct zsql_expr *zsql_build_call(struct zsql_builder *builder, struct zsql_name name,
    struct zsql_call call, struct zsql_list arguments, uint32_t end);
/* FILTER and OVER after a call. */
struct zsql_expr *zsql_build_over(struct zsql_builder *builder, struct zsql_expr *call,
    struct zsql_expr *filter, struct zsql_window *window, uint32_t end);

/* Copies a value into the arena. */
void *zsql_build_copy(struct zsql_builder *builder, const void *value, size_t size);

/* The flag of a join's word. */
unsigned zsql_build_join_word(struct zsql_builder *builder, struct zsql_token token);

/* Puts the depth of the members together, and ends the whole at the token looked at. */
struct zsql_from *zsql_build_from(struct zsql_builder *builder, struct zsql_from *from);
struct zsql_select *zsql_build_select(struct zsql_builder *builder, struct zsql_list cores,
    struct zsql_list order, struct zsql_expr *limit, struct zsql_expr *offset);
struct zsql_select *zsql_build_with(struct zsql_builder *builder, bool is_recursive,
    struct zsql_list ctes, struct zsql_select *select);

#endif
