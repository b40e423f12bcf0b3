#!/bin/bash
# Runs the examples of the documents. In a document, each block fenced as ```sql is given to the
# sqlite3 shell with lockstep.so loaded, over one database a document; what the shell prints must be
# the block fenced as ```text that follows, or nothing where none follows.
#
#   test_documents.sh [DOCUMENT ...]       run in the build tree; srcdir names the source tree
set -uo pipefail

source=$(cd "${srcdir:-.}" && pwd)
sqlite=${SQLITE3:-sqlite3}
[ $# -gt 0 ] || set -- "$source/README.md" "$source/ARCHITECTURE.md" "$source/CONTRIBUTING.md"
command -v "$sqlite" >/dev/null || {
    echo "there is no sqlite3 shell"
    exit 77
}
[ -f lockstep.so ] || {
    echo "there is no lockstep.so here"
    exit 1
}
module=$PWD/lockstep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Writes the blocks to NNN.sql, NNN.text and NNN.line: the number of the line where they begin.
split_document() {
    awk -v folder="$2" '
        /^ *```/ && is_inside { is_inside = 0; close(file); next }
        /^ *```/ {
            is_inside = 1
            indent = index($0, "`") - 1
            language = substr($0, indent + 4)
            file = "/dev/null"
            if (language == "sql") {
                name = sprintf("%s/%03d", folder, ++n)
                print NR > (name ".line")
                file = name ".sql"
            } else if (language == "text" && may_follow)
                file = name ".text"
            may_follow = language == "sql"
            printf "" > file
            next
        }
        is_inside { print substr($0, indent + 1) > file; next }
        /[^ ]/ { may_follow = 0 }
    ' "$1"
}

# What a person would see: errors stand after the output, and name no line.
run_block() {
    local load=$module
    grep -q '^\.load' "$1" && load=
    {
        [ -z "$load" ] || echo ".load $load"
        sed "s|^\.load \./lockstep|.load $module|" "$1"
    } | "$sqlite" -batch -box example.db >output 2>errors
    cat output
    sed -E 's/^((Runtime|Parse) error) near line [0-9]+:/\1:/' errors
}

for document in "$@"; do
    folder=$work/$(basename "$document")
    mkdir "$folder"
    split_document "$document" "$folder"
    cd "$folder" || exit 1
    for block in *.sql; do
        [ -e "$block" ] || continue
        name=${block%.sql}
        touch "$name.text"
        run_block "$block" >"$name.got"
        if diff -u "$name.text" "$name.got" >"$name.diff"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$(basename "$document"), the example at line $(<"$name.line"):"
            tail -n +3 "$name.diff"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
