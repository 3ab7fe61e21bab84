"""The check-up: how camera, buttons and the machine are, and how to mend what is not well."""

from collections.abc import Callable, Sequence

from flask import Blueprint

from web.access.roles import Role, open_to
from web.panel import Panel
from web.ports import Finding

STATUSES: tuple[str, ...] = ("broken", "missing", "good")
"""What needs somebody comes first."""

Examine = Callable[[], Sequence[Finding]]
"""Looks at everything there is; takes seconds on a slow machine."""


def checkup_page(panel: Panel, examine: Examine) -> Blueprint:
    """`GET /checkup`."""
    pages = Blueprint("checkup", __name__)

    @pages.get("/checkup")
    @open_to(Role.HOST)
    def checkup() -> str:
        findings = sorted(examine(), key=lambda one: STATUSES.index(one["status"]))
        return panel.page("checkup.html", panel.context(), tab="checkup", findings=findings)

    return pages
