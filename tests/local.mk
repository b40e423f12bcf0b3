# Check suites, one a module; SQL scenarios in the real shell; the differential test.
if HAVE_CHECK
test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS) $(MPFR_CFLAGS)

# The longest comes first, beside which the others run. The suites that it runs under other versions
# of SQLite are those with the extension linked in. A test that hangs is stopped; one that waits for a
# core beside others is not.
TESTS += %D%/test_versions.sh
dist_check_SCRIPTS += %D%/test_versions.sh %D%/fetch_clients.sh
version_suites = tests/test_rules tests/test_savepoints tests/test_endings \
	tests/test_unwriting tests/test_readers tests/test_connections tests/test_damage \
	tests/test_settings tests/test_copies tests/test_integrity tests/test_reads \
	tests/test_memory tests/test_faults tests/test_power tests/test_kill tests/test_result \
	tests/test_bounds tests/test_first_rows tests/test_narrow tests/test_relation \
	tests/test_gather tests/test_made tests/test_transaction tests/test_transaction_rules \
	tests/test_reentry tests/test_course tests/test_scans tests/test_collations
AM_TESTS_ENVIRONMENT = SUITES='$(version_suites)'; CK_DEFAULT_TIMEOUT=120; \
	export SUITES CK_DEFAULT_TIMEOUT;
# Under the sanitizers a slice of what repeats itself, as tests/slice.h says.
if SANITIZERS
AM_TESTS_ENVIRONMENT += LOCKSTEP_SLICE=$${LOCKSTEP_SLICE:-3}; export LOCKSTEP_SLICE;
endif

check_PROGRAMS += tests/test_exact
TESTS += tests/test_exact
tests_test_exact_SOURCES = %D%/test_exact.c $(law_sources) \
	%D%/exact_laws.h %D%/exact_laws.c %D%/exact_rivals.c
tests_test_exact_CFLAGS = $(test_cflags)
tests_test_exact_LDADD = libzset.la $(MPFR_LIBS) $(CHECK_LIBS) -lm

law_sources = \
	%D%/random.h %D%/random.c \
	%D%/check_alloc.h %D%/check_alloc.c \
	%D%/property.h %D%/property.c %D%/must.h

check_PROGRAMS += tests/test_row
TESTS += tests/test_row
tests_test_row_SOURCES = %D%/test_row.c $(law_sources) \
	%D%/random_value.h %D%/random_value.c \
	%D%/row_laws.h %D%/row_laws.c %D%/row_rivals.c \
	%D%/row_oracle.h %D%/row_oracle.c
tests_test_row_CFLAGS = $(test_cflags)
tests_test_row_LDADD = libzset.la $(SQLITE_LIBS) $(CHECK_LIBS) -lm

check_PROGRAMS += tests/test_fold
TESTS += tests/test_fold
tests_test_fold_SOURCES = %D%/test_fold.c $(law_sources) \
	%D%/fold_laws.h %D%/fold_laws.c \
	%D%/fold_model.h %D%/fold_model.c %D%/fold_model_choice.c %D%/fold_model_refold.c \
	%D%/naive_fold.c
tests_test_fold_CFLAGS = $(test_cflags)
tests_test_fold_LDADD = libzset.la $(CHECK_LIBS) -lm

check_PROGRAMS += tests/test_fold_rows
TESTS += tests/test_fold_rows
tests_test_fold_rows_SOURCES = %D%/test_fold_rows.c %D%/check_alloc.h %D%/check_alloc.c \
	%D%/fold_model.h
tests_test_fold_rows_CFLAGS = $(test_cflags)
tests_test_fold_rows_LDADD = libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_fold_step
TESTS += tests/test_fold_step
tests_test_fold_step_SOURCES = %D%/test_fold_step.c %D%/random.h %D%/random.c %D%/must.h \
	%D%/fold_model.h %D%/fold_model_refold.c
tests_test_fold_step_CFLAGS = $(test_cflags)
tests_test_fold_step_LDADD = libzset.la $(CHECK_LIBS) -lm

