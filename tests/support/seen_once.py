"""What the same pixels show is worked out once a file of tests: many of them read one photo."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from threading import Lock
from typing import Any

import numpy as np
import pytest

from vision.network import Network
from vision.registration import register as registration
from vision.registration.reference import Reference

KEPT = 100
"""Answers of each kind."""


@contextmanager
def seen_once() -> Iterator[None]:
    """Within, what a network says of the same numbers is remembered, and where a board was found
    in the same photo."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Network, "run", _remembered(Network.run))
        for search in ("by_itself", "_by_reference"):
            patch.setattr(registration, search, _remembered(getattr(registration, search)))
        yield


def _remembered(answer: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}
    changing = Lock()

    def asked(*arguments: Any, **named: Any) -> Any:
        key = tuple(map(_key, (*arguments, named)))
        found = known.get(key)
        if found is None:
            # The arguments stay, so that no other object can come to have their identity.
            found = answer(*arguments, **named), [a for a in arguments if not _has_pixels(a)]
            with changing:
                known[key] = found
                if len(known) > KEPT:
                    del known[next(iter(known))]
        return found[0]

    return asked


def _has_pixels(value: object) -> bool:
    return isinstance(value, (np.ndarray, Reference, dict))


def _key(value: Any) -> Any:
    """What tells an argument from others: the numbers of arrays, of all else the identity."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, sha1(np.ascontiguousarray(value)).digest()
    if isinstance(value, dict):
        return tuple((name, _key(one)) for name, one in value.items())
    if isinstance(value, Reference):
        return _key(value.image_bgr), _key(value.corners_px), _key(value.spaces_px)
    return id(value)
