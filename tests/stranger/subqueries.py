"""Aggregates, conditions of joins, and subqueries inside expressions."""

from expressions import Expressions
from words import quoted

AGGREGATES = {
    "i": [
        "count(*){F}", "count({D}{i}){F}", "count({D}{s}){F}", "sum({D}{i}){F}", "min({i}){F}",
        "max({i}){F}", "coalesce(sum({i}){F}, 0)", "sum(CASE WHEN {bool} THEN 1 ELSE 0 END)",
        "count(*) - count({x0})", "max({A=i0}) - min({A})", "spread({i0})", "count(DISTINCT {x0})",
        "sum({i0} * {i0}){F}", "max({i0}) FILTER (WHERE {bool})", "min(DISTINCT {i0})",
        "count(nullif({i0}, 1))", "sum({i} > {i})",
    ],
    "r": [
        "avg({D}{i}){F}", "total({r}){F}", "sum({r}){F}", "round(avg({r}), 2)",
        "100.0 * sum({bool}) / count(*)", "avg({r0}) - min({r0})", "total(DISTINCT {i0})",
    ],
    "s": [
        "min({s}){F}", "max({s}){F}", "group_concat({s0})", "length(hex(group_concat(DISTINCT {s0})))",
        "length(hex(group_concat({i0}, ';')))", "length(hex(json_group_array({s0})))", "max(upper({s0}))",
        "length(hex(json_group_object(coalesce({s0}, 'n'), {i0})))", "group_concat({i0}) FILTER (WHERE {bool})",
        "min({s0} COLLATE NOCASE)", "max(date({s0}))",
    ],
}
MEMBERS = [
    "SELECT {k} FROM {from}{where}", "SELECT {k} FROM {from}{where}",
    "SELECT DISTINCT {k} FROM {from}{where}", "SELECT max({k}) FROM {from}{where} GROUP BY {i}",
    "SELECT {k} FROM {from}{where} GROUP BY 1 HAVING count(*) > 0",
    "SELECT {k} FROM {from}{where} GROUP BY 1 HAVING count(*) > 1",
    "SELECT {k} FROM {from}{where} UNION SELECT {k} FROM {from}",
    "SELECT {k} FROM {from}{where} EXCEPT SELECT {k} FROM {from}",
    "SELECT {k} FROM {from}{where} UNION ALL SELECT {k} FROM {from}",
    "SELECT {k} FROM {from}{where} INTERSECT SELECT {k} FROM {from}", "VALUES ({v}), ({v})",
]


