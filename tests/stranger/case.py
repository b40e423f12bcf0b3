"""A case: steps that are played on both worlds, which must answer alike."""

import collections
import os
import re

from freedom import choices_of, names, with_all_read
from judge import could_be
from limits import OF_ROWS, OTHER_COLUMNS, OTHER_NAMES, Failed, check_limits
from results import alike_rows, plain, shown, tagged_rows
from words import quoted
from world import ERRORS, Answer, World

# kind: sql, read, view, drop, command, look, integrity, open, fetch, check, disconnect or encoding.
# about: of a view its name, query and options; of look a view; of sql and read a query upon one; of
# cursors their number.
Step = collections.namedtuple("Step", "connection kind sql about", defaults=("", None))
Difference = collections.namedtuple("Difference", "kind sql detail")

DDL = re.compile("ALTER|CREATE|DROP|VACUUM|COMMIT|ROLLBACK")
TRIGGERS = (
    "SELECT name, sql FROM {}.sqlite_schema WHERE type = 'trigger' AND name LIKE 'lockstep_log_%'"
)


def nameless(message):
    """What went wrong, whatever it went wrong with."""
    message = re.sub(r'lockstep: view (".*?"|[^:]*): ', "", message)
    return re.sub(r"\b[a-zA-Z]{1,2}\d+\b", "N", message)


def comes_in_order(query):
    """Whether its rows have an order. By all columns: what ties is alike."""
    without = re.sub(r"\([^()]*\)", "", query)
    return comes_in_order(without) if without != query else " ORDER BY " in query


class Skipped(Exception):
    """The step was not taken: SQLite itself, or Lockstep, will have none of it."""

    def __init__(self, reason, by_lockstep=False):
        super().__init__(reason)
        self.reason = reason
        self.by_lockstep = by_lockstep


