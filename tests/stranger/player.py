"""Plays one case: makes up each step as it goes, for that depends on what came of those before."""

import re

from between import Between
from case import Skipped, Step
from limits import Over
from results import plain
from words import ODD_VIEWS, Column, Source, quoted

JOURNALS = ["WAL", "WAL", "DELETE", "TRUNCATE", "PERSIST"]
OPTIONS = {
    "": 7, "maintain=commit, ": 1.5, "indexes=no, ": 1, "index=(c0), ": 1, "index=(c1 DESC, c0), ": 0.5,
    "index=(c0), index=(c1), ": 0.5, "maintain=commit, index=(c1), ": 0.3,
}
REMARKS = [" /* a, (b */ FROM ", "\n  FROM ", " -- it's, x\n FROM "]


class Found(Exception):
    """A difference between the worlds."""

    def __init__(self, difference):
        super().__init__(difference.kind)
        self.difference = difference


class Player:
    def __init__(self, seed, case, note):
        self.make = Between(seed)
        self.case = case
        self.note = note  # is told each step before it is taken
        self.steps = []
        self.made = 0
        self.refused = []  # pairs of why and a query

    def take(self, step):
        self.note(step)
        difference = self.case.play(step)
        self.steps.append(step)
        if difference:
            raise Found(difference)

    def run(self, sql, connection="A"):
        self.take(Step(connection, "sql", sql))

    def play(self):
        """Raises Found. A case ends early where the worlds part by a limit."""
        try:
            self.begin()
            if self.case.views:
                self.go_on()
                self.end()
        except Over as over:
            self.case.excused[f"ended: {over}"] += 1

    def begin(self):
        make = self.make
        if make.chance(0.08):
            self.take(Step("A", "encoding", "UTF-16le"))
        if make.chance(0.1):
            self.run("PRAGMA page_size = 512")
        if make.chance(0.1):
            self.run(f"PRAGMA auto_vacuum = {make.pick(1, 2)}")
        self.run("PRAGMA journal_mode = " + make.random.choice(JOURNALS))
        for _ in range(make.pick(1, 2, 2, 3, 3, 4)):
            self.run(make.make_table())
        self.run("CREATE TABLE audit(what, v)")
        if make.schema != "main":
            self.run(f"CREATE TABLE {make.schema}.audit(what, v)")
        self.learn()
        for _ in range(make.pick(0, 1, 1, 2, 3)):
            self.run(make.make_index())
        for table in make.tables:
            self.run(make.insert(table, make.pick(1, 3, 8, 15), "INSERT OR IGNORE"))
        if make.chance(0.15):
            self.take(make.trigger(make.random.choice(make.tables)))
        if make.chance(0.3):
            self.plain_view()
        for _ in range(make.pick(1, 1, 2, 3)):
            self.view()
        for _ in range(4):
            if not self.case.views:
                self.view()
        self.check("A")

    def go_on(self):
        make = self.make
        often = make.pick(1, 0.85, 0.5, 0.2)
        for _ in range(make.pick(10, 20, 30, 60)):
            form = make.weighted({"statement": 65, "change": 3, "read": 25, "view": 3, "open": 4, "remake": 1, "between": 8})
            step = None
            if form == "view" and len(self.case.views) < 5:
                self.view()
            elif form == "open" and make.live:
                self.read_slowly()
            elif form == "between" and make.live:
                self.between()
            elif form == "remake" and make.schema == "main":
                self.remake(make.random.choice(make.tables))
            elif form == "read" and make.live:
                step = make.read()
            elif form == "change":
                step = make.change()
            else:
                step = make.statement()
            if step:
                self.take(step)
                self.follow(step, form)
            if make.chance(often):
                self.check(step.connection if step else "A")

    def follow(self, step, form):
        """What the case makes later knows of it."""
        if step.kind == "drop" or "ROLLBACK" in step.sql:
            self.case.forget_what_is_gone(step.connection)
            self.make.live = [live for live in self.make.live if live.ref in self.case.views]
        if "case_sensitive_like" in step.sql:
            for connection in "ABC":
                self.run(step.sql, connection)
        if form == "change":
            self.learn()

    def read_slowly(self):
        """A cursor that stays open over two statements; where it is another connection's, it has a
        snapshot to read."""
        begun = self.make.open_step(len(self.steps))
        self.take(begun)
        for _ in range(2):
            statement = self.make.statement()
            if begun.connection == "A" or statement.connection != begun.connection:
                self.take(statement)
        self.take(begun._replace(kind="fetch"))

    def between(self):
        """What is hidden comes to light again soon, for statements name it."""
        make = self.make
        form = make.weighted({"look": 4, "integrity": 2, "hiding": 3})
        if form != "hiding":
            self.take(getattr(make, form)())
            return
        begun, ended = make.hiding()
        self.take(begun)
        for form in make.pick([], ["look"], ["check"], ["statement", "look"], ["statement", "check"]):
            step = Step(begun.connection, "check") if form == "check" else getattr(make, form)()
            self.take(step)
            self.follow(step, form)
            if not make.live:
                break
        self.take(ended)

    def remake(self, table):
        """A table is dropped and comes back; or becomes another one, as people do it whom ALTER TABLE does
        not help."""
        run = self.case.ask("A", f"SELECT sql FROM sqlite_schema WHERE name = '{table.name}'")
        if table.ref != table.name or len(run.rows) != 1 or run.rows[0][0][0] == "null":
            return
        definition = plain(run.rows[0][0])
        head, columns = definition.split("(", 1)
        names = ", ".join(quoted(column.name) for column in table.writable())
        # (a foreign key upon the table that is renamed is not enforced by SQLite until it reads the schema
        # again)
        if table.foreign or self.make.chance(0.5):
            steps = [f"DROP TABLE {table.name}", definition, self.make.insert(table, 5, "REPLACE")]
        else:
            copy = self.make.fresh("new")
            steps = [
                f"CREATE TABLE {copy}({columns}",
                f"INSERT INTO {copy}({names}) SELECT {names} FROM {table.name}",
                "PRAGMA legacy_alter_table = ON",
                f"DROP TABLE {table.name}",
                f"ALTER TABLE {copy} RENAME TO {table.name}",
                "PRAGMA legacy_alter_table = OFF",
            ]
        if self.make.chance(0.3):
            steps = ["BEGIN"] + steps + [self.make.pick("COMMIT", "ROLLBACK")]
        for sql in steps:
            self.run(sql)
            if self.make.chance(0.2):
                self.check("A")
        self.check("A")
        self.learn()

    def end(self):
        for connection in "ABC":
            db = self.case.twin.connections.get(connection)
            if db and db.in_transaction:
                self.run(self.make.pick("COMMIT", "COMMIT", "ROLLBACK"), connection)
            if db and db.in_transaction:  # a deferred constraint kept it from committing
                self.run("ROLLBACK", connection)
        for ref in list(self.case.views):
            self.take(Step("A", "command", f"INSERT INTO {ref}(lockstep) VALUES('integrity-check')"))
        self.check("A")
        if self.make.schema != "temp":
            for connection in "ABC":
                self.take(Step(connection, "disconnect"))
            self.check("A")

    def check(self, connection):
        self.take(Step(connection, "check"))

    def plain_view(self):
        make = self.make
        are_named = make.chance(0.7)
        text, kinds = make.query(1, are_named=are_named)
        name = make.fresh("p")
        source = Source(make.schema, name, [])
        names = "" if are_named else f"({', '.join(f'k{i}' for i in range(len(kinds)))})"
        self.run(f"CREATE VIEW {source.ref}{names} AS {text}")
        names = self.case.ask("A", f"SELECT * FROM {source.ref} LIMIT 0").names
        if names:
            source.columns = [Column(*pair) for pair in zip(names, kinds)]
            source.is_compound = self.is_compound(text)
            source.text = text
            make.plain.append(source)

    def is_compound(self, text):
        """Or reads one that is."""
        if re.search("UNION|EXCEPT|INTERSECT", text):
            return True
        return any(s.is_compound for s in self.make.live + self.make.plain if s.name in text)

    def view(self):
        make = self.make
        make.naming = make.weighted({"fresh": 5, "short": 3, "none": 3})
        make.bare_names = make.naming != "fresh" and make.chance(0.6)
        make.taken = set()
        if make.chance(0.25):
            text, kinds = make.idiom()
        else:
            text, kinds = make.query(make.pick(0, 1, 1, 2), top=True)
        make.naming, make.bare_names = "fresh", False
        if make.quirky and make.chance(0.1):
            text = text.replace(" FROM ", make.random.choice(REMARKS), 1)
        name = make.fresh("v")
        if make.odd and make.chance(0.4):
            name = make.random.choice(ODD_VIEWS) + str(make.numbered)
        options = make.weighted(OPTIONS)
        lacks = " AS c0" not in text or "* FROM" in text or len(kinds or ()) <= ("c1" in options)
        if "index=" in options and lacks:
            options = ""  # it has no such column
        if "commit" in options:
            make.wants_extension = True
        source = Source(make.schema, name, [])
        source.is_placed = make.hides
        try:
            self.take(Step("A", "view", "", (source.ref, text, options)))
        except Skipped as skipped:
            if skipped.by_lockstep:
                self.refused.append((skipped.reason, text))
            return
        self.made += 1
        names = self.case.ask("A", f"SELECT * FROM {source.ref} LIMIT 0").names or []
        kinds = kinds or ["x"] * len(names)
        if names and len(set(names)) == len(names) == len(kinds):
            source.columns = [Column(*pair) for pair in zip(names, kinds)]
            source.is_compound = self.is_compound(text)
            source.text = text
            make.live.append(source)

    def learn(self):
        """What is made from here on follows the schema that there is now."""
        make, ask = self.make, self.case.ask
        listed = ask(
            "A",
            f"SELECT name FROM {make.schema}.sqlite_schema WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'copy%' AND name <> 'audit'"
            " ORDER BY rowid",
        )
        names = [plain(name) for (name,) in listed.rows]
        if listed.error or len(names) != len(make.tables):
            return
        for table, name in zip(make.tables, names):
            table.name = name
            info = ask("A", f"PRAGMA {make.schema}.table_xinfo({quoted(name)})")
            if info.rows:
                self.learn_columns(table, [[plain(value) for value in row] for row in info.rows])
        for source in make.live + make.plain:
            names = ask("A", f"SELECT * FROM {source.ref} LIMIT 0").names or []
            if len(names) == len(source.columns):
                for column, name in zip(source.columns, names):
                    column.name = name

    def learn_columns(self, table, info):
        known = {column.name: column for column in table.columns}
        columns = []
        for i, (_, name, declared, *_, hidden) in enumerate(info):
            column = known.get(name)
            if not column and len(info) == len(table.columns):
                column = table.columns[i]  # it was renamed
                table.unique = [[name if n == column.name else n for n in u] for u in table.unique]
                if table.foreign and table.foreign[0] == column.name:
                    table.foreign = (name, table.foreign[1])
                column.name = name
            column = column or Column(name, "s" if "TEXT" in declared else "i", declared)
            column.generated = hidden in (2, 3)
            columns.append(column)
        table.columns = columns


def replayed(steps, case):
    """The first difference that the steps show, or None."""
    for step in steps:
        try:
            difference = case.play(step)
        except (Skipped, Over):
            return None
        if difference:
            return difference
    return None
