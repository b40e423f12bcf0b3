"""A scenario of tests/sql through a client library of SQLite.

scenario.py FILE.db LOCKSTEP < NAME.sql      with Python's sqlite3, printing what the sqlite3 shell would
scenario.py --split < NAME.sql               only as JSON, which scenario.js runs with better-sqlite3

The shell reads lines until they are a whole statement or several, and where one of those fails it
goes on with the next line. So here a group is what it reads at once: [line, [statement, ...]]; a
command such as .open is [line, ".open FILE"].
"""

import json
import os
import re
import sqlite3
import sys


TOKENS = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|\[[^]]*\]|--[^\n]*|/\*.*?\*/|.""", re.DOTALL)


def split(text):
    """A group's statements. A semicolon outside parentheses ends one where SQLite says that it does."""
    statements = []
    begin = depth = 0
    for token in TOKENS.finditer(text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == ";" and depth == 0:
            if sqlite3.complete_statement(text[begin : token.end()]):
                statements.append(text[begin : token.end()])
                begin = token.end()
    return statements


def groups(lines):
    """What the shell reads at once."""
    read, first = "", 0
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\n")
        if not read and (not line.strip() or line.lstrip().startswith("--")):
            continue
        if not read and line.startswith("."):
            yield [number, line]
            continue
        first = first if read else number
        read += "\n" + line if read else line
        if sqlite3.complete_statement(read):
            yield [first, split(read)]
            read = ""


class Shell:
    """The sqlite3 shell in batch and list mode, as far as scenarios need it."""

    def __init__(self, path, lockstep):
        self.lockstep = lockstep
        self.null = b""
        self.has_headers = False
        self.texts = sqlite3.connect(":memory:")
        self.texts.text_factory = bytes
        self.open(path)

    def open(self, path):
        """Each statement as it is written: no BEGIN of the library's own."""
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.text_factory = bytes
        if self.lockstep:
            self.db.enable_load_extension(True)
            self.db.load_extension(self.lockstep)

    def text(self, value):
        """As SQLite writes it; the shell ends at a zero."""
        if value is None:
            return self.null
        if not isinstance(value, bytes):
            value = self.texts.execute("SELECT CAST(? AS TEXT)", (value,)).fetchone()[0]
        return value.split(b"\0")[0]

    def say(self, line):
        """Rows are bytes: not all text of a database is UTF-8."""
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()

    def command(self, line):
        """Those of tests/sqlrun.c."""
        word, _, rest = line.partition(" ")
        if word == ".print":
            self.say(rest.encode())
        elif word == ".open":
            self.db.close()
            self.open(rest)
        elif word == ".nullvalue":
            self.null = rest.encode()
        elif word == ".headers":
            self.has_headers = rest == "on"
        elif word != ".load":
            sys.exit(f"scenario.py: unknown command {line}")

    def run(self, statements, line):
        """A group, up to what fails."""
        try:
            for statement in statements:
                cursor = self.db.execute(statement)
                for n, row in enumerate(cursor):
                    if self.has_headers and n == 0:
                        self.say("|".join(column[0] for column in cursor.description).encode())
                    self.say(b"|".join(self.text(value) for value in row))
        except sqlite3.Error as error:
            self.say(f"Runtime error near line {line}: {error}".encode())


def main():
    """What the arguments say."""
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    read = groups(sys.stdin)
    if sys.argv[1:] == ["--split"]:
        print(json.dumps(list(read)))
        return
    path, lockstep = sys.argv[1], os.path.abspath(sys.argv[2]) if sys.argv[2] else ""
    shell = Shell(path, lockstep)
    for line, statements in read:
        if isinstance(statements, str):
            shell.command(statements)
        else:
            shell.run(statements, line)


main()
