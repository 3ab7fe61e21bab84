"""What the program tells people, in English and Italian.

Every package keeps its own sentences in `<package>/language/<language>.json`; the first word of a
key names the package, as in `scoring.problem.missing`. A text may hold `{placeholders}`, the same
ones in both languages (a test keeps it so).

A `Message` is a key with its values. It stays one until the very end, where the reader's language
is known, and enters logs and pages as plain data (`to_json`).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from numbers import Integral, Real
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, Self, TypedDict

from scoring.language.figures import figure
from scoring.language.foreign import cut, literal

LANGUAGES: tuple[str, ...] = ("en", "it")

LONGEST_REASON = 300
"""Characters of a foreign error's text that a message repeats; it may quote a whole file."""

LONGEST_WORD = 300
"""Characters of a word that a message repeats: no path that anybody uses is longer."""

BETWEEN = "; "
"""What stands between several messages that are the value of one placeholder."""


@dataclass(frozen=True, slots=True)
class AddedLanguage:
    """A language of one's own: its name for itself, and its texts by their whole keys."""

    name: str
    texts: Mapping[str, str]


BEFORE_A_STOP = re.compile(r"(\{(\w+)\})\.(?!\.)")
"""A placeholder at the end of a sentence."""

CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""A language's code as browsers send it (BCP 47), the first part in small letters."""

_ADDED: dict[str, AddedLanguage] = {}


class MessageJson(TypedDict):
    """A message as plain JSON data; a value may be such a document itself, or a list of them."""

    key: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """A sentence that can be told in any language: its key and the values of its placeholders.

    A value that is a message itself is told in the same language, and so is a tuple of them. Where
    its `count` or `n` is 1 the text of the same key with `.one` is told, if there is one.
    Errors become their messages and what is no plain value becomes its text, so that a message can
    be kept, compared and hashed.

    >>> missing = Message("scoring.problem.missing", who="Ada", field="routes")
    >>> missing.text("en"), missing.text("it")
    ('Ada: routes: is missing', 'Ada: routes: manca')
    """

    key: str
    values: Mapping[str, object]

    def __init__(self, key: str, /, **values: object) -> None:
        kept = {name: _kept(value) for name, value in values.items()}
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "values", MappingProxyType(kept))

    def text(self, language: str = "en") -> str:
        """The sentence in a language; raises KeyError as `text` does."""
        told = {name: _told(value, language) for name, value in self.values.items()}
        names = catalogue("scoring", language)
        if "colour" in told:
            told["colour"] = names.get(f"colour.{told['colour']}", told["colour"])
        if "reason" in told:  # perhaps in the system's own words, which nobody at a table speaks
            told["reason"] = names.get(f"system.{told['reason']}", told["reason"])
        is_one = self.values.get("count", self.values.get("n")) == 1
        return _ended_once(_template(self.key, language, is_one=is_one), told).format(**told)

    def to_json(self) -> MessageJson:
        """The message as plain data.

        >>> Message("scoring.problem.missing", who="Ada", field="routes").to_json()
        {'key': 'scoring.problem.missing', 'values': {'who': 'Ada', 'field': 'routes'}}
        """
        return MessageJson(key=self.key, values={n: _to_json(v) for n, v in self.values.items()})

    @classmethod
    def from_json(cls, document: object) -> Self:
        """The message of such data; raises ValueError where it is none.

        Whether the key is known is not asked: a newer version may have written it.
        """
        match document:
            case {"key": str(key), "values": dict(values)}:
                return cls(key, **{str(name): _from_json(value) for name, value in values.items()})
            case _:
                raise ValueError("not a message: it needs a key and its values")

    def can_be_told(self) -> bool:
        """Whether its text is known and its values fill it: a newer version may have written it.

        >>> Message("scoring.problem.missing", who="Ada").can_be_told()  # which field?
        False
        """
        try:
            return all(self.text(language) for language in LANGUAGES)
        except (KeyError, ValueError, IndexError, AttributeError, TypeError):
            return False

    def __str__(self) -> str:
        return self.text()

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.values.items())))


