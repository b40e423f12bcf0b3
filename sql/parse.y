/* The grammar of SQLite's SELECT, by lemon: reads what SQLite has accepted.
**
** Precedence and the words that fall back to names are those of SQLite's documentation
** (https://www.sqlite.org/lang_expr.html, https://www.sqlite.org/lang_keywords.html). Actions
** call zsql_build_...; those keep a sticky status, which the driver in read.c looks at. */

%include {
#include "sql/build.h"

#include <assert.h>

/* What lemon writes has no prototypes, and more names than it uses. */
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"

size_t zsql_parser_size(void);
void zsql_parser_init(void *parser, struct zsql_builder *builder);
void zsql_parser_feed(void *parser, struct zsql_token token);
static void zsql_lemonInit(void *parser, struct zsql_builder *builder);
static void zsql_lemonFinalize(void *parser);
static void zsql_lemon(void *parser, int kind, struct zsql_token token);
static int zsql_lemonFallback(int kind);
#ifndef NDEBUG
#include <stdio.h>
static void zsql_lemonTrace(FILE *file, char *prompt);
#endif
#define zsql_lemon_ENGINEALWAYSONSTACK 1
#define YYNOERRORRECOVERY 1

#define EXPR(kind, first, operands, last) \
    zsql_build_node(builder, kind, (first).start, operands, (last).end)
}

%name zsql_lemon
%token_prefix TK_
%token_type {struct zsql_token}
%extra_context {struct zsql_builder *builder}
%stack_size 4000
%stack_overflow { zsql_build_fail(builder, ZS_TOO_DEEP); }
%syntax_error {
    builder->error_at = TOKEN.start;
    zsql_build_fail(builder, ZS_SYNTAX);
}

%left OR.
%left AND.
%right NOT.
%left IS MATCH LIKE_KW BETWEEN IN ISNULL NOTNULL NE EQ.
%left GT LE LT GE.
%right ESCAPE.
%left BITAND BITOR LSHIFT RSHIFT.
%left PLUS MINUS.
%left STAR SLASH REM.
%left CONCAT PTR.
%left COLLATE.
%right BITNOT.
%nonassoc ON.

%fallback ID
    ASC BY CAST CTIME_KW CURRENT DESC END EXCLUDE FIRST FOLLOWING GROUPS LAST LIKE_KW MATCH
    MATERIALIZED NO NULLS OFFSET OTHERS PARTITION PRECEDING RAISE RANGE RECURSIVE ROW ROWS TIES
    UNBOUNDED WITH.

%start_symbol text
text ::= semicolons select(S) semicolons. { builder->select = S; }
semicolons ::= .
semicolons ::= semicolons SEMI.

// Names.

%type name {struct zsql_name}
name(A) ::= ID(T). { A = zsql_build_name(builder, T); }
name(A) ::= INDEXED(T). { A = zsql_build_name(builder, T); }
name(A) ::= JOIN_KW(T). { A = zsql_build_name(builder, T); }
name(A) ::= STRING(T). { A = zsql_build_name(builder, T); }

// What may stand as an alias without AS, or as a collation.
%type short_name {struct zsql_name}
short_name(A) ::= ID(T). { A = zsql_build_name(builder, T); }
short_name(A) ::= STRING(T). { A = zsql_build_name(builder, T); }

%type alias {struct zsql_name}
alias(A) ::= . { A = (struct zsql_name){0}; }
alias(A) ::= AS name(N). { A = N; }
alias(A) ::= short_name(N). { A = N; }

%type names {struct zsql_list}
names(A) ::= name(N). { A = zsql_build_list(builder, zsql_build_copy(builder, &N, sizeof(N))); }
names(A) ::= names(L) COMMA name(N). {
    zsql_build_append(builder, &L, zsql_build_copy(builder, &N, sizeof(N)));
    A = L;
}

// SELECT.

%type select {struct zsql_select *}
select(A) ::= compound_select(S). { A = S; }
select(A) ::= WITH(W) recursive(R) ctes(L) compound_select(S). {
    A = zsql_build_with(builder, R, L, S);
    if (A != NULL)
        A->with_start = W.start;
}

