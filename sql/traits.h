/* Affinity and collation of expressions (sections 3.2 and 7.1 of
** https://www.sqlite.org/datatype3.html). */
#ifndef ZSQL_TRAITS_H
#define ZSQL_TRAITS_H

#include "sql/bind.h"
#include "sql/text.h"

struct zsql_traits {
    const char *type;      /* a type name giving the affinity, "" for none */
    bool has_affinity;     /* also that of a column declared without a type */
    const char *kept_type; /* likewise, giving one that leaves all values as they are */
    const char *collation; /* its name, or NULL where the expression has none */
    bool is_explicit;      /* by a COLLATE operator, which wins over a column's collation */
    bool is_rowid;         /* an integer always: has no collation, and seldom needs one */
};

struct zsql_traits zsql_traits_of(struct zsql_expr *expr);

/* The name of the collation by which `left = right` compares: an explicit one wins, then the
** left's. */
const char *zsql_traits_compared(struct zsql_expr *left, struct zsql_expr *right);

/* What values are compared as: nothing is made of them, text or numbers. */
enum zsql_class { ZSQL_AS_THEY_ARE, ZSQL_AS_TEXT, ZSQL_AS_NUMBERS };
enum zsql_class zsql_traits_class(const struct zsql_traits *traits);

/* Are values that compare as equal by an expression's own traits the same? Not where it has
** another collation than BINARY, nor where it may be an integer as well as a real. */
bool zsql_traits_tell_apart(struct zsql_expr *expr);

/* Those of result column i of a bound SELECT, read as a subquery in FROM: of a compound the
** affinity as SQLite finds it (compound_column.c), the rest as its first core's. */
struct zsql_traits zsql_traits_of_column(const struct zsql_select *select, size_t i);

/* Those of result column i of one core, which has none where it is VALUES. */
struct zsql_traits zsql_traits_of_core(const struct zsql_select *select, size_t core, size_t i);

/* Those of a scalar subquery, or the right-hand side of IN: of a compound its last core's. */
struct zsql_traits zsql_traits_of_value(const struct zsql_select *select, size_t i);

/* Those of column i of what an operator made of a SELECT, not of groups, read where that stood. */
struct zsql_traits zsql_traits_of_made(const struct zsql_from *from, size_t i);

/* Read as a subquery in FROM, does a compound give reals for integers in result column i? */
bool zsql_traits_makes_reals(const struct zsql_select *select, size_t i);

/* The affinity of a CAST to a type, and of a column so declared, as a type name; a column's is ""
** for none. */
const char *zsql_cast_type(const char *type);
const char *zsql_affinity_name(const char *type);

/* Do the cores of a SELECT agree on how result column i compares? Else SQLite may take any
** one's way. */
bool zsql_traits_are_uniform(const struct zsql_select *select, size_t i);

/* The declared type of a column that shows values of two: with both's affinity, to compare
** numbers where both do that, "" where one compares otherwise than the other. */
const char *zsql_type_of_both(const char *a, const char *b);

/* Does a declared type have the affinity INTEGER, REAL or NUMERIC? */
bool zsql_type_is_numeric(const char *type);

/* The text that reads a column of that name, declared with the type and the collation of the
** traits, and behaves as the expression that they are of. In the arena; NULL without memory. */
const char *zsql_traits_read(struct zsql_arena *arena, const char *column,
    const struct zsql_traits *traits, enum zsql_sight sight);

/* The text that reads column i of what an operator made of a SELECT (or of groups, whose texts
** see to it themselves), as a column of that subquery would be read: one that stands for an
** expression has a collation, but no affinity. */
const char *zsql_traits_read_made(
    struct zsql_arena *arena, const struct zsql_from *from, size_t i, const char *column);

/* (text COLLATE collation). In the arena; NULL without memory. */
const char *zsql_traits_collate(
    struct zsql_arena *arena, const char *text, const char *collation);

/* Is the value of a scalar subquery JSON, which what is around it may take as such, and not as
** text? A value that has been stored is text, of which lockstep_json() makes JSON again. */
bool zsql_is_taken_as_json(const struct zsql_expr *subquery, const struct zsql_core *around,
    const struct zsql_output *value);

#endif
