"""What comes from elsewhere, as a message may repeat it: a value of a file, a name, an error."""

import json

from scoring.printable import printable

LONGEST_SHOWN = 40
"""Characters of a foreign value that a message repeats; the rest is cut with an ellipsis."""


def shown(value: object) -> str:
    """A value from a file as a one-line message may repeat it: short, printable, text quoted.

    >>> shown("two\\nlines"), shown(None), shown([1, 2])
    ('"two\N{REPLACEMENT CHARACTER}lines"', 'null', '[…]')
    """
    words = f'"{value}"' if isinstance(value, str) else literal(value)
    return cut(printable(words), LONGEST_SHOWN)


def repeated(name: str) -> str:
    """A name from a file, such as a key, as a message may repeat it: short and printable.

    >>> repeated("two\\nlines")
    'two\N{REPLACEMENT CHARACTER}lines'
    """
    return printable(name[:LONGEST_SHOWN])


def cut(words: str, most: int) -> str:
    """The words with an ellipsis in place of what is longer.

    >>> cut("Montréal", 8), cut("Winnipeg!", 8)
    ('Montréal', 'Winnipe…')
    """
    return words if len(words) <= most else words[: most - 1] + "…"


def literal(value: object) -> str:
    """JSON's own spelling of the simple values, the kind in brackets for the others.

    >>> literal(True), literal(12), literal({"a": 1})
    ('true', '12', '{…}')
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**LONGEST_SHOWN else "…"
    if isinstance(value, float):
        return repr(value)
    return "{…}" if isinstance(value, dict) else "[…]"
