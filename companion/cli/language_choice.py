"""The language of the output: the option, $COMPANION_LANGUAGE, $LANG, else English."""

import argparse
import os
from collections.abc import Mapping

from scoring.language import LANGUAGES

DEFAULT = "en"


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, help="language of the printed text")


def language_choice(option: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to use; unknown languages in the environment are ignored."""
    sources = (option, environment.get("COMPANION_LANGUAGE"), environment.get("LANG"))
    for source in sources:
        for language in LANGUAGES:
            if source is not None and source.lower().startswith(language):
                return language
    return DEFAULT
