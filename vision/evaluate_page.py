"""A page that shows every wrong or doubtful route of an evaluation, cut out of its photo."""

import base64
import html
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from vision.overlay import route_crop
from vision.photo import load_photo

if TYPE_CHECKING:
    from vision.evaluate import Result

HEAD = """<!doctype html><meta charset="utf-8"><title>Wrong and doubtful routes</title>
<style>body{font:15px sans-serif;margin:2em}figure{display:inline-block;margin:8px;
vertical-align:top;max-width:300px}img{max-width:300px;display:block}
.silent{background:#fbb}.wrong{background:#fe9}</style>"""


def write_page(results: Sequence["Result"], path: Path) -> None:
    """Write the page; images are embedded, so that it can be moved."""
    path.write_text(HEAD + "\n".join(_sections(results)), "utf-8")


def _sections(results: Sequence["Result"]) -> Iterator[str]:
    for result in results:
        name = html.escape(result.image.path.name)
        if result.reading is None:
            yield f"<h2>{name}</h2><p class=silent>{html.escape(result.failure)}</p>"
            continue
        shown = sorted({*result.wrong, *result.review})
        if shown:
            yield f"<h2>{name}</h2>" + "".join(_figures(result, shown))


def _figures(result: "Result", shown: Sequence[str]) -> Iterator[str]:
    assert result.reading is not None
    photo = load_photo(result.image.path)
    for route_id in shown:
        crop = route_crop(photo, result.image.board, result.reading, route_id)
        data = base64.b64encode(cv2.imencode(".jpg", crop)[1].tobytes()).decode("ascii")
        kind = (
            "silent" if route_id in result.silent else "wrong" if route_id in result.wrong else ""
        )
        read = result.reading.routes[route_id]
        spaces = " ".join(f"{s.label} {s.confidence:.2f}" for s in read.spaces)
        yield (
            f"<figure class='{kind}'><img src='data:image/jpeg;base64,{data}'>"
            f"<figcaption>{html.escape(route_id)}: read {read.owner} {read.confidence:.3f}, "
            f"is {result.image.owner(route_id)}<br>{spaces}</figcaption></figure>"
        )