check_PROGRAMS += tests/test_parse
TESTS += tests/test_parse
tests_test_parse_SOURCES = %D%/test_parse.c %D%/typical_views.h %D%/typical_views.c \
	%D%/random.h %D%/random.c %D%/check_alloc.h %D%/check_alloc.c
tests_test_parse_CFLAGS = $(test_cflags)
tests_test_parse_LDADD = libzsql.la libzset.la $(SQLITE_LIBS) $(CHECK_LIBS)

# libzset by itself: a small program, and circuits that move between threads.
check_PROGRAMS += tests/zset_program tests/test_threads
TESTS += tests/test_threads %D%/test_zset_program.sh %D%/test_threads.sh %D%/test_man.sh
dist_check_SCRIPTS += %D%/test_zset_program.sh %D%/test_threads.sh %D%/test_man.sh
tests_zset_program_SOURCES = %D%/zset_program.c
tests_zset_program_LDADD = libzset.la
tests_test_threads_SOURCES = %D%/test_threads.c
tests_test_threads_LDADD = libzset.la -lpthread

# The naive side of the circuit's tests.
check_LTLIBRARIES = tests/libmodel.la
tests_libmodel_la_SOURCES = $(law_sources) \
	%D%/model.h %D%/model.c \
	%D%/delta_text.h %D%/delta_text.c \
	%D%/small_fold.h %D%/small_fold.c \
	%D%/small_circuit.h %D%/small_circuit.c \
	%D%/plain_state.h %D%/plain_state.c \
	%D%/graph.h %D%/graph.c \
	%D%/operator_law.h %D%/operator_law.c \
	%D%/rig.h %D%/rig.c %D%/rig_build.c \
	%D%/history.h %D%/history.c \
	%D%/death.h %D%/death.c
tests_libmodel_la_CFLAGS = $(test_cflags)
tests_libmodel_la_LIBADD = libzset.la
circuit_tests_ldadd = tests/libmodel.la libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_linear
TESTS += tests/test_linear
tests_test_linear_SOURCES = %D%/test_linear.c
tests_test_linear_CFLAGS = $(test_cflags)
tests_test_linear_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_pacing
TESTS += tests/test_pacing
tests_test_pacing_SOURCES = %D%/test_pacing.c %D%/pacing.h %D%/pacing.c %D%/pacing_run.c
tests_test_pacing_CFLAGS = $(test_cflags)
tests_test_pacing_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_rebuild
TESTS += tests/test_rebuild
tests_test_rebuild_SOURCES = %D%/test_rebuild.c %D%/rebuild_laws.h %D%/rebuild_laws.c \
	%D%/rebuild_stage.h %D%/rebuild_stage.c
tests_test_rebuild_CFLAGS = $(test_cflags)
tests_test_rebuild_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_temporal tests/test_join
TESTS += tests/test_temporal tests/test_join
tests_test_temporal_SOURCES = %D%/test_temporal.c
tests_test_temporal_CFLAGS = $(test_cflags)
tests_test_temporal_LDADD = $(circuit_tests_ldadd)
tests_test_join_SOURCES = %D%/test_join.c %D%/join_laws.h %D%/join_laws.c
tests_test_join_CFLAGS = $(test_cflags)
tests_test_join_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_distinct
TESTS += tests/test_distinct
tests_test_distinct_SOURCES = %D%/test_distinct.c
tests_test_distinct_CFLAGS = $(test_cflags)
tests_test_distinct_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_top
TESTS += tests/test_top
tests_test_top_SOURCES = %D%/test_top.c %D%/random_value.h %D%/random_value.c
tests_test_top_CFLAGS = $(test_cflags)
tests_test_top_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_top_floor
TESTS += tests/test_top_floor
tests_test_top_floor_SOURCES = %D%/test_top_floor.c
tests_test_top_floor_CFLAGS = $(test_cflags)
tests_test_top_floor_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_aggregate
TESTS += tests/test_aggregate
tests_test_aggregate_SOURCES = %D%/test_aggregate.c
tests_test_aggregate_CFLAGS = $(test_cflags)
tests_test_aggregate_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_circuit
TESTS += tests/test_circuit
tests_test_circuit_SOURCES = %D%/test_circuit.c
tests_test_circuit_CFLAGS = $(test_cflags)
tests_test_circuit_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_handles
TESTS += tests/test_handles
tests_test_handles_SOURCES = %D%/test_handles.c
tests_test_handles_CFLAGS = $(test_cflags)
tests_test_handles_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_transaction
TESTS += tests/test_transaction
tests_test_transaction_SOURCES = %D%/test_transaction.c
tests_test_transaction_CFLAGS = $(test_cflags)
tests_test_transaction_LDADD = $(circuit_tests_ldadd)
check_PROGRAMS += tests/test_transaction_rules
TESTS += tests/test_transaction_rules
tests_test_transaction_rules_SOURCES = %D%/test_transaction_rules.c
tests_test_transaction_rules_CFLAGS = $(test_cflags)
tests_test_transaction_rules_LDADD = $(circuit_tests_ldadd)

