# Check suites, one a module; SQL scenarios in the real shell; the differential test.
if HAVE_CHECK
test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS) $(MPFR_CFLAGS)

check_PROGRAMS += tests/test_exact tests/test_exact_laws
TESTS += tests/test_exact tests/test_exact_laws
tests_test_exact_SOURCES = %D%/test_exact.c
tests_test_exact_CFLAGS = $(test_cflags)
tests_test_exact_LDADD = libzset.la $(CHECK_LIBS)
tests_test_exact_laws_SOURCES = %D%/test_exact_laws.c %D%/exact_rivals.h %D%/exact_rivals.c
tests_test_exact_laws_CFLAGS = $(test_cflags)
tests_test_exact_laws_LDADD = libzset.la $(MPFR_LIBS) $(CHECK_LIBS) -lm

law_sources = \
	%D%/random.h %D%/random.c \
	%D%/check_alloc.h %D%/check_alloc.c \
	%D%/property.h %D%/property.c

check_PROGRAMS += tests/test_row
TESTS += tests/test_row
tests_test_row_SOURCES = %D%/test_row.c $(law_sources) \
	%D%/random_value.h %D%/random_value.c \
	%D%/row_laws.h %D%/row_laws.c %D%/row_rivals.c \
	%D%/row_oracle.h %D%/row_oracle.c
tests_test_row_CFLAGS = $(test_cflags)
tests_test_row_LDADD = libzset.la $(SQLITE_LIBS) $(CHECK_LIBS) -lm
endif
