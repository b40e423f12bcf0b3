"""What changes the schema, and pragmas: ALTER TABLE, indexes, triggers, VACUUM and others."""

from case import Step
from statements import Statements
from words import quoted

PRAGMAS = [
    "ANALYZE", "REINDEX", "PRAGMA wal_checkpoint", "PRAGMA recursive_triggers=ON",
    "PRAGMA recursive_triggers=OFF", "PRAGMA case_sensitive_like=ON", "PRAGMA foreign_keys=OFF",
    "PRAGMA defer_foreign_keys=ON", "PRAGMA journal_mode=WAL", "PRAGMA journal_mode=DELETE",
    "PRAGMA optimize", "PRAGMA automatic_index=OFF", "PRAGMA reverse_unordered_selects=ON",
    "PRAGMA trusted_schema=OFF", "PRAGMA legacy_alter_table=ON",
    "PRAGMA ignore_check_constraints=ON", "PRAGMA cache_size=3", "PRAGMA incremental_vacuum",
]
# {p} a plain view, {n} names of its columns as new has them
INSTEAD = [
    "DELETE ON {p} BEGIN DELETE FROM {t} WHERE {c} = old.{g}; END",
    "INSERT ON {p} BEGIN INSERT OR IGNORE INTO {t}({c}) VALUES (new.{g}); END",
    "UPDATE ON {p} BEGIN UPDATE {t} SET {c} = new.{g} WHERE {c} = old.{g}; END",
]
THROUGH = [
    "DELETE FROM {p} WHERE {g} = {l}",
    "INSERT INTO {p}({g}) VALUES ({l}), ({l}), ({l})",
    "UPDATE {p} SET {g} = {l} WHERE {g} > {l}",
]
FORMS = {
    "index": 12, "no index": 8, "add": 10, "rename column": 10, "drop column": 5, "rename": 7,
    "vacuum": 8, "pragma": 5, "trigger": 10, "no trigger": 5, "command": 8, "drop": 4, "close": 4,
    "copy": 4, "instead": 4, "through": 8,
}
# {e} the event, {row} new or old, {c} a column of the table, {t} that, {u} another table, {d} a column of
# that, {key} the first column of t, {w} a column of t, {l} a literal, {v} a view, {g} a column of that.
BODIES = [
    "INSERT INTO audit VALUES ('{e}', {row}.{c})",
    "INSERT INTO audit VALUES ('{e}', {row}.{c})",
    "UPDATE {u} SET {d} = {l} WHERE {d} = {row}.{c}",
    "DELETE FROM {u} WHERE {d} = {row}.{c}",
    "UPDATE {t} SET {w} = {l} WHERE {key} = {row}.{key}",
    "SELECT RAISE(IGNORE) WHERE {row}.{c} = {l}",
    "SELECT RAISE(FAIL, 'no') WHERE {row}.{c} = {l}",
    "SELECT RAISE(ABORT, 'no') WHERE {row}.{c} = {l}",
    "SELECT RAISE(ROLLBACK, 'no') WHERE {row}.{c} = {l}",
    "INSERT INTO audit SELECT 'v', count(*) FROM {v}",
    "INSERT INTO audit SELECT 'w', max({g}) FROM {v}",
]


