"""What a kind of torture counted."""

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """Trials and what came of them. `bad` has to be 0."""

    name: str
    trials: int = 0
    bad: int = 0
    notes: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        notes = "".join(f", {name} {value:g}" for name, value in self.notes.items())
        return f"{self.name}: {self.trials} trials, {self.bad} bad{notes}"
