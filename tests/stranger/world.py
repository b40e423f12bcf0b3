"""A database and its connections: one with Lockstep, or the twin with plain views."""

import os
import sqlite3

from results import as_text, tagged_rows

ERRORS = (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeDecodeError)
SUFFIXES = [a + b for a in ("", ".aux") for b in ("", "-wal", "-shm", "-journal")]


class Answer:
    """error is None, or what SQLite said."""

    def __init__(self, error=None, names=None, rows=()):
        self.error = error
        self.names = names
        self.rows = list(rows)


def twice(value):
    """An application's function."""
    return value * 2 if isinstance(value, int) and abs(value) < 2**40 else value


class Spread:
    """An application's aggregate: the number of integers between the least and the greatest."""

    def __init__(self):
        self.values = []

    def step(self, value):
        if isinstance(value, int):
            self.values.append(value)

    def finalize(self):
        return min(max(self.values) - min(self.values), 2**62) if self.values else None


def add_functions(db):
    db.create_function("twice", 1, twice, deterministic=True)
    db.create_aggregate("spread", 1, Spread)


class World:
    """Connections A and B have the extension, where the world has; C never has."""

    def __init__(self, path, lockstep=None):
        self.path = path
        self.lockstep = lockstep
        self.connections = {}
        self.encoding = "UTF-8"
        self.remove()

    def connection(self, name):
        if name not in self.connections:
            db = sqlite3.connect(self.path, timeout=0, isolation_level=None)
            db.text_factory = as_text
            add_functions(db)
            if self.lockstep and name != "C":
                db.enable_load_extension(True)
                db.load_extension(self.lockstep)
            if not self.connections:
                db.execute(f"PRAGMA encoding = '{self.encoding}'")
            db.execute("ATTACH ? AS aux", (self.path + ".aux",))
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA synchronous = OFF")
            self.connections[name] = db
        return self.connections[name]

    def is_any_in_transaction(self):
        return any(db.in_transaction for db in self.connections.values())

    def run(self, name, sql):
        try:
            cursor = self.connection(name).execute(sql)
            names = [column[0] for column in cursor.description or ()] or None
            return Answer(None, names, tagged_rows(cursor.fetchall()))
        except ERRORS as error:
            return Answer(str(error))

    def disconnect(self, name):
        if name in self.connections:
            self.connections.pop(name).close()

    def remove(self):
        """Closes it all, and leaves no file."""
        for name in list(self.connections):
            self.disconnect(name)
        for suffix in SUFFIXES:
            if os.path.exists(self.path + suffix):
                os.unlink(self.path + suffix)
