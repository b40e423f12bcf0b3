"""Cuts a case down: its steps, then the words of each, while the same kind of difference is left."""

import re
import time

from case import Case
from player import replayed
from world import ERRORS

TOKENS = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[A-Za-z_0-9.]+|\s+|.",
    re.DOTALL,
)


def words_of(step):
    return TOKENS.findall(step.about[1] if step.kind == "view" else step.sql)


def with_words(step, words):
    text = "".join(words)
    if step.kind == "view":
        return step._replace(about=(step.about[0], text, step.about[2]))
    return step._replace(sql=text)


class Shrinker:
    def __init__(self, folder, lockstep, rival, kind, seconds):
        self.new_case = lambda: Case(folder, lockstep, rival)
        self.kind = kind
        self.difference = None  # the last that was found
        self.deadline = time.time() + seconds

    def still(self, steps):
        case = self.new_case()
        try:
            difference = replayed(steps, case)
            if difference is None or difference.kind != self.kind:
                return False
            self.difference = difference
            return True
        except ERRORS:
            return False
        finally:
            case.close()

    def fewer(self, items, of_items):
        """Takes out runs of items, long ones first, as long as of_items() of the rest still fails."""
        length = max(1, len(items) // 2)
        while length:
            at = 0
            while at < len(items) and time.time() < self.deadline:
                rest = items[:at] + items[at + length:]
                if self.still(of_items(rest)):
                    items = rest
                else:
                    at += length
            length //= 2
        return items

    def without_brackets(self, words, of_words):
        """Takes out brackets with or without what is inside, or puts 1 in their place."""
        at = 0
        while at < len(words) and time.time() < self.deadline:
            end = closing(words, at)
            for middle in ([], words[at + 1:end], ["1"]) if end else ():
                rest = words[:at] + middle + words[end + 1:]
                if self.still(of_words(rest)):
                    words = rest
                    break
            else:
                at += 1
        return words

    def shrunk(self, steps):
        for _ in range(2):
            steps = self.fewer(steps[:-1], lambda rest: rest + steps[-1:]) + steps[-1:]
            for i, step in enumerate(steps):
                if step.kind not in ("sql", "read", "view"):
                    continue

                def of_words(words):
                    return steps[:i] + [with_words(step, words)] + steps[i + 1:]

                words = self.fewer(words_of(step), of_words)
                steps = of_words(self.without_brackets(words, of_words))
        return steps


def closing(words, at):
    """Where the bracket that opens there is closed, or 0."""
    depth = 0
    for i in range(at, len(words)):
        depth += (words[i] == "(") - (words[i] == ")")
        if depth == 0:
            return i if i > at else 0
    return 0


def script(step):
    """A step as SQL, by the connection that runs it."""
    if step.kind == "view":
        ref, query, options = step.about
        text = f"CREATE VIRTUAL TABLE {ref} USING lockstep({options}{query})"
    elif step.kind == "drop":
        text = "DROP TABLE " + step.sql
    elif step.kind in ("sql", "read", "command"):
        text = step.sql
    else:
        return f"-- {step.connection}: {step.kind} {step.sql}\n"
    return f"/* {step.connection} */ {text};\n"