check_PROGRAMS += tests/test_zset
TESTS += tests/test_zset
tests_test_zset_SOURCES = %D%/test_zset.c $(law_sources) \
	%D%/zset_laws.h %D%/zset_laws.c %D%/zset_kinds.c
tests_test_zset_CFLAGS = $(test_cflags)
tests_test_zset_LDADD = libzset.la $(CHECK_LIBS)

# The differential test: engines lockstep, plain and the rivals; see tests/differential.c.
check_PROGRAMS += tests/differential
tests_differential_SOURCES = %D%/differential.c \
	%D%/diff_random.h %D%/diff_random.c \
	%D%/diff_text.h %D%/diff_text.c \
	%D%/diff_case.h %D%/diff_case.c %D%/diff_schema.c %D%/diff_value.c %D%/diff_condition.c \
	%D%/diff_compose.h %D%/diff_compose.c %D%/diff_compose_bare.c %D%/diff_compose_query.c %D%/diff_compose_from.c %D%/diff_compose_source.c \
	%D%/diff_compose_term.c %D%/diff_compose_subquery.c %D%/diff_compose_fold.c \
	%D%/diff_view.h %D%/diff_view.c %D%/diff_aggregate.c %D%/diff_probe.c \
	%D%/diff_statement.h %D%/diff_forms.c %D%/diff_insert.c %D%/diff_update.c %D%/diff_script.c %D%/diff_between.c %D%/diff_trigger.c \
	%D%/diff_result.h %D%/diff_result.c %D%/diff_pieces.h %D%/diff_pieces.c \
	%D%/diff_world.h %D%/diff_world.c %D%/diff_query.c %D%/diff_compare.c %D%/diff_replay.c %D%/diff_look.c %D%/diff_cursor.h %D%/diff_cursor.c %D%/diff_twin.c %D%/diff_ddl.c \
	%D%/diff_engine.h %D%/diff_engine.c \
	%D%/diff_rival.h %D%/diff_rival.c %D%/diff_rules.c %D%/diff_copies.c \
	%D%/diff_survey.h %D%/diff_survey.c %D%/diff_course.h %D%/diff_course.c %D%/diff_shrink.h %D%/diff_shrink.c %D%/diff_print.c
tests_differential_CFLAGS = $(test_cflags)
tests_differential_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
dist_check_SCRIPTS += %D%/test_differential.sh
TESTS += %D%/test_differential.sh

check_PROGRAMS += tests/test_typical_views
TESTS += tests/test_typical_views
kept_sources = %D%/kept_views.h %D%/kept_views.c \
	%D%/diff_random.h %D%/diff_random.c %D%/diff_text.h %D%/diff_text.c \
	%D%/diff_result.h %D%/diff_result.c %D%/diff_pieces.h %D%/diff_pieces.c
