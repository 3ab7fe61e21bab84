"""A new start: the same program in the same process, or the service manager's own."""

import os
import sys
import threading

import pytest

from companion.cli.new_start import NewStart


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """With which words a program took this one's place."""
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, words: begun.append([program, *words]))
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "companion", "serve", "--port", "8000"])
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    return begun


def asked() -> NewStart:
    """One that was asked for, and has ended the panel."""
    new_start, ended = NewStart(), threading.Event()
    new_start.stop_by(ended.set)
    new_start.ask()
    assert ended.wait(20)
    return new_start


def test_the_same_program_begins_with_the_same_options(begun: list[list[str]]) -> None:
    asked().make()
    words = ["-m", "companion", "serve", "--port", "8000"]
    assert begun == [[sys.executable, sys.executable, *words]]


def test_nothing_begins_where_nobody_asked_for_it(begun: list[list[str]]) -> None:
    NewStart().make()
    assert begun == []


def test_a_service_is_started_again_by_its_manager(
    begun: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To which a program that has said that it stops is gone."""
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")
    asked().make()
    assert begun == []
