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

# is_caught NAME TAG: the rival fails, and as expected.
is_caught()
{
    out=$("$program" --engine "$1" --seed 1 --rounds 400 --keep)
    case $out in
    *"MISMATCH $2 "*)
        echo "$1: caught as $2"
        count 0
        ;;
    *)
        echo "$out"
        echo "$1: not caught as $2"
        count 1
        ;;
    esac
}

passes plain --seed 1 --rounds 60 --mid-statement
passes backwards --seed 1 --rounds 40
passes honest --seed 1 --rounds 40
passes lockstep --seed 1 --rounds 60
passes lockstep --seed 1 --rounds 30 --user-triggers
passes lockstep --seed 1001 --rounds 30 --mid-statement
passes lockstep --seed 1001 --rounds 30 --ddl
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
echo "differential: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