tests_test_typical_views_SOURCES = %D%/test_typical_views.c %D%/slice.h \
	%D%/typical_views.h %D%/typical_views.c %D%/application_views.c %D%/typical_statement.h %D%/typical_statement.c \
	%D%/typical_course.h %D%/typical_course.c $(kept_sources)
tests_test_typical_views_CFLAGS = $(test_cflags)
tests_test_typical_views_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm

check_PROGRAMS += tests/test_tpch
TESTS += tests/test_tpch
tpch_sources = %D%/tpch/tpch.h %D%/tpch/queries.c %D%/tpch/stream.c %D%/tpch/tables.c \
	%D%/tpch/values.c $(kept_sources)
tests_test_tpch_SOURCES = %D%/tpch/test_tpch.c $(tpch_sources)
tests_test_tpch_CFLAGS = $(test_cflags)
tests_test_tpch_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm

# Many connections over one file, in processes and threads.
check_PROGRAMS += tests/stress_processes
TESTS += tests/stress_processes
tests_stress_processes_SOURCES = %D%/stress_processes.c \
	%D%/crowd.h %D%/crowd_member.c %D%/crowd_schema.c %D%/crowd_compare.c $(kept_sources)
tests_stress_processes_CFLAGS = $(test_cflags)
tests_stress_processes_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lpthread -lm

# Long runs with a fresh seed, which is printed: make stress SECONDS=3600
SECONDS = 600
stress: lockstep.so tests/differential tests/test_typical_views tests/test_tpch \
		tests/stress_processes tests/test_damage tests/test_settings tests/test_reentry tests/test_memory \
		tests/test_rules tests/test_faults tests/test_power tests/test_kill tests/bench/memory$(EXEEXT)
	LOCKSTEP_SEED=$$(date +%s) tests/test_damage 1000
	tests/test_settings 40
	LOCKSTEP_EVERY=1 CK_RUN_CASE=commands tests/test_rules
	tests/test_reentry 4
	tests/differential --seconds $(SECONDS) $(STRESS)
	tests/differential --accepted 1000 --views 85 --refusals-fail $(STRESS)
	tests/differential --seconds $(SECONDS) --between --views 50 --user-triggers --ddl --mid-statement $(STRESS)
	tests/test_typical_views --seed $$(date +%s) --rounds 50 --engine lockstep
	tests/test_tpch --scale 0.01 --seed $$(date +%s) --changes 100 --engine lockstep
	$(srcdir)/%D%/test_stranger.sh --seed $$(date +%s) --seconds $(SECONDS) || test $$? = 77
	tests/stress_processes --seed $$(date +%s) --seconds 60
	LOCKSTEP_TIMES=1 tests/test_memory
	LOCKSTEP_EVERY=101 LOCKSTEP_SEED=$$(date +%s) tests/test_memory
	LOCKSTEP_TIMES=1 tests/test_faults
	LOCKSTEP_EVERY=1 LOCKSTEP_SEED=$$(date +%s) tests/test_power
	LOCKSTEP_KILLS=1000 LOCKSTEP_SEED=$$(date +%s) tests/test_kill
	tests/bench/memory$(EXEEXT) --rows 200000 --bytes 2000000
	tests/bench/memory$(EXEEXT) --rows 200000 --bytes 2000000 --maintain commit --journal wal

