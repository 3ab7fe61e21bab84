"""What a test does in a browser other than Chromium, whatever the line to it is."""

import base64
import time
from abc import ABC, abstractmethod
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver names an element."""

START_S, WAIT_S = 60.0, 30.0


class TabError(Exception):
    """The browser refused a command, or what was waited for did not come."""


class Tab(ABC):
    """One tab. Elements are named by XPath, as a person tells them apart: by what they say."""

    def click(self, xpath: str) -> None:
        """Press what is there, as soon as it is there."""
        self._on(xpath, "click", {})

    def write(self, xpath: str, words: str) -> None:
        """Type into a field."""
        self._on(xpath, "value", {"text": words})

    def see(self, xpath: str) -> str:
        """What stands in an element, once it is shown."""
        return str(self._on(xpath, "text", {}))

    def picture(self) -> bytes:
        """What is shown, as PNG."""
        return base64.b64decode(self._screenshot())

    @abstractmethod
    def go(self, address: str) -> None:
        """Load a page."""

    @abstractmethod
    def back(self) -> None:
        """To the page before."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """What a script of the page returns."""

    @abstractmethod
    def _screenshot(self) -> str: ...

    @abstractmethod
    def _find(self, xpath: str) -> dict[str, str]: ...

    @abstractmethod
    def _of_element(self, element: str, what: str, sent: dict[str, Any]) -> Any: ...

    def _on(self, xpath: str, what: str, sent: dict[str, Any]) -> Any:
        """Try until it is there and can be touched."""
        until_s = time.monotonic() + WAIT_S
        while True:
            try:
                element = self._find(xpath)[ELEMENT]
                if not self._of_element(element, "displayed", {}):
                    raise TabError("it is not shown")
                return self._of_element(element, what, sent)
            except TabError as error:
                if time.monotonic() > until_s:
                    raise TabError(f"{xpath}: {error}") from error
                time.sleep(0.1)
