"""`companion doctor`: what camera, GPIO, storage and network are here, and how to mend them."""

import argparse
import json

from companion.cli.language_choice import add_language_option, language_choice
from companion.config import data_folder
from companion.doctor.doctor import examine
from companion.doctor.findings import BROKEN, GOOD, MISSING

MARK = {GOOD: "✓", MISSING: "–", BROKEN: "✗"}
"""A sign for each status, told apart by shape."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion doctor`."""
    parser.add_argument("--data", metavar="DIR", help="companion.help.data")
    parser.add_argument("--json", action="store_true", help="companion.help.json")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine everything and print the findings; what is missing is no error of the command."""
    language = language_choice(arguments.language)
    findings = examine(data_folder(arguments.data))
    if arguments.json:
        checks = [finding.to_json(language) for finding in findings]
        print(json.dumps({"checks": checks}, ensure_ascii=False))
    else:
        print("\n".join(f"{MARK[f.status]} {f.message.text(language)}" for f in findings))
    return 0
