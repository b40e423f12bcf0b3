"""Queries that people put to a view."""

import re

from case import Step
from changes import Changes
from words import quoted

# {v} the view, {n} and {o} columns of it, {l} a literal as n has it, {i} an integer, {x} a column of the
# table {t} AS x, {compare} and {order} say it. Columns of x stand in an expression (+), or, as {c}, are not
# of text: README, limits, "Comparing an untyped column with text".
READS = [
    "SELECT * FROM {v} WHERE {n} {compare} {l}",
    "SELECT {o} FROM {v} WHERE {n} {compare} {l} AND {o} IS NOT NULL",
    "SELECT * FROM {v} WHERE {n} IN ({l}, {l}, {l})",
    "SELECT * FROM {v} WHERE {n} BETWEEN {l} AND {l}",
    "SELECT * FROM {v} WHERE {n} LIKE 'a%' OR {n} IS NULL",
    "SELECT * FROM {v} ORDER BY {order} LIMIT 3",
    "SELECT * FROM {v} WHERE {n} {compare} {l} ORDER BY {order} LIMIT 3 OFFSET 1",
    "SELECT {n}, count(*) FROM {v} GROUP BY 1 HAVING count(*) > 0",
    "SELECT DISTINCT {n} FROM {v}",
    "SELECT * FROM {v} EXCEPT SELECT * FROM {v}",
    "SELECT * FROM {v} UNION SELECT * FROM {v} WHERE {n} {compare} {l}",
    "SELECT y.*, x.* FROM {t} AS x JOIN {v} AS y ON y.{n} = {x}",
    "SELECT y.*, {x} FROM {t} AS x LEFT JOIN {v} AS y ON y.{n} = {x} AND y.{n} {compare} {l}",
    "SELECT {x} FROM {t} AS x WHERE {x} IN (SELECT {n} FROM {v})",
    "SELECT {x} FROM {t} AS x WHERE {x} NOT IN (SELECT {n} FROM {v} WHERE {n} IS NOT NULL)",
    "SELECT {x}, EXISTS (SELECT 1 FROM {v} AS y WHERE y.{n} = {x}) FROM {t} AS x",
    "SELECT {x}, (SELECT count(*) FROM {v} AS y WHERE y.{n} {compare} {x}) FROM {t} AS x",
    "SELECT a.*, b.* FROM {v} AS a JOIN {v} AS b ON a.{n} = b.{n}",
    "SELECT count(*) FROM {v} AS a, {v} AS b WHERE a.{n} < b.{n}",
    "WITH z AS (SELECT {n} AS k, count(*) AS n FROM {v} GROUP BY 1)"
    " SELECT * FROM z WHERE k {compare} {l}",
    "SELECT * FROM {v} WHERE ({n}, {o}) > ({l}, {i})",
    "SELECT * FROM (SELECT * FROM {v} WHERE {n} IS NOT NULL) WHERE {o} {compare} {i}",
    "SELECT * FROM {v} WHERE {n} NOT IN ({l}, {l})",
    "SELECT {n} FROM {v} WHERE NOT ({o} {compare} {i}) OR {n} GLOB '*a*'",
    "SELECT * FROM {v} WHERE {n} = {l} OR {o} = {i} OR {n} IS NULL",
    "SELECT * FROM {v} WHERE {n} > {l} AND {n} <= {l} ORDER BY {order}",
    "SELECT * FROM {v} WHERE ({n}, {o}) IN (VALUES ({l}, {i}), ({l}, {i}))",
    "SELECT * FROM {v} WHERE {n} IN (SELECT {x} FROM {t} AS x)",
    "SELECT * FROM {v} WHERE {n} IN (SELECT {c} FROM {t} AS x)",
    "SELECT * FROM {v} WHERE {n} NOT IN (SELECT {c} FROM {t} AS x WHERE {c} IS NOT NULL) OR {n} IN ({l}, {l})",
    "SELECT {x}, (SELECT count(*) FROM {v} WHERE {n} IN ({c}, {l}, {c})) FROM {t} AS x",
    "SELECT count(*), min({n}), max({n}) FROM {v} WHERE {o} {compare} {i}",
    "SELECT {n}, {o} FROM {v} ORDER BY {n} DESC NULLS LAST, {o} NULLS FIRST LIMIT 4",
    "SELECT DISTINCT {n}, {o} FROM {v} ORDER BY 1, 2 LIMIT 3 OFFSET 1",
    "SELECT * FROM {v} WHERE {n} {compare} {l} UNION ALL SELECT * FROM {v} WHERE {o} IS NULL",
    "SELECT {n}, row_number() OVER (PARTITION BY {n} ORDER BY {all}) FROM {v}",
    "WITH RECURSIVE z(i, n) AS (SELECT 1, max({n}) FROM {v} UNION ALL SELECT i + 1,"
    " (SELECT max({n}) FROM {v} WHERE {n} < z.n) FROM z WHERE i < 4) SELECT * FROM z",
    "SELECT * FROM {v} WHERE {n} COLLATE NOCASE = {l}",
    "SELECT * FROM {v} WHERE CAST({n} AS TEXT) LIKE '%1%' AND {o} {compare} {i}",
    "SELECT EXISTS (SELECT 1 FROM {v} WHERE {n} {compare} {l}), (SELECT count({o}) FROM {v})",
]
# Columns of a compound have the affinity and collation of either member, as SQLite's plan goes, and so
# compare in either way: those of such views are not compared.
READS_OF_ALL = [
    "SELECT * FROM {v}",
    "SELECT count(*), count({n}) FROM {v}",
    "SELECT count(*) FROM {v}",
    "SELECT min({n}), max({o}) FROM {v}",
    "SELECT typeof({n}), {n} || '', {o} + 0 FROM {v}",
    "SELECT sum(1) OVER (ORDER BY {all}), {n} FROM {v}",
    "SELECT group_concat(q, ',') FROM (SELECT quote({n}) AS q FROM {v} ORDER BY {all})",
]


class Reads(Changes):
    def read(self):
        live, table = self.random.choice(self.live), self.random.choice(self.tables)
        names = [quoted(name) for name in live.names()]
        column = self.random.choice(live.columns)
        untexted = [c.name for c in table.columns if not re.search("CHAR|CLOB|TEXT", c.declared or "", re.I)]
        order = [str(i + 1) + self.pick("", " DESC") for i in range(len(names))]
        self.random.shuffle(order)
        given = {
            "v": live.ref,
            "n": quoted(column.name),
            "o": self.random.choice(names),
            "t": table.ref,
            "x": "+x." + quoted(self.random.choice(table.columns).name),
            "c": "x." + quoted(self.random.choice(untexted)) if untexted else "1",
            "compare": self.pick("=", "<", ">", "<=", ">=", "<>", "IS", "IS NOT"),
            "order": ", ".join(order),
            "all": ", ".join(f"quote({name})" for name in names),
        }

        def hole(word):
            if word == "l":
                return self.literal(column.kind, 0.1)
            return self.literal("i", 0.1) if word == "i" else given[word]

        forms = READS_OF_ALL if live.is_compound or self.chance(0.2) else READS
        connection = "B" if self.chance(0.2) and self.schema != "temp" else "A"
        return Step(connection, "read", self.fill(self.random.choice(forms), hole), live.ref)

    def open_step(self, number):
        live = self.random.choice(self.live)
        connection = "A" if self.schema == "temp" else self.pick("A", "B", "B")
        return Step(connection, "open", f"SELECT * FROM {live.ref}", number)
