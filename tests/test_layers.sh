#!/bin/sh
# Includes go one way, ext -> sql -> core; core knows nothing of SQLite; the module exports its entry
# point and nothing else.
: "${srcdir:=.}"
passed=0
failed=0

# none SENTENCE FOUND: holds where nothing was found.
none()
{
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "PASS $1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s:\n%s\n' "$1" "$2"
    fi
}

includes()
{
    grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1" "$srcdir/$2"/*.[ch] "$srcdir/$2"/*.re \
        "$srcdir/$2"/*.y 2>/dev/null
}

none "the word sqlite3 does not occur in core" \
    "$(grep -n -i sqlite3 "$srcdir"/core/*.[ch])"
none "core includes only core and the C library" "$(includes '(sql|ext|tests)/' core)"
none "sql does not include SQLite's headers" "$(includes 'sqlite3' sql)"
none "sql includes only sql, core and the C library" "$(includes '(ext|tests)/' sql)"
none "ext does not include tests" "$(includes 'tests/' ext)"
none "our own headers are included by their folder" "$(
    for folder in core sql ext; do
        includes '[a-z_0-9]*\.h"' $folder | grep -v '"sqlite3'
    done
)"
none "core and sql do not print, exit or longjmp" "$(
    grep -nE '(^|[^a-z_])(printf|fprintf|puts|fputs|perror|exit|abort|longjmp)[[:space:]]*\(' \
        "$srcdir"/core/*.c "$srcdir"/sql/*.c | grep -v '/sql/\(parse\|lex\)\.c:'
)"
if [ -f lockstep.so ] && [ -z "$SQLRUN" ]; then # sanitizers add symbols of their own
    none "the module exports its entry point only" \
        "$(nm -D --defined-only lockstep.so | grep -v ' sqlite3_lockstep_init$')"
    none "the module does not link SQLite" "$(nm -D --undefined-only lockstep.so | grep ' sqlite3_')"
fi
echo "layers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
