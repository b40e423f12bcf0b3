# lockstep.so: virtual tables, capture, logs, stored traces, plan -> circuit.
pkglib_LTLIBRARIES = lockstep.la
lockstep_sources = \
	%D%/lockstep.c
lockstep_la_SOURCES = $(lockstep_sources)
lockstep_la_LIBADD = libzset.la
lockstep_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^sqlite3_lockstep_init$$'
lockstep_la_CFLAGS = $(AM_CFLAGS)

# The same code once more for test programs, which link SQLite instead of being loaded by it.
noinst_LTLIBRARIES += liblockstep_core.la
liblockstep_core_la_SOURCES = $(lockstep_sources)
liblockstep_core_la_LIBADD = libzset.la
liblockstep_core_la_CPPFLAGS = $(AM_CPPFLAGS) -DSQLITE_CORE
liblockstep_core_la_CFLAGS = $(AM_CFLAGS)
