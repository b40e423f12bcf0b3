"""What else programs do between statements and reads: they look at plans, check the database, and make
TEMP tables and views, of names that others have."""

from case import Step
from reads import Reads
from words import quoted

# {name} a view's name as a string, {v} the view
LOOKS = [
    "SELECT * FROM lockstep_plan({name})",
    "SELECT lockstep_dot({name})",
    "SELECT * FROM lockstep_views",
    "SELECT * FROM pragma_table_list",
    "EXPLAIN QUERY PLAN SELECT * FROM {v}",
    "EXPLAIN SELECT * FROM {v}",
    "SELECT 1 FROM {v} LIMIT 1",
]
CHECKS = ["PRAGMA integrity_check", "PRAGMA integrity_check", "PRAGMA quick_check"]
# of a view's own tables, and those that views share
OWN = ["{}_data", "{}_query", "{}_state", "{}_trace", "lockstep_log_1", "lockstep_position"]
# {h} a name that is hidden from now on, {t} a table
HIDING = [
    ("TABLE", "CREATE TEMP TABLE {h}(a, b)"),
    ("TABLE", "CREATE TEMP TABLE {h} AS SELECT * FROM {t}"),
    ("VIEW", "CREATE TEMP VIEW {h} AS SELECT * FROM {t}"),
]


class Between(Reads):
    def __init__(self, seed):
        super().__init__(seed)
        self.hides = self.chance(0.5)  # views, too

    def look(self):
        live = self.random.choice(self.live)
        given = {"name": "'" + live.name.replace("'", "''") + "'", "v": live.ref}
        connection = "A" if self.schema == "temp" else self.pick("A", "A", "B")
        return Step(connection, "look", self.fill(self.random.choice(LOOKS), given.__getitem__), live.ref)

    def integrity(self):
        return Step(self.pick("A", "A", "B", "C"), "integrity", self.random.choice(CHECKS))

    def hiding(self):
        """The steps that make a TEMP table or view, and that which drops it again."""
        live, table = self.random.choice(self.live), self.random.choice(self.tables)
        names = [self.fresh("temp")]
        if self.schema != "temp":
            names += [self.random.choice(OWN).format(live.name)]
            names += [table.name, live.name] if self.hides else []
        hidden = self.random.choice(names)
        kind, text = self.random.choice(HIDING)
        given = {"h": quoted(hidden), "t": f"{table.schema}.{quoted(table.name)}"}
        connection = self.pick("A", "A", "B")
        begun = Step(connection, "sql", self.fill(text, given.__getitem__))
        return begun, Step(connection, "sql", f"DROP {kind} temp.{quoted(hidden)}")
