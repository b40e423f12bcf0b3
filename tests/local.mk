# Check suites, one a module; SQL scenarios in the real shell; the differential test.
if HAVE_CHECK
test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(SQLITE_CFLAGS) $(MPFR_CFLAGS)
endif
