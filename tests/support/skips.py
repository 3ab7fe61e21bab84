"""Says at the end of a run what was skipped: each reason once, with how many tests it kept back."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest


def skips_by_reason(reports: Iterable[pytest.TestReport]) -> Sequence[str]:
    """A line for each reason, that of the most tests first."""
    counts = Counter(_reason(report) for report in reports)
    return [f"{count:>5}  {reason}" for reason, count in counts.most_common()]


def _reason(report: pytest.TestReport) -> str:
    """What pytest keeps is the file, the line and the reason."""
    where = report.longrepr
    reason = where[2] if isinstance(where, tuple | list) else str(where)
    return reason.removeprefix("Skipped: ")
