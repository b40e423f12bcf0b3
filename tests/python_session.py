"""What a program in Python does with views: python_session.py LOCKSTEP FOLDER"""

import os
import sqlite3
import sys
import threading

LOCKSTEP, FOLDER = sys.argv[1:3]
ROWS = "SELECT region, n, total FROM by_region ORDER BY region"
DUE = "SELECT region, n, total FROM by_region_query ORDER BY region"


def connect(path, **options):
    db = sqlite3.connect(path, timeout=20, **options)
    db.enable_load_extension(True)
    db.load_extension(LOCKSTEP)
    db.load_extension(LOCKSTEP)  # twice is once
    return db


def must_be_right(db):
    """Both in one transaction."""
    begins = not db.in_transaction
    if begins:
        db.execute("BEGIN")
    shown, due = db.execute(ROWS).fetchall(), db.execute(DUE).fetchall()
    if begins:
        db.execute("COMMIT")
    assert shown == due, (shown, due)
    return shown


def make(path):
    db = connect(path)
    db.executescript(
        """
        PRAGMA journal_mode = WAL;
        CREATE TABLE sales(id INTEGER PRIMARY KEY, region TEXT, amount INT);
        CREATE TABLE managers(region TEXT PRIMARY KEY, manager TEXT);
        INSERT INTO managers VALUES ('north', 'Ann'), ('south', 'Bob');
        INSERT INTO sales(region, amount) VALUES ('north', 10), ('north', 5), ('south', 7);
        CREATE VIRTUAL TABLE by_region USING lockstep(
          SELECT region, count(*) AS n, sum(amount) AS total FROM sales GROUP BY region);
        CREATE VIRTUAL TABLE by_manager USING lockstep(
          SELECT manager, amount FROM managers JOIN sales USING (region));
        """
    )
    return db


def a_session(path):
    """The README's: a transaction, a savepoint, REPLACE, executemany."""
    db = make(path)
    db.execute("UPDATE sales SET amount = amount * 2 WHERE region = 'north'")
    db.execute("SAVEPOINT doubt")
    db.execute("DELETE FROM sales WHERE region = 'south'")
    assert must_be_right(db) == [("north", 2, 30)]
    db.execute("ROLLBACK TO doubt")
    assert must_be_right(db) == [("north", 2, 30), ("south", 1, 7)]
    db.commit()
    db.execute("REPLACE INTO sales VALUES (3, 'north', 100)")
    assert must_be_right(db) == [("north", 3, 130)]
    db.rollback()
    assert must_be_right(db) == [("north", 2, 30), ("south", 1, 7)]
    with db:
        db.executemany(
            "INSERT INTO sales(region, amount) VALUES (?, ?)", [("east", i) for i in range(9)]
        )
    assert must_be_right(db)[0] == ("east", 9, 36)
    try:
        with db:
            db.execute("DELETE FROM sales")
            raise KeyError
    except KeyError:
        pass
    assert must_be_right(db)[0] == ("east", 9, 36)
    db.close()


def modes_of_transactions(path):
    for level in (None, "DEFERRED", "IMMEDIATE", "EXCLUSIVE"):
        db = connect(path, isolation_level=level)
        db.execute("INSERT INTO sales(region, amount) VALUES ('west', 1)")
        must_be_right(db)
        db.rollback()
        must_be_right(db)
        for row in db.execute(ROWS):  # written while it is read
            db.execute("INSERT INTO sales(region, amount) VALUES (?, 2)", row[:1])
        must_be_right(db)
        db.commit()
        must_be_right(db)
        db.close()


def a_late_extension(path):
    """Loaded in the middle of a transaction, which has written."""
    db = sqlite3.connect(path, isolation_level=None, timeout=20)
    db.execute("BEGIN")
    db.execute("INSERT INTO sales(region, amount) VALUES ('late', 1)")
    db.execute("SAVEPOINT s")
    db.enable_load_extension(True)
    db.load_extension(LOCKSTEP)
    db.execute("INSERT INTO sales(region, amount) VALUES ('later', 1)")
    assert ("later", 1, 1) in must_be_right(db)
    db.execute("ROLLBACK TO s")
    assert ("late", 1, 1) in must_be_right(db)
    db.execute("ROLLBACK")
    must_be_right(db)
    db.close()


