#!/bin/bash
# Prints what a small transaction and a read of what it touched cost as tables grow, and what
# creating a view costs beside its query, for each class of view:
#   cost_law.sh PROGRAM [CLASS...]
# Counts instructions with callgrind at two numbers of transactions over a database made beforehand,
# so that opening it drops out.
set -euo pipefail
program=${1:?the program cost_law}
shift
command -v valgrind >/dev/null || {
    echo "the law of costs counts instructions with valgrind: install it" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sizes=(10000 100000 1000000)
few=20
many=120
# Logarithmic: a tree of 10^6 rows is 1.5 times as deep as one of 10^4. What lies above that, and
# above what counting varies by, is not.
limit=1.7
if [ $# -gt 0 ]; then classes=("$@"); else mapfile -t classes < <("$program" classes); fi

for size in "${sizes[@]}"; do
    "$program" base "$work/base-$size.db" "$size"
done

# count SIZE CLASS: the instructions of a transaction go to a file, those of creation to another.
count() {
    local size=$1 class=$2 file="$work/$1-$2.db" times
    cp "$work/base-$size.db" "$file"
    "$program" create "$file" "$class" >"$work/$size-$class.create" || {
        rm -f "$file"*
        return 0
    }
    "$program" state "$file" "$file.state" >"$work/$size-$class.state"
    rm -f "$file.state"*
    for times in $few $many; do
        cp "$file" "$file.$times"
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" change \
            "$file.$times" "$class" "$times" 2>&1 |
            sed -n 's/^==[0-9]*== Collected : //p' >"$work/$size-$class.$times"
    done
    rm -f "$file"*
}
export -f count
export program work few many
for class in "${classes[@]}"; do
    for size in "${sizes[@]}"; do
        echo "$size $class"
    done
done | xargs -P "$(nproc)" -L 1 bash -c 'count "$@"' count

per_change() {
    echo $((($(<"$work/$1-$2.$many") - $(<"$work/$1-$2.$few")) / (many - few)))
}

echo "Instructions of one small transaction and a read of what it touched, by rows of the table,"
echo "and milliseconds of CPU to create the view over 10^6 rows."
echo
printf '%-17s %9s %9s %9s %6s   %7s %7s %7s %6s\n' "" 10^4 10^5 10^6 ratio query create state \
    ratio
for class in "${classes[@]}"; do
    if [ ! -s "$work/10000-$class.$many" ]; then
        printf '%-17s refused\n' "$class"
        continue
    fi
    a=$(per_change 10000 "$class")
    b=$(per_change 100000 "$class")
    c=$(per_change 1000000 "$class")
    read -r query create <"$work/1000000-$class.create"
    read -r state <"$work/1000000-$class.state"
    awk -v class="$class" -v a="$a" -v b="$b" -v c="$c" -v query="$query" -v create="$create" \
        -v state="$state" -v limit="$limit" 'BEGIN {
        printf "%-17s %9d %9d %9d %6.2f   %7d %7d %7d %6.2f%s%s\n", class, a, b, c, c / a, query,
            create, state, create / (query + state + 1),
            (c / a > limit ? "  grows" : ""), (create > 3 * query + state + 50 ? "  slow" : "")
    }'
done