# Fuzz targets, each with a corpus. make check runs them over it; make fuzz lets libFuzzer (Debian: clang and
# libclang-rt-14-dev) go on from it, in a build of its own: make fuzz SECONDS=600 FUZZ="rows sql".
FUZZ = rows fold trace sql view
fuzz_programs = tests/fuzz_rows tests/fuzz_fold tests/fuzz_trace tests/fuzz_sql tests/fuzz_view
check_PROGRAMS += $(fuzz_programs)
dist_check_SCRIPTS += %D%/test_corpora.sh
TESTS += %D%/test_corpora.sh
EXTRA_DIST += %D%/corpus %D%/fuzz_sql.dict
if FUZZERS
fuzz_main =
fuzz_ldflags = -fsanitize=fuzzer
else
fuzz_main = %D%/fuzz_replay.c
fuzz_ldflags =
endif
tests_fuzz_rows_SOURCES = %D%/fuzz.h %D%/fuzz_rows.c $(fuzz_main)
tests_fuzz_rows_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_rows_LDADD = libzset.la -lm
tests_fuzz_fold_SOURCES = %D%/fuzz.h %D%/fuzz_fold.c $(fuzz_main)
tests_fuzz_fold_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fold_LDADD = libzset.la -lm
tests_fuzz_trace_SOURCES = %D%/fuzz.h %D%/fuzz_trace.c $(fuzz_main)
tests_fuzz_trace_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_trace_LDADD = libzset.la -lm
tests_fuzz_sql_SOURCES = %D%/fuzz.h %D%/fuzz_sql.c %D%/plan_cases.h %D%/plan_cases.c \
	%D%/sql_catalogue.h %D%/sql_catalogue.c $(fuzz_main)
tests_fuzz_sql_CFLAGS = $(test_cflags)
tests_fuzz_sql_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_sql_LDADD = libzsql.la libzset.la $(SQLITE_LIBS) -lm
tests_fuzz_view_SOURCES = %D%/fuzz.h %D%/fuzz_view.c $(fuzz_main)
tests_fuzz_view_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_fuzz_view_CFLAGS = $(test_cflags)
tests_fuzz_view_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_view_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
fuzz:
	$(MKDIR_P) build_fuzz
	test -f build_fuzz/Makefile || (cd build_fuzz && $(abs_srcdir)/configure -q CC=clang CFLAGS= --enable-fuzzers)
	$(MAKE) -C build_fuzz fuzz-run SECONDS=$(SECONDS) FUZZ="$(FUZZ)"
fuzz-run: $(fuzz_programs)
	for name in $(FUZZ); do \
	  words=$(srcdir)/tests/fuzz_$$name.dict; \
	  tests/fuzz_$$name -max_total_time=$(SECONDS) -timeout=60 -max_len=400 -len_control=0 \
	    -print_final_stats=1 $$(test ! -f $$words || echo -dict=$$words) \
	    $(srcdir)/tests/corpus/$$name || exit 1; \
	done

# SQL scenarios, in the real shell, or where that cannot load the module in a linked runner.
check_PROGRAMS += tests/sqlrun
tests_sqlrun_SOURCES = %D%/sqlrun.c %D%/diff_text.h %D%/diff_text.c
tests_sqlrun_CFLAGS = $(test_cflags)
tests_sqlrun_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
dist_check_SCRIPTS += %D%/run-sql.sh %D%/test_two_programs.sh %D%/test_layers.sh
TESTS += %D%/run-sql.sh %D%/test_two_programs.sh %D%/test_layers.sh
client_tests = %D%/test_python.sh %D%/test_client_python.sh %D%/test_client_node.sh \
	%D%/test_stranger.sh
dist_check_SCRIPTS += $(client_tests) %D%/test_remove.sh
TESTS += $(client_tests) %D%/test_remove.sh
EXTRA_DIST += %D%/stranger/stranger.py %D%/stranger/player.py %D%/stranger/case.py \
	%D%/stranger/world.py %D%/stranger/results.py %D%/stranger/judge.py %D%/stranger/shrink.py \
	%D%/stranger/words.py %D%/stranger/values.py %D%/stranger/schema.py \
	%D%/stranger/expressions.py %D%/stranger/subqueries.py %D%/stranger/queries.py \
	%D%/stranger/idioms.py %D%/stranger/statements.py %D%/stranger/changes.py \
	%D%/stranger/reads.py %D%/stranger/between.py %D%/stranger/freedom.py %D%/stranger/limits.py
