# libzsql: SELECT text -> syntax tree -> bound tree -> plan. Opens no database.
noinst_LTLIBRARIES += libzsql.la
libzsql_la_SOURCES = \
	%D%/arena.h %D%/arena.c \
	%D%/lex.h %D%/lex.c \
	%D%/ast.h %D%/ast.c \
	%D%/build.h %D%/build.c \
	%D%/parse.h %D%/parse.c %D%/read.c \
	%D%/message.h %D%/message.c \
	%D%/catalogue.h %D%/bind.h %D%/binder.h %D%/bind.c %D%/bind_names.c %D%/bind_from.c \
	%D%/bind_star.c %D%/bind_called.c %D%/compound_column.c %D%/equal.c \
	%D%/edit.h %D%/edit.c %D%/explicit.h %D%/explicit.c %D%/inline.h %D%/inline.c \
	%D%/naming.h %D%/naming.c \
	%D%/parentheses.h %D%/parentheses.c %D%/rewrite.h %D%/rewrite.c %D%/lists.h %D%/lists.c \
	%D%/sorting.h %D%/sorting.c \
	%D%/text.h %D%/text.c %D%/exact_text.h %D%/exact_text.c \
	%D%/traits.h %D%/traits.c %D%/clock.h %D%/clock.c \
	%D%/limit.h %D%/limit.c %D%/refuse.h %D%/refuse_shape.c %D%/refuse_bound.c \
	%D%/options.h %D%/options.c \
	%D%/occurrence.h %D%/occurrence.c %D%/template.h %D%/template.c \
	%D%/head.h %D%/head.c \
	%D%/reach.h %D%/reach.c %D%/never_null.h %D%/never_null.c \
	%D%/compared.h %D%/compared.c %D%/affected.h %D%/affected_private.h \
	%D%/affected.c %D%/affected_cancel.c %D%/affected_columns.c %D%/affected_correlation.c \
	%D%/affected_either.c %D%/affected_first.c %D%/affected_left.c %D%/affected_lookup.c %D%/affected_scalar.c \
	%D%/affected_terms.c %D%/affected_values.c \
	%D%/present.h %D%/present.c %D%/lookups.h %D%/lookups.c \
	%D%/unsettled.h %D%/unsettled.c %D%/sorted_rows.h %D%/sorted_rows.c \
	%D%/strengthen.h %D%/strengthen.c \
	%D%/plan.h %D%/planner.h %D%/plan.c %D%/plan_groups.c %D%/plan_keys.c %D%/plan_folds.c \
	%D%/plan_bare.c %D%/plan_certain.c %D%/plan_refold.c %D%/plan_row_order.c %D%/plan_json.c \
	%D%/plan_join.c %D%/plan_outer.h %D%/plan_outer.c \
	%D%/plan_outer_on.c %D%/plan_arms.c %D%/plan_part.c \
	%D%/plan_compound.c %D%/plan_order.c %D%/plan_top.c \
	%D%/plan_made.c %D%/plan_worth.c %D%/plan_in.c \
	%D%/plan_decorrelate.c %D%/plan_tables.c
libzsql_la_CFLAGS = $(AM_CFLAGS)

# Generated C is not in git and is in the tarball, which builds without lemon and re2c. A build
# out of a clone makes it in the build tree; make finds it in the source tree of a tarball.
EXTRA_DIST += %D%/parse.y %D%/lex.re
MAINTAINERCLEANFILES += %D%/parse.c %D%/parse.h %D%/lex.c

sql/parse.c: sql/parse.y
	@test "x$(LEMON)" != xno || { echo "lemon is needed to make $@ (Debian: lemon)" >&2; exit 1; }
	@$(MKDIR_P) sql
	$(AM_V_GEN)$(LEMON) -q -l -dsql $(srcdir)/sql/parse.y || { rm -f sql/parse.c; exit 1; }
	@touch sql/parse.h
sql/parse.h: sql/parse.c
	@test -f $@ || { rm -f sql/parse.c && $(MAKE) sql/parse.c; }
sql/lex.c: sql/lex.re
	@test "x$(RE2C)" != xno || { echo "re2c is needed to make $@ (Debian: re2c)" >&2; exit 1; }
	@$(MKDIR_P) sql
	$(AM_V_GEN)$(RE2C) --no-generation-date --no-version -i -W -o sql/lex.c $(srcdir)/sql/lex.re
$(libzsql_la_OBJECTS): sql/parse.h
