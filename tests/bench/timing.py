"""Times calls and prints them as one row: median, 99th percentile, worst."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import process_time
from typing import TypeVar

Input = TypeVar("Input")


@dataclass(frozen=True, slots=True)
class Times:
    """Processor time of single calls in milliseconds, in the order of the calls."""

    ms: tuple[float, ...]

    def quantile(self, share: float) -> float:
        """The time that this share of the calls stayed within."""
        return sorted(self.ms)[min(int(len(self.ms) * share), len(self.ms) - 1)]

    def row(self, name: str) -> str:
        """One line of figures."""
        return (
            f"  {name:<34} {len(self.ms):>6} calls   median {self.quantile(0.5):9.3f} ms"
            f"   99 % {self.quantile(0.99):9.3f} ms   worst {max(self.ms):9.3f} ms"
        )


def time_calls(function: Callable[[Input], object], inputs: Iterable[Input]) -> Times:
    """Processor time of one call for each input.

    Processor time, because other programs on the same machine are no business of the bench.
    """
    return Times(tuple(_time(function, value) for value in inputs))


def _time(function: Callable[[Input], object], value: Input) -> float:
    start = process_time()
    function(value)
    return (process_time() - start) * 1000


def ratio(slow: Times, fast: Times) -> str:
    """How many times longer the slow one took: by the median call, and over all calls."""
    median = slow.quantile(0.5) / fast.quantile(0.5)
    return f"{median:.1f}x by the median, {sum(slow.ms) / sum(fast.ms):.1f}x in all"
