"""The table of every route and method of the panel with what guards it (`docs/security.md`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from web.access.roles import Need, Role, declared_need

BEGIN, END = "<!-- routes: made by `make docs` -->", "<!-- /routes -->"
"""What the table stands between."""

SAID = {Role.SPECTATOR: "everybody", Role.PLAYER: "players", Role.HOST: "the host"}


@dataclass(frozen=True, slots=True)
class GuardedRoute:
    """A method and an address, with what its view function declares (None: nothing)."""

    method: str
    address: str
    need: Need | None

    @property
    def row(self) -> str:
        """Its row of the table."""
        role = "the host" if self.need is None else SAID[self.need.role]
        hand = "that player's own" if self.need is not None and self.need.hand else ""
        return f"| {self.method} | `{self.address}` | {role} | {hand} |"


def guarded_routes(app: Flask) -> Iterator[GuardedRoute]:
    """Every method and address but HEAD and OPTIONS, which tell no more than GET and pass it."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        need = declared_need(app.view_functions[rule.endpoint])
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield GuardedRoute(method, rule.rule, need)


def table_of(app: Flask) -> str:
    """The whole table in Markdown."""
    head = "| method | address | open to | hand |\n| --- | --- | --- | --- |"
    return "\n".join([head, *(route.row for route in guarded_routes(app))])


def write_table(path: Path, app: Flask) -> None:
    """Exchange the table in a document for the present one."""
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n{table_of(app)}\n{END}{after}", "utf-8")
