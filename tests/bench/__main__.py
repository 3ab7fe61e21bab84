"""Runs every topic of the bench, or those that are named: `python -m tests.bench trails`."""

import argparse
import importlib
import os
from collections.abc import Sequence

TOPICS: tuple[str, ...] = (
    "trails",
    "sheets",
    "reading",
    "memory",
    "presses",
    "watching",
    "accuracy",
    "load",
    "first_view",
    "evenings",
    "attackers",
)
"""Modules of this package with a `run()` that prints its figures."""

BY_NAME: tuple[str, ...] = ("teaching", "spoilt")
"""Those that only run when they are named: they take minutes."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the topics in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS + BY_NAME))
    chosen = parser.parse_args(arguments).topics or TOPICS
    unknown = sorted(set(chosen) - set(TOPICS + BY_NAME))
    if unknown:
        parser.error(f"unknown topic {', '.join(unknown)}; topics: {', '.join(TOPICS + BY_NAME)}")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does
    for topic in chosen:
        importlib.import_module(f"tests.bench.{topic}").run()


if __name__ == "__main__":
    main()