%type recursive {bool}
recursive(A) ::= . { A = false; }
recursive(A) ::= RECURSIVE. { A = true; }

%type ctes {struct zsql_list}
ctes(A) ::= cte(C). { A = zsql_build_list(builder, C); }
ctes(A) ::= ctes(L) COMMA cte(C). {
    zsql_build_append(builder, &L, C);
    A = L;
}

%type cte {struct zsql_cte *}
cte(A) ::= name(N) cte_columns(C) AS cte_hint(H) LP(F) select(S) RP(E). {
    struct zsql_cte cte = {.name = N,
        .columns = C,
        .hint = H,
        .select = S,
        .body = {F.end, E.start},
        .end = E.end};
    A = zsql_build_copy(builder, &cte, sizeof(cte));
}

%type cte_columns {struct zsql_list}
cte_columns(A) ::= . { A = (struct zsql_list){0}; }
cte_columns(A) ::= LP names(L) RP. { A = L; }

%type cte_hint {int}
cte_hint(A) ::= . { A = ZSQL_ANY_WAY; }
cte_hint(A) ::= MATERIALIZED. { A = ZSQL_MATERIALIZED; }
cte_hint(A) ::= NOT MATERIALIZED. { A = ZSQL_NOT_MATERIALIZED; }

%type compound_select {struct zsql_select *}
compound_select(A) ::= cores(C) order(O) order_end(E) limit(L). {
    A = zsql_build_select(builder, C, O, L.limit, L.offset);
    if (A != NULL)
        A->order_end = E;
}

%type order_end {uint32_t}
order_end(A) ::= . { A = builder->at; }

%type cores {struct zsql_list}
cores(A) ::= core(C). { A = zsql_build_list(builder, C); }
cores(A) ::= cores(L) compound(K) core(C). {
    if (C != NULL)
        C->compound = K;
    zsql_build_append(builder, &L, C);
    A = L;
}

%type compound {enum zsql_compound}
compound(A) ::= UNION. { A = ZSQL_COMPOUND_UNION; }
compound(A) ::= UNION ALL. { A = ZSQL_COMPOUND_UNION_ALL; }
compound(A) ::= EXCEPT. { A = ZSQL_COMPOUND_EXCEPT; }
compound(A) ::= INTERSECT. { A = ZSQL_COMPOUND_INTERSECT; }

%type core {struct zsql_core *}
core(A) ::= SELECT(S) distinct(D) results(R) from(F) where(W) group_by(G) having(H)
    windows(V). {
    struct zsql_core core = {.start = S.start,
        .is_distinct = D,
        .results = R,
        .from = F,
        .where = W,
        .group_by = G,
        .having = H,
        .windows = V};
    A = zsql_build_copy(builder, &core, sizeof(core));
}
core(A) ::= VALUES(S) rows(R). {
    struct zsql_core core = {.start = S.start, .is_values = true, .rows = R};
    A = zsql_build_copy(builder, &core, sizeof(core));
}

%type rows {struct zsql_list}
rows(A) ::= LP(F) exprs(L) RP(E). {
    A = zsql_build_list(builder, EXPR(ZSQL_ROW, F, L, E));
}
rows(A) ::= rows(R) COMMA LP(F) exprs(L) RP(E). {
    zsql_build_append(builder, &R, EXPR(ZSQL_ROW, F, L, E));
    A = R;
}

%type distinct {bool}
distinct(A) ::= . { A = false; }
distinct(A) ::= ALL. { A = false; }
distinct(A) ::= DISTINCT. { A = true; }

%type results {struct zsql_list}
results(A) ::= result(R). { A = zsql_build_list(builder, R); }
results(A) ::= results(L) COMMA result(R). {
    zsql_build_append(builder, &L, R);
    A = L;
}

%type result {struct zsql_result *}
result(A) ::= expr(E) alias(N). {
    struct zsql_result result = {.kind = ZSQL_RESULT, .expr = E, .alias = N};
    A = zsql_build_copy(builder, &result, sizeof(result));
}
result(A) ::= STAR(T). {
    struct zsql_result result = {.kind = ZSQL_STAR, .span = {T.start, T.end}};
    A = zsql_build_copy(builder, &result, sizeof(result));
}
result(A) ::= name(N) DOT STAR(T). {
    struct zsql_result result = {
        .kind = ZSQL_TABLE_STAR, .span = {N.span.start, T.end}, .table = N};
    A = zsql_build_copy(builder, &result, sizeof(result));
}

