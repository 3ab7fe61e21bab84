"""The picture under the routes of a drawn print: land, sea, hills, regions, small drawings."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.synthetic.texture import Bgr, Image, bgr, in_bgr, mix, noise, shifted, step


@dataclass(frozen=True, slots=True)
class Ground:
    """How the map's picture looks. Strengths are shares of brightness, 0 for none."""

    land: Bgr
    sea: Bgr
    sea_share: float
    region_spread: float
    regions: int
    relief: float
    blotches: float
    strokes: int
    ink: Bgr
    rivers: int
    vignette: float


def random_ground(rng: np.random.Generator) -> Ground:
    """A ground of one of four families: pale relief, painted, parchment, plain political."""
    family = rng.choice(["relief", "painted", "parchment", "political", "dark"])
    land, sea = _colours(rng, str(family))
    painted = family in ("painted", "dark")
    return Ground(
        land=land,
        sea=sea,
        sea_share=float(rng.uniform(0.05, 0.4)),
        region_spread=float(
            rng.uniform(0.3, 1.0) if family == "political" else rng.uniform(0, 0.4)
        ),
        regions=int(rng.integers(4, 16)),
        relief=float(rng.uniform(0.0, 0.5)),
        blotches=float(rng.uniform(0.25, 0.6) if painted else rng.uniform(0.02, 0.2)),
        strokes=int(rng.integers(0, 2500)),
        ink=bgr(rng.uniform(), rng.uniform(0.1, 0.7), rng.uniform(0.15, 0.5)),
        rivers=int(rng.integers(0, 25)),
        vignette=float(rng.uniform(0.0, 0.4)),
    )


def _colours(rng: np.random.Generator, family: str) -> tuple[Bgr, Bgr]:
    def pick(hues: tuple[float, float], s: tuple[float, float], v: tuple[float, float]) -> Bgr:
        return bgr(rng.uniform(*hues), rng.uniform(*s), rng.uniform(*v))

    if family == "relief":
        return pick((0.08, 0.45), (0.02, 0.18), (0.72, 0.92)), pick(
            (0.5, 0.6), (0.1, 0.4), (0.6, 0.9)
        )
    if family == "painted":
        return pick((0.1, 0.38), (0.25, 0.6), (0.55, 0.9)), pick(
            (0.5, 0.64), (0.5, 0.9), (0.5, 0.85)
        )
    if family == "parchment":
        return pick((0.07, 0.13), (0.2, 0.5), (0.75, 0.95)), pick(
            (0.45, 0.58), (0.2, 0.5), (0.6, 0.85)
        )
    if family == "dark":
        return pick((0.0, 1.0), (0.2, 0.6), (0.2, 0.45)), pick((0.5, 0.7), (0.3, 0.8), (0.15, 0.4))
    return pick((0.0, 1.0), (0.1, 0.5), (0.7, 0.97)), pick((0.48, 0.64), (0.15, 0.6), (0.6, 0.95))


