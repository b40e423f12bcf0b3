"""What a schema is made of: names, columns, and things that can stand in FROM."""

import re

PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
KEYWORDS = {"order", "group", "null", "key", "select", "values", "index"}

# Names that want quotes, among them ones that look like something else.
ODD_NAMES = [
    "order", "a b", "é", 'x"y', "it's", "1st", "a.b", "Group", "[z]", "v,w", "`k`", "weight",
    "null", "key",
]
ODD_VIEWS = ["my view", 'v"w', "select", "it's v", "Ünï", "v.w"]
COLUMNS = ["a", "b", "c", "k", "d", "e", "f", "n", "w", "kind"]


def quoted(name):
    if PLAIN.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def affinity(declared):
    """By the rules of SQLite, in their order."""
    declared = declared.upper()
    for words, result in (
        (("INT",), "integer"),
        (("CHAR", "CLOB", "TEXT"), "text"),
        (("BLOB",), "blob"),
        (("REAL", "FLOA", "DOUB"), "real"),
    ):
        if any(word in declared for word in words):
            return result
    return "numeric" if declared else "blob"


class Column:
    """kind: i(nteger), r(eal), s(tring), b(lob) or x, which holds anything."""

    def __init__(self, name, kind, declared="", notnull=False, generated=False):
        self.name = name
        self.kind = kind
        self.declared = declared
        self.notnull = notnull
        self.generated = generated


class Source:
    """A table, a plain view, or a view of Lockstep's (live)."""

    def __init__(self, schema, name, columns):
        self.schema = schema
        self.name = name
        self.columns = columns
        self.unique = []  # lists of names, each the columns of a key
        self.has_rowid = True
        self.is_strict = False
        self.foreign = None  # (column, parent)
        self.is_compound = False
        self.text = ""  # of a view: its query
        self.is_placed = False  # main is named, too, for a TEMP table may have the name

    @property
    def prefix(self):
        return "" if self.schema == "main" and not self.is_placed else self.schema + "."

    @property
    def ref(self):
        return self.prefix + quoted(self.name)

    def writable(self):
        return [column for column in self.columns if not column.generated]

    def scope(self, qualifier=None):
        """What expressions can name: pairs of a text and its kind."""
        before = qualifier + "." if qualifier else ""
        return [(before + quoted(column.name), column.kind) for column in self.columns]

    def names(self):
        return [column.name for column in self.columns]
