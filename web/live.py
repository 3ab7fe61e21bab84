"""What everybody may see of the table, made once for each version however many pages listen."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from threading import RLock
from typing import Any, TypeVar

from flask import request

from web.access.gate import present_visitor
from web.drawing.board_photo import map_choice
from web.language import language_of_request
from web.ports import TablePort
from web.table_state import TableState

MOST_KEPT = 24
"""Documents kept at a time: of the few last versions, in every language."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The state at a version, without what is secret."""

    version: int
    document: Mapping[str, Any]


def public_state(state: TableState) -> dict[str, Any]:
    """The state without the tickets' names, which are secret until the sheet."""
    known: dict[str, Any] = {**state}
    if state["phase"] != "sheet":
        known["tickets"] = {who: {"count": len(hand)} for who, hand in state["tickets"].items()}
        known.pop("figures", None)
    return known


KEPT = (str, PublicState)
"""What is kept is never changed; other answers (a redirect) are made anew."""

View = TypeVar("View", bound=Callable[..., Any])


class Live:
    """Makes documents of the present moment and keeps the last ones. For any thread."""

    def __init__(self, table: TablePort) -> None:
        self._table = table
        self._lock = RLock()
        self._kept: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def state(self) -> PublicState:
        """The present state."""
        return self.once((self._table.wait(-1, 0.0),), self._public)  # type: ignore[no-any-return]

    def state_at(self, version: int) -> PublicState | None:
        """The state that was told as a version, None where it is no longer kept."""
        with self._lock:
            return next(
                (
                    kept
                    for kept in self._kept.values()
                    if isinstance(kept, PublicState) and kept.version == version
                ),
                None,
            )

    def changes(self, before: PublicState | None, now: PublicState) -> str:
        """What changed between two states as a JSON document, the whole state without a first."""
        since = -1 if before is None else before.version
        key = ("changes", since, now.version)
        return self.once(key, lambda: _dumped(before, now))  # type: ignore[no-any-return]

    def once(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        """What is kept under a key, made by the first who asks; the others wait meanwhile."""
        with self._lock:
            if key not in self._kept:
                made = make()
                if isinstance(made, KEPT):
                    self._kept[key] = made
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
                return made
            self._kept.move_to_end(key)
            return self._kept[key]

    def page(self, view: View) -> View:
        """A view function whose page is made once for each version, address and kind of visitor."""

        @wraps(view)
        def once(*arguments: Any, **names: Any) -> Any:
            version, language = self._table.wait(-1, 0.0), language_of_request("")
            visitor = (present_visitor(), map_choice())
            key = ("page", version, request.full_path, language, *visitor)
            return self.once(key, lambda: view(*arguments, **names))

        return once  # type: ignore[return-value]

    def _public(self) -> PublicState:
        state = self._table.state()
        return PublicState(state["version"], public_state(state))


def _dumped(before: PublicState | None, now: PublicState) -> str:
    old = {} if before is None else before.document
    changed = {
        name: changed_part(old.get(name), value) if name == "routes" else value
        for name, value in now.document.items()
        if name not in old or old[name] != value
    }
    gone = sorted(set(old) - set(now.document))
    document = {"version": now.version, "whole": before is None, "changed": changed, "gone": gone}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def changed_part(before: object, now: Any) -> Any:
    """The entries of a table that differ; None stands for one that is gone."""
    if not isinstance(before, Mapping) or not isinstance(now, Mapping):
        return now
    changed = {key: value for key, value in now.items() if before.get(key) != value}
    return changed | {key: None for key in before if key not in now}
