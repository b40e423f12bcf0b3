#!/bin/sh
# test_threads.c under ThreadSanitizer, with all of core/ compiled for it. Skipped where the
# compiler has none.
set -eu
top=${srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler="${CC:-cc} -std=gnu11 -O1 -g -fsanitize=thread -I$top"

echo 'int main(void) { return 0; }' >"$work/try.c"
# shellcheck disable=SC2086 # words
if ! $compiler -o "$work/try" "$work/try.c" 2>/dev/null || ! "$work/try"; then
    echo "no ThreadSanitizer here"
    exit 77
fi
# shellcheck disable=SC2086
$compiler -o "$work/threads" "$top"/core/*.c "$top/tests/test_threads.c" -lpthread -lm
TSAN_OPTIONS=halt_on_error=1:exitcode=66 "$work/threads"
