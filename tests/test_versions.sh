#!/bin/bash
# The C tests of the extension under other versions of SQLite than the one that they are linked with,
# all versions at once; a slice of what repeats itself, as tests/slice.h says. A version that is but
# another release of the one that they are linked with, 3.40.0 beside 3.40.1, is left out. Settings
# of the tests' own (LOCKSTEP_SEED and others) go through to them.
. "${srcdir:=.}/tests/client.sh"
need_fetched sqlite-3.40.0/libsqlite3.so.0
[ -n "$SUITES" ] || skip "make check says which suites there are"
export LOCKSTEP_SLICE=${LOCKSTEP_SLICE:-3}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Prints PASS or FAIL for each suite.
check_version() {
    local version=$1 log=$results/$1.log suite found
    # A library that is not the one that is used would make all of this a test of nothing.
    found=$(echo 'SELECT sqlite_version();' | tests/sqlrun :memory:)
    if [ "$found" != "$version" ]; then
        echo "FAIL $version: the tests run under $found"
        return
    fi
    for suite in $SUITES "tests/test_typical_views --engine lockstep" \
        "tests/differential --engine lockstep --between --views 50 --seed 1 --rounds 8"; do
        # shellcheck disable=SC2086  # a suite and its arguments
        if $suite >"$log" 2>&1; then
            echo "PASS $version $suite $(grep -a '^100%' "$log" | tail -n 1)"
        else
            cat "$log"
            echo "FAIL $version $suite"
        fi
    done
}

linked=$(echo 'SELECT sqlite_version();' | tests/sqlrun :memory:)
expected=0
for library in "$CLIENTS"/sqlite-*; do
    version=${library##*/sqlite-}
    if [ "${version%.*}" = "${linked%.*}" ]; then
        echo "$version is left out: make check runs under $linked"
        continue
    fi
    # shellcheck disable=SC2086  # names without spaces
    expected=$((expected + 2 + $(printf '%s\n' $SUITES | wc -l)))
    LD_LIBRARY_PATH=$library check_version "$version" >"$results/$version" &
done
wait
cat "$results"/*[0-9]
passed=$(cat "$results"/*[0-9] | grep -ac '^PASS ')
failed=$(cat "$results"/*[0-9] | grep -ac '^FAIL ')
echo "Suites under other versions of SQLite: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && [ "$passed" -eq "$expected" ]