%type where {struct zsql_expr *}
where(A) ::= . { A = NULL; }
where(A) ::= WHERE expr(E). { A = E; }

%type group_by {struct zsql_list}
group_by(A) ::= . { A = (struct zsql_list){0}; }
group_by(A) ::= GROUP BY exprs(L). { A = L; }

%type having {struct zsql_expr *}
having(A) ::= . { A = NULL; }
having(A) ::= HAVING expr(E). { A = E; }

%type order {struct zsql_list}
order(A) ::= . { A = (struct zsql_list){0}; }
order(A) ::= ORDER BY terms(L). { A = L; }

%type terms {struct zsql_list}
terms(A) ::= term(T). { A = zsql_build_list(builder, T); }
terms(A) ::= terms(L) COMMA term(T). {
    zsql_build_append(builder, &L, T);
    A = L;
}

%type term {struct zsql_term *}
term(A) ::= expr(E) direction(D) nulls(N). {
    struct zsql_term term = {.expr = E, .is_descending = D, .nulls = N};
    A = zsql_build_copy(builder, &term, sizeof(term));
}

%type direction {bool}
direction(A) ::= . { A = false; }
direction(A) ::= ASC. { A = false; }
direction(A) ::= DESC. { A = true; }

%type nulls {int}
nulls(A) ::= . { A = ZSQL_NULLS_DEFAULT; }
nulls(A) ::= NULLS FIRST. { A = ZSQL_NULLS_FIRST; }
nulls(A) ::= NULLS LAST. { A = ZSQL_NULLS_LAST; }

%type limit {struct zsql_limit}
limit(A) ::= . { A = (struct zsql_limit){0}; }
limit(A) ::= LIMIT expr(L). { A = (struct zsql_limit){L, NULL}; }
limit(A) ::= LIMIT expr(L) OFFSET expr(O). { A = (struct zsql_limit){L, O}; }
limit(A) ::= LIMIT expr(O) COMMA expr(L). { A = (struct zsql_limit){L, O}; }

// FROM.

%type from {struct zsql_list}
from(A) ::= . { A = (struct zsql_list){0}; }
from(A) ::= FROM from_items(L). { A = L; }

%type from_items {struct zsql_list}
from_items(A) ::= from_item(I). { A = zsql_build_list(builder, I); }
from_items(A) ::= from_items(L) join(J) from_item(I). {
    if (I != NULL) {
        I->join = J.flags;
        I->join_span = J.span;
    }
    zsql_build_append(builder, &L, I);
    A = L;
}

%type join {struct zsql_join}
join(A) ::= COMMA(T). { A = (struct zsql_join){ZSQL_JOIN_COMMA, {T.start, T.end}}; }
join(A) ::= JOIN(T). { A = (struct zsql_join){ZSQL_JOIN_INNER, {T.start, T.end}}; }
join(A) ::= join_words(J) JOIN(T). {
    A = J;
    A.span.end = T.end;
}

%type join_words {struct zsql_join}
join_words(A) ::= JOIN_KW(T). {
    A = (struct zsql_join){zsql_build_join_word(builder, T), {T.start, T.end}};
}
join_words(A) ::= join_words(J) JOIN_KW(T). {
    A = J;
    A.flags |= zsql_build_join_word(builder, T);
    A.span.end = T.end;
}

