"""How well the reader does on labelled images: `python -m vision.evaluate DIR`.

DIR holds images and a labels.json: one entry an image with `board`, `corners`, `routes` (owner of
each claimed route, single spaces where they differ) and, where known, `players`, `rig`, `state` and
`hidden_spaces`; `player_colours` where the set has others than the board's. An image without any
owner serves as empty reference for the others of its board: the one of the same rig where there is
one, else another.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np

from vision.errors import TicketNetworksMissingError
from vision.evaluate.card import MODES, write_card
from vision.evaluate.evaluation import evaluate
from vision.evaluate.labels import LABELS, EvaluationError, load_labels
from vision.evaluate.page import write_page
from vision.evaluate.report import print_report
from vision.evaluate.result import Result
from vision.evaluate.tickets import evaluate_hands, hand_lines, load_hands
from vision.network import Network, use_instead
from vision.spaces.neighbours import FEATURES, OUTPUTS
from vision.spaces.patches import PATCH_PX
from vision.spaces.shown_spaces import INPUTS
from vision.tickets.networks import load_text_networks

DONE, WRONG_USAGE, UNUSABLE = 0, 2, 3
"""Exit codes, as those of `companion`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate as the command line says; what can't be done ends it with one line on stderr."""
    parser = _parser()
    try:
        return _run(parser.parse_args(arguments))
    except (EvaluationError, TicketNetworksMissingError) as error:
        parser.exit(UNUSABLE, f"{parser.prog}: {error}\n")
    except BrokenPipeError:
        return DONE
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror or error}")


def _run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    if options.tickets:
        return _run_tickets(options.folders)
    if options.card:
        write_card(options.card, ((f.name, _in_all_modes(f)) for f in options.folders))
        return DONE
    images = [image for folder in options.folders for image in load_labels(folder)]
    if options.spaces:
        _measure_instead(options.spaces)
    results = list(evaluate(images, options.reference, options.exclude.split(",")))
    if not results:
        raise EvaluationError("vision.evaluate.no-wagons")
    print_report(results)
    if options.html:
        write_page(results, options.html)
    return DONE


def _run_tickets(folders: Sequence[Path]) -> int:
    hands = [hand for folder in folders for hand in load_hands(folder)]
    load_text_networks()
    for line in hand_lines(list(evaluate_hands(hands))):
        print(line)
    return DONE


def _in_all_modes(folder: Path) -> list[list[Result]]:
    images = load_labels(folder)
    return [list(evaluate(images, mode)) for mode in MODES]


def _measure_instead(weights: Path) -> None:
    """Let the reader use another space network, once it has shown that it is one."""
    width, height = PATCH_PX
    try:
        answer = Network(weights.read_bytes()).run(
            {
                "pixels": np.zeros((1, INPUTS, height, width), np.float32),
                "lean": np.zeros((1, 2), np.float32),
            }
        )
    except OSError:
        raise
    except Exception as error:  # the library's own errors share no class but this
        raise EvaluationError("vision.evaluate.no-network", path=weights) from error
    if answer.shape != (1, OUTPUTS + FEATURES):
        raise EvaluationError("vision.evaluate.no-network", path=weights)
    use_instead("spaces", weights)


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USAGE, f"{self.prog}: {message}; `{self.prog} --help` tells the options\n")


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", type=_folder, nargs="+", metavar="DIR")
    parser.add_argument(
        "--reference",
        choices=("rig", "other", "none", "corners"),
        default="rig",
        help="empty board of the same rig, of another, none at all, or only the labelled corners",
    )
    parser.add_argument(
        "--tickets", action="store_true", help="the folders hold photos of hands of ticket cards"
    )
    parser.add_argument("--exclude", default="", help="states to leave out, by comma")
    parser.add_argument(
        "--spaces",
        type=_weights,
        metavar="FILE",
        help="another space network than the one that ships",
    )
    parser.add_argument(
        "--html",
        type=_page,
        metavar="PAGE",
        help="write a page with every wrong or doubtful patch",
    )
    parser.add_argument("--card", type=Path, metavar="PAGE", help="write the model card's figures")
    return parser


def _folder(words: str) -> Path:
    """A folder of labelled images; what isn't one is wrong usage, as with the types below."""
    path = Path(words)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{words} is no folder: give one with a {LABELS}")
    if not (path / LABELS).is_file():
        raise argparse.ArgumentTypeError(
            f"{words} has no {LABELS}: it says what is true of the folder's images"
        )
    return path


def _weights(words: str) -> Path:
    path = Path(words)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {words}: give a network as .onnx")
    return path


def _page(words: str) -> Path:
    """Tried before the images are read: an hour's work should not end in a wrong name."""
    path = Path(words)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}: make it first")
    try:
        is_new = not path.exists()
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        reason = f"{words} can't be written ({error.strerror}): give another page"
        raise argparse.ArgumentTypeError(reason) from None
    return path
