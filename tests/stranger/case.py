"""A case: steps that are played on both worlds, which must answer alike."""

import collections
import os
import re

from results import alike_rows, shown
from words import quoted
from world import ERRORS, World

# kind: sql, read, view, drop, command, open, fetch, check, disconnect or encoding. about: of a view its
# name, query and options; of sql and read a query upon a view; of cursors their number.
Step = collections.namedtuple("Step", "connection kind sql about", defaults=("", None))
Difference = collections.namedtuple("Difference", "kind sql detail")

# An ordinary view can fail where it is read, for a row of its tables.
OF_ROWS = "malformed JSON|JSON|overflow|too (big|long)|LIKE or GLOB"
# What a command may meet: another connection, a row of the query's, or columns that have changed.
OF_COMMANDS = "locked|readonly|read-only|no such table|columns now|JSON cannot|overflow|malformed JSON"
# Below a SELECT * a plain view follows ADD COLUMN and RENAME COLUMN; a view keeps the columns that
# it was created with, and says so where there are more. (Columns are renamed to m1, m2, ...)
OTHER_COLUMNS = r"columns now|other columns than Lockstep's|no such column: (\w+\.)?m\d"


class Skipped(Exception):
    """The step was not taken: SQLite itself, or Lockstep, will have none of it."""

    def __init__(self, reason, by_lockstep=False):
        super().__init__(reason)
        self.reason = reason
        self.by_lockstep = by_lockstep


class Over(Exception):
    """The worlds part, by a limit that README tells."""


