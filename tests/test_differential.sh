#!/bin/sh
# The differential test on fixed seeds: engines that are right pass, and each rival is caught by its
# own tag. `make stress` takes a fresh seed and more time.
program=./tests/differential
passed=0
failed=0

count()
{
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# passes NAME ARGUMENT...: the engine is right.
passes()
{
    name=$1
    shift
    "$program" --engine "$name" "$@"
    count $?
}

# is_caught NAME TAG ARGUMENT...: the rival fails, and as expected.
is_caught()
{
    name=$1
    tag=$2
    shift 2
    out=$("$program" --engine "$name" --seed 1 --rounds 400 --keep "$@")
    case $out in
    *"MISMATCH $tag "*)
        echo "$name: caught as $tag"
        count 0
        ;;
    *)
        echo "$out"
        echo "$name: not caught as $tag"
        count 1
        ;;
    esac
}

passes plain --seed 1 --rounds 60 --mid-statement
passes backwards --seed 1 --rounds 40
passes honest --seed 1 --rounds 40
passes plain --seed 1 --rounds 20 --views 90 --ddl --user-triggers
passes backwards --seed 1 --rounds 30 --views 90
passes honest --seed 1 --rounds 10 --views 90
passes plain --seed 1 --rounds 40 --between
passes honest --seed 1 --rounds 40 --between
passes lockstep --seed 1 --rounds 60
passes lockstep --seed 1 --rounds 30 --user-triggers
passes lockstep --seed 1 --rounds 30 --views 80
passes lockstep --seed 1001 --rounds 30 --mid-statement
passes lockstep --seed 1001 --rounds 30 --ddl
passes lockstep --seed 1 --rounds 30 --views 85 --refusals-fail
passes lockstep --seed 2001 --rounds 20 --views 85 --user-triggers --ddl --mid-statement
passes lockstep --seed 1 --rounds 20 --between
passes lockstep --seed 3001 --rounds 10 --between --views 85 --user-triggers --ddl --mid-statement
is_caught rival-trigger rows
is_caught rival-stale rows
is_caught rival-rollback rows
is_caught rival-float rows
is_caught rival-duplicates rows
is_caught rival-types rows
is_caught rival-member member
is_caught rival-silent silent
is_caught rival-rowid rowid
is_caught rival-leftover schema
is_caught rival-affinity probe
is_caught rival-temp rows --between
is_caught rival-cursor cursor --between
is_caught rival-stale rows --views 100
is_caught rival-duplicates rows --views 100
is_caught rival-limit member --views 100
is_caught rival-list rows --views 100
is_caught rival-order order
echo "differential: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