class SpokenError(Exception):
    """An error that people read: it holds one message. Its own text is the English sentence."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.message = Message(key, **values)
        super().__init__(self.message.text())

    @classmethod
    def saying(cls, said: "Message | SpokenError") -> Self:
        """An error of this class with the message of another one."""
        message = said.message if isinstance(said, SpokenError) else said
        return cls(message.key, **message.values)

    @property
    def key(self) -> str:
        """The key of its message."""
        return self.message.key

    def sentence(self, language: str) -> str:
        """What is wrong and what to do, in a language."""
        return self.message.text(language)


def text(key: str, language: str, **values: object) -> str:
    """The text of a key in a language, its placeholders filled in as a message's are.

    Raises KeyError for an unknown key or a missing placeholder, which is a fault of the program.

    >>> text("scoring.colour.red", "it")
    'rosso'
    """
    return Message(key, **values).text(language)


def has_text(key: str) -> bool:
    """Whether a key has a text.

    >>> has_text("scoring.colour.red"), has_text("scoring.colour.mauve")
    (True, False)
    """
    package, _, name = key.partition(".")
    return name in catalogue(package, "en")


def languages() -> tuple[str, ...]:
    """The codes of all languages: those that ship, and those added since.

    >>> languages()[:2]
    ('en', 'it')
    """
    return (*LANGUAGES, *_ADDED)


def language_name(language: str) -> str:
    """A language's name for itself.

    >>> language_name("it")
    'Italiano'
    """
    added = _ADDED.get(language)
    return text(f"web.language.{language}", language) if added is None else added.name


def add_language(language: str, name: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Add a language to those that ship, for as long as the program runs.

    `texts` has the texts by their whole keys, as `scoring.colour.red`; what is missing is told in
    English. Returns the keys that are not used, because the program has no such text or because
    the placeholders are not those of the English one, written out as there or plainly. Raises
    ValueError for a code that is none or that ships.

    >>> add_language("it", "Italiano", {})
    Traceback (most recent call last):
    ValueError: it
    """
    if language in LANGUAGES or not CODE.fullmatch(language):
        raise ValueError(language)
    unused = tuple(key for key, words in texts.items() if not _fits(key, words))
    good = {key: words for key, words in texts.items() if key not in unused}
    _ADDED[language] = AddedLanguage(name, MappingProxyType(good))
    catalogue.cache_clear()
    return unused


def _fits(key: str, words: object) -> bool:
    package, _, name = key.partition(".")
    english = catalogue(package, "en").get(name)
    if english is None or not isinstance(words, str):
        return False
    try:
        words.encode()  # half a character can stand in JSON, but on no page
        own, known = _placeholders(words), _placeholders(english)
    except ValueError:
        return False
    plain = {(field, "") for field, _ in known}
    return {field for field, _ in own} == {field for field, _ in known} and own <= known | plain


def _placeholders(words: str) -> set[tuple[str, str]]:
    """Every placeholder with how it is written out; another way than the English may not work."""
    return {
        (field, f"!{conversion}" if conversion else spec or "")
        for _, field, spec, conversion in Formatter().parse(words)
        if field is not None
    }


@cache
def catalogue(package: str, language: str) -> Mapping[str, str]:
    """All texts of a package in a language, by their keys without the package's name.

    None where it has no catalogue. Raises KeyError for an unknown language.

    >>> catalogue("scoring", "it")["colour.red"]
    'rosso'
    """
    if language in _ADDED:
        start = f"{package}."
        own = {
            k.removeprefix(start): v
            for k, v in _ADDED[language].texts.items()
            if k.startswith(start)
        }
        english = catalogue(package, "en")
        spoken = {k: v for k, v in english.items() if k.removesuffix(".one") not in own}
        return MappingProxyType({**spoken, **own})
    if language not in LANGUAGES:
        raise KeyError(f"unknown language {language!r}; known: {', '.join(languages())}")
    path = _catalogue_path(package, language)
    return MappingProxyType({} if path is None else json.loads(path.read_text("utf-8")))


