/* Views composed of joins, subqueries and set operations, made at random so that they have one
** right answer, or one up to what the view's letters say. */
#ifndef DIFF_COMPOSE_H
#define DIFF_COMPOSE_H

#include "tests/diff_case.h"

/* What a composed view may be made of; the names are those of diff_construct_names. */
enum diff_construct {
    DIFF_JOIN,
    DIFF_COMMA,
    DIFF_CROSS,
    DIFF_LEFT,
    DIFF_RIGHT,
    DIFF_FULL,
    DIFF_NATURAL,
    DIFF_USING,
    DIFF_PARENTHESES,
    DIFF_FROM_SUBQUERY,
    DIFF_CTE,
    DIFF_PLAIN_VIEW,
    DIFF_JSON_EACH,
    DIFF_IN,
    DIFF_NOT_IN,
    DIFF_EXISTS,
    DIFF_NOT_EXISTS,
    DIFF_SCALAR,
    DIFF_FIRST,
    DIFF_ROW_VALUE,
    DIFF_CORRELATED,
    DIFF_SUBQUERY_IN_SELECT,
    DIFF_SUBQUERY_IN_HAVING,
    DIFF_SUBQUERY_IN_ON,
    DIFF_GROUP,
    DIFF_GLOBAL,
    DIFF_HAVING,
    DIFF_FILTER,
    DIFF_DISTINCT_AGGREGATE,
    DIFF_CONCAT,
    DIFF_JSON_GROUP,
    DIFF_BARE,
    DIFF_DISTINCT,
    DIFF_UNION_ALL,
    DIFF_UNION,
    DIFF_INTERSECT,
    DIFF_EXCEPT,
    DIFF_ORDER,
    DIFF_LIMIT,
    DIFF_VIEW,         /* a view that the engine keeps, read by another */
    DIFF_VALUES,       /* in FROM, behind IN, as an arm of a compound */
    DIFF_STAR,         /* a.* */
    DIFF_MERGED,       /* the bare name of what USING has merged */
    DIFF_WHOLE_QUERY,  /* groups, compounds and so on behind IN and EXISTS */
    DIFF_IN_AGGREGATE, /* a subquery in an aggregate's argument or FILTER */
    DIFF_OWN_AGGREGATE,
    DIFF_DISTINCT_GROUPS,
    DIFF_LATEST, /* bare columns of the row with the greatest key */
    DIFF_CONSTRUCTS
};

extern const char *const diff_construct_names[DIFF_CONSTRUCTS];

/* Reads names with commas between them into a set of bits; false where one is unknown. */
bool diff_constructs_read(const char *list, uint64_t *set);

/* Makes the view's text and columns by the choices of its tape, or draws new ones and keeps
** them there where random is not NULL. The case has its tables. */
void diff_compose(struct diff_case *c, struct diff_random *random, struct diff_view *view);

/* Adds CREATE VIEW of a composed query to a table's extras. */
void diff_compose_plain_view(struct diff_case *c, struct diff_random *random);

/* The rest is shared by the files of the composer. */

enum { DIFF_SCOPE_COLUMNS = 32, DIFF_RELATION_COLUMNS = 5 };

struct diff_composed_column {
    const char *text;
    enum diff_domain domain; /* what literals suit it */
    char kind;               /* I, T, R: firm values of these kinds only share it; O: others */
    char letter;             /* B, N or R: how it compares; G, J: a list, only to be shown */
    bool is_firm;            /* what compares equal is identical */
    char affinity; /* T, N, R or B, of a column; S: of some column that a subquery gives; 0 for
                      another expression's, which is none */
    bool is_mixed; /* of several affinities: how it compares is up to SQLite's plan */
    bool is_loose; /* stands for several that compare equal: only to be shown */
    bool is_rough; /* an average: sums of it are not exact in a double */
    int item;      /* which one of FROM it is of, or -1 */
    bool is_key;   /* an INTEGER PRIMARY KEY */
};

