"""Tables with all that CREATE TABLE knows, and indexes of every kind."""

from values import Values
from words import COLUMNS, ODD_NAMES, Column, Source, quoted

DECLARED = {
    "i": ["INT", "INTEGER", "BIGINT", "NUMERIC", "BOOLEAN"],
    "r": ["REAL", "DOUBLE", "DECIMAL(10,2)"],
    "s": ["TEXT", "VARCHAR(20)", "DATE TEXT"],
    "x": [""],
    "b": ["BLOB"],
}
STRICT = {"i": ["INT"], "r": ["REAL"], "s": ["TEXT"], "x": ["ANY"], "b": ["BLOB"]}
GENERATED = {"i": "INT", "s": "TEXT", "r": "REAL", "x": "NUMERIC", "b": "BLOB"}
ACTIONS = [
    "", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON UPDATE CASCADE ON DELETE CASCADE",
    " ON DELETE SET DEFAULT", " DEFERRABLE INITIALLY DEFERRED",
    " ON DELETE CASCADE ON UPDATE SET NULL",
]


class Schema(Values):
    def __init__(self, seed):
        super().__init__(seed)
        self.tables = []
        self.plain = []
        self.live = []

    def make_table(self):
        """CREATE TABLE; it is known to the case from then on."""
        name = self.fresh("t")
        if self.odd and self.chance(0.6):
            name = self.random.choice(ODD_NAMES) + str(self.numbered)
        table = Source(self.schema, name, [])
        table.has_rowid = not self.chance(0.2)
        strict = table.is_strict = not self.messy and self.chance(0.12)
        key = self.weighted(
            {"rowid": 8, "none": 2, "column": 2, "text": 2, "columns": 2, "rowid desc": 1}
        )
        if key == "none" and not table.has_rowid:
            key = "column"
        definitions = self.key_columns(table, key)
        first = len(table.columns)
        for column in self.random.sample(COLUMNS, self.random.randint(2, 6)):
            if self.odd and self.chance(0.4):
                column = self.random.choice(ODD_NAMES) + str(len(table.columns))
            definitions.append(self.column(table, column, strict))
        free = table.columns[first:]
        if self.chance(0.15):
            definitions.append(self.generated(table, free, strict))
            if self.chance(0.3):
                definitions.append(self.generated(table, free, strict, "gen2"))
        definitions += self.constraints(table, key, free)
        self.tables.append(table)
        options = ["WITHOUT ROWID"] * (not table.has_rowid) + ["STRICT"] * strict
        return f"CREATE TABLE {table.ref}({', '.join(definitions)}) {', '.join(options)}"

    def key_columns(self, table, key):
        if key == "text":
            table.columns.append(Column("name", "s", "TEXT"))
            table.unique.append(["name"])
            return ["name TEXT" + self.pick("", " COLLATE NOCASE") + " PRIMARY KEY"]
        if not key.startswith("rowid"):
            return []
        name = "my id" if self.odd and self.chance(0.3) else "id"
        table.columns.append(Column(name, "i", "INTEGER"))
        table.unique.append([name])
        more = ""
        if table.has_rowid and key == "rowid desc":
            more = " DESC"  # so it is no alias of the rowid
        elif table.has_rowid and self.chance(0.15):
            more = " AUTOINCREMENT"
        return [f"{quoted(name)} INTEGER PRIMARY KEY{more}"]

    def column(self, table, name, strict):
        kind = self.weighted({"i": 9, "r": 4, "s": 7, "x": 2, "b": 0.5})
        declared = self.random.choice((STRICT if strict else DECLARED)[kind])
        column = Column(name, kind, declared)
        text = f"{quoted(name)} {declared}"
        if kind == "s" and self.chance(0.2):
            text += " COLLATE " + self.pick("NOCASE", "NOCASE", "RTRIM")
        if self.chance(0.1):
            column.notnull = True
            text += " NOT NULL"
            if not strict and self.chance(0.3):
                text += " ON CONFLICT REPLACE DEFAULT " + self.literal(kind, 0)
        elif not strict and self.chance(0.15):
            text += f" DEFAULT ({self.literal(kind, 0.2)})"
        elif self.chance(0.06):
            text += f" CHECK({quoted(name)} IS NULL OR length({quoted(name)}) < 50)"
        if self.chance(0.06):
            text += " UNIQUE" + self.pick("", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE")
            table.unique.append([name])
        table.columns.append(column)
        return text

    def generated(self, table, free, strict, name="gen"):
        of = self.random.choice(free)
        text, kind = self.pick(("{}||'!'", "s"), ("length({})", "i"), ("coalesce({},0)", of.kind))
        declared = "ANY" if strict and kind == "x" else GENERATED[kind]
        table.columns.append(Column(name, kind, declared, generated=True))
        how = self.pick("STORED", "VIRTUAL", "")
        return f"{name} {declared} AS ({text.format(quoted(of.name))}) {how}"

    def constraints(self, table, key, free):
        result = []
        if key == "column":
            table.unique.append([free[0].name])
            result.append(f"PRIMARY KEY({quoted(free[0].name)})")
        elif key == "columns":
            pair = self.random.sample(free, 2)
            table.unique.append([column.name for column in pair])
            names = ", ".join(quoted(column.name) + self.pick("", "", " DESC") for column in pair)
            result.append(f"PRIMARY KEY({names})" + self.pick("", "", " ON CONFLICT REPLACE"))
        if self.chance(0.12):
            pair = self.random.sample(free, 2)
            table.unique.append([column.name for column in pair])
            names = ", ".join(quoted(column.name) for column in pair)
            conflict = self.pick("", " ON CONFLICT REPLACE", " ON CONFLICT FAIL")
            result.append(f"UNIQUE({names}){conflict}")
        if self.chance(0.4):
            result += self.foreign_key(table, free)
        return result

    def foreign_key(self, table, free):
        parents = [
            parent
            for parent in self.tables + [table]
            if parent.unique and len(parent.unique[0]) == 1
        ]
        if not parents:
            return []
        parent = self.random.choice(parents)
        key = next(c for c in parent.columns if c.name == parent.unique[0][0])
        if not free:
            return []
        column = self.random.choice(free)
        table.foreign = (column.name, parent)
        child = quoted(column.name)
        action = self.random.choice(ACTIONS)
        return [
            f"FOREIGN KEY({child}) REFERENCES {quoted(parent.name)}({quoted(key.name)}){action}"
        ]

    def make_index(self):
        table = self.random.choice(self.tables)
        columns = table.columns
        parts = []
        for column in self.random.sample(columns, self.random.randint(1, min(2, len(columns)))):
            part = quoted(column.name)
            if self.chance(0.12):
                form = self.pick(
                    "lower({})", "abs({})", "({} + 1)", "coalesce({},'')", "length({})"
                )
                part = form.format(part)
            if self.chance(0.12):
                part += " COLLATE " + self.pick("NOCASE", "RTRIM", "BINARY")
            parts.append(part + (" DESC" if self.chance(0.2) else ""))
        where = ""
        if self.chance(0.2):
            form = self.pick("{} IS NOT NULL", "{} > 1", "{} < 'b'", "{} = 1")
            where = " WHERE " + form.format(quoted(self.random.choice(columns).name))
        unique = "UNIQUE " if self.chance(0.12) else ""
        name = table.prefix + self.fresh("ix")
        return f"CREATE {unique}INDEX {name} ON {quoted(table.name)}({', '.join(parts)}){where}"
