"""What the set-up pages say about a survey, and about the colours of wagons."""

from collections.abc import Mapping

from calibration.calibration import Lab
from calibration.check import HOLDS_MM
from calibration.survey import Survey
from calibration.wagon_colours import look_alike
from companion.setup.pictures import hex_of_lab
from scoring.language import Message
from web.setup_port import Told, WagonColour

FEW_UNSEEN = 0.1
"""Share of the spaces that may not be seen clearly; they lie where the others say. The published
boards' empty photos and renders have 0.04 at most, one under a lamp's glare."""


def quality_told(seen: Survey, vouched: bool) -> list[Told]:
    """The verdict in one sentence, then folds, then what is to be said about the photo."""
    told = [_verdict(seen)]
    if seen.uneven is not None:
        part, off_mm = seen.uneven
        told.append(_told(f"companion.setup.uneven.{part}", True, mm=round(off_mm, 1)))
    if vouched:
        told.append(_told("companion.setup.vouched", True))
    return told + [Told(one.message.to_json(), one.good) for one in seen.advice]


def colours_told(colours: Mapping[str, Lab]) -> list[WagonColour]:
    """The measured colours, each with those that look like it."""
    pairs = look_alike(colours)
    return [
        WagonColour(
            colour,
            hex_of_lab(lab),
            [b if a == colour else a for a, b in pairs if colour in (a, b)],
        )
        for colour, lab in colours.items()
    ]


def _verdict(seen: Survey) -> Told:
    total, unseen = len(seen.seen), int((~seen.seen).sum())
    error = round(seen.error_mm, 1)
    if seen.error_mm > HOLDS_MM or unseen > FEW_UNSEEN * total:
        return _told("companion.setup.poor", False, seen=total - unseen, total=total, mm=error)
    if unseen == 0:
        return _told("companion.setup.every-space", True, total=total, mm=error)
    return _told("companion.setup.most-spaces", True, seen=total - unseen, total=total, mm=error)


def _told(key: str, good: bool, **values: object) -> Told:
    return Told(Message(key, **values).to_json(), good)
