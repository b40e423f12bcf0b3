"""What statements give, with types: values as pairs of a type and what tells them apart."""

import re
import struct

from freedom import CHOICES

PIECES = re.compile(rb"[-|,;:{}\[\]]")  # between the members of group_concat and its like


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


def alike(value, choices=CHOICES):
    """The same for values of which SQLite may choose either, as its plan goes, where a query leaves it
    these choices (freedom.py)."""
    kind, content = value
    if kind == "text":
        if "collations" in choices:
            content = re.sub(rb" +(?=$|[,;\"])", b"", content.lower())
        if "lists" in choices:
            content = b",".join(sorted(map(bytes.strip, PIECES.split(content))))
        return ("text", content)
    if kind == "integer" and "numbers" in choices and abs(content) < 10**9:
        kind, content = "real", struct.pack(">d", content)
    if kind == "real" and {"numbers", "sums"} & set(choices):
        number = plain((kind, content)) + 0.0  # no -0.0
        return ("number", f"{number:.9g}" if "sums" in choices else number.hex())
    return value


def alike_rows(rows, choices=CHOICES):
    return [repr(tuple(alike(value, choices) for value in row)) for row in rows]


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
