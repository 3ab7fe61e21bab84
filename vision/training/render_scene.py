"""Renders a table twice, on a white and on a black print, so that any print can be laid under it.

    python vision/training/render_scene.py RENDERER OUT COLOURS --board usa --seed 1 --rig 1 …

Runs in the renderer's Python; the words after COLOURS are those of its own `render.py`. COLOURS is
`own`, the board's player colours, or a number, which chooses five of ten, their shades, and the
colours of the score track. Light adds up: what a picture shows of a print is the print's albedo
times the difference of the two renders, plus the black one. `vision/training/lay_prints.py` lays
prints under them. OUT/<board>-<seed>-<rig> then holds `normal` and `empty`, the game and its empty
board, as .npz (see `Pair` there) with the renderer's own JSON beside each.
"""

import colorsys
import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

SHADES: dict[str, tuple[int, int, int]] = {
    "blue": (12, 98, 168),
    "red": (178, 30, 34),
    "green": (22, 98, 62),
    "yellow": (236, 208, 26),
    "black": (30, 29, 30),
    "white": (216, 212, 202),
    "violet": (92, 46, 122),
    "orange": (228, 104, 22),
    "pink": (218, 112, 164),
    "grey": (122, 124, 128),
}
"""Plastic of every player colour, sRGB; seven are the renderer's own."""

PLAIN = {"white": 255, "black": 0}
"""The two prints and the value of all their pixels."""

STEP_PX = 2
"""The mapping of pixels to the print is kept at every so many pixels."""

BRIGHTEST = 6e4
"""Linear values are kept as 16-bit floats."""

WAGON_CM = ((1.24, 0.45, 0.02), (1.10, 0.25, 0.93))
"""Half length, half width and height of the renderer's wagon at its foot and at its roof."""


def main() -> None:
    renderer, out, colours, *words = sys.argv[1:]
    folder = Path(renderer)
    sys.path.insert(0, str(folder))
    board = words[words.index("--board") + 1]
    plain = plain_prints(folder / "assets", Path(out) / "assets", board)
    os.environ["RENDER_ASSETS"] = str(plain["white"])
    names = load_renderer(folder, board, colours)
    options = parse(names, [*words, "--out", out])
    target = Path(out) / f"{board}-{options.seed}-{options.rig}"
    if not (target / "empty.json").exists():
        target.mkdir(parents=True, exist_ok=True)
        render(names, options, plain, target)


def plain_prints(source: Path, out: Path, board: str) -> dict[str, Path]:
    """Folders like the renderer's assets, one with a white print of the board, one with a black."""
    art = cv2.imread(str(source / f"{board}-map.webp"))
    if art is None:
        raise FileNotFoundError(f"{source} has no {board}-map.webp")
    folders = {name: out / name for name in PLAIN}
    for name, folder in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        for data in source.iterdir():
            if data.suffix != ".webp" and not (folder / data.name).exists():
                partial = folder / f"{os.getpid()}.part"
                shutil.copyfile(data, partial)
                partial.rename(folder / data.name)
        if (folder / f"{board}-map.webp").exists():
            continue
        # The renderer asks for this name and reads any kind of picture; webp keeps all of it.
        picture = np.full_like(art, PLAIN[name])
        partial = folder / f"{os.getpid()}.webp"  # others render at the same time
        cv2.imwrite(str(partial), picture, [cv2.IMWRITE_WEBP_QUALITY, 101])
        partial.rename(folder / f"{board}-map.webp")
    return folders


def load_renderer(folder: Path, board: str, colours: str) -> dict[str, Any]:
    """The names of the renderer's program, its `main` not yet called, with the players' colours."""
    import boardtex  # type: ignore[import-not-found]
    import game  # type: ignore[import-not-found]

    rng = random.Random(f"print{colours}")
    if colours != "own":
        game.COLORS[board] = rng.sample(sorted(SHADES), 5)
        boardtex.STY[board] = _score_track(rng)
    source = folder / "render.py"
    body, last = source.read_text("utf-8").rstrip().rsplit("\n", 1)
    if last != "main()":
        raise SystemExit(f"{source} doesn't end with its call of main(), but with: {last}")
    names: dict[str, Any] = {"__file__": str(source), "__name__": "render"}
    exec(compile(body, str(source), "exec"), names)
    if colours != "own":
        names["PLASTIC"].update({name: _shade(rng, SHADES[name]) for name in sorted(SHADES)})
    return names


