"""The errors of this room: each says in the reader's language what is wrong and what to do."""

from collections.abc import Mapping, Sequence
from typing import Self

from scoring.language import Message, SpokenError


class WebError(SpokenError):
    """Root of every error of this room: a key of the catalogue and its placeholders' values."""

    status = 400
    """The HTTP status that tells it to a program."""

    public_key: str | None = None
    """Key of the sentence for everybody but the organiser, None where all read the same."""


class ActionRefusedError(WebError, ValueError):
    """The table can't do that now."""

    status = 409


class BadRequestError(WebError, ValueError):
    """What was sent is not what the action asks for.

    `problems` are all that is wrong with it; `by_field` says which of them is told at which field
    of the form.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, **values)
        self.problems: tuple[Message, ...] = (self.message,)
        self.by_field: Mapping[str, Message] = {}

    def at(self, *fields: str) -> Self:
        """The same error, told at these fields."""
        self.by_field = dict.fromkeys(fields, self.message)
        return self

    @classmethod
    def of_all(cls, errors: Sequence["BadRequestError"]) -> "BadRequestError":
        """One error that tells all of these, each at its fields."""
        problems = tuple(dict.fromkeys(one for error in errors for one in error.problems))
        whole = cls("web.error.several", problems=problems)
        whole.problems = problems
        whole.by_field = {field: one for e in errors for field, one in e.by_field.items()}
        return whole


class BusyError(WebError, RuntimeError):
    """Too many requests at once; the same one works a moment later."""

    status = 503


class SlowError(BusyError):
    """What was sent did not arrive in its time, or broke off."""


class NoRoomError(WebError, OSError):
    """The box has no room for what was sent."""

    status = 507


class ForbiddenError(WebError, PermissionError):
    """The request comes from another site or by a name that is not the box's."""

    status = 403


class NotLetInError(WebError, PermissionError):
    """The sender's role does not include it."""

    status = 403


class WrongPinError(WebError, PermissionError):
    """That is not the host's PIN."""


class TooManyGuessesError(WebError, PermissionError):
    """Somebody guesses the PIN: nobody may go on for a while."""

    status = 429


class NotJsonError(WebError, ValueError):
    """Only JSON is taken here."""

    status = 415


class NotFoundError(WebError, LookupError):
    """No such page, route, player or photo."""

    status = 404
