"""Renders a print of our own drawing with wagons of any colours; runs in the renderer's Python.

    RENDER_ASSETS=OUT/0007/assets python vision/training/render_print.py RENDERER 7 --board usa …

The words after the number, OUT/<number>, are those of the renderer's own `render.py`. The number
chooses five player colours of ten, their shades, and the colours of the score track.
"""

import colorsys
import random
import sys
from pathlib import Path
from typing import Any

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


def main() -> None:
    renderer, number, *words = sys.argv[1:]
    folder = Path(renderer)
    sys.path.insert(0, str(folder))
    board = words[words.index("--board") + 1]
    rng = random.Random(f"print{number}")
    import boardtex  # type: ignore[import-not-found]
    import game  # type: ignore[import-not-found]

    game.COLORS[board] = rng.sample(sorted(SHADES), 5)
    boardtex.STY[board] = _score_track(rng)
    source = folder / "render.py"
    body, last = source.read_text("utf-8").rstrip().rsplit("\n", 1)
    if last != "main()":
        raise SystemExit(f"{source} doesn't end with its call of main(), but with: {last}")
    sys.argv = [str(source), *words]
    names: dict[str, Any] = {"__file__": str(source), "__name__": "render"}
    exec(compile(body, str(source), "exec"), names)
    names["PLASTIC"].update({name: _shade(rng, SHADES[name]) for name in sorted(SHADES)})
    names["main"]()


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
