#!/bin/sh
# The differential test on fixed seeds: engines that are right pass, and each rival is caught by its
# own tag. `make stress` takes a fresh seed and more time. With LOCKSTEP_SLICE=n, as under the
# sanitizers, an n-th of the rounds of Lockstep is run, and nothing else: the rest has no code of ours.
program=./tests/differential
slice=${LOCKSTEP_SLICE:-1}
passed=0
failed=0

count()
{
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

is_left_out()
{
    [ "$slice" -gt 1 ] && [ "$1" != lockstep ]
}

# passes NAME ROUNDS ARGUMENT...: the engine is right.
passes()
{
    is_left_out "$1" && return
    name=$1
    rounds=$((($2 + slice - 1) / slice))
    shift 2
    "$program" --engine "$name" --rounds "$rounds" "$@"
    count $?
}

# is_caught NAME TAG ARGUMENT...: the rival fails, and as expected.
is_caught()
{
    is_left_out "$1" && return
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

passes plain 60 --seed 1 --mid-statement
passes backwards 40 --seed 1
passes honest 40 --seed 1
passes plain 20 --seed 1 --views 90 --ddl --user-triggers
passes backwards 30 --seed 1 --views 90
passes honest 10 --seed 1 --views 90
passes plain 40 --seed 1 --between
passes honest 40 --seed 1 --between
passes lockstep 60 --seed 1
passes lockstep 30 --seed 1 --user-triggers
passes lockstep 30 --seed 1 --views 80
passes lockstep 30 --seed 1001 --mid-statement
passes lockstep 30 --seed 1001 --ddl
passes lockstep 30 --seed 1 --views 85 --refusals-fail
passes lockstep 20 --seed 2001 --views 85 --user-triggers --ddl --mid-statement
passes lockstep 20 --seed 1 --between
passes lockstep 10 --seed 3001 --between --views 85 --user-triggers --ddl --mid-statement
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
