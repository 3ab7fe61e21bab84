"""Roles, and what an address needs: each view function says so by `open_to`.

An address whose function says nothing is the host's alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


class Role(IntEnum):
    """What somebody is at the table; each may do what those before may."""

    SPECTATOR = 1
    PLAYER = 2
    HOST = 3


@dataclass(frozen=True, slots=True)
class Need:
    """The least role that an address is open to.

    `hand` names the part of the address that holds a colour: whose hand it shows.
    """

    role: Role
    hand: str | None = None


NEEDS_HOST = Need(Role.HOST)

_MARK = "_open_to"


def open_to(role: Role, hand: str | None = None) -> Callable[[View], View]:
    """Declare the least role that a view function is open to; stands right above the function."""

    def mark(view: View) -> View:
        setattr(view, _MARK, Need(role, hand))
        return view

    return mark


def need_of(view: Callable[..., Any] | None) -> Need:
    """What a view function needs: what it declares, else the host."""
    return declared_need(view) or NEEDS_HOST


def declared_need(view: Callable[..., Any] | None) -> Need | None:
    """What a view function declares, None where it says nothing."""
    need = getattr(view, _MARK, None)
    return need if isinstance(need, Need) else None
