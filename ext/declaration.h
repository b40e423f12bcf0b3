/* How a view's columns are declared to SQLite: the text that <view>_state keeps. */
#ifndef LS_DECLARATION_H
#define LS_DECLARATION_H

#include "ext/view.h"

/* Is a declaration that CREATE wrote down of just the columns that the view has? */
bool ls_declaration_matches(const struct ls_view *view, const char *declaration);

/* Sets the view's columns to those of such a declaration. */
ZS_CHECKED int ls_declaration_read(struct ls_view *view, const char *declaration);

/* One made of the view's columns; NULL without memory. */
char *ls_declaration_make(const struct ls_view *view);

#endif
