"""Where this machine's Chromium lies."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The same browser without windows first: a page costs it about half of the work."""


def chromium_path() -> str | None:
    """The program, or None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)
