"""Lays prints of our own, and the boards' own art, under scenes that were rendered without any.

    python -m vision.training.lay_prints RENDERER WORK --first 0 --last 119

WORK/scenes holds what `vision/training/render_scene.py` rendered. Prints number FIRST to LAST are
drawn into WORK/arts; each scene gets some of its board's, and its game and its empty board are
written for each to WORK/rendered/<number>/<board>, pictures with the renderer's labels. Number 0 is
the board's own art. One scene under many prints teaches what changes with the print and what not;
under all but its first it becomes another table besides (`vision/training/other_tables.py`), unless
--as-rendered says not to.

In linear light a picture is `black + print * (white - black)`, for each colour: what falls on the
print is multiplied by its albedo, gloss and wagons are not (Debevec et al. 2000 add up lights in
the same way). Light that the print throws onto wagons is counted once, from the print about them.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring.board.board import load_board
from vision.evaluate.labelled import COLOUR_NAMES, OWN_ART, per_space, use_renderer
from vision.images.light import to_linear
from vision.training.drawn_data import board_of
from vision.training.other_tables import UNPAINTED, other_table, shows_plastic
from vision.training.print_art import draw_art
from vision.training.scene_pair import Linear, Pair, load_pair, px_a_unit, solid_of

PRINTS_A_SCENE = 6

OWN_ART_SHARE = 0.4
"""Part of the scenes with other colours than the board's that its own art is laid under as well; it
always is where the players have the board's colours."""

SOFT_PX = 0.45
"""The renderer softens what it renders by about so much (standard deviation)."""

REFLECTED_PX = 16.0
"""From how far around the print's light on a wagon comes (standard deviation)."""

SOLID_BELOW = 0.1
"""Where the print makes less difference than this part of the median, something lies on it."""

SATURATION = (0.82, 0.98)
"""A print is a little paler than its picture, as the renderer has it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renderer", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=120)
    parser.add_argument("--prints", type=int, default=PRINTS_A_SCENE, help="prints a scene")
    parser.add_argument("--scenes", default="scenes", help="folder of WORK with the scenes")
    parser.add_argument("--out", default="rendered", help="folder of WORK for the pictures")
    parser.add_argument("--as-rendered", action="store_true", help="the scenes as they are")
    parser.add_argument("--python", default=sys.executable, help="the renderer's Python")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    sys.path.insert(0, str(options.renderer))
    use_renderer(options.renderer)
    scenes = sorted(path.parent for path in (options.work / options.scenes).glob("*/empty.json"))
    numbers = range(options.first, options.last + 1)
    for scene in scenes:
        for index, number in enumerate(prints_for(scene, numbers, options.prints)):
            art = art_of(options.renderer, options.work / "arts", scene.name.split("-")[0], number)
            as_rendered = options.as_rendered or index == 0
            lay_under(scene, art, number, options.work / options.out, as_rendered=as_rendered)
    for folder in sorted((options.work / options.out).glob("*/*/")):
        label = [options.python, str(options.renderer / "labels.py"), str(folder)]
        subprocess.run(label, check=True, stdout=subprocess.DEVNULL)
        complete_labels(folder)


def prints_for(scene: Path, numbers: range, count: int = PRINTS_A_SCENE) -> list[int]:
    """Which prints are laid under a scene, by its name alone."""
    dice = random.Random(scene.name)
    board = scene.name.split("-")[0]
    ours = [number for number in numbers if number != OWN_ART and board_of(number) == board]
    chosen = dice.sample(ours, min(count, len(ours)))
    colours = {COLOUR_NAMES.get(c, c) for c in _told(scene, "normal")["colours"]}
    in_own_colours = colours <= set(load_board(board).player_colours)
    if in_own_colours or dice.random() < OWN_ART_SHARE:
        chosen = [OWN_ART, *chosen[: count - 1]]
    return chosen


def art_of(renderer: Path, arts: Path, board: str, number: int) -> Path:
    """The file of a print of a board, drawn where it is not there yet."""
    theirs = renderer / "assets" / f"{board}-map.webp"
    if number == OWN_ART:
        return theirs
    path = arts / f"{board}-{number}.png"
    if not path.exists():
        art = cv2.imread(str(theirs))
        if art is None:
            raise FileNotFoundError(theirs)
        arts.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), draw_art(load_board(board), number, (art.shape[1], art.shape[0])))
    return path


def lay_under(scene: Path, art: Path, number: int, out: Path, *, as_rendered: bool = False) -> None:
    """Write a scene's game and empty board on one print, unless they are there already."""
    board, seed, rig = scene.name.split("-")
    folder = out / f"{number:04d}" / board
    folder.mkdir(parents=True, exist_ok=True)
    names = {"normal": f"{board}-s{seed}-r{rig}", "empty": f"{board}-r{rig}-empty"}
    if all((folder / f"{name}.json").exists() for name in names.values()):
        return
    told = {kind: _told(scene, kind) for kind in names}
    pairs = {kind: load_pair(scene / f"{kind}.npz") for kind in names}
    dice = np.random.default_rng([number, int(rig)])
    scale = px_a_unit(
        told["empty"]["art_corners_px"], told["empty"]["art_px"]
    )  # one camera saw both
    albedo = linear_print(art, float(dice.uniform(*SATURATION)), scale)
    camera, light = int(rig), np.ones(3, np.float32)
    if not as_rendered:
        table = other_table(dice, told["normal"])
        if not shows_plastic(pairs["normal"], told["normal"], table.plastic):
            table = replace(table, plastic={})
        pairs["normal"], told["normal"] = table.game(
            pairs["normal"], pairs["empty"], told["normal"]
        )
        told["empty"] = table.empty(told["empty"])
        camera, light = table.camera, table.light(*pairs["empty"].board.shape)
    for kind, name in names.items():
        linear = on_print(pairs[kind], albedo) * light
        _develop(linear, pairs[kind], told[kind], camera, folder / f"{name}.jpg")


