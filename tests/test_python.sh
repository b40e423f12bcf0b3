#!/bin/sh
# Python's sqlite3: the README's session, threads that each have a connection, a pool of connections,
# each way of transactions, backup. Skipped where there is no Python that loads extensions.
: "${srcdir:=.}"
[ -z "$SQLRUN" ] || exit 77 # Python cannot load this build
for python in ${PYTHON:-python3 /usr/bin/python3} ''; do
    "$python" -c 'import sqlite3
sqlite3.connect(":memory:").enable_load_extension(True)' 2>/dev/null && break
done
if [ -z "$python" ]; then
    echo "no Python here whose sqlite3 loads extensions"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$python" "$srcdir/tests/python_session.py" "$PWD/lockstep" "$folder"