/* The columns that an expression may name: of FROM, and those around. */
struct diff_scope {
    const struct diff_scope *outer;
    const struct diff_scope *within; /* what subqueries name in its place; NULL: itself */
    struct diff_composed_column columns[DIFF_SCOPE_COLUMNS];
    unsigned n;
    double rows; /* about how many */
};

struct diff_relation {
    struct diff_composed_column columns[DIFF_RELATION_COLUMNS]; /* texts: templates of names */
    unsigned n;
    double rows;
};

struct diff_composer {
    struct diff_case *c;
    struct diff_random *random;
    unsigned n_items;
    struct diff_text ctes;
    struct diff_relation cte[2];
    unsigned n_ctes;
    uint64_t uses;       /* constructs */
    bool is_rough;       /* a sum is not exact in a double */
    bool is_plain;       /* a plain view is being made: reads tables only */
    unsigned n_readable; /* views that may be read: those before this one */
    size_t n_read;       /* bytes of text of those that are */
};

/* How a query is made. */
struct diff_wish {
    unsigned depth;
    unsigned n_columns; /* 0: any number */
    bool is_top;        /* may show lists, and take LIMIT with ties */
    bool is_firm;       /* no column may be loose */
    bool is_correlated; /* no group may have several right answers */
};

/* True with the chance, in percent, where the construct is not left out; then it counts as
** used. */
bool diff_may(struct diff_composer *m, enum diff_construct construct, unsigned chance);

unsigned diff_choose(struct diff_composer *m, unsigned n);
bool diff_chance(struct diff_composer *m, unsigned percent);
const char *diff_compose_print(struct diff_composer *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a query and describes its columns; outer is what WHERE may name besides, or NULL. In
** diff_compose_query.c. */
void diff_compose_query(struct diff_composer *m, const struct diff_scope *outer,
    struct diff_wish wish, struct diff_relation *relation, struct diff_text *out);

/* Makes a view of bare columns that are of a row with the least or the greatest of something.
** In diff_compose_bare.c. */
void diff_compose_bare(struct diff_composer *m, struct diff_view *view);

/* Adds a column to a scope, where it has room. */
void diff_scope_add(struct diff_scope *scope, struct diff_composed_column column);

/* Appends one item of FROM behind those before, which is NULL for the first, and describes its
** columns. In diff_compose_source.c. */
void diff_compose_item(struct diff_composer *m, struct diff_scope *item,
    const struct diff_scope *before, struct diff_wish wish, struct diff_text *out);

/* Appends VALUES of as many columns as there are of others, firm and of their kinds. */
void diff_compose_values(struct diff_composer *m, const struct diff_relation *like,
    struct diff_relation *relation, struct diff_text *out);

/* Appends FROM and fills the scope. In diff_compose_from.c. */
void diff_compose_from(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out);

/* Expressions and conditions, in diff_compose_term.c. A column that is not loose; false where
** there is none. */
bool diff_compose_pick(struct diff_composer *m, const struct diff_scope *scope,
    struct diff_composed_column *column);
struct diff_composed_column diff_compose_scalar(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth);
const char *diff_compose_condition(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth);
const char *diff_compose_literal(
    struct diff_composer *m, const struct diff_composed_column *like);

/* How columns of a subquery compare with those around; a range or an equality. In
** diff_compose_subquery.c. */
const char *diff_compose_link(
    struct diff_composer *m, const struct diff_scope *inner, bool is_range);

/* Subqueries, in diff_compose_subquery.c: NULL where none may be made. */
const char *diff_compose_test(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth);
const char *diff_compose_value(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth);
const char *diff_compose_first(
    struct diff_composer *m, const struct diff_scope *scope, unsigned depth);

/* Aggregates over the scope's columns, in diff_compose_fold.c. */
struct diff_composed_column diff_compose_fold(
    struct diff_composer *m, const struct diff_scope *scope, struct diff_wish wish);
const char *diff_compose_having(struct diff_composer *m, const struct diff_scope *scope,
    const struct diff_scope *keys, unsigned depth);

#endif