def complete_labels(folder: Path) -> None:
    """Add to each entry of a folder's labels which colours its set has, and which spaces show
    another colour than is told."""
    labels = folder / "labels.json"
    entries = json.loads(labels.read_text("utf-8"))
    for name, entry in entries.items():
        told = json.loads((folder / name).with_suffix(".json").read_text("utf-8"))
        entry["player_colours"] = [COLOUR_NAMES.get(c, c) for c in told["colours"]]
        for route, index in _unpainted(told):
            own = entry["routes"].setdefault(route, {"owner": None})
            own["ambiguous_spaces"] = sorted({*own.get("ambiguous_spaces", []), index})
    labels.write_text(json.dumps(entries), "utf-8")


def _unpainted(told: dict[str, Any]) -> list[tuple[str, int]]:
    """Spaces whose wagon something lay over, so that it kept the colour that it was rendered in."""
    board = load_board(told["board"])
    spaces = [(route.id, index) for route in board.routes for index in range(route.length)]
    there = zip(spaces, per_space(board, told), strict=True)
    return [place for place, space in there if space and space.get(UNPAINTED)]


def on_print(pair: Pair, print_rgb: Linear) -> Linear:
    """The view with this print (h, w, 3), linear RGB, on the board; linear RGB (H, W, 3)."""
    height, width = pair.board.shape
    double = np.array([[2, 0, 0], [0, 2, 0]], np.float32)
    at = cv2.warpAffine(pair.at_print, double, (width, height), borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.remap(
        print_rgb, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = cv2.GaussianBlur(seen, (0, 0), SOFT_PX)
    by_print = pair.by_print
    solid = pair.wagon | solid_of(pair, by_print, SOLID_BELOW)
    edge = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.6)[..., None]
    mixed = np.asarray(seen) * (1 - edge) + _around(np.asarray(seen, np.float32)) * edge
    return np.asarray(pair.black + mixed * by_print, dtype=np.float32)


def _around(image: Linear) -> Linear:
    """The mean of what lies about each pixel."""
    share = 1 / 8
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), REFLECTED_PX * share)
    return np.asarray(cv2.resize(soft, image.shape[1::-1]), dtype=np.float32)


def linear_print(art: Path, saturation: float, scale: float) -> Linear:
    """A print's picture as linear RGB, paler by `saturation`, softened for `scale` image pixels a
    pixel of its own."""
    picture = cv2.imread(str(art))
    if picture is None:
        raise FileNotFoundError(art)
    levels = picture.astype(np.float32)
    grey = levels.mean(axis=2, keepdims=True)
    linear = to_linear(np.clip(grey + (levels - grey) * np.float32(saturation), 0, 255))
    rgb = np.ascontiguousarray(linear[:, :, ::-1], dtype=np.float32)
    soft = cv2.GaussianBlur(rgb, (0, 0), 0.4 / scale) if scale < 1 else rgb
    return np.asarray(soft, dtype=np.float32)


def _develop(linear: Linear, pair: Pair, told: dict[str, Any], camera: int, out: Path) -> None:
    """As the renderer's camera of that number does; `told` goes beside the picture, as it writes
    it itself."""
    import isp  # type: ignore[import-not-found]

    os.environ["OLD_PHONE"] = "1" if told["old_phone"] else ""
    table = camera, told["seed"], 0, str(out), told["board"]
    how = isp.develop(linear, pair.board, np.array(told["illum"]), *table, drift=told["drift"])
    text = json.dumps({**told, "image": out.name, "isp": how}, default=float)
    out.with_suffix(".json").write_text(text, "utf-8")


def _told(scene: Path, kind: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((scene / f"{kind}.json").read_text("utf-8"))
    return told


if __name__ == "__main__":
    main()
