# libzset: the algebra and the circuit. Knows nothing of SQLite.
noinst_LTLIBRARIES += libzset.la
libzset_la_SOURCES = \
	%D%/status.h \
	%D%/alloc.h %D%/alloc.c \
	%D%/buffer.h %D%/buffer.c
libzset_la_CFLAGS = $(AM_CFLAGS)
