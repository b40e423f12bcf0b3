#!/bin/sh
# The SQL scenarios through better-sqlite3 under Node.
. "${srcdir:=.}/tests/client.sh"
find_python
need_fetched better-sqlite3/better_sqlite3.node
CLIENT=node
export CLIENT srcdir
exec "$srcdir/tests/run-sql.sh"
