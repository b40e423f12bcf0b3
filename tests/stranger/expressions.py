"""Expressions over what is in scope, from templates.

In a template {i} is an expression of that kind one level less deep, {i0} a column or literal, {bool} a
condition, {v} a literal of kind {k}, {vi} one of that kind, and the keys of WORDS one of those.
"""

import re

from schema import Schema

QUALIFIED = re.compile(r'(?:"(?:[^"]|"")*"|\w+)\.("(?:[^"]|"")*"|\w+)')

INTEGERS = [
    "({i} + {i})", "({i} - {i})", "({i} * {i})", "({i} / {i})", "({i} % {i})", "({i} & {i})",
    "({i} | {i})", "({i} << {i})", "-{i0}", "+{i0}", "~{i0}", "abs({i})", "length({s})",
    "CAST({r} AS INTEGER)", "CAST({s} AS INTEGER)", "CAST({x} AS INTEGER)", "({bool})",
    "CAST(round({r}) AS INT)", "instr({s}, 'a')", "CAST(strftime('%Y', {s}) AS INT)",
    "({i} / 10 * 10)", "likely({i})", "unixepoch({s}) / 86400", "({i} >> 1)", "0x1F & {i0}",
    "CAST(julianday({s}) - julianday({s}) AS INT)", "json_array_length(json_array({i}, {s}))",
    "json_array({i}, 7) ->> 0", "length(CAST({s} AS BLOB))", "CAST({s} AS NUMERIC)",
    "{i0} IS NOT DISTINCT FROM {i0}", "({s0} COLLATE NOCASE = {s0})", "unicode({s})", "sign({i})",
    "CASE WHEN json_valid({A=s0}) THEN json_extract({A}, '$.a') END IS NOT NULL",
    "json_array_length(json_array({s0}, {i0}), '$')",
    "CAST(strftime('%j', {s}) AS INT)", "twice({i0})", "round({i0} / 3.0)", "({i} IS {i}) + 1",
    "CAST(CAST({i0} AS TEXT) || '7' AS INT)", "(SELECT {i0} + 1)", "({i} || {i}) + 0",
]
REALS = [
    "({r} + {r})", "({r} - {i})", "({r} * {i})", "({r} + {i})", "CAST({i} AS REAL)", "{i0} * 0.5",
    "round({r}, 0)", "round({r}, 2)", "({i} / 2.0)", "abs({r})", "julianday({s})",
]
STRINGS = [
    "{s} || {s}", "{s} || '-' || {i}", "upper({s})", "lower({s})", "substr({s}, 1, 2)",
    "substr({s}, -2, 1)", "substr({s}, 0, 3)", "replace({s}, 'a', 'q')", "trim({s})",
    "printf('%d/%s', {i}, {s})", "typeof({i})", "typeof({x})", "quote({x})", "hex({s})",
    "CAST({i} AS TEXT)", "date({s})", "strftime('%Y-%m', {s})",
    "date({s}, '+1 month', 'start of month')", "{s0} COLLATE NOCASE", "{s0} COLLATE RTRIM",
    "json_array({i}, {s})", "json_object('a', {s})", "ltrim({s}, '0')",
    "CASE WHEN json_valid({A=s0}) THEN json_extract({A}, '$[0]') END", "datetime({i}, 'unixepoch')",
    "char(65 + abs({i0} % 26))", "json_object('k', {s0}, 'l', json_array({i0}))", "json_quote({s0})",
    "printf('%.2f', {r0})", "date({s0}, 'weekday 0', '-6 days')",
    "CASE {s0} WHEN {text} THEN {s0} END", "format('%05d|%s', {i0}, {s0})",
    "substr({s0}, instr({s0}, {text}) + 1)", "json_set(json_object(), '$.a', {i0}, '$.b', {s0})",
    "json_type(json_array({x0}))", "time({s}, '+90 minutes')", "strftime('%W-%w', {s})",
    "datetime({s0}, '-1 day', 'start of day')", "json_extract(json_array({s0}, {i0}), '$[0]', '$[1]')",
    "json_object('k', {s0}) -> '$.k'", "json_remove(json_array({i0}, {s0}), '$[0]')",
    "(SELECT max({s0}, {s0}))", "upper(substr({s0}, 1, 1)) || lower(substr({s0}, 2))",
    "coalesce({s0}, {i0}, {r0})", "CAST({r0} AS TEXT)", "quote({r0})", "twice({s0})",
]
OF_ANY = [  # {k} is the kind that is wanted
    "CASE WHEN {bool} THEN {k} ELSE {k} END", "CASE WHEN {bool} THEN {k} END",
    "CASE {i} WHEN {number} THEN {k} ELSE {k} END", "coalesce({k}, {k})", "ifnull({k}, {k})",
    "nullif({k}, {k})", "iif({bool}, {k}, {k})", "min({k}, {k})", "max({k}, {k})",
]
BOOLEANS = [  # {k} is one kind, drawn for each; {v} is a literal of it
    "{k} {compare} {k}", "{k} {compare} {v}", "{k} IS {k}", "{k} IS NOT {k}", "{k} {null}",
    "{k} BETWEEN {v} AND {v}", "{k} NOT BETWEEN {v} AND {v}", "{k} BETWEEN {k} AND {k}",
    "{k} IN ({v})", "{k} IN ({v}, {v}, {v})", "{k} NOT IN ({v}, {v})", "{k} IN ({k}, {v})",
    "{v} IN ()", "{s} LIKE {pattern}", "{s} NOT LIKE {pattern}", "{s} GLOB {glob}",
    "({i}, {s}) {compare} ({i}, {s})", "({i}, {s}) IS ({i}, {s})", "{i}", "{i} IS TRUE",
    "{i} IS NOT FALSE", "{k} IS DISTINCT FROM {k}",
    "({i0}, {s0}) IN (VALUES ({vi}, {vs}), ({vi}, {vs}))", "{s0} COLLATE NOCASE {compare} {s0}",
    "{s0} COLLATE RTRIM = {s0}", "{s0} LIKE '%' || {s0} || '%'", "NOT {i0}",
    "coalesce({i}, 0) = {number}", "{i0} + 0 IN ({number}, {number}, NULL)", "{s0} = {i0}",
    "({i0}, {s0}) < ({vi}, {vs})", "{x0} LIKE {pattern}", "({i0}, {i0}) = ({i0}, {number})",
    "EXISTS (SELECT 1 FROM json_each(json_array({i0}, {number})) WHERE value = {i0})",
    "{k} IN (SELECT value FROM json_each(json_array({k0}, {v})))", "twice({i0}) > {number}",
    "{s0} LIKE {s0} ESCAPE '_'", "typeof({x0}) = typeof({k0})", "{k0} IS NOT TRUE",
    "CASE WHEN {k0} > {v} THEN {k0} < {v} ELSE {k0} IS NULL END",
]
JOINED = [
    "({bool} AND {bool})", "({bool} AND {bool})", "({bool} OR {bool})", "NOT ({bool} OR {bool})",
    "({bool} OR NOT {bool})",
]
WORDS = {
    "compare": ["=", "=", "==", "<", ">", "<=", ">=", "<>"],
    "null": ["IS NULL", "IS NOT NULL", "NOTNULL", "ISNULL"],
    "pattern": ["'a%'", "'%b'", "'_'", "'A%'", "'%'", "'x_y'", "'a\\%' ESCAPE '\\'"],
    "glob": ["'a*'", "'[a-c]*'", "'*'", "'?'"],
}
MADE_INTO = {
    "i": "length({})", "s": "coalesce({}||'','')", "r": "CAST({} AS REAL)", "x": "{}",
    "b": "CAST({} AS BLOB)",
}