EXTRA_DIST += %D%/client.sh %D%/python_session.py %D%/scenario.py %D%/scenario.js %D%/suite.h
EXTRA_DIST += %D%/sql
if SANITIZERS
AM_TESTS_ENVIRONMENT += SQLRUN=tests/sqlrun; export SQLRUN;
endif

check_PROGRAMS += tests/test_pile
TESTS += tests/test_pile
tests_test_pile_SOURCES = %D%/test_pile.c %D%/check_alloc.h %D%/check_alloc.c \
	%D%/random.h %D%/random.c %D%/must.h
tests_test_pile_CFLAGS = $(test_cflags)
tests_test_pile_LDADD = libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_batch
TESTS += tests/test_batch
tests_test_batch_SOURCES = %D%/test_batch.c $(law_sources) \
	%D%/batch_laws.h %D%/batch_laws.c %D%/batch_kinds.c
tests_test_batch_CFLAGS = $(test_cflags)
tests_test_batch_LDADD = libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_plan_run
TESTS += tests/test_plan_run
tests_test_plan_run_SOURCES = %D%/test_plan_run.c %D%/plan_run.h %D%/plan_run.c \
	%D%/random_select.h %D%/random_select.c %D%/plan_text.h %D%/plan_text.c \
	%D%/sql_catalogue.h %D%/sql_catalogue.c %D%/random.h %D%/random.c
