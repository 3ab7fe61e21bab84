"""The questions about the board as their cards show them: a place, its lines, who may own them."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.table_state import Doubt

Owners = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class OfferedOwners:
    """One answer to the question about a place of several lines.

    `owners` are those of the lines in their order, `shown` the same each once, nobody last.
    `probability` is None where the answer is unlikely.
    """

    owners: Owners
    shown: Owners
    probability: float | None


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """An open question: its lines, the name of their place, and why it is asked, in words."""

    doubt: Doubt
    routes: Sequence[str]
    title: str
    why: str
    choices: Sequence[OfferedOwners]

    @property
    def likely(self) -> list[OfferedOwners]:
        """The likely answers; where none is, the first."""
        likely = [one for one in self.choices if one.probability is not None]
        return likely or list(self.choices[:1])

    @property
    def others(self) -> list[OfferedOwners]:
        """The answers that are not among the likely."""
        return [one for one in self.choices if one not in self.likely]


def offered_owners(doubt: Doubt, likely: float) -> list[OfferedOwners]:
    """Who may own the lines of a place together, in the order of the box."""
    return [
        OfferedOwners(
            one["owners"],
            sorted(dict.fromkeys(one["owners"]), key=lambda owner: owner is None),
            one["probability"] if one["probability"] >= likely else None,
        )
        for one in doubt.get("choices", [])
    ]
