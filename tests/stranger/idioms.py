"""Views as people write them, over two tables of the case.

In a template {t} and {u} are the tables, {k}, {o} and {v} columns of t, {ku} and {ou} of u, {k2} and
{o2} those of t once more as t2, {s} a text of t and {c} a condition upon it.
"""

from queries import Queries

IDIOMS = [
    ("SELECT t.* FROM {t} AS t WHERE {o} = (SELECT max({o2}) FROM {t} AS t2 WHERE {k2} = {k})", None),
    ("SELECT {k} AS c0, max({o}) AS c1, count({v}) AS c2 FROM {t} AS t GROUP BY 1", "xii"),
    ("SELECT t.* FROM {t} AS t LEFT JOIN {u} AS u ON {ku} = {k} WHERE {ku} IS NULL", None),
    (
        "SELECT {v} AS c0, coalesce(n, 0) AS c1, s AS c2 FROM {t} AS t LEFT JOIN (SELECT {ku} AS kk,"
        " count(*) AS n, sum({ou}) AS s FROM {u} AS u GROUP BY 1) ON kk = {k}",
        "xii",
    ),
    (
        "SELECT t.* FROM {t} AS t WHERE NOT EXISTS"
        " (SELECT 1 FROM {t} AS t2 WHERE {k2} = {k} AND {o2} > {o})",
        None,
    ),
    (
        "SELECT {k} AS c0, {o} AS c1, (SELECT sum({o2}) FROM {t} AS t2 WHERE {o2} <= {o}) AS c2"
        " FROM {t} AS t",
        "xii",
    ),
    (
        "SELECT {k} AS c0, sum(CASE WHEN {c} THEN {o} ELSE 0 END) AS c1,"
        " sum(CASE WHEN NOT {c} THEN 1 END) AS c2, count(DISTINCT {v}) AS c3"
        " FROM {t} AS t GROUP BY {k}",
        "xiii",
    ),
    (
        "SELECT {k} AS c0, {o} * 100.0 / (SELECT sum({o2}) FROM {t} AS t2) AS c1 FROM {t} AS t",
        "xr",
    ),
    (
        "SELECT {k} AS c0, {o} AS c1, (SELECT count(*) FROM {t} AS t2 WHERE {o2} > {o}) + 1 AS c2"
        " FROM {t} AS t",
        "xii",
    ),
    (
        "SELECT strftime('%Y-%m', {s}) AS c0, count(*) AS c1, total({o}) AS c2 FROM {t} AS t"
        " GROUP BY c0 HAVING c1 > 0 ORDER BY c0",
        "sir",
    ),
    (
        "WITH a AS (SELECT {k} AS k, count(*) AS n FROM {t} AS t GROUP BY 1),"
        " b AS (SELECT {ku} AS k, sum({ou}) AS s FROM {u} AS u GROUP BY 1)"
        " SELECT a.k AS c0, n AS c1, s AS c2 FROM a {join} b ON a.k = b.k",
        "xii",
    ),
    (
        "SELECT 't' AS c0, {k} AS c1, {o} AS c2 FROM {t} AS t"
        " UNION ALL SELECT 'u', {ku}, {ou} FROM {u} AS u",
        "sxi",
    ),
    (
        "SELECT {o} AS c0, {o2} AS c1 FROM {t} AS t JOIN {t} AS t2 ON {k} = {k2} AND {o} < {o2}",
        "ii",
    ),
    (
        "SELECT ({o} / 3) * 3 AS c0, count(*) AS c1, 1.0 * sum({o}) / count(*) AS c2"
        " FROM {t} AS t GROUP BY 1",
        "iir",
    ),
    (
        "SELECT {v} AS c0, (SELECT count(*) FROM {u} AS u WHERE {ku} = {k}) AS c1,"
        " (SELECT max({ou}) FROM {u} AS u WHERE {ku} = {k}) AS c2 FROM {t} AS t",
        "xii",
    ),
    (
        "SELECT {k} AS c0 FROM {t} AS t GROUP BY 1"
        " HAVING count(DISTINCT {v}) = (SELECT count(DISTINCT {ku}) FROM {u} AS u)",
        "x",
    ),
    (
        "SELECT DISTINCT {k} AS c0 FROM {t} AS t WHERE NOT EXISTS (SELECT 1 FROM {u} AS u WHERE"
        " NOT EXISTS (SELECT 1 FROM {t} AS t2 WHERE {k2} = {k} AND {o2} = {ku}))",
        "x",
    ),
    ("SELECT t.* FROM {t} AS t ORDER BY {o} DESC, {all} LIMIT 3", None),
    (
        "SELECT {k} AS c0, group_concat({v}, ', ') AS c1 FROM (SELECT * FROM {t} ORDER BY 1) AS t"
        " GROUP BY 1",
        "xs",
    ),
    (
        "SELECT {k} AS c0, json_group_array({o}) AS c1,"
        " json_group_object(coalesce({s},'n')||'', {o}) AS c2 FROM {t} AS t GROUP BY {k}",
        "xss",
    ),
    (
        "SELECT a.c0 AS c0, a.n - coalesce(b.n, 0) AS c1 FROM (SELECT {k} AS c0, count(*) AS n"
        " FROM {t} AS t GROUP BY 1) AS a LEFT JOIN (SELECT {ku} AS c0, count(*) AS n"
        " FROM {u} AS u GROUP BY 1) AS b USING (c0)",
        "xi",
    ),
    (
        "SELECT {k} AS c0, (SELECT {o2} FROM {t} AS t2 WHERE {k2} = {k} ORDER BY {o2} DESC, 1"
        " LIMIT 1) AS c1 FROM (SELECT DISTINCT {k} FROM {t} AS t) AS t",
        "xi",
    ),
    (
        "SELECT {k} AS c0, {o} AS c1 FROM {t} AS t"
        " WHERE {o} > (SELECT avg({o2}) FROM {t} AS t2 WHERE {k2} IS {k})",
        "xi",
    ),
    (
        "SELECT count(*) AS c0, count({v}) AS c1, min({o}) AS c2, max({o}) AS c3, avg({o}) AS c4"
        " FROM {t} AS t WHERE {c}",
        "iiiir",
    ),
    (
        "SELECT {k} AS c0, count({ku}) AS c1, count(*) FILTER (WHERE {ku} IS NULL) AS c2"
        " FROM {t} AS t LEFT JOIN {u} AS u ON {ku} = {k} GROUP BY {k} ORDER BY c1 DESC, c0",
        "xii",
    ),
    (
        "SELECT t.* FROM {t} AS t"
        " WHERE {k} IN (SELECT {k2} FROM {t} AS t2 GROUP BY 1 HAVING count(*) > 1)",
        None,
    ),
    # a customer's first, the two before the last, and how long it took
    (
        "SELECT {k} AS c0, min({o}) AS c1, max({o}) - min({o}) AS c2, count(*) AS c3, sum({o} > 1) AS c4"
        " FROM {t} AS t WHERE {o} IS NOT NULL GROUP BY {k} HAVING count(*) > 1",
        "xiiii",
    ),
    # the n greatest of each
    (
        "SELECT {k} AS c0, {o} AS c1 FROM {t} AS t WHERE (SELECT count(DISTINCT {o2}) FROM {t} AS t2"
        " WHERE {k2} IS {k} AND {o2} > {o}) < 2",
        "xi",
    ),
    # the median
    (
        "SELECT {k} AS c0, avg({o}) AS c1 FROM {t} AS t WHERE (SELECT count(*) FROM {t} AS t2"
        " WHERE {k2} = {k} AND {o2} <= {o}) * 2 BETWEEN (SELECT count(*) FROM {t} AS t2 WHERE {k2} = {k})"
        " AND (SELECT count(*) FROM {t} AS t2 WHERE {k2} = {k}) + 1 GROUP BY 1",
        "xr",
    ),
    # gaps
    (
        "SELECT {o} + 1 AS c0, (SELECT min({o2}) FROM {t} AS t2 WHERE {o2} > {o}) - 1 AS c1 FROM {t} AS t"
        " WHERE NOT EXISTS (SELECT 1 FROM {t} AS t2 WHERE {o2} = {o} + 1)",
        "ii",
    ),
    # moving sums
    (
        "SELECT {o} AS c0, count(*) AS c1, sum({o2}) AS c2 FROM {t} AS t JOIN {t} AS t2"
        " ON {o2} BETWEEN {o} - 2 AND {o} GROUP BY {o}",
        "iii",
    ),
    # a pivot
    (
        "SELECT {k} AS c0, count(*) FILTER (WHERE {o} = 1) AS c1, count(*) FILTER (WHERE {o} = 2) AS c2,"
        " max(CASE {o} WHEN 3 THEN {v} END) AS c3, total({o}) FILTER (WHERE {o} > 3) AS c4"
        " FROM {t} AS t GROUP BY {k}",
        "xiixr",
    ),
    # a cohort: of those that began so, how many came back
    (
        "WITH f AS (SELECT {k} AS k, min({o}) AS first FROM {t} AS t GROUP BY 1)"
        " SELECT f.first AS c0, {o} - f.first AS c1, count(DISTINCT f.k) AS c2 FROM f JOIN {t} AS t"
        " ON {k} = f.k GROUP BY 1, 2",
        "iii",
    ),
    # an expression of WITH, twice
    (
        "WITH z AS (SELECT {k} AS k, count(*) AS n FROM {t} AS t GROUP BY 1)"
        " SELECT a.k AS c0, a.n AS c1, b.k AS c2 FROM z AS a JOIN z AS b ON a.n < b.n"
        " WHERE a.n = (SELECT min(n) FROM z)",
        "xix",
    ),
    (
        "WITH z AS (SELECT DISTINCT {ku} AS k FROM {u} AS u WHERE {ku} IS NOT NULL)"
        " SELECT {k} AS c0, {k} IN z AS c1 FROM {t} AS t WHERE {k} NOT IN z OR {k} IN (SELECT max(k) FROM z)",
        "xi",
    ),
    # two deep, and both name the outermost
    (
        "SELECT {k} AS c0, {o} AS c1 FROM {t} AS t WHERE EXISTS (SELECT 1 FROM {u} AS u WHERE {ku} = {k}"
        " AND {ou} >= (SELECT count(*) FROM {t} AS t2 WHERE {k2} = {k} AND {o2} < {ou}))",
        "xi",
    ),
    (
        "SELECT {k} AS c0, (SELECT count(*) FROM {u} AS u WHERE {ku} = {k} AND NOT EXISTS"
        " (SELECT 1 FROM {t} AS t2 WHERE {o2} = {ou} AND {k2} <> {k})) AS c1 FROM {t} AS t",
        "xi",
    ),
    # rows
    (
        "SELECT {k} AS c0, {o} AS c1 FROM {t} AS t WHERE ({k}, {o}) IN (SELECT {ku}, {ou} FROM {u} AS u)"
        " OR ({o}, {k}) = (SELECT {ou}, {ku} FROM {u} AS u ORDER BY 1, 2 LIMIT 1)",
        "xi",
    ),
    (
        "SELECT {k} AS c0, {o} AS c1, {v} AS c2 FROM {t} AS t WHERE ({k}, {o}) IN"
        " (SELECT {k2}, max({o2}) FROM {t} AS t2 GROUP BY 1)",
        "xix",
    ),
    # tags in JSON
    (
        "SELECT e.value AS c0, count(*) AS c1 FROM {t} AS t,"
        " json_each(CASE WHEN json_valid({s}) THEN {s} ELSE '[]' END) AS e GROUP BY e.value",
        "xi",
    ),
    (
        "SELECT {k} AS c0, {s} AS c1 FROM {t} AS t WHERE EXISTS (SELECT 1 FROM"
        " json_each(CASE WHEN json_valid({s}) THEN {s} END) AS e WHERE e.value = {o} OR e.key > 1)",
        "xs",
    ),
    # all there is of one, as one text
    (
        "SELECT {k} AS c0, (SELECT group_concat({ou}, '|') FROM (SELECT * FROM {u} AS u WHERE {ku} = {k}"
        " ORDER BY {ou}) AS u) AS c1 FROM {t} AS t",
        "xs",
    ),
    (
        "SELECT {k} AS c0, json_object('n', count(*), 'of', json_group_array({o})) AS c1,"
        " spread({o}) AS c2 FROM {t} AS t GROUP BY 1",
        "xsi",
    ),
    # who is on which side only
    (
        "SELECT {k} AS c0 FROM {t} AS t EXCEPT SELECT {ku} FROM {u} AS u UNION ALL"
        " SELECT {ku} FROM {u} AS u WHERE {ku} NOT IN (SELECT {k} FROM {t} AS t WHERE {k} IS NOT NULL)",
        "x",
    ),
    (
        "SELECT coalesce({k}, {ku}) AS c0, {o} AS c1, {ou} AS c2, CASE WHEN {k} IS NULL THEN 'u'"
        " WHEN {ku} IS NULL THEN 't' ELSE 'both' END AS c3 FROM {t} AS t FULL JOIN {u} AS u ON {k} = {ku}",
        "xiis",
    ),
    # the last of each, by a join with itself
    (
        "SELECT {k} AS c0, {o} AS c1 FROM {t} AS t LEFT JOIN {t} AS t2 ON {k2} = {k} AND {o2} > {o}"
        " WHERE {o2} IS NULL",
        "xi",
    ),
    # a join of everything, unnamed
    ("SELECT * FROM (SELECT * FROM {t} AS t LEFT JOIN {u} AS u ON {k} = {ku}) AS x", None),
    ("SELECT * FROM {t} AS t {join} {u} AS u ON {k} = {ku} WHERE {c}", None),
    # pages
    (
        "SELECT {k} AS c0, {o} AS c1, {v} AS c2 FROM {t} AS t WHERE {c}"
        " ORDER BY {o} DESC, {k}, {v} LIMIT 3 OFFSET 2",
        "xix",
    ),
    # weeks, days and hours
    (
        "SELECT date({s}, 'weekday 0', '-6 days') AS c0, count(*) AS c1, count(DISTINCT {k}) AS c2,"
        " avg(julianday({s}) - 2460000.5) AS c3 FROM {t} AS t WHERE {s} IS NOT NULL GROUP BY 1 ORDER BY 1",
        "siir",
    ),
    ("SELECT * FROM {t}", None),
    ("SELECT * FROM {t} AS t WHERE {c}", None),
]


class Idioms(Queries):
    def idiom(self):
        """(text, kinds of its columns)"""
        first, second = self.random.choice(self.tables), self.random.choice(self.tables)
        scope, other = first.scope("t"), second.scope("u")
        given = {
            "t": first.ref,
            "u": second.ref,
            "k": self.random.choice(scope)[0],
            "o": self.column_of(scope, "i"),
            "v": self.random.choice(scope)[0],
            "ku": self.random.choice(other)[0],
            "ou": self.column_of(other, "i"),
            "s": self.column_of(scope, "s"),
            "c": self.condition(scope, 1),
            "all": ", ".join(name for name, _ in scope),
            "join": self.pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"),
        }
        for name in "ko":
            given[name + "2"] = given[name].replace("t.", "t2.", 1)
        template, kinds = self.random.choice(IDIOMS)
        text = self.fill(template, given.__getitem__)
        columns = first.columns + (second.columns if "SELECT *" in template and "{u}" in template else [])
        return text, list(kinds or [column.kind for column in columns])
