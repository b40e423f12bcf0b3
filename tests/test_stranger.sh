#!/bin/sh
# The second generator of cases, tests/stranger/: a few of a fixed seed, or what the arguments say. Those
# with a rival, views that nothing keeps up to date, must fail. Skipped where there is no Python that
# loads extensions.
. "${srcdir:=.}/tests/client.sh"
find_python
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

stranger()
{
    "$PYTHON" -B "$srcdir/tests/stranger/stranger.py" "$PWD/lockstep" "$folder" "$@"
}

if [ $# -gt 0 ]; then
    stranger "$@"
    exit
fi
stranger --seed 1 --rounds 8 || exit 1
if stranger --seed 1 --rounds 8 --rival >"$folder/rival"; then
    echo "views that nothing keeps up to date have passed:"
    cat "$folder/rival"
    exit 1
fi
echo "PASS a rival is found out"