def paint_ground(rng: np.random.Generator, ground: Ground, shape: tuple[int, int]) -> Image:
    """The picture, of shape (H, W)."""
    half = (shape[0] // 2, shape[1] // 2)
    land = _land(rng, ground, half)
    coast = noise(rng, half, max(half) / 2.5, 4)
    level = float(np.quantile(coast, ground.sea_share))
    waves = noise(rng, half, max(half) / 12.0, 3)
    sea = mix(shifted(ground.sea, 0.0, 1.1, 0.8), shifted(ground.sea, 0.0, 0.8, 1.1), waves)
    picture = mix(sea, land, step(coast, level, 0.01))
    picture = _relief(rng, picture, ground)
    shore = np.abs(coast - level) < 0.004
    picture[shore] = ground.ink
    picture *= in_bgr(_vignette(half, ground.vignette))
    full = cv2.resize(picture, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    drawn = np.ascontiguousarray(np.clip(full, 0.0, 1.0) * 255).astype(np.uint8)
    _strokes(rng, drawn, ground)
    _rivers(rng, drawn, ground)
    return np.asarray(drawn, np.float32) / np.float32(255.0)


def _land(rng: np.random.Generator, ground: Ground, shape: tuple[int, int]) -> Image:
    """Coloured regions with wavering borders."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    rows += shape[0] * 0.16 * (noise(rng, shape, shape[0] / 6.0, 3) - 0.5)
    columns += shape[1] * 0.16 * (noise(rng, shape, shape[1] / 6.0, 3) - 0.5)
    nearest = np.full(shape, np.inf, np.float32)
    region = np.zeros(shape, np.intp)
    colours = []
    for number in range(ground.regions):
        y, x = rng.uniform(0.0, shape[0]), rng.uniform(0.0, shape[1])
        turn = ground.region_spread * rng.uniform(-0.5, 0.5)
        brighter = 0.3 * ground.region_spread
        colours.append(
            shifted(ground.land, turn, rng.uniform(0.7, 1.3), 1.0 + brighter * rng.uniform(-1, 1))
        )
        distance = (rows - y) ** 2 + (columns - x) ** 2
        region[distance < nearest] = number
        np.minimum(nearest, distance, out=nearest)
    land = np.array(colours, np.float32)[region]
    return cv2.GaussianBlur(land, (0, 0), float(rng.uniform(0.6, 8.0))).astype(np.float32)


def _relief(rng: np.random.Generator, picture: Image, ground: Ground) -> Image:
    """Hills lit from one side, and painterly blotches."""
    shape = picture.shape[:2]
    hills = noise(rng, shape, max(shape) / 8.0, 5)
    slope = cv2.Sobel(hills, cv2.CV_32F, 1, 0, ksize=3) + cv2.Sobel(
        hills, cv2.CV_32F, 0, 1, ksize=3
    )
    slope /= float(np.abs(slope).mean()) + 1e-6
    blotch = noise(rng, shape, float(rng.uniform(6.0, 60.0)), 3) - 0.5
    light = 1.0 + ground.relief * 0.12 * np.clip(slope, -3, 3) + ground.blotches * blotch
    return np.asarray(np.clip(picture * in_bgr(light), 0.0, 1.0), np.float32)


def _vignette(shape: tuple[int, int], strength: float) -> Image:
    rows = np.linspace(-1.0, 1.0, shape[0], dtype=np.float32)[:, None] ** 2
    columns = np.linspace(-1.0, 1.0, shape[1], dtype=np.float32)[None, :] ** 2
    return np.asarray(1.0 - strength * 0.5 * (rows + columns), np.float32)


def _strokes(rng: np.random.Generator, drawn: np.ndarray, ground: Ground) -> None:
    """Hatching in patches, as mapmakers draw mountains."""
    height, width = drawn.shape[:2]
    ink = tuple(255.0 * v for v in ground.ink)
    patches = rng.uniform(0.0, 1.0, (12, 2)) * (width, height)
    for _ in range(ground.strokes):
        middle = patches[rng.integers(len(patches))] + rng.normal(0.0, width / 12.0, 2)
        angle = 0.6 + rng.normal(0.0, 0.4) + (middle[0] // 200) % 2
        reach = rng.uniform(4.0, 22.0) * np.array([np.cos(angle), np.sin(angle)])
        start, end = (middle - reach).astype(int), (middle + reach).astype(int)
        cv2.line(drawn, start.tolist(), end.tolist(), ink, 1, cv2.LINE_AA)


def _rivers(rng: np.random.Generator, drawn: np.ndarray, ground: Ground) -> None:
    """Rivers and frontiers: wandering lines, some dashed by their own thinness."""
    height, width = drawn.shape[:2]
    for _ in range(ground.rivers):
        heading = rng.uniform(0.0, 2 * np.pi) + np.cumsum(rng.normal(0.0, 0.35, 40))
        steps = rng.uniform(8.0, 26.0) * np.stack([np.cos(heading), np.sin(heading)], axis=1)
        path = rng.uniform(0.0, 1.0, 2) * (width, height) + np.cumsum(steps, axis=0)
        colour = ground.sea if rng.uniform() < 0.5 else ground.ink
        cv2.polylines(
            drawn,
            [path.astype(np.int32)],
            False,
            tuple(255.0 * v for v in colour),
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
