#!/bin/bash
# Prints what a row costs of statements that read a view for each, over a table that hand-written
# triggers keep and over Lockstep's view:
#   mid_read.sh PROGRAM [STATEMENT...]
# Counts instructions with callgrind at two sizes and divides the difference by the rows between
# them.
set -euo pipefail
program=${1:?the program mid_read}
shift
command -v valgrind >/dev/null || {
    echo "make bench counts instructions with valgrind: install it" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
few=2000
many=10000
if [ $# -gt 0 ]; then statements=("$@"); else mapfile -t statements < <("$program" list); fi

# One run; its count goes to a file.
# shellcheck disable=SC2016  # expanded by the inner shell
count='valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" "$4" 2>&1 |
    sed -n "s/^==[0-9]*== Collected : //p" >"$5/$2-$3-$4"'
for statement in "${statements[@]}"; do
    for mode in triggers lockstep; do
        printf '%s\n' "$program $mode $statement $few $work" \
            "$program $mode $statement $many $work"
    done
done | xargs -P "$(nproc)" -L 1 bash -c "$count" count

per_row() {
    echo $((($(<"$work/$1-$2-$many") - $(<"$work/$1-$2-$few")) / (many - few)))
}

echo "Instructions a row of a statement that reads a view for each."
echo
printf '%-16s %9s %9s   %s\n' "" triggers lockstep "lockstep / triggers"
for statement in "${statements[@]}"; do
    triggers=$(per_row triggers "$statement")
    lockstep=$(per_row lockstep "$statement")
    printf '%-16s %9d %9d   %19s\n' "$statement" "$triggers" "$lockstep" \
        "$(awk -v a="$lockstep" -v b="$triggers" 'BEGIN { printf "%.2f", a / b }')"
done
