"""What changes data: INSERT in all its ways, UPDATE, DELETE, transactions and savepoints."""

from case import Step
from freedom import names
from idioms import Idioms
from words import quoted

VERBS = {
    "INSERT": 10, "REPLACE": 3, "INSERT OR IGNORE": 4, "INSERT OR FAIL": 1, "INSERT OR ABORT": 1,
    "INSERT OR ROLLBACK": 0.5, "INSERT OR REPLACE": 2,
}
UPDATES = {"": 10, "OR IGNORE ": 2, "OR REPLACE ": 2, "OR FAIL ": 0.5, "OR ROLLBACK ": 0.3}
TRANSACTIONS = [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "COMMIT", "ROLLBACK", "SAVEPOINT s1", "SAVEPOINT s1",
    "SAVEPOINT s2", "RELEASE s1", "RELEASE s2", "ROLLBACK TO s1", "ROLLBACK TO s1",
    "ROLLBACK TO s2",
]
# {t} a table, {name} that without its schema, {c} and {d} columns of integers, {w} any column, {all} all
# that can be written, {moved} the same with some integers increased, {rows} all columns there are.
WHOLE_TABLES = [
    "UPDATE {t} SET {c} = {c} + 1",
    "UPDATE {t} SET {c} = -{c}",
    "UPDATE OR REPLACE {t} SET {c} = {c} / 2",
    "UPDATE {t} SET {c} = CASE {c} WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE {c} END",
    "UPDATE {t} SET {c} = {d}, {d} = {c}",
    "UPDATE {t} SET {w} = NULL WHERE {w} IS NOT NULL",
    "UPDATE {t} SET {w} = {w}",
    "UPDATE {t} SET {c} = coalesce({c}, 1)",
    "DELETE FROM {t}",
    "INSERT INTO {t} DEFAULT VALUES",
    "INSERT OR REPLACE INTO {t}({all}) SELECT {moved} FROM {t} ORDER BY {rows} LIMIT 5",
    "WITH z(a) AS (SELECT max({c}) FROM {t}) UPDATE {t} SET {d} = (SELECT a FROM z) WHERE {c} < 3",
    "UPDATE {t} SET {d} = z.m FROM (SELECT max({d}) AS m, {c} AS k FROM {t} GROUP BY 2) AS z"
    " WHERE z.k = {name}.{c}",
    "UPDATE {t} SET ({c}, {d}) = (SELECT max({d}), min({c}) FROM {u}) WHERE {c} > 1",
    "UPDATE {t} SET {d} = (SELECT count(*) FROM {u} AS u WHERE u.{cu} = {name}.{c})",
    "UPDATE {t} SET {d} = u.m FROM (SELECT {cu} AS k, count(*) AS m FROM {u} GROUP BY 1) AS u"
    " JOIN (SELECT 1 AS one) WHERE u.k = {name}.{c} AND one = 1",
    "DELETE FROM {t} WHERE EXISTS (SELECT 1 FROM {u} AS u WHERE u.{cu} = {name}.{c} AND u.{cu} > 2)",
    "DELETE FROM {t} WHERE {c} = (SELECT max({c}) FROM {t})",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
    " INSERT OR IGNORE INTO {t}({c}) SELECT i % 13 FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)"
    " INSERT OR IGNORE INTO {t}({c}) SELECT i FROM n",
    "INSERT INTO {t}({all}) SELECT {all} FROM {t} WHERE true ON CONFLICT DO NOTHING",
    "REPLACE INTO {t}({all}) SELECT {all} FROM {t} ORDER BY {rows} LIMIT 3",
    "DELETE FROM {t} WHERE {c} > 20",
]
# the same of a view: {v}, and {g} a column of it
OF_VIEWS = [
    "UPDATE {t} SET {d} = z.n FROM (SELECT {g} AS k, count(*) AS n FROM {v} GROUP BY 1) AS z"
    " WHERE z.k = {name}.{c}",
    "UPDATE {t} SET {d} = (SELECT count(*) FROM {v} AS z WHERE z.{g} = {name}.{c} + 0)",
    "DELETE FROM {t} WHERE EXISTS (SELECT 1 FROM {v} AS z WHERE z.{g} = {name}.{c} + 0)",
    "WITH z AS (SELECT {g} AS g FROM {v}) DELETE FROM {t} WHERE {c} > (SELECT avg(g) FROM z)",
    "INSERT INTO {t}({d}) SELECT count(*) FROM {v} WHERE true ON CONFLICT DO UPDATE SET {d} = 1",
    "INSERT OR REPLACE INTO {t}({d}) SELECT count(*) + 100 FROM {v} RETURNING *",
]


