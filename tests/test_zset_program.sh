#!/bin/sh
# The example program, which knows nothing of SQLite, is short and prints what it says.
set -eu
program=${srcdir:-.}/tests/zset_program.c
expected='ann 5 +1
ann 5 +1
bob 25 +1'
test "$(wc -l <"$program")" -lt 100 || { echo "$program: 100 lines or more"; exit 1; }
if grep -i sqlite "$program"; then
    echo "$program knows of SQLite"
    exit 1
fi
actual=$(./tests/zset_program)
test "$actual" = "$expected" || { echo "$actual"; exit 1; }