def parse(names: dict[str, Any], words: list[str]) -> Any:
    """The renderer's options with its game simulated: `options.game` holds that."""
    import game  # the renderer's module

    parser = names["argparse"].ArgumentParser()
    for name, kind in (("board", str), ("seed", int), ("rig", int), ("spp", int), ("out", str)):
        parser.add_argument(f"--{name}", type=kind, required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sloppy", action="store_true")
    parser.add_argument("--old-phone", action="store_true")
    parser.add_argument("--crowded", action="store_true", help="most lines of doubles are claimed")
    options = parser.parse_args(words)
    options.tmp = tempfile.mkdtemp(prefix="scene")
    os.environ["OLD_PHONE"] = "1" if options.old_phone else ""
    stop = random.Random(f"stop{options.seed}").choice([1, 1, 1, 0.6])
    options.game = game.simulate(options.board, options.seed, None, stop=stop)
    if options.crowded:
        options.game["order"] += beside_claims(options.board, options.seed, options.game)
    options.game |= _track_pieces_under_wagons(names, options)
    return options


LINES_FILLED = {True: 0.6, False: 0.25}
"""Part of the free lines of doubles and triples that a crowded board has claimed as well, where
another line is claimed already, and where none is."""


def beside_claims(board: str, seed: int, played: dict[str, Any]) -> list[tuple[int, str]]:
    """Further claims in a simulated game, route and player: lines beside others, each by a player
    who has none of that double. Wagons that stand close together hide each other, and few games
    show that often."""
    import game  # the renderer's module

    rng = random.Random(f"crowded{seed}")
    routes = game.load(board)[0]
    crossing = game.crossings(routes) if board == "france" else {}
    owners = dict(played["order"])
    doubles: dict[tuple[int, int], list[int]] = {}
    for route in routes:
        doubles.setdefault((route["a"], route["b"]), []).append(route["id"])
    added = []
    for lines in doubles.values():
        chance = LINES_FILLED[any(line in owners for line in lines)]
        for line in lines if len(lines) > 1 else ():
            others = set(played["players"]) - {owners.get(one) for one in lines}
            crossed = any(one in owners for one in crossing.get(line, ()))
            if line not in owners and others and not crossed and rng.random() < chance:
                owners[line] = rng.choice(sorted(others))
                added.append((line, owners[line]))
    return added


def _track_pieces_under_wagons(names: dict[str, Any], options: Any) -> dict[str, Any]:
    """In three of ten of France's games some claimed track beds keep their piece, as the
    renderer's own `main` has it."""
    import game

    rng = random.Random(f"under{options.seed}")
    if options.board != "france" or rng.random() >= 0.3:
        return {"under": False, "understrips": {}}
    beds = {r["id"] for r in game.load("france")[0] if r["color"] == "TRACKBED"}
    pieces = {
        route: rng.choice(list(names["STRIP"]))
        for route, _ in options.game["order"]
        if route in beds and rng.random() < 0.6
    }
    return {"under": True, "understrips": pieces}


def render(names: dict[str, Any], options: Any, plain: dict[str, Path], target: Path) -> None:
    """The game and its empty board on both prints, and where the print lies in the picture."""
    import boardtex
    import common  # type: ignore[import-not-found]
    import game
    import isp  # type: ignore[import-not-found]

    kept: dict[str, Any] = {}

    def keep(linear: Any, mask: Any, illuminant: Any, *_: Any, drift: bool) -> dict[str, Any]:
        kept.update(linear=linear, mask=mask, illum=np.asarray(illuminant), drift=drift)
        return {}

    isp.develop = keep  # linear light is kept instead of a developed picture
    scene = names["Scene"](options.board, options.seed, options.rig, options)
    texture = _texture_of(scene.texp)
    prints = {"white": scene.texp, "black": f"{options.tmp}/black.png"}
    common.A = str(plain["black"])
    boardtex.build(options.board, options.rig, prints["black"])
    at_print = print_of_pixels(scene, boardtex.K)
    games, colours = options.game["order"], list(game.COLORS[options.board])
    for kind, claimed, seed in (("normal", len(games), options.seed), ("empty", 0, options.rig)):
        scene.seed = seed
        wagons, *told = scene.frame_objects(options.game, claimed, empty=kind == "empty")
        meta = {"kind": kind, "frame": 0, "players": options.game["players"], "colours": colours}
        meta["claim_order"] = [list(step) for step in games[:claimed]]
        scene.truth(wagons, *told, meta)
        linear = {}
        for name, path in prints.items():
            texture.filepath = path
            texture.reload()
            scene.shoot("", meta)
            linear[name] = np.clip(kept["linear"], 0, BRIGHTEST).astype(np.float16)
        meta |= {"drift": bool(kept["drift"]), "illum": kept["illum"].tolist(), "isp": {}}
        meta["old_phone"] = options.old_phone
        wagon = hulls(scene, wagons)
        np.savez(
            target / f"{kind}.npz", at_print=at_print, board=kept["mask"], wagon=wagon, **linear
        )
        (target / f"{kind}.json").write_text(json.dumps(meta, default=float), "utf-8")
    shutil.rmtree(options.tmp, ignore_errors=True)


def _texture_of(path: str) -> Any:
    import bpy  # type: ignore[import-not-found]

    return next(one for one in bpy.data.images if bpy.path.abspath(one.filepath) == path)


def print_of_pixels(scene: Any, cm_a_print_px: float) -> Any:
    """Which pixel of the print every `STEP_PX`-th pixel shows, (h, w, 2), float32; bends of the
    board and the lens included. Beyond the print it goes on as on a plane."""

    def pixels(at: Any) -> Any:
        x = (np.clip(at[..., 0], -60, scene.W + 60) - scene.W / 2) * cm_a_print_px
        y = -(np.clip(at[..., 1], -60, scene.H + 60) - scene.H / 2) * cm_a_print_px
        return scene.project(np.stack([x, y, scene.hz(x, y)], -1).reshape(-1, 3)).reshape(at.shape)

    grid = np.stack(np.meshgrid(np.linspace(0, scene.W, 40), np.linspace(0, scene.H, 40)), axis=-1)
    plane, _ = cv2.findHomography(pixels(grid).reshape(-1, 2), grid.reshape(-1, 2), 0)
    height, width = scene.cam["h"], scene.cam["w"]
    rows, columns = np.mgrid[0:height:STEP_PX, 0:width:STEP_PX].astype(float)
    wanted = np.stack([columns, rows], axis=-1)
    aim = wanted.copy()
    for _ in range(4):  # each step moves the aim by what it missed; bends are a few pixels
        at = cv2.perspectiveTransform(aim.reshape(-1, 1, 2), plane).reshape(wanted.shape)
        aim += wanted - pixels(at)
    at = cv2.perspectiveTransform(aim.reshape(-1, 1, 2), plane).reshape(wanted.shape)
    return at.astype(np.float32)


def hulls(scene: Any, wagons: Any) -> Any:
    """Where wagons are seen, (H, W), uint8, 0 or 1."""
    mask = np.zeros((scene.cam["h"], scene.cam["w"]), np.uint8)
    corners = np.array(
        [(x * a, y * b, z, 1) for a, b, z in WAGON_CM for x in (-1, 1) for y in (-1, 1)]
    )
    for wagon in wagons:
        at_cm = (corners @ np.array(wagon["obj"].matrix_world).T)[:, :3]
        hull = cv2.convexHull(scene.project(at_cm).astype(np.float32))
        cv2.fillConvexPoly(mask, hull.astype(np.int32), 1)
    return mask


def _shade(rng: random.Random, colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Another maker's plastic of the same name."""
    hue, light, saturation = colorsys.rgb_to_hls(*(c / 255 for c in colour))
    mixed = colorsys.hls_to_rgb(
        (hue + rng.gauss(0, 0.012)) % 1.0,
        min(0.9, light * rng.uniform(0.88, 1.14)),
        min(1.0, saturation * rng.uniform(0.85, 1.1)),
    )
    return round(255 * mixed[0]), round(255 * mixed[1]), round(255 * mixed[2])


def _score_track(rng: random.Random) -> dict[str, tuple[int, ...]]:
    """Colours of the border: `bg` behind, two cells, their edge and frame, two inks."""
    hue, saturation, value = rng.random(), rng.uniform(0.1, 0.8), rng.uniform(0.2, 0.75)

    def tone(factor: float) -> tuple[int, ...]:
        mixed = colorsys.hsv_to_rgb(hue, saturation, min(1.0, value * factor))
        return tuple(round(255 * c) for c in mixed)

    inks = [(240, 236, 226), (40, 26, 16)]
    ink = inks[0] if value < 0.5 else inks[1]
    cells = {"bg": tone(0.7), "cell": tone(1.0), "cell2": tone(0.88), "edge": tone(0.45)}
    return cells | {"fr": tone(1.4), "txt": ink, "five": (236, 196, 70)}


if __name__ == "__main__":
    main()
