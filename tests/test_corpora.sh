#!/bin/sh
# Each fuzz target over its corpus.
: "${srcdir:=.}"
failed=0
for corpus in "$srcdir"/tests/corpus/*; do
    name=$(basename "$corpus")
    if "tests/fuzz_$name" "$corpus"; then
        echo "PASS $name"
    else
        echo "FAIL $name"
        failed=1
    fi
done
exit $failed