class Case:
    def __init__(self, folder, lockstep, rival=False):
        self.ours = World(os.path.join(folder, "ours.db"), lockstep)
        self.twin = World(os.path.join(folder, "twin.db"))
        self.rival = rival
        self.views = {}  # name in SQL: its query
        self.cursors = {}
        self.columns_may_differ = False
        self.has_compounds = False
        self.maintains_at_commit = False
        self.last = ""  # statement
        self.compared = 0
        self.excused = collections.Counter()

    def close(self):
        self.cursors = {}
        self.ours.remove()
        self.twin.remove()

    def play(self, step):
        """The difference that shows, or None."""
        if re.search("UNION|EXCEPT|INTERSECT", step.sql + str(step.about)):
            self.has_compounds = True
        play = {"sql": self.statement, "read": self.read}.get(step.kind)
        return (play or getattr(self, step.kind))(step)

    def both(self, step):
        return self.ours.run(step.connection, step.sql), self.twin.run(step.connection, step.sql)

    def encoding(self, step):
        self.ours.encoding = self.twin.encoding = step.sql

    def disconnect(self, step):
        self.ours.disconnect(step.connection)
        self.twin.disconnect(step.connection)

    def view(self, step):
        ref, query, options = step.about
        temp = "TEMP " if ref.startswith("temp.") else ""
        made = self.twin.run(step.connection, f"CREATE {temp}VIEW {ref} AS {query}")
        if made.error:
            raise Skipped(made.error)
        read = self.twin.run(step.connection, f"SELECT * FROM {ref}")
        kept = None
        if not read.error or re.search(OF_ROWS, read.error):
            kept = self.ours.run(step.connection, self.creation(ref, query, options))
            if not kept.error:
                self.views[ref] = query
                self.maintains_at_commit |= "maintain=commit" in options
                return
        self.twin.run(step.connection, f"DROP VIEW {ref}")
        if read.error or "locked" in kept.error:
            raise Skipped(read.error or kept.error)
        raise Skipped(kept.error, by_lockstep=True)

    def creation(self, ref, query, options):
        if self.rival:
            return f"CREATE TABLE {ref} AS {query}"
        return f"CREATE VIRTUAL TABLE {ref} USING lockstep({options}{query})"

    def drop(self, step):
        ours = self.ours.run(step.connection, f"DROP TABLE {step.sql}")
        twin = self.twin.run(step.connection, f"DROP VIEW {step.sql}")
        if bool(ours.error) != bool(twin.error):
            return Difference("outcome", f"DROP TABLE {step.sql}", f"{ours.error} / {twin.error}")
        self.views.pop(step.sql, None)

    def command(self, step):
        ours = self.ours.run(step.connection, step.sql)
        if not ours.error or re.search(OF_COMMANDS, ours.error):
            return None
        if self.columns_may_differ and re.search(OTHER_COLUMNS, ours.error):
            return None
        return Difference("command", step.sql, ours.error)

    def open(self, step):
        """Cursors that have begun to read stay open over what follows."""
        try:
            worlds = [w.connection(step.connection) for w in (self.ours, self.twin)]
            cursors = [db.execute(step.sql) for db in worlds]
            for cursor in cursors:
                cursor.fetchone()
            self.cursors[step.about] = cursors
        except ERRORS:
            pass

    def fetch(self, step):
        """Which rows they give is SQLite's to choose, where their tables are written meanwhile."""
        for cursor in self.cursors.pop(step.about, ()):
            try:
                cursor.fetchall()
            except ERRORS as error:
                if "lockstep" in str(error) and not re.search("abort|" + OF_ROWS, str(error)):
                    return Difference("cursor", step.sql, str(error))

    def statement(self, step):
        if step.about and not self.is_same(step._replace(sql=step.about)):
            self.excused["statements that would read what SQLite may choose"] += 1
            return
        self.last = step.sql
        if step.sql.startswith("ALTER"):
            self.columns_may_differ = True
            # a connection that has not read the schema yet renames less in it
            for world in (self.ours, self.twin):
                for schema in ("main", "aux"):
                    world.run(step.connection, f"SELECT count(*) FROM {schema}.sqlite_schema")
        ours, twin = self.both(step)
        if bool(ours.error) != bool(twin.error):
            self.limits(step, ours.error or "", twin.error or "")
            return Difference("outcome", step.sql, f"{ours.error} / {twin.error}")
        if ours.error == "datatype mismatch" and re.search("IGNORE|DO NOTHING", step.sql):
            # a text as rowid: SQLite keeps the rows that an INSERT OR IGNORE has already inserted
            # inside a transaction, unless something else makes it ready to undo the statement
            raise Over("datatype mismatch")
        if not step.sql.startswith("PRAGMA") and sorted(ours.rows) != sorted(twin.rows):
            return Difference("returning", step.sql, self.told(ours.rows, twin.rows))

    def limits(self, step, ours, twin):
        """Raises Over where a statement had to fail in one world alone.

        README: what a program without the extension can't do, which is writing tables of views with
        maintain=commit and ALTER TABLE while a view reads another; and ALTER TABLE ADD COLUMN below a
        SELECT *, which a plain view follows. The rest is SQLite's own."""
        if step.connection == "C" and "no such module" in ours:
            raise Over("no extension")
        if self.columns_may_differ and re.search(OTHER_COLUMNS, ours):
            raise Over("columns now")
        # where an UPDATE leaves a row as it was SQLite writes no page, and a transaction of another
        # connection that began before can go on to write; not so where the change was logged
        if "locked" in ours and self.ours.connection(step.connection).in_transaction:
            raise Over("logged, though SQLite wrote nothing")
        # README: with maintain=commit, what writes tables of an attached database locks main, too
        if "locked" in ours and self.maintains_at_commit:
            raise Over("main is locked")
        # README: SQLite 3.40 renames no column of a TEMP table that a trigger names
        if "RENAME COLUMN" in step.sql and "error in trigger lockstep_log" in ours:
            raise Over("a column of a TEMP table")
        # SQLite looks at the types of a STRICT table before NOT NULL, which may skip the row, where the
        # table has a BEFORE trigger, as those of Lockstep are
        if "cannot store" in ours:
            raise Over("types before NOT NULL")
        # the twin reads tables where a view reads its rows, and keeps another in that way
        if "locked" in twin:
            raise Over("locked")
        # SQLite tries plain views after DROP COLUMN and RENAME, and so has more to refuse in the twin
        if re.search("error in view .* after (drop column|rename)", ours + twin):
            raise Over("ALTER TABLE beside plain views")
        # README: no column that a view reads is dropped, be it through *
        if re.search("error in trigger lockstep_log_.* after drop column", ours):
            raise Over("DROP COLUMN of what a view reads")

    def is_same(self, step):
        """Whether a query upon a view gives the same in both, and nothing that is merely alike, so that
        a statement which writes what it reads there writes the same."""
        ours, twin = self.both(step)
        if ours.error or twin.error or ours.names != twin.names:
            return False
        return sorted(ours.rows) == sorted(twin.rows)

    def read(self, step):
        difference = self.compare("read", step.sql, *self.both(step))
        whole = step._replace(sql=f"SELECT * FROM {step.about}")
        if difference and self.twin.run(step.connection, whole.sql).error:
            # a view computes all columns, and SQLite those that are asked for
            self.excused["a row of the view that fails"] += 1
            return None
        if difference and not self.compare("view", whole.sql, *self.both(whole)):
            if not self.is_same(whole):  # a comparison tells what is merely alike apart
                self.excused["a read of what SQLite may choose"] += 1
                return None
        return difference

    def compare(self, kind, sql, ours, twin):
        self.compared += 1
        if ours.error or twin.error:
            return self.compare_errors(kind, sql, ours.error, twin.error)
        if sorted(ours.rows) == sorted(twin.rows):
            if ours.names != twin.names and not self.columns_may_differ:
                return Difference("names", sql, f"{ours.names} / {twin.names}")
            return None
        numerals = self.has_compounds
        if sorted(alike_rows(ours.rows, numerals)) == sorted(alike_rows(twin.rows, numerals)):
            self.excused["alike"] += 1
            return None
        return Difference(kind, sql, self.told(ours.rows, twin.rows))

    def compare_errors(self, kind, sql, ours, twin):
        if twin and not ours:
            # SQLite computes a row, and fails, which the read does not need: a stored view has it not
            self.excused["twin alone: " + twin[:40]] += 1
        elif ours and not twin:
            if self.columns_may_differ and re.search(OTHER_COLUMNS, ours):
                self.excused["columns now"] += 1
            elif "JSON cannot hold" in ours:
                self.excused["a value that SQLite does not compute"] += 1
            else:
                return Difference(kind + " error", sql, ours)
        return None

    def told(self, ours, twin):
        return f"lockstep: {shown(ours, twin)}\n-- twin:     {shown(twin, ours)}"

    def check(self, step):
        """All tables and views."""
        connection = "A" if step.connection == "C" else step.connection
        difference = self.check_tables(connection)
        for ref in list(self.views):
            if difference:
                return difference
            if not ref.startswith("temp.") or connection == "A":
                sql = f"SELECT * FROM {ref}"
                ours, twin = (w.run(connection, sql) for w in (self.ours, self.twin))
                difference = self.compare("view", sql, ours, twin)
        return difference

    def check_tables(self, connection):
        for schema in ("main", "aux", "temp"):
            listed = self.twin.run(
                connection,
                f"SELECT name, sql FROM {schema}.sqlite_schema"
                " WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            )
            for (_, name), (_, text) in listed.rows:
                sql = f"SELECT * FROM {schema}.{quoted(name.decode())}"
                ours, twin = (w.run(connection, sql) for w in (self.ours, self.twin))
                if bool(ours.error) != bool(twin.error):
                    return Difference("table error", sql, f"{ours.error} / {twin.error}")
                if sorted(ours.rows) != sorted(twin.rows):
                    # which of its rows an UPDATE keeps from conflicts follows the order in which it
                    # meets them, and so SQLite's plan, which differs where a table has triggers
                    conflicts = "UPDATE OR" in self.last or b" ON CONFLICT " in text
                    if "UPDATE" in self.last and conflicts and len(ours.rows) == len(twin.rows):
                        raise Over("conflicts between the rows of an UPDATE")
                    return Difference("tables", sql, self.told(ours.rows, twin.rows))
        return None
