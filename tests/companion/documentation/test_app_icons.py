"""The icons of the home screen: those that the program draws, as the manifest names them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import web
from companion.documentation.app_icons import BRASS_BGR, GREEN_BGR, ICONS, draw_icon

STATIC = Path(web.__file__).parent / "static"
MANIFEST = json.loads((STATIC / "manifest.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ICONS)
def test_the_icon_is_the_one_that_the_program_draws(name: str) -> None:
    side_px, full = ICONS[name]
    kept = cv2.imread(str(STATIC / name), cv2.IMREAD_UNCHANGED)
    assert kept is not None
    assert np.array_equal(kept, draw_icon(side_px, full=full))


def test_a_brass_wagon_stands_on_green_and_corners_are_round_or_full() -> None:
    plain, full = draw_icon(192, full=False), draw_icon(192, full=True)
    assert tuple(plain[0, 0]) == (0, 0, 0, 0)
    assert tuple(full[0, 0]) == (*GREEN_BGR, 255)
    # 24 units right and 13 down of 32 is in the wagon's front
    assert tuple(plain[13 * 6, 23 * 6]) == (*BRASS_BGR, 255)


def test_the_manifest_names_icons_that_exist_in_the_sizes_it_says() -> None:
    sizes = {f"/static/{name}": f"{side}x{side}" for name, (side, _) in ICONS.items()}
    for icon in MANIFEST["icons"]:
        assert (STATIC / Path(icon["src"]).name).is_file()
        assert icon["sizes"] in ("any", sizes.get(icon["src"]))
