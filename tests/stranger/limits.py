"""Where a statement may succeed in one world and fail in the other: README's limits, and SQLite's own.

Each is told by what failed and how, and ends the case, for the worlds part there.
"""

import re

# What a view says whose query fails for a row of its tables, as it may for an ordinary view.
OF_ROWS = (
    "malformed JSON|JSON cannot|overflow|too (big|long)|LIKE or GLOB|JSON path|json_object|raised exception"
)
# Below a SELECT * a view keeps the columns that it was created with, and says so where there are more.
OTHER_COLUMNS = r"columns now|other columns than Lockstep's"
# Below a compound a plain view follows RENAME COLUMN, too. (Columns are renamed to m1, m2, ...)
OTHER_NAMES = r"no such column: (\w+\.)?m\d"


class Over(Exception):
    """The worlds part, by a limit."""


class Failed:
    """A statement's errors in the worlds, "" for none, and what the case knows around it."""

    def __init__(self, step, ours, twin, case):
        self.step = step
        self.ours = ours
        self.twin = twin
        self.case = case

    def alone(self, words):
        """Whether only ours failed, with these."""
        return not self.twin and re.search(words, self.ours)

    def has_snapshot(self):
        """Whether the connection reads what was committed some time ago."""
        opened = [connection for connection, *_ in self.case.cursors.values()]
        name = self.step.connection
        return name in opened or self.case.ours.connection(name).in_transaction

    # README: what a program without the extension can't do, which is to write tables of views with
    # maintain=commit, or whose triggers read a view, and to ALTER TABLE while a view reads another.
    def no_extension(self):
        return self.step.connection == "C" and self.alone("no such module")

    # README: a view keeps the columns that SELECT * had.
    def columns_now(self):
        return not self.twin and self.case.is_of_other_columns(self.ours)

    # SQLite writes no page for an UPDATE that leaves each row as it was. So where this was all that
    # another connection did, a transaction that began before can go on to write; not where it was logged:
    #   A: BEGIN; A: SELECT * FROM t; B: UPDATE t SET a = a; A: DELETE FROM t   -- BUSY_SNAPSHOT in WAL
    def logged_though_nothing_was_written(self):
        if not self.has_snapshot() or not self.alone("locked"):
            return False
        mode = self.case.twin.run(self.step.connection, "PRAGMA journal_mode")
        return "wal" in str(mode.rows)

    # Of a view that is refused the twin has made one, and dropped it.
    def view_that_was_refused(self):
        return self.case.has_dropped_in_transaction and "locked" in self.twin

    # A command writes, and its transaction holds the lock.
    def command(self):
        return self.case.has_commanded_in_transaction and self.alone("locked")

    # README: with maintain=commit, what writes tables of an attached database locks main, too.
    def main_is_locked(self):
        return self.case.maintains_at_commit and self.alone("locked")

    # README: SQLite 3.40 renames no column of a TEMP table that a trigger names.
    def column_of_a_temp_table(self):
        return "RENAME COLUMN" in self.step.sql and self.alone("error in trigger lockstep_log")

    # README: no column that a view reads is dropped, be it through *.
    def dropped_column(self):
        return "DROP COLUMN" in self.step.sql and self.alone("error in trigger lockstep_log_.* after")

    # SQLite tries plain views after DROP COLUMN and RENAME, and has more of them in the twin; and in
    # ours each plain view that reads a view of Lockstep's, whose columns do not follow.
    def plain_views(self):
        return "ALTER" in self.step.sql and re.search(
            "error in view .* after (drop column|rename)", self.ours + self.twin
        )


LIMITS = [
    Failed.no_extension, Failed.columns_now, Failed.view_that_was_refused, Failed.command,
    Failed.logged_though_nothing_was_written,
    Failed.main_is_locked, Failed.column_of_a_temp_table, Failed.dropped_column, Failed.plain_views,
]


def check_limits(failed):
    """Raises Over where a statement had to fail in one world alone."""
    for limit in LIMITS:
        if limit(failed):
            raise Over(limit.__name__.replace("_", " "))
