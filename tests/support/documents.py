"""Variations of JSON documents."""

import copy
from typing import Any


def changed(document: Any, *path: Any, to: Any) -> Any:
    """A copy of the document with the value at `path` replaced or added."""
    changed_one = copy.deepcopy(document)
    here = changed_one
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = to
    return changed_one
