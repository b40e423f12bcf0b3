#!/bin/sh
# The manual pages: one for each installed header, of the form that man expects, and every public
# function in its page.
set -eu
: "${srcdir:=.}"
failed=0

complain()
{
    echo "$*"
    failed=1
}

# The headers are those that have been installed by the list in core/local.mk.
headers=$(sed -n '/^nobase_zsetinclude_HEADERS/,/[^\\]$/p' "$srcdir/core/local.mk" |
    grep -o '[a-z_]*\.h' | sed 's/\.h$//')
test "$(echo "$headers" | wc -l)" -gt 15 || complain "where are the headers?"
for name in $headers; do
    page=core/zset-$name.3
    test -s "$page" || { complain "$page is missing"; continue; }
    for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
        grep -qx "\.SH $section" "$page" || complain "$page has no $section"
    done
    sed -n '/^\.SH NAME$/{n;p;q;}' "$page" | grep -q '^zset\\-.* \\- [a-z].*' ||
        complain "$page: what it is about"
    # Whatever looks like a function of ours outside of comments, but for pointers to functions.
    functions=$(sed -e 's|/\*.*\*/||' -e '/^ *\/\*/,/\*\//d' "$srcdir/core/$name.h" |
        grep -E '^(ZS_CHECKED |static inline |const |struct |enum |void |int |bool |double |size_t |u?int64_t |unsigned |uint8_t )' |
        grep -v '^typedef' | grep -oE 'zs_[a-z0-9_]+\(' | tr -d '(' | sort -u)
    for function in $functions; do
        grep -q "^\.BR $function ()\$" "$page" || complain "$page does not tell of $function"
        sed -n '/^\.SH NAME$/{n;p;q;}' "$page" | grep -q "[ ,]$function[ ,]" ||
            complain "$page is not named $function"
        sed -n '/^\.SH SYNOPSIS$/,/^\.SH DESCRIPTION$/p' "$page" | grep -q "$function(" ||
            complain "$page has no prototype of $function"
    done
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
        test -z "$warnings" || complain "$page: $warnings"
    fi
    if command -v mandoc >/dev/null; then
        warnings=$(mandoc -Tlint -Wwarning "$page" 2>&1) || complain "$page: $warnings"
    fi
done
exit $failed
