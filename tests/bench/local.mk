# Benchmarks, built and run on request: make bench.
if HAVE_CHECK
EXTRA_PROGRAMS += tests/bench/write_path
tests_bench_write_path_SOURCES = %D%/write_path.c
tests_bench_write_path_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
tests_bench_write_path_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
CLEANFILES += tests/bench/write_path$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/mid_read
tests_bench_mid_read_SOURCES = %D%/mid_read.c
tests_bench_mid_read_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
tests_bench_mid_read_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
CLEANFILES += tests/bench/mid_read$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/tpch
tests_bench_tpch_SOURCES = %D%/tpch.c $(tpch_sources)
tests_bench_tpch_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
tests_bench_tpch_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
CLEANFILES += tests/bench/tpch$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/cost_law
tests_bench_cost_law_SOURCES = %D%/cost_law.c
tests_bench_cost_law_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
tests_bench_cost_law_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
CLEANFILES += tests/bench/cost_law$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/memory
tests_bench_memory_SOURCES = %D%/memory.c %D%/memory_cases.h %D%/memory_cases.c
tests_bench_memory_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
tests_bench_memory_LDADD = liblockstep_core.la $(SQLITE_LIBS) -lm
CLEANFILES += tests/bench/memory$(EXEEXT)
endif
EXTRA_DIST += %D%/write_path.c %D%/write_path.sh %D%/mid_read.c %D%/mid_read.sh %D%/cost_law.c \
	%D%/cost_law.sh

.PHONY: bench bench-cost-law bench-memory bench-mid-read bench-tpch
bench: tests/bench/write_path$(EXEEXT) bench-cost-law bench-mid-read bench-tpch
	@$(srcdir)/tests/bench/write_path.sh tests/bench/write_path$(EXEEXT)

bench-tpch: tests/bench/tpch$(EXEEXT)
	@tests/bench/tpch$(EXEEXT)

bench-mid-read: tests/bench/mid_read$(EXEEXT)
	@$(srcdir)/tests/bench/mid_read.sh tests/bench/mid_read$(EXEEXT)

bench-memory: tests/bench/memory$(EXEEXT)
	@tests/bench/memory$(EXEEXT) $(MEMORY)

bench-cost-law: tests/bench/cost_law$(EXEEXT)
	@$(srcdir)/tests/bench/cost_law.sh tests/bench/cost_law$(EXEEXT)

EXTRA_PROGRAMS += tests/bench/core
tests_bench_core_SOURCES = %D%/core.c tests/random.h tests/random.c
tests_bench_core_CFLAGS = $(AM_CFLAGS)
tests_bench_core_LDADD = libzset.la -lm
CLEANFILES += tests/bench/core$(EXEEXT)

.PHONY: bench-core
bench-core: tests/bench/core$(EXEEXT)
	@tests/bench/core$(EXEEXT)

EXTRA_PROGRAMS += tests/bench/trace
tests_bench_trace_SOURCES = %D%/trace.c tests/random.h tests/random.c
tests_bench_trace_CFLAGS = $(AM_CFLAGS)
tests_bench_trace_LDADD = libzset.la -lm
CLEANFILES += tests/bench/trace$(EXEEXT)

.PHONY: bench-trace
bench-trace: tests/bench/trace$(EXEEXT)
	@tests/bench/trace$(EXEEXT)