class Case:
    def __init__(self, folder, lockstep, rival=False):
        self.ours = World(os.path.join(folder, "ours.db"), lockstep)
        self.twin = World(os.path.join(folder, "twin.db"))
        self.rival = rival
        self.views = {}  # name in SQL: its query
        self.cursors = {}
        self.columns_may_differ = False
        self.names_may_differ = False
        self.maintains_at_commit = False
        # what one world alone has written while there was a transaction
        self.has_dropped_in_transaction = False
        self.has_commanded_in_transaction = False
        self.compared = 0
        self.excused = collections.Counter()

    def close(self):
        self.cursors = {}
        self.ours.remove()
        self.twin.remove()

    def play(self, step):
        """The difference that shows, or None."""
        play = {"sql": self.statement, "read": self.read}.get(step.kind)
        return (play or getattr(self, step.kind))(step)

    def both(self, step):
        return self.ours.run(step.connection, step.sql), self.twin.run(step.connection, step.sql)

    def ask(self, connection, sql):
        """What the twin says; both are asked, for who asks in a transaction has a lock from then on."""
        self.ours.run(connection, sql)
        return self.twin.run(connection, sql)

    def encoding(self, step):
        self.ours.encoding = self.twin.encoding = step.sql

    def disconnect(self, step):
        self.ours.disconnect(step.connection)
        self.twin.disconnect(step.connection)

    def view(self, step):
        ref, query, options = step.about
        temp = "TEMP " if ref.startswith("temp.") else ""
        names = self.names_in_twin(step.connection, query)
        made = self.twin.run(step.connection, f"CREATE {temp}VIEW {ref}{names} AS {query}")
        if made.error:
            raise Skipped(made.error)
        read = self.twin.run(step.connection, f"SELECT * FROM {ref}")
        kept = None
        if not read.error or re.search(OF_ROWS, read.error):
            kept = self.ours.run(step.connection, self.creation(ref, query, options))
            if not kept.error:
                self.views[ref] = query
                self.maintains_at_commit |= "maintain=commit" in options
                self.idle_triggers(step.connection)
                return
        self.twin.run(step.connection, f"DROP VIEW {ref}")
        self.has_dropped_in_transaction |= self.twin.is_any_in_transaction()
        if read.error or "locked" in kept.error:
            raise Skipped(read.error or kept.error)
        raise Skipped(kept.error, by_lockstep=True)

    def names_in_twin(self, connection, query):
        """The columns keep the names that they have now, as Lockstep's do, whatever is renamed below. Not
        where SQLite reads a compound otherwise when its columns are named so."""
        if re.search(r"\b(UNION|EXCEPT|INTERSECT)\b", query):
            self.names_may_differ = True
            return ""
        names = self.ask(connection, f"SELECT * FROM ({query}) LIMIT 0").names or []
        if len({name.lower() for name in names}) < len(names) or not names:
            self.names_may_differ = True
            return ""
        return "(" + ", ".join('"' + name.replace('"', '""') + '"' for name in names) + ")"

    def is_of_other_columns(self, error):
        other = f"{OTHER_COLUMNS}|{OTHER_NAMES}" if self.names_may_differ else OTHER_COLUMNS
        return self.columns_may_differ and re.search(other, error)

    def creation(self, ref, query, options):
        if self.rival:
            return f"CREATE TABLE {ref} AS {query}"
        return f"CREATE VIRTUAL TABLE {ref} USING lockstep({options}{query})"

    def idle_triggers(self, connection):
        """Gives the twin's tables triggers where Lockstep has made some, which do nothing: whether there
        are any has SQLite plan an UPDATE otherwise, which then keeps another row of those that conflict,
        and check the types of a STRICT table before NOT NULL."""
        for schema in ("main", "aux", "temp"):
            made, known = (
                dict(w.run(connection, TRIGGERS.format(schema)).rows) for w in (self.ours, self.twin)
            )
            for name in known.keys() - made.keys():
                self.twin.run(connection, f"DROP TRIGGER {schema}.{plain(name)}")
            for name in made.keys() - known.keys():
                head = plain(made[name]).split(" BEGIN ", 1)[0].split(" ", 3)[3]
                text = f"CREATE TRIGGER {schema}.{plain(name)} {head} BEGIN SELECT 1; END"
                self.twin.run(connection, text)

    def drop(self, step):
        ours = self.ours.run(step.connection, f"DROP TABLE {step.sql}")
        twin = self.twin.run(step.connection, f"DROP VIEW {step.sql}")
        if bool(ours.error) != bool(twin.error):
            return Difference("outcome", f"DROP TABLE {step.sql}", f"{ours.error} / {twin.error}")
        self.views.pop(step.sql, None)
        self.idle_triggers(step.connection)

    def forget_what_is_gone(self, connection):
        """Views whose creation was rolled back. Without the extension nobody makes or reads any."""
        if connection == "C":
            return
        for ref in list(self.views):
            if ref.startswith("temp.") and connection != "A":
                continue
            error = self.ask(connection, f"SELECT 1 FROM {ref} LIMIT 0").error
            if error and "no such table" in error:
                del self.views[ref]

    def command(self, step):
        """It may fail as the query does, or another connection be in the way."""
        self.has_commanded_in_transaction |= self.ours.is_any_in_transaction()
        ours = self.ours.run(step.connection, step.sql)
        if not ours.error:
            return None
        if "locked" in ours.error and self.ours.is_any_in_transaction():
            return None
        view = step.sql.split("INTO ")[1].split("(lockstep)")[0]
        of_twin = self.twin.run(step.connection, f"SELECT * FROM {view}")
        if of_twin.error and nameless(of_twin.error) in nameless(ours.error):
            return None  # it was rolled back, or fails as the query does
        if re.search(OF_ROWS, ours.error):
            self.excused["commands that fail for a row"] += 1
            return None
        if self.is_of_other_columns(ours.error):
            return None
        return Difference("command: " + nameless(ours.error), step.sql, ours.error)

    def look(self, step):
        """What only Lockstep has rows for. It may fail as the view does, which it is about."""
        ours = self.ours.run(step.connection, step.sql)
        if self.rival or not ours.error or "locked" in ours.error:
            return None
        if self.twin.run(step.connection, f"SELECT * FROM {step.about}").error:
            return None
        if self.is_of_other_columns(ours.error):
            return None
        return Difference("look: " + nameless(ours.error), step.sql, ours.error)

    def integrity(self, step):
        """Since 3.44 it looks at virtual tables, too, and tells of a view whose query fails."""
        ours, twin = self.both(step)
        if "locked" in f"{ours.error} {twin.error}":
            return None
        told = f"{ours.error} {[plain(row[0]) for row in ours.rows]}"
        if ours.error == twin.error and sorted(ours.rows) == sorted(twin.rows):
            return None
        if re.search(OF_ROWS, told) or self.is_of_other_columns(told):
            return None
        return Difference("integrity", step.sql, f"{told} / {twin.error}")

    def open(self, step):
        """Cursors that have begun to read stay open over what follows."""
        try:
            worlds = [w.connection(step.connection) for w in (self.ours, self.twin)]
            cursors = [db.execute(step.sql) for db in worlds]
            begun = [cursor.fetchmany(1) for cursor in cursors]
            self.cursors[step.about] = (step.connection, self.is_same(step), list(zip(cursors, begun)))
        except ERRORS:
            pass

    def fetch(self, step):
        """Which rows they give is SQLite's to choose, where their tables are written meanwhile by the
        same connection. For another one they are those of a snapshot."""
        answers = []
        _, were_same, cursors = self.cursors.pop(step.about, (None, None, ()))
        for cursor, begun in cursors:
            columns = [column[0] for column in cursor.description]
            try:
                answers.append(Answer(None, columns, tagged_rows(begun + cursor.fetchall())))
            except ERRORS as error:
                if "lockstep" in str(error) and not re.search("abort|" + OF_ROWS, str(error)):
                    return Difference("cursor", step.sql, str(error))
        if step.connection == "A" or len(answers) < 2:
            return None
        if sorted(answers[0].rows) == sorted(answers[1].rows):
            return None
        if not were_same:
            self.excused["cursors over what SQLite may choose"] += 1
            return None
        return Difference("cursor", step.sql, self.told(answers[0].rows, answers[1].rows))

    def statement(self, step):
        if step.about and self.reads_what_it_writes(step):
            self.excused["statements that would read what they write"] += 1
            return None
        if step.about and not self.is_same(step._replace(sql=step.about)):
            self.excused["statements that would read what SQLite may choose"] += 1
            return None
        if step.sql.startswith("ALTER"):
            self.columns_may_differ = True
            # a connection that has not read the schema yet renames less in it
            for world in (self.ours, self.twin):
                for schema in ("main", "aux"):
                    world.run(step.connection, f"SELECT count(*) FROM {schema}.sqlite_schema")
        ours, twin = self.both(step)
        if bool(ours.error) != bool(twin.error):
            check_limits(Failed(step, ours.error or "", twin.error or "", self))
            return Difference("outcome", step.sql, f"{ours.error} / {twin.error}")
        ends = step.sql.startswith(("COMMIT", "ROLLBACK"))
        if DDL.match(step.sql) and not (ends and self.twin.is_any_in_transaction()):
            self.idle_triggers(step.connection)
        if not step.sql.startswith("PRAGMA") and sorted(ours.rows) != sorted(twin.rows):
            return Difference("returning", step.sql, self.told(ours.rows, twin.rows))

    def reads_what_it_writes(self, step):
        """Whether a view is read for each row of a table below it. SQLite may keep the rows of a plain one
        from the first time on, and see no change that the statement makes."""
        written = re.search(r"(?:UPDATE(?: OR \w+)?|DELETE FROM) (?:aux\.|temp\.)?(\S+)", step.sql)
        if not written or " AS z WHERE z." not in step.sql:
            return False
        return names(self.text_with_all_read(step._replace(sql=step.about)), written.group(1).strip('"'))

    def is_same(self, step):
        """Whether a query upon a view gives the same in both, and nothing that is merely alike, so that
        a statement which writes what it reads there writes the same."""
        ours, twin = self.both(step)
        if ours.error or twin.error or ours.names != twin.names:
            return False
        return sorted(ours.rows) == sorted(twin.rows)

    def read(self, step):
        ours, twin = self.both(step)
        whole = step._replace(sql=f"SELECT * FROM {step.about}")
        if ours.error and not twin.error and self.twin.run(step.connection, whole.sql).error:
            # a view computes all columns, and SQLite those that are asked for
            self.excused["a row of the view that fails"] += 1
            return None
        is_ordered = comes_in_order(step.sql)
        difference = self.compare("read", step, ours, twin, is_ordered)
        if difference and not self.compare("view", whole, *self.both(whole)):
            if not self.is_same(whole):  # a comparison tells what is merely alike apart
                self.excused["a read of what SQLite may choose"] += 1
                return None
        return difference

    def compare(self, kind, step, ours, twin, is_ordered=False):
        """The order counts where is_ordered says, of what is no error."""
        self.compared += 1
        if not ours.error and not twin.error:
            if ours.names != twin.names and not self.columns_may_differ:
                return Difference("names", step.sql, f"{ours.names} / {twin.names}")
            as_given = list if is_ordered else sorted
            if as_given(ours.rows) == as_given(twin.rows):
                return None
        elif ours.error and twin.error:
            return None
        elif ours.error and self.is_of_other_columns(ours.error):
            self.excused["columns now"] += 1
            return None
        db = self.twin.connection(step.connection)
        text = self.text_with_all_read(step)
        choices = choices_of(text)
        if {"lists", "sums"} & set(choices):
            is_ordered = False  # by what is merely alike
        as_given = list if is_ordered else sorted
        if not ours.error and not twin.error:
            for some in [(one,) for one in choices] + [choices]:
                if as_given(alike_rows(ours.rows, some)) == as_given(alike_rows(twin.rows, some)):
                    self.excused["alike but for " + " ".join(some)] += 1
                    return None
        if could_be(db, step.sql, text, None if ours.error else ours.rows, choices, is_ordered):
            self.excused["what other plans of SQLite give"] += 1
            return None
        if twin.error and not ours.error and re.search(OF_ROWS, twin.error) and " WHERE " in text:
            # a term of WHERE fails for a row which the other tables of a join, or other terms, rule out:
            #   SELECT 1 FROM t JOIN empty WHERE json_array(t.a)   -- t.a is a blob
            self.excused["a row that SQLite looks at too early"] += 1
            return None
        if ours.error or twin.error:
            why = nameless(f"{ours.error} / {twin.error}")
            return Difference(f"{kind}: {why}", step.sql, f"{ours.error} / {twin.error}")
        return Difference(kind, step.sql, self.told(ours.rows, twin.rows))

    def text_with_all_read(self, step):
        definitions = []
        for schema in ("main", "aux", "temp"):
            listed = self.twin.run(step.connection, f"SELECT name, sql FROM {schema}.sqlite_schema")
            definitions += [
                (plain(name), plain(sql)) for name, sql in listed.rows if sql[0] != "null"
            ]
        return with_all_read(step.sql, definitions)

    def told(self, ours, twin):
        return f"lockstep: {shown(ours, twin)}\n-- twin:     {shown(twin, ours)}"

    def check(self, step):
        """All tables and views."""
        connection = "A" if step.connection == "C" else step.connection
        difference = self.check_tables(connection)
        for ref, query in list(self.views.items()):
            if difference:
                return difference
            if not ref.startswith("temp.") or connection == "A":
                whole = Step(connection, "read", f"SELECT * FROM {ref}")
                difference = self.compare(
                    "view", whole, *self.both(whole), comes_in_order(query)
                )
        return difference

    def check_tables(self, connection):
        for schema in ("main", "aux", "temp"):
            listed = self.twin.run(
                connection,
                f"SELECT name FROM {schema}.sqlite_schema"
                " WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            )
            for (name,) in listed.rows:
                sql = f"SELECT * FROM {schema}.{quoted(plain(name))}"
                ours, twin = (w.run(connection, sql) for w in (self.ours, self.twin))
                if bool(ours.error) != bool(twin.error):
                    read = Step(connection, "read", sql)
                    check_limits(Failed(read, ours.error or "", twin.error or "", self))
                    return Difference("table error", sql, f"{ours.error} / {twin.error}")
                if sorted(ours.rows) != sorted(twin.rows):
                    return Difference("tables", sql, self.told(ours.rows, twin.rows))
        return None
