"""A page that shows every wrong or doubtful route of an evaluation, cut out of its photo."""

import base64
import html
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluate.report import summary_lines
from vision.evaluate.result import Result
from vision.images.encode import jpeg
from vision.images.photo import load_photo
from vision.overlay import route_crop
from vision.reading import Owner, Reading, RouteReading

PATCH_SIDE_PX = 280
"""Long side of a patch, as wide as the page shows it."""

PATCH_QUALITY = 60
"""JPEG quality of a patch: 7 kB each with its words, so that 24 images with 20 each are 3.4 MB."""

HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Wrong and doubtful routes</title>
<style>
body{font:15px sans-serif;margin:2em}
pre{white-space:pre-wrap}
figure{display:inline-block;margin:8px;padding:4px;vertical-align:top;width:280px}
figcaption{overflow-wrap:anywhere}
img{max-width:280px;display:block}
.silent{background:#fbb}
.wrong{background:#fe9}
.asked{background:#eee}
</style>
<h1>Wrong and doubtful routes</h1>
"""

KINDS = {
    "silent": "wrong, and nobody was asked",
    "wrong": "wrong, and asked about",
    "asked": "asked about",
}
"""What became of a route that is shown, the worst first."""


def write_page(results: Sequence[Result], path: Path) -> None:
    """Write the page, the printed figures first; images are embedded, so that it can be moved."""
    path.write_text("\n".join([HEAD, _figures(results), *_sections(results)]), "utf-8")


def _figures(results: Sequence[Result]) -> str:
    lines = "\n".join(summary_lines(results))
    return f"<pre>{_escaped(lines)}</pre>"


def _sections(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        name = _escaped(result.image.path.name)
        if result.reading is None:
            yield f"<h2>{name}</h2><p class='silent'>NOT READ: {_escaped(result.failure)}</p>"
        elif result.wrong or result.review:
            yield f"<h2>{name}</h2>" + "".join(_patches(result, result.reading))


def _patches(result: Result, reading: Reading) -> Iterator[str]:
    photo = load_photo(result.image.path)
    kinds = {route: _kind(result, route) for route in sorted({*result.wrong, *result.review})}
    for route_id, kind in sorted(kinds.items(), key=lambda item: list(KINDS).index(item[1])):
        data = _jpeg(route_crop(photo, result.image.board, reading.registration, route_id))
        caption = _caption(reading.routes[route_id], result.image.owner(route_id))
        yield (
            f"<figure class='{kind}'><img src='data:image/jpeg;base64,{data}' alt=''>"
            f"<figcaption>{caption}<br>{KINDS[kind]}</figcaption></figure>"
        )


def _kind(result: Result, route_id: str) -> str:
    if route_id in result.silent:
        return "silent"
    return "wrong" if route_id in result.wrong else "asked"


def _caption(read: RouteReading, truth: Owner) -> str:
    """What was read and what is true, how likely each owner was, and what each space shows."""
    owners = _listed((_named(owner), chance, 3) for owner, chance in read.alternatives)
    spaces = _listed((space.label, space.confidence, 2) for space in read.spaces)
    return (
        f"{_escaped(read.route)}: read {_named(read.owner)} {read.confidence:.3f}, "
        f"is {_named(truth)}<br>owner: {owners}<br>spaces: {spaces}"
    )


def _listed(chances: Iterable[tuple[str, float, int]]) -> str:
    """Words with their probabilities, each to so many decimals."""
    return ", ".join(f"{word} {chance:.{decimals}f}" for word, chance, decimals in chances)


def _named(owner: Owner) -> str:
    return owner or "nobody"


def _jpeg(image_bgr: NDArray[np.uint8]) -> str:
    """A small JPEG of an image of shape (H, W, 3), BGR, in base64."""
    scale = PATCH_SIDE_PX / max(image_bgr.shape[:2])
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return base64.b64encode(jpeg(np.asarray(small, np.uint8), PATCH_QUALITY)).decode("ascii")


def _escaped(words: str) -> str:
    return html.escape(words, quote=False)
