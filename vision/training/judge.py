"""Fit the judge of places: `python -m vision.training.judge --out FILE DIR…`.

Each DIR holds labelled images (labels.json) of games that no network was trained on. What is
printed of each table comes from a fit on others; the file that is written is fitted on all. With
`--beside OLD.onnx` it tells the mean of that fit and of an earlier one, whose games are gone.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from vision.reader import doubted
from vision.reading import Why
from vision.routes.judge import LIMITS, withdrawn_below
from vision.routes.place_figures import FALLING, FIGURES, RISING, columns_of, figures
from vision.routes.places import bag_of, places_of
from vision.training.fusion import Game, games_of, options_with_networks

TREES, LEAVES, RATE, FOLDS = 150, 6, 0.06, 6

LEAST_IN_LEAF, FLATTENED = 30, 5.0
"""Places that a leaf stands for at least; the weight of its squared value in the loss."""

BOARDS_THAT_MOST_PLAY = 3.0
"""Weight of places on prints that the networks know, against 1 for prints of our own."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Places that are not hidden: their figures (n, FIGURES), whether they were read wrongly, what
    they weigh, and the tables that they lay on; whether a rule asks, and for good."""

    figures: NDArray[np.float32]
    wrong: NDArray[np.bool_]
    weight: NDArray[np.float64]
    table: NDArray[np.str_]
    doubted: NDArray[np.bool_]
    below: NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("known", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--prints", type=Path, nargs="*", default=[], help="games on other prints")
    parser.add_argument("--beside", type=Path, help="an earlier judge, which has half a say")
    parser.add_argument("--out", type=Path, required=True)
    options = options_with_networks(parser, "spaces", "neighbours", "wagons", "fusion")
    known = [game for folder in options.known for game in games_of(folder)]
    prints = [game for folder in options.prints for game in games_of(folder)]
    samples = samples_of(known, prints)
    check(samples)
    model = model_of(fit(samples))
    if options.beside:
        model = mean_of([onnx.load(options.beside), model])
    onnx.save(model, str(options.out))


def samples_of(known: Sequence[Game], prints: Sequence[Game]) -> Samples:
    """All places of the games whose truth is known, but for those that are hidden."""
    rows: list[NDArray[np.float32]] = []
    told: list[tuple[bool, float, str, bool, float]] = []
    weighted = [(game, BOARDS_THAT_MOST_PLAY) for game in known] + [(game, 1.0) for game in prints]
    for game, weight in weighted:
        board, image = game.image.board, game.image
        routes, weighed = doubted(game.evidence, board, game.reference, [game.account])
        own = figures(
            routes,
            game.evidence,
            board,
            weighed,
            game.account,
            with_empty=game.reference is not None,
        )
        for place, row in zip(places_of(board), own, strict=True):
            doubts = {why for name in place for why in routes[name].why}
            truths = [image.labels_of(name) for name in place]
            if Why.HIDDEN in doubts or {None} in truths:
                continue
            wrong = bag_of(routes[n].owner for n in place) != bag_of(map(image.owner, place))
            rows.append(row)
            told.append(
                (wrong, weight, f"{board.id}-{image.rig}", bool(doubts), withdrawn_below(doubts))
            )
    columns = (np.array(column) for column in zip(*told, strict=True))
    return Samples(np.stack(rows), *columns)


def fit(samples: Samples) -> HistGradientBoostingClassifier:
    """Boosted trees that tell how likely a place is read wrongly (Friedman 2001)."""
    held_to = np.zeros(FIGURES, int)
    held_to[columns_of(RISING)], held_to[columns_of(FALLING)] = 1, -1
    trees = HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST_IN_LEAF,
        l2_regularization=FLATTENED,
        monotonic_cst=held_to,
        early_stopping=False,
    )
    return trees.fit(samples.figures, samples.wrong, sample_weight=samples.weight)


def check(samples: Samples) -> None:
    """Print what is asked and silently wrong of each table by a fit on others, and by rules."""
    chance = np.zeros(len(samples.wrong))
    for apart_from, apart in GroupKFold(FOLDS, shuffle=True, random_state=0).split(
        samples.figures, groups=samples.table
    ):
        trees = fit(_some(samples, apart_from))
        chance[apart] = trees.predict_proba(samples.figures[apart])[:, 1]
    asked = np.where(samples.doubted, chance >= samples.below, chance > LIMITS.asked)
    for weight in np.unique(samples.weight):
        own = samples.weight == weight
        for name, questions in (("rules", samples.doubted), ("judge", asked)):
            silent = (samples.wrong & ~questions & own).sum()
            print(f"weight {weight}, {name}: {(questions & own).sum()} asked, {silent} silent")


def _some(samples: Samples, rows: NDArray[np.intp]) -> Samples:
    return Samples(*(getattr(samples, name)[rows] for name in Samples.__slots__))


def model_of(trees: HistGradientBoostingClassifier) -> onnx.ModelProto:
    """The trees as ONNX: figures (n, FIGURES) in, how likely each is wrong (n, 1) out."""
    nodes = [node for k, tree in enumerate(_trees(trees)) for node in _nodes(k, tree)]
    leaves = [node for node in nodes if node["mode"] == "LEAF"]
    return _model(
        base_values=[float(np.ravel(trees._baseline_prediction)[0])],
        nodes_treeids=[node["tree"] for node in nodes],
        nodes_nodeids=[node["node"] for node in nodes],
        nodes_featureids=[node["figure"] for node in nodes],
        nodes_modes=[node["mode"] for node in nodes],
        nodes_values=[node["limit"] for node in nodes],
        nodes_truenodeids=[node["below"] for node in nodes],
        nodes_falsenodeids=[node["above"] for node in nodes],
        target_treeids=[leaf["tree"] for leaf in leaves],
        target_nodeids=[leaf["node"] for leaf in leaves],
        target_ids=[0] * len(leaves),
        target_weights=[leaf["value"] for leaf in leaves],
    )


def mean_of(judges: Sequence[onnx.ModelProto]) -> onnx.ModelProto:
    """One judge that tells the mean of these log odds: their trees side by side."""
    told: dict[str, list[Any]] = {}
    trees = 0
    for judge in judges:
        own = {a.name: helper.get_attribute_value(a) for a in judge.graph.node[0].attribute}
        for name in ("nodes_treeids", "target_treeids"):
            own[name] = [trees + tree for tree in own[name]]
        for name in ("base_values", "target_weights"):
            own[name] = [value / len(judges) for value in own[name]]
        trees = 1 + max(own["nodes_treeids"])
        for name, values in own.items():
            if isinstance(values, list):
                told.setdefault(name, []).extend(values)
    told["base_values"] = [sum(told["base_values"])]
    return _model(**told)


def _model(**told: Any) -> onnx.ModelProto:
    ensemble = helper.make_node(
        "TreeEnsembleRegressor",
        ["figures"],
        ["log_odds"],
        domain="ai.onnx.ml",
        n_targets=1,
        **told,
    )
    graph = helper.make_graph(
        [ensemble, helper.make_node("Sigmoid", ["log_odds"], ["wrong"])],
        "judge",
        [helper.make_tensor_value_info("figures", TensorProto.FLOAT, ["n", FIGURES])],
        [helper.make_tensor_value_info("wrong", TensorProto.FLOAT, ["n", 1])],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=versions, ir_version=8)


def _trees(fitted: HistGradientBoostingClassifier) -> list[NDArray[Any]]:
    """Each tree as an array of its nodes, which the library keeps to itself."""
    return [tree.nodes for (tree,) in fitted._predictors]


def _nodes(index: int, tree: NDArray[Any]) -> list[dict[str, Any]]:
    """A tree's nodes as ONNX names their parts. Limits are rounded down to what a figure can be, so
    that single precision takes the same way as the fit."""
    return [
        {
            "tree": index,
            "node": k,
            "figure": int(node["feature_idx"]),
            "mode": "LEAF" if node["is_leaf"] else "BRANCH_LEQ",
            "limit": 0.0 if node["is_leaf"] else _rounded_down(float(node["num_threshold"])),
            "below": int(node["left"]),
            "above": int(node["right"]),
            "value": float(node["value"]),
        }
        for k, node in enumerate(tree)
    ]


def _rounded_down(limit: float) -> float:
    near = np.float32(limit)
    return float(near if near <= limit else np.nextafter(near, np.float32(-np.inf)))


if __name__ == "__main__":
    main()
