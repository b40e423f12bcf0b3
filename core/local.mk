# libzset: the algebra and the circuit. Knows nothing of SQLite.
noinst_LTLIBRARIES += libzset.la
libzset_la_SOURCES = \
	%D%/status.h \
	%D%/alloc.h %D%/alloc.c \
	%D%/buffer.h %D%/buffer.c
libzset_la_CFLAGS = $(AM_CFLAGS)
libzset_la_SOURCES += \
	%D%/exact.h %D%/exact.c %D%/exact_format.c \
	%D%/exact_limbs.h %D%/exact_limbs.c
libzset_la_SOURCES += \
	%D%/row.h %D%/row.c %D%/comparison.c \
	%D%/collation.h %D%/collation.c \
	%D%/escape.h %D%/escape.c
libzset_la_SOURCES += \
	%D%/batch.h %D%/batch.c \
	%D%/chunks.h %D%/chunks.c %D%/sort.h %D%/sort.c %D%/rank.h %D%/rank.c \
	%D%/pile.h %D%/pile.c
libzset_la_SOURCES += \
	%D%/cells.h %D%/cells.c %D%/cells_update.c %D%/cells_walk.c \
	%D%/tree.h %D%/tree.c %D%/tree_node.h %D%/tree_node.c %D%/tree_change.c \
	%D%/tree_ahead.c %D%/cell.c %D%/cell_log.h %D%/cell_log.c \
	%D%/trace.h %D%/trace_cells.h %D%/trace_format.c %D%/trace.c %D%/trace_many.c
libzset_la_SOURCES += \
	%D%/linear.h %D%/linear.c \
	%D%/distinct.h %D%/distinct.c %D%/top.h %D%/top.c \
	%D%/join.h %D%/join.c \
	%D%/integral.h %D%/integral.c %D%/temporal.h %D%/temporal.c \
	%D%/aggregate.h %D%/aggregate.c \
	%D%/edge.h %D%/edge.c \
	%D%/pending.h %D%/pending.c \
	%D%/node.h %D%/node.c \
	%D%/node_input.c %D%/node_linear.c %D%/node_state.c %D%/node_output.c \
	%D%/node_temporal.c %D%/piece.h \
	%D%/circuit.h %D%/circuit.c \
	%D%/rebuild.h %D%/rebuild.c
libzset_la_SOURCES += %D%/zset.h %D%/zset.c
libzset_la_SOURCES += \
	%D%/fold.h %D%/fold.c %D%/fold_group.h %D%/fold_group.c \
	%D%/fold_lane.h %D%/fold_lane.c %D%/fold_settle.c \
	%D%/fold_choice.h %D%/fold_choice.c %D%/fold_refold.h %D%/fold_refold.c \
	%D%/fold_read.h %D%/fold_read.c %D%/fold_values.h %D%/fold_values.c

# For users of the library: libzset.a, its headers (#include "core/circuit.h") and zset.pc.
lib_LIBRARIES = libzset.a
libzset_a_SOURCES = $(libzset_la_SOURCES)
libzset_a_CFLAGS = $(AM_CFLAGS)
libzset_a_AR = $(AR) cr
zsetincludedir = $(includedir)/zset
nobase_zsetinclude_HEADERS = \
	%D%/status.h %D%/alloc.h %D%/buffer.h %D%/row.h %D%/exact.h %D%/batch.h %D%/zset.h \
	%D%/cells.h %D%/trace.h %D%/linear.h %D%/edge.h %D%/integral.h %D%/temporal.h \
	%D%/distinct.h %D%/join.h %D%/top.h %D%/aggregate.h %D%/fold.h %D%/circuit.h \
	%D%/rebuild.h
# Manual pages, made from the headers.
nodist_man_MANS = \
	core/zset-status.3 core/zset-alloc.3 core/zset-buffer.3 core/zset-row.3 core/zset-exact.3 \
	core/zset-batch.3 core/zset-zset.3 core/zset-cells.3 core/zset-trace.3 core/zset-linear.3 \
	core/zset-edge.3 core/zset-integral.3 core/zset-temporal.3 core/zset-distinct.3 \
	core/zset-join.3 core/zset-top.3 core/zset-aggregate.3 core/zset-fold.3 core/zset-circuit.3 \
	core/zset-rebuild.3
$(nodist_man_MANS): core/man.stamp
core/man.stamp: $(nobase_zsetinclude_HEADERS) %D%/man.awk Makefile
	$(AM_V_GEN)$(MKDIR_P) core && \
	names=`for h in $(nobase_zsetinclude_HEADERS); do basename $$h .h; done | sort` && \
	for name in $$names; do \
	  LC_ALL=C $(AWK) -v name=$$name -v version=$(PACKAGE_VERSION) -v others="`echo $$names`" \
	    -f $(srcdir)/core/man.awk $(srcdir)/core/$$name.h >core/zset-$$name.3 || exit 1; \
	done && touch core/man.stamp
EXTRA_DIST += %D%/man.awk
CLEANFILES += core/man.stamp $(nodist_man_MANS)
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = core/zset.pc
core/zset.pc: %D%/zset.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) core && sed -e 's,[@]prefix[@],$(prefix),' -e 's,[@]libdir[@],$(libdir),' \
	  -e 's,[@]includedir[@],$(includedir),' -e 's,[@]PACKAGE_VERSION[@],$(PACKAGE_VERSION),' \
	  $(srcdir)/core/zset.pc.in >core/zset.pc.part && mv core/zset.pc.part core/zset.pc
EXTRA_DIST += %D%/zset.pc.in
CLEANFILES += core/zset.pc core/zset.pc.part
