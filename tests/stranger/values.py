"""Where a case draws its chances from, and the literals that it writes."""

import random
import re

TEXTS = [
    "'a'", "'b'", "'c'", "'ab'", "'abc'", "'x y'", "'open'", "'done'", "'2024-01-05'",
    "'2024-02-05'", "'2024-02-29 12:00:00'", "'1'", "'2'", "'[1,2,3]'", "'zz'",
]
MESSY_TEXTS = [
    "''", "'A'", "'a '", "' a'", "'01'", "'1.0'", "'1e0'", "' 1'", "'-0'", "'1x'",
    "'9223372036854775808'", "'É'", "'é'", "CAST(x'610062' AS TEXT)", "CAST(x'6100' AS TEXT)",
    "printf('%.*c',3000,'x')", "'a%'", "'a_b'", "'inf'", "'[1,2,\"a\"]'", "'{\"a\":1}'",
    "'{bad'", "char(0x1F600)", "'0x10'", "'NULL'",
]
MESSY_INTEGERS = [
    "4611686018427387904", "-9223372036854775808", "9007199254740993", "4294967296", "-1", "0",
    "1000000007",
]
MESSY_REALS = [
    "-0.0", "1.0", "1e308", "-9e999", "9e999", "1e-320", "9007199254740992.0", "0.1", "0.3",
    "9.2233720368547758e18", "1e16",
]
BLOBS = ["x'00'", "x'31'", "x''", "x'6162'", "zeroblob(20)", "x'ff'"]
HOLE = re.compile(r"\{(?:([A-Z])=)?(\w*)\}")


class Values:
    """The temper of a case: some are messy (any value in any column), some quirky, some odd."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.messy = self.chance(0.4)
        self.quirky = self.chance(0.6)
        self.odd = self.chance(0.15)
        self.nulls = self.pick(0.1, 0.25, 0.5)
        self.greatest = self.pick(4, 8, 20)
        self.schema = self.weighted({"main": 8, "aux": 1, "temp": 1})
        self.numbered = 0

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *those):
        return self.random.choice(those)

    def weighted(self, weights):
        return self.random.choices(list(weights), list(weights.values()))[0]

    def fresh(self, letter):
        self.numbered += 1
        return f"{letter}{self.numbered}"

    def fill(self, template, holes):
        """A template with what `holes(word)` gives in the place of each {word}; {A=word} is kept, for
        each {A} after it."""
        kept = {}

        def one(match):
            name, word = match.groups()
            if not name and word in kept:
                return kept[word]
            text = holes(word)
            if name:
                kept[name] = text
            return text

        return HOLE.sub(one, template)

    def text(self):
        return self.random.choice(MESSY_TEXTS if self.messy and self.chance(0.4) else TEXTS)

    def integer(self):
        if self.messy and self.chance(0.15):
            return self.random.choice(MESSY_INTEGERS)
        return str(self.random.randint(-2, self.greatest))

    def real(self):
        if self.messy and self.chance(0.25):
            return self.random.choice(MESSY_REALS)
        return str(self.random.randint(-8, 4 * self.greatest) / 4 + (0 if self.messy else 0.125))

    def literal(self, kind, nulls=None):
        if self.chance(self.nulls if nulls is None else nulls):
            return "NULL"
        if self.messy and self.chance(0.15):
            kind = self.pick("i", "r", "s", "x", "b")
        if kind == "x":
            kind = self.pick("i", "r", "s", "b") if self.messy else "i"
        if kind == "b":
            return self.random.choice(BLOBS)
        return {"i": self.integer, "r": self.real, "s": self.text}[kind]()
