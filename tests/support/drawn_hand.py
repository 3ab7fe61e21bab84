"""Draws photos of ticket cards of our own plain design, to read without anybody's pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

CARD_PX = (480, 310)
"""Width and height of a card before it is laid."""
TABLE_BGR = (70, 90, 60)


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card's names, one string a line, its points, and where its middle lies.

    `angle_deg` turns it clockwise; a card without names shows its back.
    """

    names: tuple[str, ...]
    points: int
    x_px: float
    y_px: float
    angle_deg: float = 0.0


def draw_hand(
    cards: Sequence[DrawnCard], size_px: tuple[int, int] = (1600, 1200), scale: float = 1.0
) -> NDArray[np.uint8]:
    """A photo of shape (H, W, 3), BGR: later cards lie over earlier ones."""
    width, height = size_px
    noise = np.random.default_rng(5)
    photo = np.full((height, width, 3), TABLE_BGR, np.float32)
    photo += cv2.resize(noise.normal(0, 12, (height // 8, width // 8, 3)), size_px)
    for card in cards:
        _lay(photo, card, scale)
    photo = cv2.GaussianBlur(photo, (0, 0), 0.9) + noise.normal(0, 3, photo.shape)
    return np.clip(photo, 0, 255).astype(np.uint8)


def _lay(photo: NDArray[np.float32], card: DrawnCard, scale: float) -> None:
    width, height = CARD_PX
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -card.angle_deg, scale)
    turn[:, 2] += (card.x_px - width / 2, card.y_px - height / 2)
    size = photo.shape[1], photo.shape[0]
    mask = cv2.warpAffine(np.ones((height, width), np.float32), turn, size)[:, :, None]
    photo *= 1 - mask
    photo += cv2.warpAffine(_face(card).astype(np.float32), turn, size) * mask


def _face(card: DrawnCard) -> NDArray[np.uint8]:
    width, height = CARD_PX
    face = np.full((height, width, 3), (205, 225, 235), np.uint8)
    if not card.names:
        cv2.rectangle(face, (18, 18), (width - 18, height - 18), (120, 60, 40), -1)
        return face
    for row, words in enumerate(card.names):
        _write(face, words, 42 + 46 * row, 24)
    cv2.line(face, (70, 200), (300, 255), (40, 140, 60), 5)
    cv2.circle(face, (width - 62, height - 62), 48, (250, 250, 250), -1)
    cv2.putText(
        face, str(card.points), (width - 92, height - 42), cv2.FONT_HERSHEY_DUPLEX, 1.6,
        (30, 30, 120), 4, cv2.LINE_AA,
    )  # fmt: skip
    return face


def _write(face: NDArray[np.uint8], words: str, baseline_px: int, margin_px: int) -> None:
    """In the middle, as large as fits."""
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, _), _ = cv2.getTextSize(words, font, 1.0, 2)
    size = min(1.2, (CARD_PX[0] - 2 * margin_px) / wide)
    left = round((CARD_PX[0] - wide * size) / 2)
    cv2.putText(face, words, (left, baseline_px), font, size, (60, 30, 20), 2, cv2.LINE_AA)
