"""What a newcomer reads at the end of `make test` about the tests that could not run."""

import pytest

from tests.support.skips import skips_by_reason


def skipped(reason: str, line: int) -> pytest.TestReport:
    where = ("tests/test_it.py", line, reason)
    return pytest.TestReport("tests/test_it.py::it", where, {}, "skipped", where, "call")


def test_each_reason_is_told_once_with_its_number_of_tests() -> None:
    assert skips_by_reason(
        [
            skipped("Skipped: no photos here", 3),
            skipped("Skipped: no chromium on this machine", 5),
            skipped("no chromium on this machine", 9),
        ]
    ) == ["    2  no chromium on this machine", "    1  no photos here"]