tests_test_plan_run_CFLAGS = $(test_cflags)
tests_test_plan_run_LDADD = libzsql.la libzset.la $(SQLITE_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/test_cells
TESTS += tests/test_cells
tests_test_cells_SOURCES = %D%/test_cells.c $(law_sources) \
	%D%/cells_laws.h %D%/cells_laws.c %D%/cells_model.c
tests_test_cells_CFLAGS = $(test_cflags)
tests_test_cells_LDADD = libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_trace
TESTS += tests/test_trace
tests_test_trace_SOURCES = %D%/test_trace.c $(law_sources) \
	%D%/trace_laws.h %D%/trace_laws.c %D%/trace_kinds.c
tests_test_trace_CFLAGS = $(test_cflags)
tests_test_trace_LDADD = libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_plan tests/test_options
TESTS += tests/test_plan tests/test_options
tests_test_plan_SOURCES = %D%/test_plan.c %D%/plan_cases.h %D%/plan_cases.c \
	%D%/plan_text.h %D%/plan_text.c %D%/sql_catalogue.h %D%/sql_catalogue.c \
	%D%/typical_views.h %D%/typical_views.c %D%/random_select.h %D%/random_select.c \
	%D%/random.h %D%/random.c %D%/check_alloc.h %D%/check_alloc.c
tests_test_plan_CFLAGS = $(test_cflags)
tests_test_plan_LDADD = libzsql.la libzset.la $(SQLITE_LIBS) $(CHECK_LIBS)
tests_test_options_SOURCES = %D%/test_options.c \
	%D%/random.h %D%/random.c %D%/check_alloc.h %D%/check_alloc.c
tests_test_options_CFLAGS = $(test_cflags)
tests_test_options_LDADD = libzsql.la libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_head
TESTS += tests/test_head
tests_test_head_SOURCES = %D%/test_head.c %D%/check_alloc.h %D%/check_alloc.c
tests_test_head_CFLAGS = $(test_cflags)
tests_test_head_LDADD = libzsql.la libzset.la $(CHECK_LIBS)

check_PROGRAMS += tests/test_lookups
TESTS += tests/test_lookups
tests_test_lookups_SOURCES = %D%/test_lookups.c %D%/sql_catalogue.h %D%/sql_catalogue.c
tests_test_lookups_CFLAGS = $(test_cflags)
tests_test_lookups_LDADD = libzsql.la libzset.la $(SQLITE_LIBS) $(CHECK_LIBS)

# The suites of ext/, with the extension linked in.
live_sources = %D%/live.h %D%/live.c %D%/must.h
live_ldadd = liblockstep_core.la $(SQLITE_LIBS) $(CHECK_LIBS) -lm
check_PROGRAMS += tests/test_rules
TESTS += tests/test_rules
tests_test_rules_SOURCES = %D%/test_rules.c %D%/rules.h %D%/rules_positions.c \
	%D%/rules_moments.c %D%/rules_returning.c %D%/rules_storing.c %D%/rules_capture.c %D%/rules_meddling.c %D%/rules_schema.c %D%/rules_joins.c %D%/rules_gone.c %D%/rules_renamed.c %D%/rules_commands.c \
	$(live_sources)
tests_test_rules_CFLAGS = $(test_cflags)
tests_test_rules_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_savepoints
TESTS += tests/test_savepoints
world_sources = %D%/worlds.h %D%/worlds.c $(live_sources)
tests_test_savepoints_SOURCES = %D%/test_savepoints.c $(world_sources) \
	%D%/slice.h %D%/random.h %D%/random.c
tests_test_savepoints_CFLAGS = $(test_cflags)
tests_test_savepoints_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_endings
TESTS += tests/test_endings
tests_test_endings_SOURCES = %D%/test_endings.c $(world_sources) \
	%D%/random.h %D%/random.c
tests_test_endings_CFLAGS = $(test_cflags)
tests_test_endings_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_unwriting
TESTS += tests/test_unwriting
tests_test_unwriting_SOURCES = %D%/test_unwriting.c $(world_sources)
tests_test_unwriting_CFLAGS = $(test_cflags)
tests_test_unwriting_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_readers
TESTS += tests/test_readers
tests_test_readers_SOURCES = %D%/test_readers.c $(live_sources) \
	%D%/random.h %D%/random.c
tests_test_readers_CFLAGS = $(test_cflags)
tests_test_readers_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_connections
TESTS += tests/test_connections
tests_test_connections_SOURCES = %D%/test_connections.c $(live_sources)
tests_test_connections_CFLAGS = $(test_cflags)
tests_test_connections_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_damage
TESTS += tests/test_damage
tests_test_damage_SOURCES = %D%/test_damage.c %D%/damage.h %D%/damage.c \
	%D%/damage_scene.h %D%/damage_scene.c $(live_sources) \
	%D%/random.h %D%/random.c
tests_test_damage_CFLAGS = $(test_cflags)
tests_test_damage_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_course
TESTS += tests/test_course
tests_test_course_SOURCES = %D%/test_course.c $(live_sources)
tests_test_course_CFLAGS = $(test_cflags)
tests_test_course_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_reentry
TESTS += tests/test_reentry
tests_test_reentry_SOURCES = %D%/test_reentry.c $(live_sources)
tests_test_reentry_CFLAGS = $(test_cflags)
tests_test_reentry_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_collations
TESTS += tests/test_collations
tests_test_collations_SOURCES = %D%/test_collations.c $(live_sources)
tests_test_collations_CFLAGS = $(test_cflags)
tests_test_collations_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_settings
TESTS += tests/test_settings
tests_test_settings_SOURCES = %D%/test_settings.c $(live_sources)
tests_test_settings_CFLAGS = $(test_cflags)
tests_test_settings_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_integrity
TESTS += tests/test_integrity
tests_test_integrity_SOURCES = %D%/test_integrity.c $(live_sources)
tests_test_integrity_CFLAGS = $(test_cflags)
tests_test_integrity_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_copies
TESTS += tests/test_copies
tests_test_copies_SOURCES = %D%/test_copies.c $(live_sources)
tests_test_copies_CFLAGS = $(test_cflags)
tests_test_copies_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_reads
TESTS += tests/test_reads
tests_test_reads_SOURCES = %D%/test_reads.c $(live_sources)
tests_test_reads_CFLAGS = $(test_cflags)
tests_test_reads_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_memory
TESTS += tests/test_memory
scene_sources = %D%/scenes.h %D%/scenes.c %D%/scene_play.c %D%/branch.h %D%/branch.c \
	%D%/random.h %D%/random.c $(live_sources)
tests_test_memory_SOURCES = %D%/test_memory.c $(scene_sources)
tests_test_memory_CFLAGS = $(test_cflags)
tests_test_memory_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_faults
TESTS += tests/test_faults
disk_sources = %D%/disk.h %D%/disk.c %D%/disk_file.h %D%/disk_file.c
tests_test_faults_SOURCES = %D%/test_faults.c $(disk_sources) $(scene_sources)
tests_test_faults_CFLAGS = $(test_cflags)
tests_test_faults_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_power tests/test_kill
TESTS += tests/test_power tests/test_kill
workload_sources = %D%/workload.h %D%/workload.c $(live_sources)
tests_test_power_SOURCES = %D%/test_power.c $(disk_sources) %D%/branch.h %D%/branch.c \
	%D%/random.h %D%/random.c $(workload_sources)
tests_test_power_CFLAGS = $(test_cflags)
tests_test_power_LDADD = $(live_ldadd)
tests_test_kill_SOURCES = %D%/test_kill.c $(workload_sources) %D%/random.h %D%/random.c
tests_test_kill_CFLAGS = $(test_cflags)
tests_test_kill_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_result
TESTS += tests/test_result
tests_test_result_SOURCES = %D%/test_result.c $(live_sources) \
	%D%/random.h %D%/random.c
tests_test_result_CFLAGS = $(test_cflags)
tests_test_result_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_bounds
TESTS += tests/test_bounds
tests_test_bounds_SOURCES = %D%/test_bounds.c $(live_sources)
tests_test_bounds_CFLAGS = $(test_cflags)
tests_test_bounds_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_first_rows
TESTS += tests/test_first_rows
tests_test_first_rows_SOURCES = %D%/test_first_rows.c $(live_sources)
tests_test_first_rows_CFLAGS = $(test_cflags)
tests_test_first_rows_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_narrow
TESTS += tests/test_narrow
tests_test_narrow_SOURCES = %D%/test_narrow.c $(live_sources) \
	%D%/random.h %D%/random.c
tests_test_narrow_CFLAGS = $(test_cflags)
tests_test_narrow_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_relation
TESTS += tests/test_relation
tests_test_relation_SOURCES = %D%/test_relation.c $(live_sources) \
	%D%/random.h %D%/random.c %D%/must.h
tests_test_relation_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_relation_CFLAGS = $(test_cflags)
tests_test_relation_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_scans
TESTS += tests/test_scans
tests_test_scans_SOURCES = %D%/test_scans.c $(live_sources)
tests_test_scans_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_scans_CFLAGS = $(test_cflags)
tests_test_scans_LDADD = $(live_ldadd)
check_PROGRAMS += tests/test_gather
TESTS += tests/test_gather
tests_test_gather_SOURCES = %D%/test_gather.c $(live_sources) \
	%D%/random.h %D%/random.c %D%/must.h
tests_test_gather_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_gather_CFLAGS = $(test_cflags)
tests_test_gather_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_memo
TESTS += tests/test_memo
tests_test_memo_SOURCES = %D%/test_memo.c %D%/random.h %D%/random.c
tests_test_memo_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_memo_CFLAGS = $(test_cflags)
tests_test_memo_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_replies
TESTS += tests/test_replies
tests_test_replies_SOURCES = %D%/test_replies.c
tests_test_replies_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_replies_CFLAGS = $(test_cflags)
tests_test_replies_LDADD = $(live_ldadd)

check_PROGRAMS += tests/test_made
TESTS += tests/test_made
tests_test_made_SOURCES = %D%/test_made.c $(live_sources) \
	%D%/random.h %D%/random.c %D%/must.h
tests_test_made_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
tests_test_made_CFLAGS = $(test_cflags)
tests_test_made_LDADD = $(live_ldadd)
endif

# The documents' examples, in the real shell, which can't load a module built with sanitizers.
dist_check_SCRIPTS += %D%/test_documents.sh
if !SANITIZERS
TESTS += %D%/test_documents.sh
endif
