"""Languages of one's own: a file each in the folder `languages` of a table's data."""

from collections.abc import Iterator
from pathlib import Path

from companion.errors import UnusableInputError
from companion.user_files.game_files import read_json
from scoring.language import Message, SpokenError, add_language
from scoring.printable import is_printable

FOLDER = "languages"

NAME = "name"
"""The key with the language's name for itself; all others are those of texts."""


def add_languages(data: Path) -> Iterator[Message]:
    """Add every language of a table's data folder; yields what is wrong with their files."""
    try:
        paths = sorted((data / FOLDER).glob("*.json"))
    except OSError as error:
        yield Message("companion.language.unusable", file=FOLDER, reason=error)
        return
    for path in paths:
        try:
            yield from _add(path)
        except SpokenError as error:
            yield Message("companion.language.unusable", file=path.name, reason=error)


def _add(path: Path) -> Iterator[Message]:
    document = read_json(str(path))
    name = document.get(NAME) if isinstance(document, dict) else None
    if not isinstance(name, str) or not name.strip() or not is_printable(name):
        raise UnusableInputError("companion.language.no-name")
    texts = {key: words for key, words in document.items() if key != NAME}
    try:
        unused = add_language(path.stem, name.strip(), texts)
    except ValueError:
        raise UnusableInputError("companion.language.no-code", name=path.stem) from None
    if unused:
        yield Message(
            "companion.language.unused", file=path.name, count=len(unused), first=unused[0]
        )
