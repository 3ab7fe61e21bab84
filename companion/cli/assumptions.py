"""The option `--assume`: a route counts as if it were somebody else's."""

import argparse
from collections.abc import Sequence

from companion.errors import UsageError
from scoring.language import LANGUAGES, Message, text

NOBODY = ("none", "empty", *(text("scoring.sheet.nobody", language) for language in LANGUAGES))
"""Owners of `--assume` and `--doubtful` that mean an empty route."""


def add_assume_option(parser: argparse.ArgumentParser) -> None:
    """Add it."""
    parser.add_argument(
        "--assume",
        metavar="ROUTE=OWNER",
        action="append",
        default=[],
        help="companion.help.assume",
    )


def assumptions_of(options: Sequence[str]) -> dict[str, str | None]:
    """Routes and owners of `--assume`; raises UsageError where one has no owner."""
    assumed: dict[str, str | None] = {}
    for option in options:
        route, equals, owner = option.partition("=")
        if not (route and equals and owner):
            raise misspelt(f"--assume {option}", Message("companion.metavar.ROUTE=OWNER"))
        assumed[route] = None if owner.lower() in NOBODY else owner
    return assumed


def misspelt(option: str, form: Message) -> UsageError:
    """The error of an option that is not written as it should be."""
    return UsageError("companion.error.write-as", option=option, form=form)
