"""Names that are printed on a map: found in its parts, joined where they stand in two lines."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.support.ticket_networks import needs_networks
from vision.tickets.map_names import COMMON_PX, TILE_PX, read_map_names

NAMES = {
    "BRASOV": (120, 90),
    "Timisoara": (TILE_PX - COMMON_PX // 2, 300),  # over the edge of the first part
    "Piatra": (300, 480),
    "Neamt": (296, 512),  # the name goes on in a second line
}


def a_map() -> NDArray[np.uint8]:
    image = np.full((TILE_PX - 200, TILE_PX + 300, 3), (190, 205, 200), np.uint8)
    for name, (x, y) in NAMES.items():
        cv2.putText(image, name, (x, y), cv2.FONT_HERSHEY_TRIPLEX, 0.9, (30, 30, 30), 1, 16)
    cv2.putText(image, "17", (40, 560), cv2.FONT_HERSHEY_TRIPLEX, 0.9, (30, 30, 30), 1, 16)
    return image


@needs_networks
def test_names_on_a_map_are_read_with_their_places() -> None:
    image = a_map()
    height, width = image.shape[:2]
    found = {one.words: (one.x * width, one.y * height) for one in read_map_names(image)}
    assert found.keys() == {"Brasov", "Timisoara", "Piatra Neamt"}
    for name, (x, y) in {"Brasov": NAMES["BRASOV"], "Timisoara": NAMES["Timisoara"]}.items():
        (wide, _), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_TRIPLEX, 0.9, 1)
        off = np.hypot(found[name][0] - x - wide / 2, found[name][1] - (y - 9))
        assert off < 12, "the middle of its letters"