class Subqueries(Expressions):
    def __init__(self, seed):
        super().__init__(seed)
        self.naming = "fresh"
        self.taken = set()

    def source(self):
        """What can stand in FROM."""
        if self.live and self.chance(0.15):
            return self.random.choice(self.live)
        if self.plain and self.chance(0.12):
            return self.random.choice(self.plain)
        return self.random.choice(self.tables)

    def alias(self):
        if self.naming == "short":  # so that names hide each other
            return self.pick("t", "u", "x", "T1", "y")
        return self.fresh("x")

    def brought(self, source):
        """(text, scope): the source in FROM, under an alias or its own name."""
        if self.naming == "none" and source not in self.live and source.name not in self.taken:
            self.taken.add(source.name)
            return source.ref, source.scope(quoted(source.name))
        alias = self.alias()
        scope = source.scope(alias)
        if source.has_rowid and source in self.tables and self.chance(0.05):
            scope.append((f"{alias}.{self.pick('rowid', '_rowid_', 'oid')}", "i"))
        if source in self.live:
            # README: an untyped column of a view compares with text otherwise than an expression
            scope = [("+" + name, kind) for name, kind in scope]
        return source.ref + self.pick(" AS ", " ") + alias, scope

    def partners(self, left, right, terms=True):
        """A condition that joins; without terms of one side, or none, where they are not wanted."""
        kind = self.pick("i", "i", "s", "x")
        a, b = self.column_of(left, kind), self.column_of(right, kind)
        form = self.weighted(
            {
                f"{a} = {b}": 75,
                f"{a} IS {b}": 5,
                f"{a} {self.pick('<', '>', '<=', '<>')} {b}": 8,
                f"{a} + 1 = {b}": 4,
                "like": 3,
                "and": 5,
            }
        )
        if form == "like":
            return f"{self.column_of(left, 's')} LIKE {self.column_of(right, 's')}"
        if form == "and":
            if not terms:
                return f"{a} = {b}"
            return f"({a} = {b} AND {self.condition(left + right, 0)})"
        return form

    def aggregate(self, scope, kind):
        if kind not in AGGREGATES:
            kind = self.pick("i", "s")

        def hole(word):
            if word == "F":
                return f" FILTER (WHERE {self.condition(scope, 1)})" if self.chance(0.12) else ""
            if word == "D":
                return "DISTINCT " if self.chance(0.12) else ""
            if word == "bool":
                return self.condition(scope, 1)
            if word.endswith("0"):
                return self.column_of(scope, word[0])
            return self.expression(scope, word, 1)

        return self.fill(self.random.choice(AGGREGATES[kind]), hole)

    def inside(self, scope, correlated):
        """(FROM, WHERE, scope) of a subquery, mostly one that names what is around it."""
        source = self.source()
        text, inner = self.brought(source)
        if self.chance(0.12):
            more, added = self.brought(self.source())
            text += f" {self.pick('JOIN', 'LEFT JOIN')} {more} ON {self.partners(inner, added)}"
            inner = inner + added
        terms = []
        if scope and self.chance(correlated):
            terms.append(self.partners(inner, scope))
        if self.chance(0.35):
            # a subquery in there may name what is around both
            deep = inner + scope if scope and self.chance(0.3) else inner
            terms.append(self.condition(deep, 1))
        return text, " WHERE " + " AND ".join(terms) if terms else "", inner

    def scalar_subquery(self, scope, kind):
        self.depth_of_subqueries += 1
        text, where, inner = self.inside(scope, 0.7)
        form = self.weighted({"of both": 6, "of outer": 2, "value": 62, "first": 15, "group": 8})
        if not scope and form.startswith("of "):
            form = "value"
        if form == "of both":
            added = f"{self.column_of(scope, 'i')} + sum({self.column_of(inner, 'i')})"
            result = f"(SELECT {added} FROM {text}{where})"
        elif form == "of outer":
            call = f"{self.pick('sum', 'max', 'count')}({self.column_of(scope, 'i')})"
            result = f"(SELECT {call} FROM {text}{where})"
        elif form == "value":
            result = f"(SELECT {self.aggregate(inner, kind)} FROM {text}{where})"
        elif form == "first":
            value = self.column_of(inner, kind)
            order = f"{self.column_of(inner, 'i')}{self.pick('', ' DESC')}, {value}"
            offset = self.pick("", "", " OFFSET 1")
            result = f"(SELECT {value} FROM {text}{where} ORDER BY {order} LIMIT 1{offset})"
        else:
            group = f"GROUP BY {self.column_of(inner, 'i')} HAVING count(*) > 1"
            value = self.aggregate(inner, kind)
            result = f"(SELECT {value} FROM {text}{where} {group} ORDER BY 1 LIMIT 1)"
        self.depth_of_subqueries -= 1
        return result

    def subquery_condition(self, scope):
        self.depth_of_subqueries += 1
        text, where, inner = self.inside(scope, 0.55)
        form = self.weighted({"exists": 35, "in": 35, "pair": 10, "row": 6, "compare": 20})
        negated = self.pick("", "", "NOT ")
        if form == "exists":
            what = self.pick("1", "*", "NULL", self.column_of(inner, "i"))
            result = f"{negated}EXISTS (SELECT {what} FROM {text}{where})"
        elif form == "in":
            kind = self.pick("i", "i", "s", "x")
            given = {"from": lambda: text, "where": lambda: where}
            given["k"] = lambda: self.column_of(inner, kind)
            given["i"] = lambda: self.column_of(inner, "i")
            given["v"] = lambda: self.literal(kind)
            members = self.fill(self.random.choice(MEMBERS), lambda word: given[word]())
            result = f"{self.expression(scope, kind, 1)} {negated}IN ({members})"
        elif form == "pair":
            pair = f"({self.expression(scope, 'i', 0)}, {self.expression(scope, 's', 0)})"
            both = f"{self.column_of(inner, 'i')}, {self.column_of(inner, 's')}"
            result = f"{pair} {negated}IN (SELECT {both} FROM {text}{where})"
        elif form == "row":
            pair = f"({self.column_of(scope, 'i')}, {self.column_of(scope, 's')})"
            both = f"{self.column_of(inner, 'i')}, {self.column_of(inner, 's')}"
            compare = self.pick("=", "<", ">=", "IS")
            first = f"SELECT {both} FROM {text}{where} ORDER BY 1, 2 LIMIT 1"
            result = f"{pair} {compare} ({first})"
        else:
            compare = self.pick("=", "<", ">", ">=", "<>")
            value = f"(SELECT {self.aggregate(inner, 'i')} FROM {text}{where})"
            result = f"{self.expression(scope, 'i', 1)} {compare} {value}"
        self.depth_of_subqueries -= 1
        return result