def _catalogue_path(package: str, language: str) -> Path | None:
    """Found without importing the package: the key may come from a log, which may be damaged."""
    spec = find_spec(package) if package.isidentifier() else None
    folders = [] if spec is None else spec.submodule_search_locations or []
    paths = (Path(folder) / "language" / f"{language}.json" for folder in folders)
    return next((path for path in paths if path.is_file()), None)


def _template(key: str, language: str, *, is_one: bool) -> str:
    package, _, name = key.partition(".")
    known = catalogue(package, language)
    try:
        return known.get(f"{name}.one", known[name]) if is_one else known[name]
    except KeyError:
        raise KeyError(f"no text for {key!r} in {language!r}") from None


def _ended_once(template: str, told: Mapping[str, object]) -> str:
    """A template without the full stop that stands after a value which ends in one: "Ada R."."""
    return BEFORE_A_STOP.sub(
        lambda found: found[1] if str(told.get(found[2], "")).endswith(".") else found[0], template
    )


def _kept(value: object) -> object:
    """A value as a message holds it."""
    match value:
        case None | bool() | str() | Message():
            return value
        case Integral():
            return int(value)
        case Real():
            return float(value)
        case SpokenError():
            return value.message
        case tuple() | list():
            return tuple(_kept_in_list(item) for item in value)
        case dict():
            return literal(value)  # from a damaged file, and no words
        case OSError() if value.strerror:  # without its number and path, as `system.…` has it
            return cut(value.strerror, LONGEST_REASON)
        case Exception():
            return cut(str(value), LONGEST_REASON)
        case _:
            return str(value)


def _kept_in_list(item: object) -> object:
    """An item of several; lists within lists come from damaged files and are no words."""
    return "[…]" if isinstance(item, tuple | list) else _kept(item)


def _told(value: object, language: str) -> object:
    match value:
        case Message():
            return value.text(language)
        case tuple():
            return _Several(str(_told(item, language)) for item in value)
        case int() if value < 0:
            return figure(value)
        case int() if value >= 1000:
            return _Thousands(value, catalogue("scoring", language)["thousands"])
        case float():
            return _Decimal(value, catalogue("scoring", language)["decimal-point"])
        case str() if len(value) > LONGEST_WORD:
            return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", _both_ends, value)
        case _:
            return value


def _both_ends(word: re.Match[str]) -> str:
    """A word without end is known by where it begins and how it ends."""
    half = LONGEST_WORD // 2
    return f"{word[0][:half]}…{word[0][1 - half :]}"


class _Decimal(float):
    """A number with the language's decimal point, however many places its text gives it."""

    def __new__(cls, number: float, point: str) -> Self:
        decimal = super().__new__(cls, number)
        decimal._point = point
        return decimal

    _point: str

    def __format__(self, places: str) -> str:
        return figure(super().__format__(places)).replace(".", self._point)


class _Thousands(int):
    """A large number, in groups as the language makes them where its text asks for it: `{n:,}`."""

    def __new__(cls, number: int, mark: str) -> Self:
        thousands = super().__new__(cls, number)
        thousands._mark = mark
        return thousands

    _mark: str

    def __format__(self, groups: str) -> str:
        return super().__format__(groups).replace(",", self._mark)


class _Several(tuple[str, ...]):
    """Several texts; what stands between them is the placeholder's format, as in `{known:, }`."""

    def __format__(self, between: str) -> str:
        return (between or BETWEEN).join(self)


def _to_json(value: object) -> object:
    match value:
        case Message():
            return value.to_json()
        case tuple():
            return [_to_json(item) for item in value]
        case _:
            return value


def _from_json(value: object) -> object:
    match value:
        case dict():
            return Message.from_json(value)
        case list():
            return tuple(_from_json(item) for item in value)
        case _:
            return value
