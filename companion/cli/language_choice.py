"""The language of the output: the option, $COMPANION_LANGUAGE, $LANG, else English."""

import argparse
import os

from scoring.language import LANGUAGES

DEFAULT = "en"


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, help="language of the printed text")


def language_choice(option: str | None) -> str:
    """The language to use; unknown languages in the environment are ignored."""
    sources = (option, os.environ.get("COMPANION_LANGUAGE"), os.environ.get("LANG"))
    for source in sources:
        for language in LANGUAGES:
            if source is not None and source.lower().startswith(language):
                return language
    return DEFAULT
