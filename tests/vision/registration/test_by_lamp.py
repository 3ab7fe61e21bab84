"""Boards by an evening lamp, dim, soft and grainy: renders that lie outside the repository."""

import json

import numpy as np
import pytest

from scoring.board.board import load_board
from tests.support.shared import SHARED
from vision.images.photo import load_photo
from vision.registration.register import register

FOLDER = SHARED / "renders" / "old-phone"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="needs ../shared/renders/old-phone")
@pytest.mark.parametrize("name", ["germany-s8051-r8051.jpg", "france-s8063-r8063.jpg"])
def test_a_board_in_a_lamps_grain_is_found_where_it_lies(name: str) -> None:
    """Blue is noise on both; the corners are the renderer's own. 20 pixels are 9 mm here."""
    entry = json.loads((FOLDER / "labels.json").read_text("utf-8"))[name]
    found = register(load_photo(FOLDER / name), load_board(entry["board"]))
    off_px = np.linalg.norm(found.corners_px - np.array(entry["corners"]), axis=1)
    assert off_px.max() < 20
