# What the tests of clients share; sourced. Sets PYTHON to one whose sqlite3 loads extensions, and CLIENTS
# to what fetch_clients.sh has made; a test whose means are missing says so and is skipped.
: "${srcdir:=.}"
: "${CLIENTS:=$PWD/clients}"

skip()
{
    echo "skipped: $*"
    exit 77
}

[ -z "$SQLRUN" ] || skip "clients can't load a build with sanitizers"

find_python()
{
    for PYTHON in ${PYTHON:-python3 /usr/bin/python3} ''; do
        "$PYTHON" -c 'import sqlite3
sqlite3.connect(":memory:").enable_load_extension(True)' 2>/dev/null && break
    done
    [ -n "$PYTHON" ] || skip "no Python here whose sqlite3 loads extensions"
    export PYTHON
}

# need_fetched FILE: what ./quickstart check fetches.
need_fetched()
{
    [ ! -e "$CLIENTS/why_not" ] || skip "$(cat "$CLIENTS/why_not")"
    [ -e "$CLIENTS/$1" ] || skip "there is no $CLIENTS/$1 (./quickstart check fetches it)"
    CLIENTS=$(cd "$CLIENTS" && pwd)
    export CLIENTS
}
