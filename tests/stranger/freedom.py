"""What a query leaves to SQLite to choose, told by the words in it and in what it reads.

numbers     which of 1 and 1.0, or of 0.0 and -0.0, stands for a group, a DISTINCT or an extreme
collations  the same of 'a', 'A' and 'a ', where a collation calls them equal
lists       in what order group_concat and its like meet their rows
sums        the last digits of a sum of reals, which are the exact ones in a view
"""

import re

CHOICES = ("numbers", "collations", "lists", "sums")
WORDS_OF_CHOICES = {
    "numbers": r"GROUP BY|DISTINCT|UNION|EXCEPT|INTERSECT|LIMIT|\b(min|max)\(",
    "collations": r"COLLATE (NOCASE|RTRIM)",
    "lists": r"\b(group_concat|json_group_array|json_group_object)\(",
    "sums": r"\b(sum|avg|total)\(",
}


def choices_of(text):
    """Those of a query, by its text with all that it reads."""
    return [choice for choice in CHOICES if re.search(WORDS_OF_CHOICES[choice], text)]


def with_all_read(sql, definitions):
    """A query, and the texts of all tables and views that it reads, or that those read: definitions are
    pairs of a name and a text."""
    text, left = sql, list(definitions)
    while left:
        read = [one for one in left if names(text, one[0])]
        if not read:
            break
        left = [one for one in left if one not in read]
        text += "".join("\n" + definition for _, definition in read)
    return text


def names(text, name):
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.replace('""', '"')) is not None
