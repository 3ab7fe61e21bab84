"""How alike two words are: letters changed, lost, added or exchanged with their neighbour."""

from collections.abc import Collection

LONGEST_COMPARED = 60
"""Letters of a word that are compared; a longer one is no misspelt name."""


def distance(first: str, second: str) -> int:
    """Steps from one word to the other (optimal string alignment).

    A step changes, adds or drops one letter, or exchanges two neighbouring ones.

    >>> distance("chicago", "chicgao"), distance("miami", "maine")
    (1, 3)
    """
    return _steps(first, second)[-1]


def prefix_distance(typed: str, word: str) -> int:
    """Steps from what was typed to the nearest beginning of a word.

    >>> prefix_distance("pitsb", "pittsburgh"), prefix_distance("chi", "chicago")
    (1, 0)
    """
    return min(_steps(typed, word))


def _steps(first: str, second: str) -> list[int]:
    """Steps from the first word to every beginning of the second, from none of it to all."""
    rows = [list(range(len(second) + 1))]
    for i, letter in enumerate(first, start=1):
        row = [i]
        for j, other in enumerate(second, start=1):
            change = rows[-1][j - 1] + (letter != other)
            best = min(rows[-1][j] + 1, row[-1] + 1, change)
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1]


def steps_allowed(word: str) -> int:
    """Steps that a slip of the hand may take: two, in a short word one, in a tiny one none.

    >>> steps_allowed("la"), steps_allowed("miami"), steps_allowed("chicago")
    (0, 1, 2)
    """
    return 0 if len(word) < 3 else 1 if len(word) < 6 else 2


def misspelt(word: str, known: Collection[str]) -> str | None:
    """The known word that `word` is a slip away from, or None; of equally near ones the first.

    >>> misspelt("chicgao", ["miami", "chicago"]), misspelt("oslo", ["miami", "chicago"])
    ('chicago', None)
    """
    written = word[:LONGEST_COMPARED].lower()
    near = (
        (distance(written, other.lower()), place, other)
        for place, other in enumerate(known)
        if abs(len(written) - len(other)) <= steps_allowed(written)
    )
    best = min(near, default=None)
    return None if best is None or best[0] > steps_allowed(written) else best[2]
