#!/bin/sh
# The C tests of the extension under other versions of SQLite than the one that they are linked with.
# Settings of the tests' own (LOCKSTEP_SEED and others) go through to them.
. "${srcdir:=.}/tests/client.sh"
need_fetched sqlite-3.40.0/libsqlite3.so.0
[ -n "$SUITES" ] || skip "make check says which suites there are"
passed=0
failed=0
for library in "$CLIENTS"/sqlite-*; do
    version=${library##*/sqlite-}
    LD_LIBRARY_PATH=$library
    export LD_LIBRARY_PATH
    # A library that is not the one that is used would make all of this a test of nothing.
    found=$(echo 'SELECT sqlite_version();' | tests/sqlrun :memory:)
    if [ "$found" != "$version" ]; then
        echo "FAIL $version: the tests run under $found"
        failed=$((failed + 1))
        continue
    fi
    for suite in $SUITES "tests/test_typical_views --engine lockstep"; do
        # shellcheck disable=SC2086  # a suite and its arguments
        if $suite >versions.out 2>&1; then
            passed=$((passed + 1))
            echo "PASS $version $suite $(grep -a '^100%' versions.out | tail -n 1)"
        else
            cat versions.out
            echo "FAIL $version $suite"
            failed=$((failed + 1))
        fi
    done
    unset LD_LIBRARY_PATH
done
rm -f versions.out
echo "Suites under other versions of SQLite: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
