"""Fit the weighing of both witnesses: `python -m vision.training.fusion --out FILE DIR…`.

Each DIR holds labelled images (labels.json) of games that neither network was trained on. Tables
(rigs) are split in six; what is printed of each sixth comes from a fit on the others. The file that
is written is fitted on all.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from vision.empty_board import make_reference
from vision.errors import VisionError
from vision.evaluate.labels import Labelled, load_labels
from vision.images.photo import load_photo
from vision.network import use_instead
from vision.reader import decide, evidence_of, find_board
from vision.reading import OCCLUDED
from vision.registration.reference import Reference
from vision.routes.account import Account
from vision.routes.fusion import FEATURES, features
from vision.routes.places import bag_of
from vision.spaces.evidence import SpaceEvidence

FOLDS, HIDDEN, STEPS, RATE = 6, 12, 300, 0.02
"""Sixths; hidden units and steps of each fit, and the rate that it begins with."""

FITS = 3
"""So many fits from other beginnings are laid side by side in one network."""

DECAY = 1e-3
"""Weight of the squared weights in the loss; a tenth of it for the direct ones."""

Weights = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One reading of a labelled image by both witnesses, alone or beside its empty board."""

    image: Labelled
    reference: Reference | None
    evidence: SpaceEvidence
    account: Account


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Figures of routes (R, owners, FEATURES), which owners there are (R, owners), the true one."""

    figures: NDArray[np.float64]
    there: NDArray[np.bool_]
    truth: NDArray[np.intp]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--out", type=Path, required=True)
    options = options_with_networks(parser, "spaces", "neighbours", "wagons")
    games = [game for folder in options.folders for game in games_of(folder)]
    check(games, options.out.with_suffix(".fold.onnx"))
    export(fit_all(games), options.out)


def options_with_networks(parser: argparse.ArgumentParser, *names: str) -> argparse.Namespace:
    """The command's options; networks of these names that it gives are read with, on one core."""
    for name in names:
        parser.add_argument(f"--{name}", type=Path, help="another network than the one that ships")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name in names:
        if getattr(options, name):
            use_instead(name, getattr(options, name))
    return options


def games_of(folder: Path) -> Iterator[Game]:
    """Every image with wagons, alone, and beside the empty board of its table if there is one."""
    images = load_labels(folder)
    empties = {image.rig: image for image in images if image.is_empty}
    for image in images:
        if image.is_empty:
            continue
        beside = _beside(empties.get(image.rig))
        for reference in [None] if beside is None else [None, beside]:
            try:
                yield _game(image, reference)
            except VisionError as error:
                print(f"{image.path.name}: {error}", flush=True)


def _beside(empty: Labelled | None) -> Reference | None:
    if empty is None:
        return None
    try:
        return make_reference(load_photo(empty.path), empty.board)
    except VisionError as error:
        print(f"{empty.path.name}: {error}", flush=True)
        return None


def _game(image: Labelled, reference: Reference | None) -> Game:
    photo = load_photo(image.path)
    found = find_board(photo, image.board, reference=reference)
    evidence = evidence_of([found.look], image.board, tuple(image.players), reference)
    return Game(image, reference, evidence, found.account)


def samples_of(games: Sequence[Game]) -> Samples:
    """All routes of the games whose truth is known."""
    rows: list[NDArray[np.float64]] = []
    truth: list[int] = []
    for game in games:
        owners = (None, *game.evidence.colours)
        figures = features(
            game.evidence, game.image.board, game.account, with_empty=game.reference is not None
        )
        for name, own in figures.items():
            owner = game.image.owner(name)
            if None not in game.image.labels_of(name) and owner in owners:
                rows.append(own)
                truth.append(owners.index(owner))
    most = max(len(own) for own in rows)
    figures_of_all = np.zeros((len(rows), most, FEATURES))
    there = np.zeros((len(rows), most), bool)
    for k, own in enumerate(rows):
        figures_of_all[k, : len(own)], there[k, : len(own)] = own, True
    return Samples(figures_of_all, there, np.array(truth))


def fit_all(games: Sequence[Game]) -> Weights:
    """Several fits as one network: their hidden units side by side, their answers' mean."""
    samples = samples_of(games)
    fits = [fit(samples, seed) for seed in range(FITS)]
    return {
        "into": np.concatenate([one["into"] for one in fits], axis=1),
        "offset": np.concatenate([one["offset"] for one in fits]),
        "out": np.concatenate([one["out"] for one in fits]) / FITS,
        "direct": np.mean([one["direct"] for one in fits], axis=0),
    }


