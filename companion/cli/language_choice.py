"""Which language to speak: an option, then $COMPANION_LANGUAGE, then $LANG, then English."""

import argparse
import os
from collections.abc import Mapping

from scoring.language import LANGUAGES

DEFAULT = "en"


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, help="language of the printed text")


def language_choice(option: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to use; an environment that names no known one counts as silent."""
    wishes = (option, environment.get("COMPANION_LANGUAGE"), environment.get("LANG"))
    for wish in wishes:
        for language in LANGUAGES:
            if wish is not None and wish.lower().startswith(language):
                return language
    return DEFAULT
