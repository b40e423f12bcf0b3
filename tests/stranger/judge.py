"""Whether a query's answer is settled: what SQLite gives by other plans, and other orders of rows.

Where those differ among themselves the query leaves the answer open, and a view's is as good as any.
"""

import ctypes
import random
import re
import sqlite3

from results import alike_rows, as_text, plain, tagged_rows
from words import quoted
from world import ERRORS

OPTIMIZATIONS = 15  # of sqlite3_test_control: the parts of the planner to do without
MASKS = (-1, 0x1, 0x20, 0x80, 0x400, 0x8000)
COPIES = ("as it is", "shuffled", "reversed", "read in reverse")
KEYS = re.compile(
    r"(?<=INTEGER) PRIMARY KEY( DESC)?( AUTOINCREMENT)?|(?<=TEXT) PRIMARY KEY|(?<=NOCASE) PRIMARY KEY"
    r"|WITHOUT ROWID(, )?|, PRIMARY KEY\([^)]*\)( ON CONFLICT REPLACE)?"
)


def test_control():
    """That of the library which this Python uses; None where it can't be called."""
    try:
        import _sqlite3

        return ctypes.CDLL(_sqlite3.__file__).sqlite3_test_control
    except (AttributeError, ImportError, OSError):
        return None


TEST_CONTROL = test_control()


def without(db, mask):
    """The connection's handle is the first field of Python's object."""
    handle = ctypes.c_void_p.from_address(id(db) + object.__basicsize__).value
    TEST_CONTROL(OPTIMIZATIONS, ctypes.c_void_p(handle), ctypes.c_int(mask))


def answer(db, sql):
    try:
        return sorted(alike_rows(tagged_rows(db.execute(sql).fetchall())))
    except ERRORS as error:
        return ["error " + str(error)]


def is_settled(db, sql):
    """Whether all plans over what the connection reads give one answer."""
    first = answer(db, sql)
    db.execute("PRAGMA reverse_unordered_selects = ON")
    same = answer(db, sql) == first
    db.execute("PRAGMA reverse_unordered_selects = OFF")
    for mask in MASKS if same and TEST_CONTROL else ():
        without(db, mask)
        same = same and answer(db, sql) == first
        without(db, 0)
    for how in COPIES if same else ():
        copy = sqlite3.connect(":memory:", isolation_level=None)
        if copied(db, copy, how):
            same = same and answer(copy, sql) == first
        copy.close()
    return same


def copied(db, copy, how):
    """Its tables and views; but where it is copied as it is, without indexes and keys, so that rows
    come in another order. Whether that could be done."""
    copy.text_factory = as_text
    copy.execute("ATTACH ':memory:' AS aux")
    for schema in ("main", "aux", "temp"):
        for kind, name, sql in tagged_rows(
            db.execute(
                f"SELECT type, name, sql FROM {schema}.sqlite_schema"
                " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND type <> 'trigger'"
                " ORDER BY rowid"
            ).fetchall()
        ):
            kind, name, sql = plain(kind), plain(name), plain(sql)
            if how != "as it is":
                if kind == "index":
                    continue
                sql = KEYS.sub("", sql).rstrip(" ,") if kind == "table" else sql
            try:
                copy.execute(re.sub(r"^CREATE (UNIQUE )?(\w+) ", rf"\g<0>{schema}.", sql))
                if kind == "table":
                    copy_rows(db, copy, f"{schema}.{quoted(name)}", how)
            except (*ERRORS, UnicodeEncodeError):
                return False
    if how == "read in reverse":
        copy.execute("PRAGMA reverse_unordered_selects = ON")
    return True


def copy_rows(db, copy, table, how):
    schema, name = table.split(".", 1)
    info = tagged_rows(db.execute(f"PRAGMA {schema}.table_xinfo({name})").fetchall())
    columns = [quoted(plain(column[1])) for column in info if plain(column[6]) == 0]
    listed = ", ".join(columns)
    rows = tagged_rows(db.execute(f"SELECT {listed} FROM {table}").fetchall())
    rows = [tuple(plain(value) for value in row) for row in rows]
    if how == "reversed":
        rows.reverse()
    elif how != "as it is":
        random.Random(1).shuffle(rows)
    marks = ", ".join("?" * len(columns))
    copy.executemany(f"INSERT INTO {table}({listed}) VALUES({marks})", rows)
