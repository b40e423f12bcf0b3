# Reads a file of packages in Debian's form (dpkg's status file, apt's lists): fields "Name: value",
# folded lines begin with a space, an empty line ends a package. Writes the files named by the
# variables `packages` and `dependencies`, a package or a dependency a row, in SQLite's ascii mode:
# fields end with US (0x1F), rows with RS (0x1E), so that nothing needs a quote. An absent field is
# empty.
BEGIN {
    OFS = "\037"
    ORS = "\036"
    n_kinds = split("Pre-Depends Depends Recommends Suggests Enhances Breaks Conflicts " \
        "Replaces Provides", kinds, " ")
    n_fields = split("Package Version Architecture Section Priority Essential Multi-Arch " \
        "Installed-Size Maintainer Source Homepage Status Description", fields, " ")
    for (i = 1; i <= n_kinds; i++)
        is_folded[kinds[i]] = is_wanted[kinds[i]] = 1
    for (i = 1; i <= n_fields; i++)
        is_wanted[fields[i]] = 1
}

# "debconf (>= 0.5) | debconf-2.0" and so on: one row an alternative; its place among the
# relations of the field, and among the alternatives.
function write_dependencies(kind,   relations, alternatives, n, m, i, j, text, name, op, version, at)
{
    n = split(value[kind], relations, /[ \t]*,[ \t]*/)
    for (i = 1; i <= n; i++) {
        m = split(relations[i], alternatives, /[ \t]*\|[ \t]*/)
        for (j = 1; j <= m; j++) {
            text = alternatives[j]
            sub(/^[ \t]+/, "", text)
            if (text == "")
                continue
            name = text
            sub(/[ \t(\[<].*/, "", name)
            op = version = ""
            if ((at = index(text, "(")) > 0) {
                version = substr(text, at + 1)
                sub(/\).*/, "", version)
                op = version
                sub(/[^<>=].*/, "", op)
                version = substr(version, length(op) + 1)
                sub(/^[ \t]+/, "", version)
            }
            print id, kind, i, j, name, op, version > dependencies
        }
    }
}

function end_package(   i, source)
{
    if ("Package" in value && "Version" in value) {
        id++
        source = "Source" in value ? value["Source"] : value["Package"]
        sub(/ .*/, "", source)
        print id, value["Package"], value["Version"], value["Architecture"], value["Section"], \
            value["Priority"], value["Essential"], value["Multi-Arch"], value["Installed-Size"], \
            value["Maintainer"], source, value["Homepage"], value["Status"], \
            value["Description"] > packages
        for (i = 1; i <= n_kinds; i++)
            if (kinds[i] in value)
                write_dependencies(kinds[i])
    }
    split("", value)
    name = ""
}

/^[ \t]/ {
    if (name in is_folded)
        value[name] = value[name] " " $0
    next
}

/^$/ {
    end_package()
    next
}

{
    at = index($0, ":")
    name = substr($0, 1, at - 1)
    if (!(name in is_wanted)) {
        name = ""
        next
    }
    text = substr($0, at + 1)
    sub(/^[ \t]+/, "", text)
    value[name] = text
}

END {
    end_package()
    printf "%d\n", id
}