class Changes(Statements):
    def change(self):
        """A step, or None where there is nothing to change."""
        table = self.random.choice(self.tables)
        form = self.weighted(FORMS)
        live = self.random.choice(self.live) if self.live else None
        if form == "trigger":
            return self.trigger(table)
        if form == "command" and live:
            word = self.pick("store", "rebuild", "integrity-check", "integrity-check")
            return Step("A", "command", f"INSERT INTO {live.ref}(lockstep) VALUES('{word}')")
        if form == "drop" and live:
            return Step("A", "drop", live.ref)
        if form == "close" and self.schema != "temp":
            return Step("B", "disconnect")
        if form in ("instead", "through") and self.plain:
            return self.of_plain_view(form, table)
        if form == "copy" and live:
            text = f"CREATE TABLE {live.prefix}{self.fresh('copy')} AS SELECT * FROM {live.ref}"
            return Step("A", "sql", text, f"SELECT * FROM {live.ref}")
        text = self.of_schema(table, form)
        connection = "A"
        if table.schema != "temp" and self.chance(0.3):
            connection = "B" if self.wants_extension else self.pick("B", "C")
        return Step(connection, "sql", text) if text else None

    def of_plain_view(self, form, table):
        """An INSTEAD OF trigger, or a statement for which one is needed."""
        source = self.random.choice(self.plain)
        given = {
            "p": quoted(source.name) if form == "instead" else source.ref,
            "t": quoted(table.name),
            "c": quoted(self.random.choice(table.writable()).name),
            "g": quoted(self.random.choice(source.columns).name),
            "l": self.literal("i"),
        }
        if form == "instead":
            name = source.prefix + self.fresh("tr")
            text = f"CREATE TRIGGER {name} INSTEAD OF " + self.random.choice(INSTEAD)
        else:
            text = self.random.choice(THROUGH)
        return Step("A", "sql", self.fill(text, given.__getitem__))

    def of_schema(self, table, form):
        column = quoted(self.random.choice(table.columns).name)
        number = self.random.randint(1, self.numbered)
        if form == "index":
            return self.make_index()
        if form == "no index":
            return f"DROP INDEX IF EXISTS {table.prefix}ix{number}"
        if form == "add":
            kind = self.pick("INT", "TEXT", "TEXT DEFAULT 'x'", "INT DEFAULT 3", "REAL")
            return f"ALTER TABLE {table.ref} ADD COLUMN {self.fresh('n')} {kind}"
        if form == "rename column":
            return f"ALTER TABLE {table.ref} RENAME COLUMN {column} TO {self.fresh('m')}"
        if form == "drop column":
            return f"ALTER TABLE {table.ref} DROP COLUMN {column}"
        if form == "rename":
            return f"ALTER TABLE {table.ref} RENAME TO {self.fresh('t')}"
        if form == "vacuum":
            return "VACUUM aux" if self.schema == "aux" else "VACUUM"
        if form == "pragma":
            return self.random.choice(PRAGMAS)
        if form == "no trigger":
            return f"DROP TRIGGER IF EXISTS {table.prefix}tr{number}"
        return None

    def trigger(self, table):
        column = quoted(self.random.choice(table.columns).name)
        event = self.pick("INSERT", "UPDATE", "DELETE", f"UPDATE OF {column}")
        row = "old" if event == "DELETE" else "new"
        other = self.random.choice(self.tables)
        written = self.random.choice(other.writable())
        given = {
            "e": event[:3],
            "row": row,
            "c": quoted(self.random.choice(table.columns).name),
            "t": quoted(table.name),
            "u": quoted(other.name),
            "d": quoted(written.name),
            "key": quoted(table.columns[0].name),
            "w": quoted(self.random.choice(table.writable()).name),
            "l": self.literal(written.kind),
        }
        bodies = [body for body in BODIES if self.live or "{v}" not in body]
        if table.foreign:
            # SQLite keeps the parent deleted where this stops what deletes its children, unless it is
            # ready to undo the statement
            bodies = [body for body in bodies if "RAISE(FAIL" not in body]
        if other is table:
            bodies = [body for body in bodies if "{u}" not in body]
        if self.live:
            live = self.random.choice(self.live)
            given["v"], given["g"] = quoted(live.name), quoted(live.columns[0].name)
        body = self.random.choice(bodies)
        if "{v}" in body:
            self.wants_extension = True
        temp = "TEMP " if table.schema == "main" and self.chance(0.1) else ""
        name = ("" if temp else table.prefix) + self.fresh("tr")
        when = self.pick("AFTER", "AFTER", "BEFORE")
        only = f" WHEN {row}.{column} IS NOT NULL" if self.chance(0.2) else ""
        return Step(
            "A",
            "sql",
            f"CREATE {temp}TRIGGER {name} {when} {event} ON {quoted(table.name)}{only}"
            f" BEGIN {self.fill(body, given.__getitem__)}; END",
        )