%type from_item {struct zsql_from *}
from_item(A) ::= table_name(T) alias(N) indexed(I) constraint(C). {
    if (T != NULL) {
        T->alias = N;
        T->indexed_by = I;
        T->is_not_indexed = I.quote == '!';
        T->on = C.on;
        T->using = C.using;
    }
    A = zsql_build_from(builder, T);
}
from_item(A) ::= table_name(T) LP arguments(L) RP(E) alias(N) constraint(C). {
    if (T != NULL) {
        T->kind = ZSQL_FROM_FUNCTION;
        T->span.end = E.end;
        T->arguments = L;
        T->alias = N;
        T->on = C.on;
        T->using = C.using;
    }
    A = zsql_build_from(builder, T);
}
from_item(A) ::= LP(F) select(S) RP(E) alias(N) constraint(C). {
    struct zsql_from from = {.kind = ZSQL_FROM_SELECT,
        .span = {F.start, E.end},
        .select = S,
        .alias = N,
        .on = C.on,
        .using = C.using};
    A = zsql_build_from(builder, zsql_build_copy(builder, &from, sizeof(from)));
}
from_item(A) ::= LP(F) from_items(L) RP(E) alias(N) constraint(C). {
    struct zsql_from from = {.kind = ZSQL_FROM_JOIN,
        .span = {F.start, E.end},
        .items = L,
        .alias = N,
        .on = C.on,
        .using = C.using};
    A = zsql_build_from(builder, zsql_build_copy(builder, &from, sizeof(from)));
}

%type table_name {struct zsql_from *}
table_name(A) ::= name(N). {
    struct zsql_from from = {.name = N, .span = N.span};
    A = zsql_build_copy(builder, &from, sizeof(from));
}
table_name(A) ::= name(S) DOT name(N). {
    struct zsql_from from = {.schema = S, .name = N, .span = {S.span.start, N.span.end}};
    A = zsql_build_copy(builder, &from, sizeof(from));
}

// NOT INDEXED comes as a name without text, marked by an exclamation mark.
%type indexed {struct zsql_name}
indexed(A) ::= . { A = (struct zsql_name){0}; }
indexed(A) ::= INDEXED BY name(N). { A = N; }
indexed(A) ::= NOT INDEXED. { A = (struct zsql_name){.quote = '!'}; }

%type constraint {struct zsql_constraint}
constraint(A) ::= . { A = (struct zsql_constraint){0}; }
constraint(A) ::= ON expr(E). { A = (struct zsql_constraint){.on = E}; }
constraint(A) ::= USING LP names(L) RP. { A = (struct zsql_constraint){.using = L}; }

// Expressions.

%type exprs {struct zsql_list}
exprs(A) ::= expr(E). { A = zsql_build_list(builder, E); }
exprs(A) ::= exprs(L) COMMA expr(E). {
    zsql_build_append(builder, &L, E);
    A = L;
}

%type arguments {struct zsql_list}
arguments(A) ::= . { A = (struct zsql_list){0}; }
arguments(A) ::= exprs(L). { A = L; }

%type expr {struct zsql_expr *}
expr(A) ::= INTEGER(T). { A = zsql_build_leaf(builder, ZSQL_INTEGER, T); }
expr(A) ::= FLOAT(T). { A = zsql_build_leaf(builder, ZSQL_NUMBER, T); }
expr(A) ::= STRING(T). { A = zsql_build_leaf(builder, ZSQL_STRING, T); }
expr(A) ::= BLOB(T). { A = zsql_build_leaf(builder, ZSQL_BLOB, T); }
expr(A) ::= NULL(T). { A = zsql_build_leaf(builder, ZSQL_NULL_LITERAL, T); }
expr(A) ::= CTIME_KW(T). { A = zsql_build_leaf(builder, ZSQL_CURRENT, T); }
expr(A) ::= VARIABLE(T). { A = zsql_build_leaf(builder, ZSQL_PARAMETER, T); }

expr(A) ::= ID(T). {
    struct zsql_name none = {0};
    A = zsql_build_column(builder, none, none, zsql_build_name(builder, T));
}
expr(A) ::= INDEXED(T). {
    struct zsql_name none = {0};
    A = zsql_build_column(builder, none, none, zsql_build_name(builder, T));
}
expr(A) ::= JOIN_KW(T). {
    struct zsql_name none = {0};
    A = zsql_build_column(builder, none, none, zsql_build_name(builder, T));
}
expr(A) ::= name(T) DOT name(N). {
    struct zsql_name none = {0};
    A = zsql_build_column(builder, none, T, N);
}
expr(A) ::= name(S) DOT name(T) DOT name(N). { A = zsql_build_column(builder, S, T, N); }

