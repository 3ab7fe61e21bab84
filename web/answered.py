"""A question that was answered meanwhile: what another device said is not overruled unseen."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from web.errors import ActionRefusedError
from web.page_context import PageContext

ASKED = "asked"
"""The field of a form whose page showed the route as an open question."""


def refuse_overruling(context: PageContext, payload: Mapping[str, Any]) -> None:
    """Raise ActionRefusedError where somebody has answered the question otherwise by now.

    The same answer once more is none of two: a network may deliver one several times.
    """
    routes = payload["routes"] if "routes" in payload else [payload["route"]]
    owners = payload["owners"] if "owners" in payload else [payload["owner"]]
    now = [context.state["routes"][route] for route in routes if route in context.state["routes"]]
    said = [one["owner"] for one in now if one["status"] == "confirmed"]
    if len(said) == len(routes) and Counter(said) != Counter(owners):
        raise ActionRefusedError("web.error.answered", owners=context.spoken_owners(said))
