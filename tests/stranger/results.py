"""What statements give, with types: values as pairs of a type and what tells them apart."""

import re
import struct


def tagged(value):
    """Text comes as such a pair already: see `as_text`."""
    if value is None:
        return ("null", b"")
    if isinstance(value, float):
        return ("real", struct.pack(">d", value))
    if isinstance(value, int):
        return ("integer", value)
    return value if isinstance(value, tuple) else ("blob", bytes(value))


def as_text(octets):
    """A text_factory: text that is no UTF-8 is compared as well."""
    return ("text", octets)


def tagged_rows(rows):
    return [tuple(tagged(value) for value in row) for row in rows]


def plain(value):
    """What Python binds for it."""
    kind, content = value
    if kind == "null":
        return None
    if kind == "real":
        return struct.unpack(">d", content)[0]
    return content.decode("utf-8", "surrogateescape") if kind == "text" else content


def alike(value, numerals=False):
    """The same for values of which SQLite may choose either, as its plan goes.

    Which of 1 and 1.0, or of 'a' and 'A' under NOCASE, stands for a group or a DISTINCT; in what order
    group_concat meets its rows; and the last digits of a sum of reals, which are exact in a view. Where
    numerals is set '1' is as good as 1: a compound's columns have the affinity of either member, and
    SQLite applies it where it happens to keep the rows.
    """
    kind, content = value
    if numerals and kind == "text" and re.fullmatch(rb"-?\d{1,15}", content):
        kind, content = "integer", int(content)
        value = (kind, content)
    if kind == "text":
        content = re.sub(rb"\.0\b", b"", content.lower()).replace(b" ", b"")
        return ("text", bytes(sorted(content)))
    if kind in ("real", "integer"):
        return ("number", f"{float(plain(value)) + 0.0:.9g}")
    return value


def alike_rows(rows, numerals=False):
    return [repr(tuple(alike(value, numerals) for value in row)) for row in rows]


def shown(rows, others):
    """The number of rows, and the first few that the others have not."""
    others = list(others)
    only = []
    for row in rows:
        if row in others:
            others.remove(row)
        else:
            only.append("|".join(repr(plain(value))[:60] for value in row))
    return f"{len(rows)} rows, only here: {'; '.join(only[:6]) or 'an order'}"
