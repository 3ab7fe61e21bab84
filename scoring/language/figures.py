"""Numbers as people read them: with a true minus sign, which is as wide as a plus."""

MINUS = "\N{MINUS SIGN}"


def figure(number: object) -> str:
    """A number in words for people.

    >>> figure(-7), figure(12), figure("-0.5")
    ('−7', '12', '−0.5')
    """
    said = str(number)
    return MINUS + said[1:] if said.startswith("-") else said


def signed(number: int) -> str:
    """A gain or a loss; none is neither.

    >>> signed(7), signed(-7), signed(0)
    ('+7', '−7', '0')
    """
    return figure(f"{number:+d}" if number else 0)
