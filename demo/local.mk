# The demonstration that quickstart runs; built on request: make demo/demo.
EXTRA_PROGRAMS += demo/demo
demo_demo_SOURCES = %D%/demo.c
demo_demo_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
demo_demo_LDADD = $(SQLITE_LIBS)
CLEANFILES += demo/demo$(EXEEXT)
EXTRA_DIST += %D%/packages.awk %D%/load.sql %D%/tour.sql
