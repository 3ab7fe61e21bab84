"""The README names every command, and its examples are command lines that the program accepts."""

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
CARD = (ROOT / "docs" / "reading.md").read_text("utf-8")
EXAMPLES = re.findall(r"^\| `companion ([^`]+)` \|", README, re.MULTILINE)


def test_the_table_names_every_command_once() -> None:
    assert sorted(example.split()[0] for example in EXAMPLES) == sorted(COMMANDS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_its_command_lines_are_accepted(example: str) -> None:
    name, *words = shlex.split(example)
    parser = argparse.ArgumentParser(exit_on_error=False)
    importlib.import_module(f"companion.cli.commands.{name}").configure(parser)
    parser.parse_args(words)


@pytest.mark.parametrize(
    ("images", "told"),
    [
        ("photos: usa", "photos of a real USA board"),
        ("renders: all", "rendered games on USA, Germany, France"),
        ("careless: all", "rendered games with careless wagons"),
        ("old-phone: all", "renders as an old phone takes them"),
    ],
)
def test_it_tells_the_figures_of_the_model_card(images: str, told: str) -> None:
    """Of two values the first, with a photo of the empty board; shares to a tenth."""
    of_card = re.search(rf"^\| {images} \| (\d+) of \d+ (.*) \|$", CARD, re.MULTILINE)
    of_readme = re.search(rf"^\| (\d+) {told} \| ([\d.]+) % (.*) \|$", README, re.MULTILINE)
    assert of_card is not None
    assert of_readme is not None
    count, figures = of_card.groups()
    right, _, silent, asked = [float(re.split("[ /(]", cell)[0]) for cell in cells(figures)]
    assert of_readme.group(1) == count
    assert float(of_readme.group(2)) == round(right, 1)
    assert [float(cell) for cell in cells(of_readme.group(3))] == [silent, asked]


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("| ").split("|")]
