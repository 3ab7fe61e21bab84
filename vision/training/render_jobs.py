"""Prints what the renderer must be asked for to get the geometry of the shared renders again.

    python -m vision.training.render_jobs ../shared

One line a job: board, seed, rig, kind. A sequence is one job, whatever its number of frames.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDERS = ("renders", "renders/more")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    shared = parser.parse_args().shared
    labels: dict[str, Any] = {}
    for folder in FOLDERS:
        labels |= json.loads((shared / folder / "labels.json").read_text("utf-8"))
    for job in render_jobs(labels):
        print(*job)


def render_jobs(labels: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, int, int, str]]:
    """(board, seed, rig, kind) of every image of a labels.json, each job once.

    The renderer draws the same image for the same words; an empty frame's seed is its rig, and a
    sequence's rig is its seed.
    """
    told = set()
    for name, entry in labels.items():
        kind = str(entry["kind"])
        job = str(entry["board"]), *_seed_and_rig(name, kind, int(entry["rig"])), kind
        if job not in told:
            told.add(job)
            yield job


def _seed_and_rig(name: str, kind: str, rig: int) -> tuple[int, int]:
    if kind == "empty":
        return rig, rig
    found = re.search(r"-(?:seq|s)(\d+)-", name)
    if found is None:
        raise ValueError(f"{name} doesn't tell its seed, as in usa-s5011-r5010.jpg")
    seed = int(found.group(1))
    return seed, seed if kind == "seq" else rig


if __name__ == "__main__":
    main()
