#!/bin/sh
# Golden scenarios: each tests/sql/NAME.sql is run in a fresh folder, and what it prints, errors
# included, is compared with NAME.out.
#
#   run-sql.sh [NAME...]            compare (all scenarios where none is named)
#   run-sql.sh --record NAME...     write NAME.out anew
#
# Those in tests/sql/pending are not run unless named (pending/NAME): they hold what is to be true.
#
# A scenario whose first line is "-- plain" is run once more with plain views in the place of
# maintained ones: it must print the same. So its NAME.out is what SQLite says, not what we do;
# --record takes it from there.
#
# SQLRUN=PROGRAM runs scenarios in the linked runner (tests/sqlrun.c) instead of the sqlite3 shell,
# as sanitizers need it; CLIENT=python or CLIENT=node with Python's sqlite3 or with better-sqlite3
# (test_client_python.sh, test_client_node.sh). Scenarios with commands that those do not know are
# left out. A client may have another SQLite: what is "plain" is then compared with what that says.
: "${srcdir:=.}"
sqlite=${SQLITE3:-sqlite3}
top=$PWD
tests=$(cd "$srcdir/tests" && pwd) || exit 1
sql=$tests/sql
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0

# Prints what the scenario of this file prints. The shell does not flush its output before an
# error, so that is done for it.
run()
{
    rm -rf "$folder/run"
    mkdir "$folder/run"
    [ -f "$top/lockstep.so" ] && ln -s "$top/lockstep.so" "$folder/run/lockstep.so"
    (
        cd "$folder/run" || exit 1
        lockstep=./lockstep
        [ "$2" = plain ] && lockstep=
        if [ "$CLIENT" = python ]; then
            "$PYTHON" "$tests/scenario.py" main.db "$lockstep" <"$1"
        elif [ "$CLIENT" = node ]; then
            "$PYTHON" "$tests/scenario.py" --split <"$1" |
                node "$tests/scenario.js" main.db "$lockstep" "$CLIENTS/better-sqlite3"
        elif [ "$2" = plain ]; then
            stdbuf -oL "$sqlite" -batch main.db <"$1"
        elif [ -n "$SQLRUN" ]; then
            "$top/$SQLRUN" main.db <"$1"
        else
            stdbuf -oL "$sqlite" -batch -cmd '.load ./lockstep' main.db <"$1"
        fi
    ) 2>&1
}

# The scenario with plain views; lines stay where they are, since errors name them.
make_plain()
{
    sed -e 's/^CREATE VIRTUAL TABLE \(.*\) USING lockstep(\(.*\));$/CREATE VIEW \1 AS \2;/' \
        -e 's/^\.load .*$//' "$1" >"$folder/plain.sql"
}

is_plain()
{
    [ "$(head -n 1 "$1")" = "-- plain" ]
}

# What is the shell's own of an error is left out: its number, and where in the statement it is.
without_shell()
{
    sed -e 's/^\(Parse\|Runtime\) \(error near line .*\)$/\2/' -e '/^error near/s/ ([0-9]*)$//' "$1" |
        sed -e '/^ .*error here/d' -e '/^error near/{n;/^  /d}' >"$folder/other"
    mv "$folder/other" "$2"
}

# compare NAME KIND FILE [EXPECTED]: is what was printed to FILE what NAME.out holds?
compare()
{
    expected=${4:-$sql/$1.out}
    if [ -n "$CLIENT" ]; then
        without_shell "$expected" "$folder/expected"
        without_shell "$3" "$3"
        expected=$folder/expected
    fi
    if grep -a '\(sqlrun\|scenario\.py\|scenario\.js\): unknown command' "$3"; then
        failed=$((failed + 1))
        echo "FAIL $1$2"
    elif diff -u "$expected" "$3"; then
        passed=$((passed + 1))
        echo "PASS $1$2"
    else
        failed=$((failed + 1))
        echo "FAIL $1$2"
    fi
}

check()
{
    if is_plain "$sql/$1.sql" && [ -z "$SQLRUN$CLIENT" ]; then
        make_plain "$sql/$1.sql"
        run "$folder/plain.sql" plain >"$folder/out"
        compare "$1" " (plain views)" "$folder/out"
    fi
    if [ -n "$SQLRUN$CLIENT" ] && grep -q '^\.\(dump\|read\|output\|dbconfig\)' "$sql/$1.sql"; then
        return
    fi
    if [ -n "$CLIENT" ] && grep -q '^EXPLAIN\|^-- not for clients:' "$sql/$1.sql"; then
        return
    fi
    run "$sql/$1.sql" >"$folder/out"
    if [ -n "$CLIENT" ] && is_plain "$sql/$1.sql"; then
        make_plain "$sql/$1.sql"
        run "$folder/plain.sql" plain >"$folder/plain.out"
        compare "$1" "" "$folder/out" "$folder/plain.out"
    else
        compare "$1" "" "$folder/out"
    fi
}

record()
{
    if is_plain "$sql/$1.sql"; then
        make_plain "$sql/$1.sql"
        run "$folder/plain.sql" plain >"$sql/$1.out"
    else
        run "$sql/$1.sql" >"$sql/$1.out"
    fi
}

case $1 in
--record)
    shift
    for name; do record "$name"; done
    exit
    ;;
esac
if [ $# -eq 0 ]; then
    for file in "$sql"/*.sql; do
        set -- "$@" "$(basename "$file" .sql)"
    done
fi
for name; do check "$name"; done
echo "SQL scenarios${CLIENT:+ with $CLIENT}: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
