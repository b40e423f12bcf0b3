#!/bin/bash
# Prints what a change costs with no view, with hand-written triggers and with Lockstep, and what an
# index that Lockstep makes adds to a write:
#   write_path.sh PROGRAM
# Counts instructions with callgrind at two sizes and divides the difference by the rows between
# them, so that start-up and the filling of the table drop out. (With 1 row a transaction no store
# falls between the sizes: it would add some hundred instructions a row.)
set -euo pipefail
program=${1:?the program write_path}
command -v valgrind >/dev/null || {
    echo "make bench counts instructions with valgrind: install it" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows a transaction, transactions in the small and in the large run
sizes=("1000 4 12" "100 40 120" "1 500 1500")
kinds=(insert update delete)
modes=(plain indexed triggers lockstep)

# One run; its count goes to a file.
# shellcheck disable=SC2016  # expanded by the inner shell
count='valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" "$5" "$4" 2>&1 |
    sed -n "s/^==[0-9]*== Collected : //p" >"$6/$2-$3-$4-$5"'
for size in "${sizes[@]}"; do
    read -r rows small large <<<"$size"
    for kind in "${kinds[@]}"; do
        for mode in "${modes[@]}"; do
            printf '%s\n' "$program $mode $kind $rows $small $work" \
                "$program $mode $kind $rows $large $work"
        done
    done
done | xargs -P "$(nproc)" -L 1 bash -c "$count" count

per_row() {
    local small large
    small=$(<"$work/$1-$2-$3-$4")
    large=$(<"$work/$1-$2-$3-$5")
    echo $(((large - small) / (($5 - $4) * $3)))
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

echo "Instructions a changed row; 100 groups; one read of the view after each transaction."
echo
printf '%-17s %-7s %9s %9s %9s %9s   %s\n' "transaction of" "" plain "an index" triggers lockstep \
    "lockstep: / triggers  / plain"
for size in "${sizes[@]}"; do
    read -r rows small large <<<"$size"
    for kind in "${kinds[@]}"; do
        plain=$(per_row plain "$kind" "$rows" "$small" "$large")
        indexed=$(per_row indexed "$kind" "$rows" "$small" "$large")
        triggers=$(per_row triggers "$kind" "$rows" "$small" "$large")
        lockstep=$(per_row lockstep "$kind" "$rows" "$small" "$large")
        printf '%5d rows        %-7s %9d %9s %9d %9d   %20s  %7s\n' "$rows" "${kind^^}" "$plain" \
            "$(printf '%+d' $((indexed - plain)))" "$triggers" "$lockstep" "$(ratio "$lockstep" "$triggers")" "$(ratio "$lockstep" "$plain")"
    done
done
