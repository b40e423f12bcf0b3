#!/bin/sh
# Python's sqlite3: the README's session, threads that each have a connection, a pool of connections,
# each way of transactions, backup. Skipped where there is no Python that loads extensions.
. "${srcdir:=.}/tests/client.sh"
find_python
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$PYTHON" "$srcdir/tests/python_session.py" "$PWD/lockstep" "$folder"