def a_pool(path):
    """Fifty connections with cached statements, while others change data and schema."""
    pool = [connect(path, isolation_level=None) for _ in range(50)]
    for db in pool:
        must_be_right(db)
    for i, db in enumerate(pool):
        db.execute("INSERT INTO sales(region, amount) VALUES (?, ?)", (f"r{i % 7}", i))
        if i % 10 == 3:
            db.execute(f"ALTER TABLE sales ADD COLUMN c{i}")
        if i % 10 == 6:
            db.execute("ALTER TABLE by_region RENAME TO other")
            db.execute("ALTER TABLE other RENAME TO by_region")
        if i % 10 == 8:
            db.execute("CREATE VIRTUAL TABLE more USING lockstep(SELECT count(*) AS n FROM sales)")
        if i % 10 == 9:
            db.execute("DROP TABLE more")
        for k in (i, (i + 7) % 50, 49 - i):
            must_be_right(pool[k])
    for db in pool:
        must_be_right(db)
        db.close()


def threads(path):
    """Writers and readers, each a thread with a connection."""
    failures = []

    def work(number):
        try:
            db = connect(path, isolation_level=None)
            for i in range(30):
                if number % 2:
                    db.execute("BEGIN IMMEDIATE")
                    db.execute("REPLACE INTO sales(id, region, amount) VALUES (?, ?, ?)", (i, f"t{number}", i))
                    must_be_right(db)
                    db.execute("COMMIT" if i % 3 else "ROLLBACK")
                else:
                    must_be_right(db)
            db.close()
        except Exception as error:  # to be told by the thread that waits
            failures.append(repr(error))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures


def collations(path):
    """Columns with a collation of the program's own: read, compared, and their least and greatest."""
    db = connect(path + ".collations")
    db.create_collation("backwards", lambda a, b: (a < b) - (a > b))
    db.executescript(
        """
        CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT COLLATE backwards, n INT);
        INSERT INTO words(word, n) VALUES ('a', 1), ('b', 1), ('c', 2), ('b', 2);
        CREATE VIRTUAL TABLE above USING lockstep(SELECT word FROM words WHERE word > 'b');
        CREATE VIRTUAL TABLE ends USING lockstep(
          SELECT n, min(word) AS least, max(word) AS greatest, count(DISTINCT word) AS distincts
          FROM words GROUP BY n);
        CREATE VIRTUAL TABLE pairs USING lockstep(
          SELECT v.id, w.id AS other FROM words v JOIN words w ON v.word = w.word AND v.id < w.id);
        """
    )
    for change in (
        "INSERT INTO words(word, n) VALUES ('d', 1), ('a', 3)",
        "DELETE FROM words WHERE word = 'c'",
        "UPDATE words SET word = 'c' WHERE id = 2",
    ):
        db.execute(change)
        for view in "above", "ends", "pairs":
            shown = sorted(db.execute(f"SELECT * FROM {view}").fetchall())
            assert shown == sorted(db.execute(f"SELECT * FROM {view}_query").fetchall()), view
    assert shown == [(1, 6)]
    assert db.execute("SELECT * FROM ends WHERE n = 1").fetchall() == [(1, "d", "a", 3)]
    for key in (
        "SELECT word, count(*) FROM words GROUP BY word",
        "SELECT n, id, max(word) FROM words GROUP BY n",
    ):
        try:
            db.execute(f"CREATE VIRTUAL TABLE refused USING lockstep({key})")
        except sqlite3.OperationalError as error:
            assert "the collation backwards of" in str(error), error
        else:
            raise AssertionError(key)
    db.close()


def backup(path):
    """The copy goes on by itself. (iterdump knows no virtual tables.)"""
    db = connect(path)
    copy = connect(":memory:")
    db.backup(copy)
    assert must_be_right(copy) == must_be_right(db)
    copy.execute("DELETE FROM sales WHERE region = 'east'")
    must_be_right(copy)
    copy.commit()
    must_be_right(db)
    copy.close()
    db.close()


if __name__ == "__main__":
    file = os.path.join(FOLDER, "shop.db")
    a_session(file)
    for part in (modes_of_transactions, a_late_extension, a_pool, threads, backup, collations):
        part(file)
        print("PASS", part.__name__)
