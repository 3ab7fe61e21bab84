"""The language of the output: the option, $COMPANION_LANGUAGE, the locale, else English."""

import argparse
import os
from collections.abc import Sequence

from scoring.language import LANGUAGES, languages

DEFAULT = "en"

VARIABLES = ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where the language is looked for, in the order of POSIX."""


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, help="companion.help.language")


def asked_language(words: Sequence[str]) -> str | None:
    """What `--language` says, wherever it stands on a command line; None where it is not there."""
    reader = argparse.ArgumentParser(add_help=False)
    reader.add_argument("--language", nargs="?")
    asked: str | None = reader.parse_known_args(words)[0].language
    return asked


def language_choice(option: str | None) -> str:
    """The language to use; unknown languages in the environment are ignored."""
    for source in (option, *map(os.environ.get, VARIABLES)):
        if source is not None and (language := known_language(source)) is not None:
            return language
    return DEFAULT


def known_language(source: str) -> str | None:
    """The language that a locale or a code names, None where there is none of that name here."""
    known = (one for one in languages() if source.lower().startswith(one))
    return next(known, None)
