#!/bin/sh
# The SQL scenarios through Python's sqlite3.
. "${srcdir:=.}/tests/client.sh"
find_python
CLIENT=python
export CLIENT srcdir
exec "$srcdir/tests/run-sql.sh"