expr(A) ::= LP(F) expr(E) RP(L). { A = zsql_build_widen(E, F, L); }
expr(A) ::= LP(F) exprs(L) COMMA expr(E) RP(R). {
    zsql_build_append(builder, &L, E);
    A = EXPR(ZSQL_ROW, F, L, R);
}
expr(A) ::= LP(F) select(S) RP(L). {
    A = zsql_build_subquery(builder, ZSQL_SUBQUERY, NULL, F.start, S, L.end);
}
expr(A) ::= EXISTS(F) LP select(S) RP(L). {
    A = zsql_build_subquery(builder, ZSQL_EXISTS, NULL, F.start, S, L.end);
}

expr(A) ::= NOT(T) expr(E). { A = zsql_build_prefix(builder, ZSQL_OP_NOT, T, E); }
expr(A) ::= MINUS(T) expr(E). [BITNOT] { A = zsql_build_prefix(builder, ZSQL_OP_MINUS, T, E); }
expr(A) ::= PLUS(T) expr(E). [BITNOT] { A = zsql_build_prefix(builder, ZSQL_OP_PLUS, T, E); }
expr(A) ::= BITNOT(T) expr(E). { A = zsql_build_prefix(builder, ZSQL_OP_COMPLEMENT, T, E); }

expr(A) ::= expr(L) OR expr(R). { A = zsql_build_binary(builder, ZSQL_OP_OR, false, L, R); }
expr(A) ::= expr(L) AND expr(R). { A = zsql_build_binary(builder, ZSQL_OP_AND, false, L, R); }
expr(A) ::= expr(L) EQ expr(R). { A = zsql_build_binary(builder, ZSQL_OP_EQUAL, false, L, R); }
expr(A) ::= expr(L) NE expr(R). { A = zsql_build_binary(builder, ZSQL_OP_EQUAL, true, L, R); }
expr(A) ::= expr(L) LT expr(R). { A = zsql_build_binary(builder, ZSQL_OP_LESS, false, L, R); }
expr(A) ::= expr(L) LE expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_LESS_EQUAL, false, L, R);
}
expr(A) ::= expr(L) GT expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_GREATER, false, L, R);
}
expr(A) ::= expr(L) GE expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_GREATER_EQUAL, false, L, R);
}
expr(A) ::= expr(L) BITAND expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_BIT_AND, false, L, R);
}
expr(A) ::= expr(L) BITOR expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_BIT_OR, false, L, R);
}
expr(A) ::= expr(L) LSHIFT expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_SHIFT_LEFT, false, L, R);
}
expr(A) ::= expr(L) RSHIFT expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_SHIFT_RIGHT, false, L, R);
}
expr(A) ::= expr(L) PLUS expr(R). { A = zsql_build_binary(builder, ZSQL_OP_ADD, false, L, R); }
expr(A) ::= expr(L) MINUS expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_SUBTRACT, false, L, R);
}
expr(A) ::= expr(L) STAR expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_MULTIPLY, false, L, R);
}
expr(A) ::= expr(L) SLASH expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_DIVIDE, false, L, R);
}
expr(A) ::= expr(L) REM expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_REMAINDER, false, L, R);
}
expr(A) ::= expr(L) CONCAT expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_CONCAT, false, L, R);
}
expr(A) ::= expr(L) PTR(T) expr(R). {
    enum zsql_op op = T.end - T.start == 2 ? ZSQL_OP_ARROW : ZSQL_OP_DOUBLE_ARROW;
    A = zsql_build_binary(builder, op, false, L, R);
}

expr(A) ::= expr(L) IS expr(R). { A = zsql_build_binary(builder, ZSQL_OP_IS, false, L, R); }
expr(A) ::= expr(L) IS NOT expr(R). { A = zsql_build_binary(builder, ZSQL_OP_IS, true, L, R); }
expr(A) ::= expr(L) IS DISTINCT FROM expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_IS, true, L, R);
}
expr(A) ::= expr(L) IS NOT DISTINCT FROM expr(R). {
    A = zsql_build_binary(builder, ZSQL_OP_IS, false, L, R);
}
expr(A) ::= expr(E) ISNULL(T). { A = zsql_build_isnull(builder, E, false, T); }
expr(A) ::= expr(E) NOTNULL(T). { A = zsql_build_isnull(builder, E, true, T); }
expr(A) ::= expr(E) NOT NULL(T). { A = zsql_build_isnull(builder, E, true, T); }

