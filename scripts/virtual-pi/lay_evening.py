"""Prepares a table for the virtual Pi: a game that the camera has read but for one doubt.

Reading a photo takes minutes on an emulated processor, and is tried elsewhere; what is tried there
is everything from the doubt to the sheet. The camera's picture shows a bare table.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.log.store import LOG_NAME, EventStore
from companion.session.events import ReadingProposed, RouteProposal, SeatedPlayer, Shown, Started

READ = {
    "duluth--helena": "red",
    "el-paso--los-angeles": "red",
    "portland--salt-lake-city": "blue",
}
"""Six spaces each, so 15 points: 30 for Ada (red), 15 for Ben (blue)."""

DOUBTED = "denver--omaha"
"""Four spaces, 7 points: Ben's, more likely than Ada's."""


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "companion.toml").write_text("[pins]\nstatus = 25\n")
    cv2.imwrite(str(folder / "table.jpg"), np.full((240, 320, 3), (70, 110, 140), np.uint8))
    routes = {
        name: RouteProposal(owner, 0.999, False, ((owner, 0.999),)) for name, owner in READ.items()
    }
    routes[DOUBTED] = RouteProposal("blue", 0.6, True, (("blue", 0.6), ("red", 0.4)))
    with EventStore(folder / LOG_NAME) as store:
        store.append(Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue"))))
        store.append(ReadingProposed(routes))
        store.append(Shown("look"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
