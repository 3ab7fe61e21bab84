"""The README names every command, and its examples are command lines that the program accepts."""

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS

README = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"^\| `companion ([^`]+)` \|", README, re.MULTILINE)


def test_the_table_names_every_command_once() -> None:
    assert sorted(example.split()[0] for example in EXAMPLES) == sorted(COMMANDS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_its_command_lines_are_accepted(example: str) -> None:
    name, *words = shlex.split(example)
    parser = argparse.ArgumentParser(exit_on_error=False)
    importlib.import_module(f"companion.cli.commands.{name}").configure(parser)
    parser.parse_args(words)