expr(A) ::= expr(E) COLLATE short_name(N). { A = zsql_build_collate(builder, E, N); }

%type like {struct zsql_like}
like(A) ::= LIKE_KW(T). { A = (struct zsql_like){T, false}; }
like(A) ::= MATCH(T). { A = (struct zsql_like){T, false}; }
like(A) ::= NOT LIKE_KW(T). { A = (struct zsql_like){T, true}; }
like(A) ::= NOT MATCH(T). { A = (struct zsql_like){T, true}; }
expr(A) ::= expr(E) like(K) expr(P). [LIKE_KW] {
    struct zsql_list list = zsql_build_list(builder, E);
    zsql_build_append(builder, &list, P);
    A = zsql_build_spanning(builder, ZSQL_LIKE, list);
    if (A != NULL) {
        A->is_negated = K.is_negated;
        A->name = zsql_build_name(builder, K.word);
    }
}
expr(A) ::= expr(E) like(K) expr(P) ESCAPE expr(X). [LIKE_KW] {
    struct zsql_list list = zsql_build_list(builder, E);
    zsql_build_append(builder, &list, P);
    zsql_build_append(builder, &list, X);
    A = zsql_build_spanning(builder, ZSQL_LIKE, list);
    if (A != NULL) {
        A->is_negated = K.is_negated;
        A->name = zsql_build_name(builder, K.word);
    }
}

%type between {bool}
between(A) ::= BETWEEN. { A = false; }
between(A) ::= NOT BETWEEN. { A = true; }
expr(A) ::= expr(E) between(N) expr(L) AND expr(H). [BETWEEN] {
    struct zsql_list list = zsql_build_list(builder, E);
    zsql_build_append(builder, &list, L);
    zsql_build_append(builder, &list, H);
    A = zsql_build_spanning(builder, ZSQL_BETWEEN, list);
    if (A != NULL)
        A->is_negated = N;
}

%type in {bool}
in(A) ::= IN. { A = false; }
in(A) ::= NOT IN. { A = true; }
expr(A) ::= expr(E) in(N) LP arguments(L) RP(R). [IN] {
    A = zsql_build_in(builder, ZSQL_IN_LIST, N, E, L, R.end);
}
expr(A) ::= expr(E) in(N) LP select(S) RP(R). [IN] {
    A = zsql_build_subquery(builder, ZSQL_IN_SELECT, E, 0, S, R.end);
    if (A != NULL)
        A->is_negated = N;
}
expr(A) ::= expr(E) in(N) table_name(T) table_arguments(L). [IN] {
    A = zsql_build_in(builder, ZSQL_IN_TABLE, N, E, L.list, L.end);
    if (A != NULL && T != NULL) {
        A->name = T->name;
        A->schema = T->schema;
        if (L.end == 0)
            A->span.end = T->span.end;
    }
}

%type table_arguments {struct zsql_arguments}
table_arguments(A) ::= . { A = (struct zsql_arguments){0}; }
table_arguments(A) ::= LP arguments(L) RP(R). { A = (struct zsql_arguments){L, R.end}; }

expr(A) ::= CASE(F) case_base(B) whens(L) case_else(E) END(T). {
    bool has_base = B != NULL;
    bool has_else = E != NULL;
    if (has_base)
        L = zsql_build_before(builder, B, L);
    if (has_else)
        zsql_build_append(builder, &L, E);
    A = EXPR(ZSQL_CASE, F, L, T);
    if (A != NULL) {
        A->has_base = has_base;
        A->has_else = has_else;
    }
}

%type case_base {struct zsql_expr *}
case_base(A) ::= . { A = NULL; }
case_base(A) ::= expr(E). { A = E; }

%type whens {struct zsql_list}
whens(A) ::= WHEN expr(C) THEN expr(V). {
    A = zsql_build_list(builder, C);
    zsql_build_append(builder, &A, V);
}
whens(A) ::= whens(L) WHEN expr(C) THEN expr(V). {
    zsql_build_append(builder, &L, C);
    zsql_build_append(builder, &L, V);
    A = L;
}