def fit(samples: Samples, seed: int) -> Weights:
    """One hidden layer beside a direct one, by the likelihood of the true owners (Adam)."""
    random = np.random.default_rng(seed)
    known = samples.figures[samples.there]
    mean, spread = known.mean(axis=0), known.std(axis=0) + 1e-6
    figures = ((samples.figures - mean) / spread).astype(np.float32)
    weights: Weights = {
        "direct": np.zeros(FEATURES),
        "into": random.normal(0, FEATURES**-0.5, (FEATURES, HIDDEN)),
        "offset": np.zeros(HIDDEN),
        "out": random.normal(0, 0.1, HIDDEN),
    }
    first = {name: np.zeros_like(value) for name, value in weights.items()}
    second = {name: np.zeros_like(value) for name, value in weights.items()}
    for step in range(STEPS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / STEPS))
        for name, slope in _slopes(weights, figures, samples).items():
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.99 * second[name] + 0.01 * slope**2
            even = first[name] / (1 - 0.9 ** (step + 1))
            weights[name] -= rate * even / (np.sqrt(second[name] / (1 - 0.99 ** (step + 1))) + 1e-8)
    into = weights["into"] / spread[:, None]
    offset = weights["offset"] - mean @ into
    return {**weights, "into": into, "offset": offset, "direct": weights["direct"] / spread}


def _slopes(weights: Weights, figures: NDArray[np.float64], samples: Samples) -> Weights:
    there = samples.there
    rows = figures.reshape(-1, FEATURES)
    hidden = np.tanh(rows @ weights["into"] + weights["offset"])
    scores = (rows @ weights["direct"] + hidden @ weights["out"]).reshape(there.shape)
    scores[~there] = -1e9
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(len(chances)), samples.truth] -= 1
    off = np.where(there, chances / len(chances), 0.0).ravel()
    back = off[:, None] * weights["out"] * (1 - hidden**2)
    return {
        "direct": off @ rows + DECAY / 10 * weights["direct"],
        "into": rows.T @ back + DECAY * weights["into"],
        "offset": back.sum(axis=0),
        "out": off @ hidden + DECAY * weights["out"],
    }


def export(weights: Weights, path: Path) -> None:
    """Write the network as ONNX: figures (n, FEATURES) in, scores (n, 1) out."""
    shapes = {"direct": (FEATURES, 1), "out": (-1, 1)}
    given = [
        numpy_helper.from_array(
            value.reshape(shapes.get(name, value.shape)).astype(np.float32), name
        )
        for name, value in weights.items()
    ]
    nodes = [
        helper.make_node("MatMul", ["features", "into"], ["inner"]),
        helper.make_node("Add", ["inner", "offset"], ["moved"]),
        helper.make_node("Tanh", ["moved"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "out"], ["by_hidden"]),
        helper.make_node("MatMul", ["features", "direct"], ["by_figures"]),
        helper.make_node("Add", ["by_hidden", "by_figures"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "fusion",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", FEATURES])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 1])],
        given,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(path))


def check(games: Sequence[Game], scratch: Path) -> None:
    """Print how each sixth of the tables is read by a fit on the others."""
    tables = sorted({_table(game) for game in games})
    counts: dict[str, list[tuple[int, int, int, int]]] = {}
    for fold in range(FOLDS):
        apart = set(tables[fold::FOLDS])
        export(fit_all([game for game in games if _table(game) not in apart]), scratch)
        use_instead("fusion", scratch)
        for game in games:
            if _table(game) in apart:
                kind = f"{game.image.path.parent}, {'beside' if game.reference else 'alone'}"
                counts.setdefault(kind, []).append(_counted(game))
    for kind, rows in counts.items():
        known, wrong, silent, asked = np.array(rows).T
        right = 1 - wrong.sum() / known.sum()
        print(
            f"{kind}: {len(rows)} games, in sight right {right:.2%}, silent {silent.sum()}, "
            f"asked median {np.median(asked)} mean {asked.mean():.2f}",
            flush=True,
        )
    scratch.unlink()


def _table(game: Game) -> str:
    return f"{game.image.board.id}-{game.image.rig}"


def _counted(game: Game) -> tuple[int, int, int, int]:
    """Places in sight that are known, wrong and silently wrong, and all that are asked about."""
    _, places = decide(game.evidence, game.image.board, game.reference, [game.account])
    known = wrong = silent = asked = 0
    for place in places:
        truths = [game.image.labels_of(name) for name in place.routes]
        if {None} in truths:
            continue
        asked += place.review
        if {OCCLUDED} in truths:
            continue
        false = bag_of(place.owners) != bag_of(map(game.image.owner, place.routes))
        known, wrong, silent = known + 1, wrong + false, silent + (false and not place.review)
        if false and not place.review:
            print(f"silent: {game.image.path.name} {place}", flush=True)
    return known, wrong, silent, asked


if __name__ == "__main__":
    main()
