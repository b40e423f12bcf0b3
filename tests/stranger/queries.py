"""Whole queries, composed: (text, kinds of its columns), which are named c0, c1 and so on."""

import re

from subqueries import Subqueries
from words import quoted

JOINS = {
    "JOIN": 32, "INNER JOIN": 8, "LEFT JOIN": 20, "LEFT OUTER JOIN": 8, "RIGHT JOIN": 5,
    "FULL JOIN": 3, "FULL OUTER JOIN": 2, "USING": 5, "NATURAL": 4, ",": 10, "CROSS JOIN": 3,
    "json_each": 6, "json_tree": 1,
}
KEEPS_RIGHT = ("RIGHT JOIN", "FULL JOIN", "FULL OUTER JOIN", "USING", "NATURAL")
HAVING = ["{} > 1", "{} BETWEEN 1 AND 3", "{} <> 0", "{} IS NULL", "{} >= 2"]


def listed(expressions, are_named):
    if not are_named:
        return ", ".join(expressions)
    return ", ".join(f"{text} AS c{i}" for i, text in enumerate(expressions))


def scope_of_columns(alias, kinds):
    return [(f"{alias}.c{i}", kind) for i, kind in enumerate(kinds)]


class Queries(Subqueries):
    def from_item(self, depth, with_tables):
        """(text, scope, names)"""
        if with_tables and self.chance(0.6):
            name, kinds = self.random.choice(with_tables)
            alias = self.alias()
            names = [f"c{i}" for i in range(len(kinds))]
            return f"{name} AS {alias}", scope_of_columns(alias, kinds), names
        if depth > 0 and self.chance(0.16):
            text, kinds = self.query(depth - 1, with_tables)
            alias = self.alias()
            names = [f"c{i}" for i in range(len(kinds))]
            return f"({text}) AS {alias}", scope_of_columns(alias, kinds), names
        if self.chance(0.02):
            alias = self.alias()
            rows = ", ".join(f"({self.literal('i')}, {self.literal('s')})" for _ in range(2))
            text = f"(SELECT column1 AS c0, column2 AS c1 FROM (VALUES {rows})) AS {alias}"
            return text, scope_of_columns(alias, "is"), ["c0", "c1"]
        source = self.source()
        if self.quirky and self.chance(0.1):
            return self.joined_item(source)
        text, scope = self.brought(source)
        if self.quirky and self.chance(0.02):
            text += " NOT INDEXED"
        return text, scope, source.names()

    def joined_item(self, source):
        """A join in parentheses, or in a subquery that gives all its columns."""
        other = self.source()
        text, left = self.brought(source)
        more, right = self.brought(other)
        common = [name for name in source.names() if name in other.names()]
        if common and self.chance(0.5):
            alias = self.alias()
            using = ", ".join(quoted(name) for name in common[:2])
            text = f"(SELECT * FROM {text} JOIN {more} USING ({using})) AS {alias}"
            return text, source.scope(alias), source.names()
        join = self.pick("JOIN", "LEFT JOIN", "FULL JOIN")
        text = f"({text} {join} {more} ON {self.partners(left, right, terms=False)})"
        return text, left + right, []

    def from_clause(self, depth, with_tables):
        """(text, scope, terms of WHERE)

        Of SQLite 3.40's own: where a FULL or RIGHT join follows a join whose ON has a term that names
        no column and is false, the rows of the right side are lost. Such joins are on columns alone.
        """
        count = self.weighted({1: 45, 2: 35, 3: 13, 4: 3})
        text, scope, names = self.from_item(depth, with_tables)
        joins = [self.weighted(JOINS) for _ in range(count - 1)]
        terms = not any(join in KEEPS_RIGHT for join in joins)
        where = []
        for position, join in enumerate(joins):
            if join.startswith("json"):
                more, added = self.elements(scope, join)
                text, scope = text + more, scope + added
                continue
            item, added, more_names = self.from_item(depth, with_tables)
            common = [name for name in more_names if name in names]
            on = self.partners(scope, added, terms)
            if terms and self.chance(0.2):
                on += " AND " + self.condition(self.pick(added, scope + added), 1)
            if join == "USING" and common and (position == 0 or self.chance(0.3)):
                using = ", ".join(quoted(name) for name in common[: self.pick(1, 1, 2)])
                how = self.pick("", "LEFT ", "FULL ", "RIGHT ")
                text += f" {how}JOIN {item} USING ({using})"
            elif join == "NATURAL" and position == 0:
                text += f" NATURAL {self.pick('', 'LEFT ', 'FULL ')}JOIN {item}"
            elif join in (",", "CROSS JOIN"):
                where.append(on)
                text += f" {join} {item}"
            else:
                text += f" {join if 'JOIN' in join else 'JOIN'} {item} ON {on}"
            scope, names = scope + added, names + more_names
        return text, scope, where

    def elements(self, scope, function):
        """json_each or json_tree over a column of text, where there is one."""
        texts = [column for column, kind in scope if kind in "sx"]
        if not texts:
            return "", []
        text, alias = self.random.choice(texts), self.fresh("j")
        join = self.pick(",", " JOIN", " CROSS JOIN", " LEFT JOIN")
        text = f"{join} {function}(CASE WHEN json_valid({text}) THEN {text} END) AS {alias}"
        return text, [(alias + ".value", "x"), (alias + ".key", "x"), (alias + ".type", "s")]

    def select(self, depth, with_tables, wanted=None, star=False, are_named=True):
        """One SELECT, whose columns are of the kinds that are wanted. SELECT * gives None as kinds."""
        text, scope, terms = self.from_clause(depth, with_tables)
        if self.chance(0.5):
            terms = terms + [self.condition(scope)]
        text += " WHERE " + " AND ".join(terms) if terms else ""
        if star and self.quirky and self.chance(0.05):
            return f"SELECT * FROM {text}", None
        kinds = wanted or [
            self.pick("i", "i", "s", "s", "r", "x") for _ in range(self.random.randint(1, 4))
        ]
        form = self.weighted({"rows": 50, "one": 10, "groups": 40})
        if form == "rows":
            distinct = "DISTINCT " if self.chance(0.15) else ""
            columns = [
                self.column_of(scope, kind) if self.chance(0.5) else self.expression(scope, kind)
                for kind in kinds
            ]
            return f"SELECT {distinct}{listed(columns, are_named)} FROM {text}", kinds
        if form == "one":
            columns = [self.aggregate(scope, kind) for kind in kinds]
            if self.chance(0.1):
                form = self.pick("{} > 1", "{} IS NOT NULL", "{} < 5")
                text += " HAVING " + form.format(self.aggregate(scope, "i"))
            return f"SELECT {listed(columns, are_named)} FROM {text}", kinds
        return self.grouped(text, scope, kinds, are_named), kinds

    def grouped(self, text, scope, kinds, are_named):
        count = min(len(kinds), self.pick(1, 2))
        keys = [
            self.column_of(scope, kind) if self.chance(0.6) else self.expression(scope, kind, 1)
            for kind in kinds[:count]
        ]
        # a constant between the keys of a GROUP BY would be the number of a column
        keys = [
            key if any(name in key for name, _ in scope) else self.column_of(scope, kind)
            for key, kind in zip(keys, kinds)
        ]
        bare = self.chance(0.03)
        if bare:
            columns = keys + self.with_bare_columns(scope, kinds[count:])
        else:
            columns = keys + [self.of_group(scope, kind) for kind in kinds[count:]]
        by = keys
        if self.chance(0.35):
            form = self.pick("{}", "c{}" if are_named else "{}")
            by = [form.format(i + (form == "{}")) for i in range(count)]
            if any(re.search(r"\.c[01]$", name) for name, _ in scope):
                by = keys  # such a name is that of the column inside
        having = ""
        if bare and len(columns) > count:
            # where there is no maximum any row will do
            having = f" HAVING {columns[count]} IS NOT NULL"
        elif bare:
            pass
        elif self.chance(0.25):
            value = self.aggregate(scope, self.pick("i", "i", "r"))
            having = " HAVING " + self.random.choice(HAVING).format(value)
        elif self.chance(0.05):
            having = f" HAVING count(*) > (SELECT count(*) / 2 FROM {self.source().ref})"
        distinct = "DISTINCT " if self.chance(0.04) else ""
        results = listed(columns, are_named)
        return f"SELECT {distinct}{results} FROM {text} GROUP BY {', '.join(by)}{having}"

    def with_bare_columns(self, scope, kinds):
        """One maximum, and columns of the row that has it. Beside more of them, or none, SQLite chooses
        the row as its plan goes."""
        columns = [self.column_of(scope, kind) for kind in kinds]
        return [f"max({column})" for column in columns[:1]] + columns[1:]

    def of_group(self, scope, kind):
        def value(of):
            return self.aggregate(scope, of)

        form = self.weighted({"of two": 24, "case": 5, "one": 70})
        if form == "of two":
            return f"{value('i')} {self.pick('+', '*', '-', '>', '/')} {value('i')}"
        if form == "case":
            return f"CASE WHEN {value('i')} > 2 THEN {value(kind)} ELSE {self.literal(kind)} END"
        return value(kind)

    def query(self, depth, with_tables=(), top=False, are_named=True):
        with_tables = list(with_tables)
        before = self.with_clause(depth, with_tables) if self.chance(0.12 if depth else 0.02) else ""
        are_named = are_named and not (top and self.chance(0.1))
        text, kinds = self.select(depth, with_tables, star=top, are_named=are_named)
        if kinds is None:
            return before + text, None
        if self.chance(0.15 if depth else 0.05):
            for _ in range(self.pick(1, 2)):
                if self.chance(0.05):
                    values = ", ".join(self.literal(kind) for kind in kinds)
                    member = f"VALUES ({values})"
                else:
                    member, _ = self.select(max(0, depth - 1), with_tables, kinds)
                operator = self.pick("UNION", "UNION", "UNION ALL", "UNION ALL", "EXCEPT", "INTERSECT")
                text += f" {operator} {member}"
        if self.chance(0.2 if top else 0.08):
            is_compound = re.search("UNION|EXCEPT|INTERSECT", text) is not None
            # in what order group_concat meets its rows would say which of its values come first
            can_be_cut = re.search(r"(?<!hex\()(group_concat|json_group)", text) is None
            text += self.order_by(kinds, is_compound or not are_named, can_be_cut)
        return before + text, kinds

    def with_clause(self, depth, with_tables):
        """WITH; the list is added to."""
        parts = []
        for _ in range(self.pick(1, 2)):
            are_named = self.chance(0.7)
            text, kinds = self.query(max(0, depth - 1), with_tables, are_named=are_named)
            name = self.fresh("w")
            how = self.pick("", "", "MATERIALIZED ", "NOT MATERIALIZED ")
            names = "" if are_named else f"({', '.join(f'c{i}' for i in range(len(kinds)))})"
            parts.append(f"{name}{names} AS {how}({text})")
            with_tables.append((name, kinds))
        return "WITH " + ", ".join(parts) + " "

    def order_by(self, kinds, is_compound, can_be_cut):
        """By all columns, so that LIMIT takes rows which are told apart, or equal; maybe by an
        expression before."""
        terms = []
        if not is_compound and self.chance(0.2):
            at = self.random.randrange(len(kinds))
            form = {"i": "abs(c{} % 3)", "r": "-c{}", "s": "c{} COLLATE NOCASE"}
            terms.append(form.get(kinds[at], "c{} IS NULL").format(at) + self.pick("", " DESC"))
        for i in range(len(kinds)):
            nulls = self.pick(" NULLS LAST", " NULLS FIRST") if self.chance(0.1) else ""
            terms.append(f"{i + 1}{self.pick('', '', ' DESC', ' ASC')}{nulls}")
        text = " ORDER BY " + ", ".join(terms)
        if can_be_cut and self.chance(0.5):
            text += f" LIMIT {self.pick(1, 2, 3, 5, 0, '1 + 1', '-1', '0x4')}"
            if self.chance(0.3):
                text += f" OFFSET {self.random.randint(1, 3)}"
        return text
