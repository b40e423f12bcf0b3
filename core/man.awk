# A manual page (section 3) from a header of libzset, on standard output. What the page says is what
# the header's comments say: the one that opens the file, and the one above each declaration.
#
#   awk -v name=cells -v version=1.0 -v others='batch circuit ...' -f man.awk cells.h
#
# A header is made of blocks between empty lines: comments, and declarations with their comment just
# above them (a comment that no declaration follows is about all that come after it). Lines of a
# comment that are indented stay as they are.

# Text for troff. In code a hyphen is a minus, so that it can be pasted.
function plain(text)
{
    gsub(/\\/, "\\e", text)
    if (text ~ /^[.']/)
        text = "\\\\&" text
    return text
}

function code(text)
{
    text = plain(text)
    gsub(/-/, "\\-", text)
    return text
}

function add(text)
{
    body = body text "\n"
}

# A line of a comment without its stars.
function bare(line)
{
    sub(/^\/\* ?/, "", line)
    sub(/^\*\* ?/, "", line)
    sub(/ *\*\/$/, "", line)
    return line
}

function add_comment(lines, n,    i, is_kept)
{
    for (i = 1; i <= n; i++) {
        if ((lines[i] ~ /^  /) != is_kept) {
            is_kept = !is_kept
            add(is_kept ? ".PP\n.nf" : ".fi\n.PP")
        }
        if (lines[i] ~ /^ *$/)
            add(".PP")
        else
            add(is_kept ? code(lines[i]) : plain(lines[i]))
    }
    if (is_kept)
        add(".fi")
}

# The name that a prototype declares: the last word before its first parenthesis.
function function_of(text)
{
    if (text !~ /\(/ || text ~ /^(typedef|struct zs_[a-z_]+ \{|enum)/)
        return ""
    sub(/ *\(.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text ~ /^zs_/ ? text : ""
}

function add_code(text,    i, n, lines)
{
    n = split(text, lines, "\n")
    add(".PP\n.nf")
    for (i = 1; i <= n; i++)
        add(code(lines[i]))
    add(".fi")
}

# A whole declaration, which stands under the comment that came last.
function declare(text,    called, text_of_body, beside)
{
    sub(/^ZS_CHECKED /, "", text)
    sub(/^static inline /, "", text)
    if (text ~ /^struct zs_[a-z_]+;$/)
        return
    called = function_of(text)
    text_of_body = text
    if (called != "") {
        if (match(text, /; *\/\*.*\*\/$/)) {
            beside = bare(substr(text, index(text, "/*")))
            text = substr(text, 1, RSTART)
        }
        sub(/[ \n]*\{.*/, ";", text)
        names = names ", " called
        synopsis = synopsis ".PP\n.nf\n" code_lines(text) ".fi\n"
        add((is_in_group || was_bare ? ".br" : ".PP") "\n.BR " called " ()")
        if (beside != "")
            add("\\- " plain(beside))
        if (n_comment == 0 && text_of_body ~ /->methods->/)
            comment[++n_comment] = "Calls the method of that name."
    } else {
        add_code(text)
    }
    is_in_group = called != ""
}

function code_lines(text,    i, n, lines, out)
{
    n = split(text, lines, "\n")
    for (i = 1; i <= n; i++)
        out = out code(lines[i]) "\n"
    return out
}

# The comment comes after the names that it is about.
function end_block()
{
    was_bare = is_in_group && n_comment == 0
    if (n_comment > 0) {
        if (is_in_group)
            add(".RS")
        else
            add(".PP")
        add_comment(comment, n_comment)
        if (is_in_group)
            add(".RE")
    }
    n_comment = 0
    is_in_group = 0
}

/^#/ {
    if ($1 == "#include" && $2 ~ /^"core\//) {
        include = $2
        gsub(/"core\/|\.h"/, "", include)
        included[include] = 1
    }
    next
}

!has_opened {
    line = bare($0)
    if (n_opening == 0 && !is_named) {
        summary = summary (summary == "" ? "" : " ") line
        if (match(summary, /\. |\.$/)) {
            rest = substr(summary, RSTART + 2)
            summary = substr(summary, 1, RSTART - 1)
            is_named = 1
            if (rest != "")
                opening[++n_opening] = rest
        }
    } else {
        opening[++n_opening] = line
    }
    if (/\*\/$/) {
        has_opened = 1
        add_comment(opening, n_opening)
    }
    next
}

is_in_comment || (!is_in_declaration && /^\/\*/) {
    if (!is_in_comment)
        end_block()
    comment[++n_comment] = bare($0)
    is_in_comment = !/\*\/$/
    next
}

/^$/ && !is_in_declaration {
    end_block()
    next
}

{
    declaration = declaration (is_in_declaration ? "\n" : "") $0
    is_in_declaration = 1
    if (/^\}/ || (/; *(\/\*.*\*\/)?$/ && !/^ +.*;/ && declaration !~ /\{/) ||
        (/;$/ && declaration !~ /\{/) || (/^[^ ].*\{.*\};?$/)) {
        declare(declaration)
        declaration = ""
        is_in_declaration = 0
    }
}

END {
    end_block()
    title = toupper(name)
    print ".\\\" Made from core/" name ".h by core/man.awk."
    print ".TH ZSET\\-" title " 3 \"\" \"zset " version "\" \"Z\\-sets and circuits\""
    print ".SH NAME"
    print "zset\\-" name names " \\- " tolower(substr(summary, 1, 1)) plain(substr(summary, 2))
    print ".SH SYNOPSIS"
    print ".nf"
    print ".B #include \\(dqcore/" name ".h\\(dq"
    print ".fi"
    printf "%s", synopsis
    print ".PP"
    print "Compile and link with \\fIpkg\\-config \\-\\-cflags \\-\\-libs zset\\fR."
    print ".SH DESCRIPTION"
    printf "%s", body
    print ".SH SEE ALSO"
    n = split(others, other, " ")
    list = ""
    for (i = 1; i <= n; i++) {
        if (other[i] != name && (other[i] in included || other[i] == "circuit" || other[i] == "status"))
            list = list (list == "" ? "" : ",\n") ".BR zset\\-" other[i] " (3)"
    }
    gsub(/\(3\),/, "(3),", list)
    print list
}
