"""A command line that is read, explained and refused in one language.

Options name their help by its key in the catalogue. argparse's own sentences are English only: they
are known by their words and said anew.
"""

import argparse
import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from scoring.language import SpokenError, text

Option = TypeVar("Option", bound=argparse.Action)

WRONG_USAGE = 2
"""The exit code of a command line that cannot be meant."""

MISSING = "companion.argument.missing"

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        r"argument (?P<name>.*?): (?P<reason>.*)": "companion.argument.of",
        r"the following arguments are required: (?P<names>.*)": MISSING,
        r"one of the arguments (?P<names>.*) is required": "companion.argument.one-of",
        r"not allowed with argument (?P<name>.*)": "companion.argument.not-with",
        r"unrecognized arguments: (?P<words>.*)": "companion.argument.unknown",
        r"ambiguous option: (?P<option>.*) could match (?P<matches>.*)": (
            "companion.argument.ambiguous"
        ),
        r"invalid choice: (?P<value>.*) \(choose from (?P<choices>.*)\)": (
            "companion.argument.choice"
        ),
        r"invalid int value: (?P<value>.*)": "companion.argument.no-integer",
        r"invalid float value: (?P<value>.*)": "companion.argument.no-number",
        r"ignored explicit argument (?P<value>.*)": "companion.argument.takes-none",
        r"expected one argument": "companion.argument.one",
        r"expected (?P<count>\d+) arguments": "companion.argument.several",
    }
)
"""What argparse says of a wrong command line, and the key of that sentence."""


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, and lets points start with a minus."""

    def __init__(self, prog: str, about: str, language: str, **options: Any) -> None:
        """`about` is the key of what the command does."""
        super().__init__(
            prog,
            description=text(about, language),
            formatter_class=partial(_Help, language=language),
            add_help=False,
            **options,
        )
        self._language = language
        self._positionals.title = text("companion.usage.positionals", language)
        self._optionals.title = text("companion.usage.options", language)
        self.add_argument("-h", "--help", action="help", help="companion.help.help")
        # A corner just outside the picture, as in `--corners -5,3 …`, is no option.
        self._negative_number_matcher = re.compile(r"^-\d+(\.\d*)?(,-?\d+(\.\d*)?)?$")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Files may stand before and behind options; argparse alone takes them from one place."""
        parsed, left = self.parse_known_args(args, namespace)
        return self.parse_intermixed_args(args, namespace) if left else parsed

    def print_help(self, file: Any = None) -> None:
        """Print the help at once; raises OSError where it cannot be, which argparse hides."""
        print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line; a sentence that is not known stays English."""
        told = text(
            "companion.argument.wrong",
            self._language,
            reason=self._said(message),
            command=self.prog,
        )
        self.exit(WRONG_USAGE, f"{self.prog}: {told}\n")

    def _said(self, message: str) -> str:
        """A sentence of argparse's in the language."""
        for pattern, key in SENTENCES.items():
            if found := re.fullmatch(pattern, message, re.DOTALL):
                values = found.groupdict()
                if "reason" in values:
                    values["reason"] = self._said(values["reason"])
                if key == MISSING:
                    values["names"] = self._explained(values["names"])
                return text(key, self._language, **values)
        return message

    def _explained(self, names: str) -> str:
        """The one option that is missing, with what is wanted; several stay a list."""
        for action in self._actions:
            if names in action.option_strings and action.help:
                return f"{names}, {action.help}"
        return names

    def _add_action(self, action: Option) -> Option:
        """Put an option's help and metavar in words; those of groups come by here too."""
        if action.help not in (None, argparse.SUPPRESS):
            action.help = text(action.help, self._language)
        if isinstance(action.metavar, tuple):
            action.metavar = tuple(self._metavar(name) for name in action.metavar)
        elif action.metavar is not None:
            action.metavar = self._metavar(action.metavar)
        return super()._add_action(action)

    def _metavar(self, name: str) -> str:
        return text(f"companion.metavar.{name}", self._language)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """An option's value; a sentence that refuses it is told in the language."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if isinstance(error.__context__, SpokenError):
                error.message = error.__context__.sentence(self._language)
            raise


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that begins with the language's word for usage."""

    def __init__(self, prog: str, language: str) -> None:
        super().__init__(prog)
        self._usage = text("companion.usage.usage", language)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self._usage if prefix is None else prefix)
