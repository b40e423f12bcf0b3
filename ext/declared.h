/* What a column was declared with, as texts that may stand in SQL. SQLite reports it with the
** quotes taken off, or as it would not be understood elsewhere. sqlite3_free both; NULL without
** memory. */
#ifndef LS_DECLARED_H
#define LS_DECLARED_H

/* A type that SQLite reports as this one: the same, or, where that is no type's usual name, the
** same in quotes. */
char *ls_declared_type(const char *type);

/* A default as an expression. */
char *ls_declared_default(const char *text);

#endif