def listed(columns):
    return ", ".join(quoted(column.name) for column in columns)


class Statements(Idioms):
    def __init__(self, seed):
        super().__init__(seed)
        # A trigger that reads a view, or a view with maintain=commit, keeps programs without the
        # extension from writing: README.
        self.wants_extension = False

    def writer(self, table):
        """The connection that writes; a TEMP table is A's alone."""
        if table.schema == "temp":
            return "A"
        return self.weighted({"A": 8, "B": 2} if self.wants_extension else {"A": 8, "B": 2, "C": 2})

    def statement(self):
        table = self.random.choice(self.tables)
        connection = self.writer(table)
        form = self.weighted(
            {
                "whole": 7, "insert": 29, "update": 22, "delete": 16, "from view": 4,
                "transaction": 12, "many": 7,
            }
        )
        if form == "transaction":
            return Step(connection, "sql", self.random.choice(TRANSACTIONS))
        live = self.random.choice(self.live) if self.live and connection != "C" else None
        if form == "whole":
            text, reads = self.whole(table, live)
        elif form in ("insert", "many"):
            count = self.random.randint(4, 12) if form == "many" else self.random.randint(1, 3)
            text, reads = self.insert(table, count), None
        elif form == "from view" and live:
            text, reads = self.insert_view(table, live)
        elif form == "update":
            text, reads = self.update(table, live)
        else:
            where, reads = self.where(table, live)
            text = f"DELETE FROM {table.ref}" + (where if self.chance(0.93) else "")
        if self.chance(0.1) and connection != "C":
            text += " RETURNING " + self.pick("*", quoted(self.random.choice(table.columns).name))
            if live and not reads and self.chance(0.5):
                reads = f"SELECT count(*) FROM {live.ref}"
                text += f", ({reads})"
        return Step(connection, "sql", text, reads)

    def whole(self, table, live):
        """(text, the query upon a view that it holds or None)"""
        integers = [column for column in table.writable() if column.kind == "i"]
        other = self.random.choice(self.tables)
        others = [column for column in other.columns if column.kind == "i"]
        if not integers or not others:
            return self.insert(table, 2), None
        moved = [
            quoted(c.name) + (" + 1" if c.kind == "i" and self.chance(0.5) else "")
            for c in table.writable()
        ]
        given = {
            "t": table.ref,
            "name": quoted(table.name),
            "c": quoted(integers[0].name),
            "d": quoted(integers[-1].name),
            "w": quoted(self.random.choice(table.writable()).name),
            "u": other.ref,
            "cu": quoted(self.random.choice(others).name),
            "all": listed(table.writable()),
            "moved": ", ".join(moved),
            "rows": listed(table.columns),
        }
        forms, reads = WHOLE_TABLES, None
        if live and self.chance(0.2):
            column = quoted(self.random.choice(live.columns).name)
            given["v"], given["g"] = live.ref, column
            forms, reads = OF_VIEWS, f"SELECT {column} FROM {live.ref}"
            if self.rests_on(live, table):
                # SQLite may keep a plain view's rows from the first row that is written on
                forms = [form for form in forms if " AS z WHERE z." not in form]
        forms = [form for form in forms if len(integers) > 1 or "{d}, " not in form]
        forms = [form for form in forms if len(integers) > 1 or "{c}, {d}" not in form]
        return self.fill(self.random.choice(forms), given.__getitem__), reads

    def rests_on(self, view, table):
        others = [other for other in self.live + self.plain if names(view.text, other.name)]
        return names(view.text, table.name) or any(
            self.rests_on(other, table) for other in others if other is not view
        )

    def insert(self, table, count, verb=None):
        columns = table.writable()
        if self.chance(0.15):
            columns = self.random.sample(columns, self.random.randint(1, len(columns)))
        verb = verb or self.weighted(VERBS)
        upsert = self.on_conflict(table) if verb == "INSERT" and self.chance(0.4) else ""
        # what SQLite keeps of a statement which fails for a text as rowid, where it ignores conflicts,
        # depends on whether it was ready to undo it
        ignores = "IGNORE" in verb or "NOTHING" in upsert
        rows = [
            "(" + ", ".join(self.new_value(table, column, ignores) for column in columns) + ")"
            for _ in range(count)
        ]
        return f"{verb} INTO {table.ref}({listed(columns)}) VALUES {', '.join(rows)}{upsert}"

    def new_value(self, table, column, ignores):
        """Mostly one that the constraints allow."""
        if ignores and column.declared == "INTEGER" and [column.name] in table.unique:
            return str(self.random.randint(-1, 60)) if self.chance(0.7) else "NULL"
        if table.foreign and column.name == table.foreign[0] and self.chance(0.85):
            parent = table.foreign[1]
            key = quoted(parent.unique[0][0])
            at = self.random.randint(0, 6)
            return f"(SELECT {key} FROM {parent.ref} ORDER BY 1 LIMIT 1 OFFSET {at})"
        if [column.name] in table.unique:
            if column.declared == "INTEGER" and self.chance(0.4):
                return "NULL"
            if self.chance(0.7):
                return {
                    "i": str(self.random.randint(-1, 60)),
                    "r": str(self.random.randint(0, 200) / 4),
                }.get(column.kind, "'" + "".join(self.random.choices("abcAB", k=3)) + "'")
        return self.literal(column.kind, 0 if column.notnull else None)

    def on_conflict(self, table):
        if not table.unique:
            return self.pick("", " ON CONFLICT DO NOTHING")
        key = ", ".join(quoted(name) for name in self.random.choice(table.unique))
        last = ", ".join(quoted(name) for name in self.random.choice(table.unique))
        column = self.random.choice(table.writable())
        name = quoted(column.name)
        return self.pick(
            f" ON CONFLICT({key}) DO NOTHING",
            " ON CONFLICT DO NOTHING",
            f" ON CONFLICT({key}) DO UPDATE SET {name} = excluded.{name}",
            f" ON CONFLICT({key}) DO UPDATE SET {name} = excluded.{name}"
            f" WHERE excluded.{name} IS NOT NULL",
            f" ON CONFLICT({key}) DO UPDATE SET {name} = {self.literal(column.kind)}",
            f" ON CONFLICT({key}) DO UPDATE SET {name} = {name} ON CONFLICT({last}) DO NOTHING",
            f" ON CONFLICT({key}) DO NOTHING ON CONFLICT DO UPDATE SET {name} = excluded.{name}",
            f" ON CONFLICT({key}) DO UPDATE SET {name} = (SELECT max({name}) FROM {table.ref})",
        )

    def insert_view(self, table, live):
        """(text, the query upon a view that it holds)"""
        columns = table.writable()[: len(live.columns)]
        verb = "INSERT INTO" if table.is_strict or "INTEGER" in columns[0].declared else None
        verb = verb or self.pick("INSERT OR IGNORE INTO", "INSERT INTO", "REPLACE INTO")
        order = ", ".join(str(i + 1) for i in range(len(columns)))
        taken = listed(live.columns[: len(columns)])
        reads = f"SELECT {taken} FROM {live.ref} ORDER BY {order} LIMIT 4"
        return f"{verb} {table.ref}({listed(columns)}) {reads}", reads

    def update(self, table, live):
        """(text, the query upon a view that it holds or None)"""
        reads = None
        changes = []
        columns = table.writable()
        for column in self.random.sample(columns, min(len(columns), self.pick(1, 1, 2))):
            if self.chance(0.4):
                value = self.literal(column.kind, 0 if column.notnull else None)
            elif live and self.chance(0.08):
                of = quoted(self.random.choice(live.columns).name)
                reads = f"SELECT max({of}) FROM {live.ref}"
                value = f"({reads})"
            elif self.chance(0.05):
                other = self.random.choice(self.tables)
                of = quoted(self.random.choice(other.columns).name)
                value = f"(SELECT max({of}) FROM {other.ref})"
            else:
                value = self.of_row(self.expression, table, column.kind)
            changes.append(f"{quoted(column.name)} = {value}")
        text = f"UPDATE {self.weighted(UPDATES)}{table.ref} SET {', '.join(changes)}"
        if self.chance(0.08):
            return text, reads
        where, more = self.where(table, None if reads else live)
        return text + where, reads or more

    def of_row(self, make, table, *kind):
        """Without a subquery: that could read what the statement writes."""
        self.depth_of_subqueries = 2
        text = make(table.scope(), *kind, depth=1)
        self.depth_of_subqueries = 0
        return text

    def where(self, table, live):
        """(text, the query upon a view that it holds or None)"""
        if live and self.chance(0.12):
            column = self.random.choice(live.columns)
            negated = self.pick("", "NOT ")
            # an expression of the view's column has no affinity on either side: README, limits
            reads = f"SELECT +{quoted(column.name)} FROM {live.ref}"
            of_table = self.column_of(table.scope(), column.kind)
            return f" WHERE {of_table} {negated}IN ({reads})", reads
        return " WHERE " + self.of_row(self.condition, table), None
