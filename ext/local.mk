# lockstep.so: virtual tables, capture, logs, stored traces, plan -> circuit.
pkglib_LTLIBRARIES = lockstep.la
lockstep_sources = \
	%D%/absent.h %D%/absent.c \
	%D%/api.h \
	%D%/batchtable.h %D%/batchtable.c \
	%D%/best_index.h %D%/best_index.c \
	%D%/budget.h %D%/budget.c \
	%D%/candidate.h %D%/candidate.c \
	%D%/capture.h %D%/capture.c \
	%D%/change.h %D%/change.c \
	%D%/check.h %D%/check.c \
	%D%/checksum.h %D%/checksum.c \
	%D%/collation.h %D%/collation.c \
	%D%/command.h %D%/command.c \
	%D%/comparable.h %D%/comparable.c \
	%D%/compare.h %D%/compare.c \
	%D%/connection.c \
	%D%/course.h %D%/course.c \
	%D%/create.h %D%/create.c %D%/connect.c %D%/drop.c \
	%D%/cursor.h %D%/cursor.c %D%/cursor_next.c \
	%D%/declaration.h %D%/declaration.c \
	%D%/declared.h %D%/declared.c \
	%D%/eponym.h %D%/eponym.c \
	%D%/definition.h %D%/definition.c \
	%D%/each_row.h %D%/each_row.c \
	%D%/encoder.h %D%/encoder.c \
	%D%/explain.h %D%/explain_private.h %D%/explain.c %D%/explain_words.c \
	%D%/fill.h %D%/fill.c \
	%D%/functions.h %D%/functions.c \
	%D%/gather.h %D%/gather.c \
	%D%/glance.h %D%/glance.c \
	%D%/hidden.h %D%/hidden.c \
	%D%/index_text.h %D%/index_text.c \
	%D%/indexes.h %D%/indexes.c %D%/lacking.h %D%/lacking.c %D%/scans.h %D%/scans.c \
	%D%/join.h %D%/join.c \
	%D%/memo.h %D%/memo.c %D%/replies.h %D%/replies.c %D%/layer.h %D%/layer.c \
	%D%/listing.h %D%/listing.c \
	%D%/lockstep.c \
	%D%/location.h %D%/location.c \
	%D%/lookup.h %D%/lookup.c \
	%D%/made.h %D%/made.c \
	%D%/map.h %D%/map.c \
	%D%/mark.h %D%/mark.c \
	%D%/bystander.h %D%/bystander.c \
	%D%/meddling.h %D%/meddling.c \
	%D%/moment.h %D%/moment.c \
	%D%/returning.h %D%/returning.c \
	%D%/narrow.h %D%/narrow.c \
	%D%/overlay.h %D%/overlay.c %D%/overlay_private.h %D%/overlay_store.c %D%/part.c \
	%D%/pending.h %D%/pending.c \
	%D%/pieces.c \
	%D%/picture.h %D%/picture.c \
	%D%/pipeline.h %D%/pipeline_private.h %D%/pipeline.c %D%/wiring.c \
	%D%/build.c %D%/build_top.h %D%/build_top.c \
	%D%/plantable.h %D%/plantable.c \
	%D%/policy.h %D%/policy.c \
	%D%/pool.h %D%/pool.c \
	%D%/reader.h %D%/reader.c \
	%D%/refold.h %D%/refold.c \
	%D%/rests.h %D%/rests.c \
	%D%/runs.h %D%/runs.c \
	%D%/result.h %D%/result_private.h %D%/result.c %D%/result_show.c %D%/result_order.c %D%/result_store.c \
	%D%/result_build.c %D%/result_stored.c %D%/result_ahead.c \
	%D%/selection.h %D%/selection.c %D%/argument.h %D%/argument.c \
	%D%/aside.h %D%/aside.c %D%/called.h %D%/called.c \
	%D%/shadow.h %D%/shadow.c \
	%D%/sink.h %D%/sink.c \
	%D%/source.h %D%/source_private.h %D%/source.c %D%/take.c %D%/ahead.c %D%/source_text.c \
	%D%/reconcile.c \
	%D%/relation.h %D%/relation_private.h %D%/relation.c %D%/relation_plan.c %D%/relation_scan.c \
	%D%/relation_shape.c %D%/relation_table.c %D%/relation_made.c \
	%D%/spelling.h %D%/spelling.c \
	%D%/spool.h %D%/spool.c \
	%D%/state.h %D%/state.c \
	%D%/statement.h %D%/statement.c \
	%D%/store.c \
	%D%/table.h %D%/table.c \
	%D%/tables.h %D%/tables.c \
	%D%/trigger.h %D%/trigger.c \
	%D%/view.h %D%/view.c %D%/levels.c %D%/refresh.c \
	%D%/viewtable.h %D%/viewtable.c
lockstep_la_SOURCES = $(lockstep_sources)
lockstep_la_LIBADD = libzsql.la libzset.la
lockstep_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^sqlite3_lockstep_init$$'
lockstep_la_CFLAGS = $(AM_CFLAGS)

# The same code once more for test programs, which link SQLite instead of being loaded by it.
noinst_LTLIBRARIES += liblockstep_core.la
liblockstep_core_la_SOURCES = $(lockstep_sources)
liblockstep_core_la_LIBADD = libzsql.la libzset.la
liblockstep_core_la_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
liblockstep_core_la_CFLAGS = $(AM_CFLAGS)
$(lockstep_la_OBJECTS) $(liblockstep_core_la_OBJECTS): sql/parse.h