%type case_else {struct zsql_expr *}
case_else(A) ::= . { A = NULL; }
case_else(A) ::= ELSE expr(E). { A = E; }

expr(A) ::= CAST(F) LP expr(E) AS type(T) RP(R). {
    A = EXPR(ZSQL_CAST, F, zsql_build_list(builder, E), R);
    if (A != NULL)
        A->name = zsql_build_name(builder, (struct zsql_token){TK_ID, T.start, T.end});
}

%type type {struct zsql_span}
type(A) ::= . { A = (struct zsql_span){0, 0}; }
type(A) ::= type_words(W). { A = W; }
type(A) ::= type_words(W) LP signed RP(R). { A = (struct zsql_span){W.start, R.end}; }
type(A) ::= type_words(W) LP signed COMMA signed RP(R). {
    A = (struct zsql_span){W.start, R.end};
}

%type type_words {struct zsql_span}
type_words(A) ::= short_name(N). { A = N.span; }
type_words(A) ::= type_words(W) short_name(N). {
    A = (struct zsql_span){W.start, N.span.end};
}

signed ::= number.
signed ::= PLUS number.
signed ::= MINUS number.
number ::= INTEGER.
number ::= FLOAT.

expr(A) ::= RAISE(F) LP raise(L) RP(R). { A = EXPR(ZSQL_RAISE, F, L, R); }

// IGNORE, or ROLLBACK, ABORT or FAIL and a message.
%type raise {struct zsql_list}
raise(A) ::= ID. { A = (struct zsql_list){0}; }
raise(A) ::= ID COMMA expr(E). { A = zsql_build_list(builder, E); }

// Function calls.

%type function_name {struct zsql_name}
function_name(A) ::= ID(T). { A = zsql_build_name(builder, T); }
function_name(A) ::= INDEXED(T). { A = zsql_build_name(builder, T); }
function_name(A) ::= JOIN_KW(T). { A = zsql_build_name(builder, T); }

%type call {struct zsql_expr *}
call(A) ::= function_name(N) LP STAR RP(R). {
    struct zsql_call call = {.is_star = true};
    A = zsql_build_call(builder, N, call, (struct zsql_list){0}, R.end);
}
call(A) ::= function_name(N) LP distinct(D) arguments(L) RP(R). {
    struct zsql_call call = {.is_distinct = D};
    A = zsql_build_call(builder, N, call, L, R.end);
}
call(A) ::= function_name(N) LP distinct(D) exprs(L) ORDER BY terms(O) RP(R). {
    struct zsql_call call = {.is_distinct = D, .order = O};
    A = zsql_build_call(builder, N, call, L, R.end);
}
call(A) ::= function_name(N) LP distinct(D) arguments(L) RP WITHIN GROUP LP ORDER BY terms(O)
    RP(R). {
    struct zsql_call call = {.is_distinct = D, .order = O};
    A = zsql_build_call(builder, N, call, L, R.end);
}

expr(A) ::= call(C). { A = C; }
expr(A) ::= call(C) filter(F) RP(R). { A = zsql_build_over(builder, C, F, NULL, R.end); }
expr(A) ::= call(C) over(W). { A = zsql_build_over(builder, C, NULL, W.window, W.end); }
expr(A) ::= call(C) filter(F) RP over(W). {
    A = zsql_build_over(builder, C, F, W.window, W.end);
}

%type filter {struct zsql_expr *}
filter(A) ::= FILTER LP WHERE expr(E). { A = E; }

%type over {struct zsql_over}
over(A) ::= OVER name(N). {
    struct zsql_window window = {.name = N, .is_reference = true};
    A.window = zsql_build_copy(builder, &window, sizeof(window));
    A.end = N.span.end;
}
over(A) ::= OVER LP window(W) RP(R). {
    A.window = W;
    A.end = R.end;
}

// Windows.

%type windows {struct zsql_list}
windows(A) ::= . { A = (struct zsql_list){0}; }
windows(A) ::= WINDOW window_definitions(L). { A = L; }

