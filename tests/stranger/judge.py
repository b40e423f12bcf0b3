"""Whether SQLite could have answered so: by another plan, or with rows in another order.

Where its own plans differ among themselves the query leaves the answer open, and a view's is as good as
any: each of its rows must be one that some plan gives, and as often, and those that all plans give
must be there.
"""

import collections
import ctypes
import random
import re
import sqlite3

from results import alike_rows, as_text, plain, tagged_rows
from words import quoted
from world import ERRORS, add_functions

OPTIMIZATIONS = 15  # of sqlite3_test_control: the parts of the planner to do without
MASKS = (-1, 0x1, 0x20, 0x80, 0x400, 0x1000, 0x8000, 0x10000)
COPIES = ("as it is", "reversed", "read in reverse", "shuffled", "shuffled again", "and again")
ROWIDS = r"\b(rowid|_rowid_|oid)\b"  # other ones in a copy
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
    """None for an error. The query is compiled anew: Python keeps statements by their text."""
    answer.asked += 1
    try:
        return db.execute(f"{sql}\n-- {answer.asked}").fetchall()
    except ERRORS:
        return None


answer.asked = 0


def answers(db, sql, with_copies):
    """What each plan over what the connection reads gives."""
    in_reverse = db.execute("PRAGMA reverse_unordered_selects").fetchone()[0]
    for on in (1 - in_reverse, in_reverse):
        db.execute(f"PRAGMA reverse_unordered_selects = {on}")
        yield answer(db, sql)
    for mask in MASKS if TEST_CONTROL else ():
        without(db, mask)
        yield answer(db, sql)
        without(db, 0)
    for how in COPIES if with_copies else ():
        copy = sqlite3.connect(":memory:", isolation_level=None)
        if copied(db, copy, how):
            yield answer(copy, sql)
        copy.close()


def could_be(db, sql, text, ours, choices, ordered=False):
    """Whether SQLite could answer a query so, whose text with all that it reads is given. ours is None
    for an error."""
    with_copies = not re.search(ROWIDS, text)
    given = [None if rows is None else tagged_rows(rows) for rows in answers(db, sql, with_copies)]
    if ours is None:
        return None in given
    given = [alike_rows(rows, choices) for rows in given if rows is not None]
    ours = alike_rows(ours, choices)
    if ordered:
        return ours in given
    counts = [collections.Counter(rows) for rows in given]
    of_ours = collections.Counter(ours)
    return bool(counts) and all(
        min(count[row] for count in counts) <= of_ours[row] <= max(count[row] for count in counts)
        for row in set(of_ours).union(*counts)
    )


def copied(db, copy, how):
    """Its tables and views; but where it is copied as it is, without indexes and keys, so that rows
    come in another order. Whether that could be done."""
    copy.text_factory = as_text
    add_functions(copy)
    encoding = plain(db.execute("PRAGMA encoding").fetchone()[0])
    copy.execute(f"PRAGMA encoding = '{encoding}'")
    tells_case = not db.execute("SELECT 'a' LIKE 'A'").fetchone()[0]
    copy.execute(f"PRAGMA case_sensitive_like = {tells_case}")
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
        random.Random(how).shuffle(rows)
    marks = ", ".join("?" * len(columns))
    copy.executemany(f"INSERT INTO {table}({listed}) VALUES({marks})", rows)
