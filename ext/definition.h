/* A view's definition: its SELECT read into a plan, with what must be known of its base
** tables. */
#ifndef LS_DEFINITION_H
#define LS_DEFINITION_H

#include "ext/table.h"
#include "sql/plan.h"

struct ls_definition {
    int n_holders; /* besides whoever has read it */
    struct zsql_plan *plan;
    struct ls_table **tables; /* the base tables, in the order of plan->tables */
    struct ls_table **known;  /* every table that the binder asked for; they are among them */
    int n_known;
    bool calls_like;
    bool is_case_sensitive; /* so LIKE is on this connection */
    bool calls_others;      /* functions that are not SQLite's */
    bool collates; /* by collations that are not SQLite's, or shows columns of theirs */
};

/* Reads text, a SELECT that SQLite accepts in the given schema. On error *message is a clause
** that says what can't be maintained, or NULL where the code says it all. */
int ls_definition_read(sqlite3 *db, const char *schema, const char *text,
    struct ls_definition **definition, char **message) __attribute__((warn_unused_result));

/* The last of those who hold it frees it. Accepts NULL. */
void ls_definition_free(struct ls_definition *definition);

/* To be freed once more. */
struct ls_definition *ls_definition_hold(struct ls_definition *definition);

/* The SELECT of the SQLite VIEW <view>_query, as SQLite keeps it; NULL where there is none.
** Free with sqlite3_free. */
int ls_definition_text(sqlite3 *db, const char *schema, const char *view, char **text)
    __attribute__((warn_unused_result));

#endif