%type window_definitions {struct zsql_list}
window_definitions(A) ::= window_definition(W). { A = zsql_build_list(builder, W); }
window_definitions(A) ::= window_definitions(L) COMMA window_definition(W). {
    zsql_build_append(builder, &L, W);
    A = L;
}

%type window_definition {struct zsql_window *}
window_definition(A) ::= name(N) AS LP window(W) RP. {
    if (W != NULL)
        W->name = N;
    A = W;
}

// Spelled out: with an optional name first, PARTITION and ROWS would be read as names.
%type window {struct zsql_window *}
window(A) ::= window_parts(W). { A = W; }
window(A) ::= name(N) window_parts(W). {
    A = W;
    if (A != NULL)
        A->base = N;
}

%type window_parts {struct zsql_window *}
window_parts(A) ::= frame(F). { A = F; }
window_parts(A) ::= ORDER BY terms(O) frame(F). {
    A = F;
    if (A != NULL)
        A->order = O;
}
window_parts(A) ::= PARTITION BY exprs(P) order(O) frame(F). {
    A = F;
    if (A != NULL) {
        A->partition = P;
        A->order = O;
    }
}

%type frame {struct zsql_window *}
frame(A) ::= . {
    struct zsql_window window = {0};
    A = zsql_build_copy(builder, &window, sizeof(window));
}
frame(A) ::= frame_unit(U) frame_bound(F) exclude(X). {
    struct zsql_window window = {.has_frame = true,
        .unit = U,
        .from = F,
        .to = {.kind = ZSQL_CURRENT_ROW},
        .exclude = X};
    A = zsql_build_copy(builder, &window, sizeof(window));
}
frame(A) ::= frame_unit(U) BETWEEN frame_bound(F) AND frame_bound(T) exclude(X). {
    struct zsql_window window = {
        .has_frame = true, .unit = U, .from = F, .to = T, .exclude = X};
    A = zsql_build_copy(builder, &window, sizeof(window));
}

%type frame_unit {int}
frame_unit(A) ::= RANGE. { A = ZSQL_RANGE; }
frame_unit(A) ::= ROWS. { A = ZSQL_ROWS; }
frame_unit(A) ::= GROUPS. { A = ZSQL_GROUPS; }

%type frame_bound {struct zsql_frame_bound}
frame_bound(A) ::= UNBOUNDED PRECEDING. {
    A = (struct zsql_frame_bound){.kind = ZSQL_UNBOUNDED_PRECEDING};
}
frame_bound(A) ::= UNBOUNDED FOLLOWING. {
    A = (struct zsql_frame_bound){.kind = ZSQL_UNBOUNDED_FOLLOWING};
}
frame_bound(A) ::= CURRENT ROW. { A = (struct zsql_frame_bound){.kind = ZSQL_CURRENT_ROW}; }
frame_bound(A) ::= expr(E) PRECEDING. { A = (struct zsql_frame_bound){ZSQL_PRECEDING, E}; }
frame_bound(A) ::= expr(E) FOLLOWING. { A = (struct zsql_frame_bound){ZSQL_FOLLOWING, E}; }

%type exclude {int}
exclude(A) ::= . { A = ZSQL_EXCLUDE_NO_OTHERS; }
exclude(A) ::= EXCLUDE NO OTHERS. { A = ZSQL_EXCLUDE_NO_OTHERS; }
exclude(A) ::= EXCLUDE CURRENT ROW. { A = ZSQL_EXCLUDE_CURRENT_ROW; }
exclude(A) ::= EXCLUDE GROUP. { A = ZSQL_EXCLUDE_GROUP; }
exclude(A) ::= EXCLUDE TIES. { A = ZSQL_EXCLUDE_TIES; }

%code {
size_t zsql_parser_size(void)
{
    return sizeof(yyParser);
}

void zsql_parser_init(void *parser, struct zsql_builder *builder)
{
    zsql_lemonInit(parser, builder);
}

void zsql_parser_feed(void *parser, struct zsql_token token)
{
    zsql_lemon(parser, token.kind, token);
    if (token.kind == TK_END_OF_TEXT)
        zsql_lemonFinalize(parser);
}

bool zsql_parse_falls_back(int kind)
{
    return kind > 0 && kind < YYNTOKEN && zsql_lemonFallback(kind) == TK_ID;
}
}
