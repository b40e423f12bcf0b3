#!/bin/sh
# Prints what each test of a build tree said at its end, which `make check` keeps in logs:
#   closing_lines.sh BUILD_DIRECTORY
# Fails where a test failed, or where there are none.
cd "${1:?the build directory}" || exit 2
n=0
failed=0
for result in $(find . -name '*.trs' | sort); do
    log=${result%.trs}.log
    name=${log#./}
    name=${name%.log}
    outcome=$(sed -n 's/^:global-test-result: //p' "$result")
    said=$(grep -aE '^[0-9]+%: Checks: |[0-9]+ passed, [0-9]+ failed|^skipped: ' "$log" | tail -n 1)
    printf '%-5s %-32s %s\n' "$outcome" "$name" "$said"
    n=$((n + 1))
    case $outcome in
    PASS | SKIP | XFAIL) ;;
    *) failed=$((failed + 1)) ;;
    esac
done
echo "$n tests, $failed failed"
[ "$n" -gt 0 ] && [ "$failed" -eq 0 ]
