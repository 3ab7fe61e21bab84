"""The command line of a module that draws pictures of the program's own for training."""

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2


def draw_many(
    words: str | None, into: str, count: int, first_seed: int, draw_one: Callable[[Path, int], None]
) -> None:
    """Draw `--count` pictures into the folder `into` of `--work`, with seeds from the first on."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=count)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    folder = args.work / into
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first_seed, first_seed + args.count):
        draw_one(folder, seed)