class Expressions(Schema):
    """`scalar_subquery` and `subquery_condition` are those of the class that derives from this one."""

    def __init__(self, seed):
        super().__init__(seed)
        self.bare_names = False
        self.depth_of_subqueries = 0

    def column_of(self, scope, kind):
        """A column in scope, made into that kind where there is none; maybe without its qualifier."""
        kinds = ["i", "r"] if kind in "ir" else [kind]
        fit = [c for c in scope if c[1] == kind] or [c for c in scope if c[1] in kinds]
        fit = fit or [c for c in scope if c[1] == "x"]
        if fit:
            text = self.random.choice(fit)[0]
            bare = QUALIFIED.fullmatch(text)
            return bare.group(1) if bare and self.bare_names and self.chance(0.6) else text
        if not scope:
            return self.literal(kind)
        return MADE_INTO[kind].format(self.random.choice(scope)[0])

    def expression(self, scope, kind, depth=2):
        if depth <= 0 or self.chance(0.35):
            if scope and self.chance(0.8):
                return self.column_of(scope, kind)
            return self.literal(kind, 0.1)
        if self.tables and self.depth_of_subqueries < 2 and self.chance(0.05):
            return self.scalar_subquery(scope, kind)
        if self.chance(0.25):
            return self.filled(self.random.choice(OF_ANY), scope, kind, depth)
        if kind in "xb":
            return self.expression(scope, self.pick("i", "s", "r", "x"), depth - 1)
        table = {"i": INTEGERS, "r": REALS, "s": STRINGS}[kind]
        return self.filled(self.random.choice(table), scope, kind, depth)

    def condition(self, scope, depth=2):
        if depth > 0 and self.chance(0.25):
            return self.filled(self.random.choice(JOINED), scope, "i", depth)
        if depth > 0 and self.tables and self.depth_of_subqueries < 2 and self.chance(0.2):
            return self.subquery_condition(scope)
        kind = self.pick("i", "i", "s", "r", "x")
        return self.filled(self.random.choice(BOOLEANS), scope, kind, depth)

    def filled(self, template, scope, kind, depth):
        def hole(word):
            if word in WORDS:
                return self.random.choice(WORDS[word])
            if word == "bool":
                return self.condition(scope, depth - 1)
            if word == "number":
                return self.integer()
            if word == "text":
                return self.text()
            if word[0] == "v":
                return self.literal(word[1:] or kind, 0.05)
            if word in ("k", "k0"):
                return self.expression(scope, kind, depth - 1 if word == "k" else 0)
            return self.expression(scope, word[0], 0 if word.endswith("0") else depth - 1)

        return self.fill(template, hole)
