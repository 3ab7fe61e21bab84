"""A remark of the referee: what is odd, whom and what it concerns, and how to mend it."""

from dataclasses import dataclass

from scoring.language import Message


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark; the table may always wave it through and go on."""

    code: str
    """What kind of remark, for programs."""
    message: Message
    """What is odd, in one sentence."""
    mend: Message
    """What to do about it, and when nothing need be done."""
    players: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Tells whether a remark that was waved through is still the same one, figures included."""
        return f"{self.code}: {self.message.text('en')}"

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The JSON document of one remark."""
        return {
            "code": self.code,
            "key": self.key,
            "text": self.message.text(language),
            "mend": self.mend.text(language),
            "players": list(self.players),
            "routes": list(self.routes),
        }


def make_remark(
    code: str, players: tuple[str, ...] = (), routes: tuple[str, ...] = (), **values: object
) -> Remark:
    """A remark with the catalogue's sentences of that code.

    >>> make_remark("no-tickets", ("Ada",), who="Ada").message.text()
    'No ticket has been entered for Ada.'
    """
    return Remark(
        code=code,
        message=Message(f"scoring.remark.{code}", **values),
        mend=Message(f"scoring.mend.{code}"),
        players=players,
        routes=routes,
    )
