"""Paints a scene as linear light: the table, the board's face, shadows, pieces, hands, glare."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import PinholeCamera, Points
from vision.synthetic.light import Lighting, LightSource, glare, reaching, shadow_points
from vision.synthetic.pieces import (
    HEADROOM,
    Posed,
    Surroundings,
    cast_shadows,
    draw_pieces,
    press_contacts,
    silhouette,
)
from vision.synthetic.plates import Plate, shadow_to_image, sheet_to_image
from vision.synthetic.printing import PX_PER_MM, DrawnPrint
from vision.synthetic.relief import Relief

Layer = NDArray[np.uint8]
Light = NDArray[np.float32]

_GRID_PX = 8
"""Light and lens are worked out on every eighth pixel and spread between."""

_TABLE_MM = -2.2
"""The table lies a board's thickness below its face."""

_PAPER = np.asarray(0.02 + 0.68 * np.power(np.arange(256) / 255.0, 2.2), np.float32)
"""Linear reflectance of a print or table of a screen value: ink is never black, paper not white."""

_DECODE = np.asarray((np.arange(256) / 255.0) ** 2 * HEADROOM, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything but the pieces. `table` repeats every (H, W) pixels, one a millimetre."""

    camera: PinholeCamera
    lighting: Lighting
    relief: Relief
    printed: DrawnPrint
    table: Layer
    shine: float


class Canvas:
    """One picture being painted; `paint` does it, the rest asks about it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        width, height = scene.camera.size_px
        self._shape = (height, width)
        columns = np.arange(0, width + 2 * _GRID_PX, _GRID_PX, dtype=float)
        rows = np.arange(0, height + 2 * _GRID_PX, _GRID_PX, dtype=float)
        self._grid_px = np.stack(np.meshgrid(columns, rows), axis=-1)
        self._plane = scene.camera.on_plane(self._grid_px)
        self._face = scene.relief.on_board(scene.camera, self._plane)
        self._board = self._board_mask()

    def paint(self, posed: Sequence[Posed], sheets: Sequence[Plate]) -> Light:
        """Linear light (H, W, 3), BGR, of the scene with pieces and sheets."""
        scene = self._scene
        shades = tuple(self._shade(lamp, posed, sheets) for lamp in scene.lighting.lamps)
        light = self._surface()
        light *= self._falling(shades, posed)
        self._add_glare(light, shades)
        coded = _coded(light)
        around = Surroundings(
            scene.lighting, scene.printed.layout.outer_mm, scene.camera, shades, scene.shine
        )
        draw_pieces(coded, posed, around)
        for sheet in sheets:
            self._lay(coded, sheet)
        return np.asarray(cv2.LUT(coded, _DECODE), np.float32)

    def metered(self, light: Light) -> float:
        """What an exposure meter reads: mostly the board, a little the rest."""
        small = light[::8, ::8].mean(axis=2)
        board = small[self._board[::8, ::8] > 127]
        middle = float(np.median(board)) if board.size else float(np.median(small))
        return 0.8 * middle + 0.2 * min(float(small.mean()), 2.0 * middle)

    def hidden(self, posed: Sequence[Posed], sheets: Sequence[Plate]) -> Layer:
        """Mask (H, W), 255 where a hand, card, cup or the like hides the board."""
        mask = np.zeros(self._shape, np.uint8)
        for one in posed:
            if one.piece.kind in ("cup", "die", "meeple"):
                silhouette(mask, one, self._scene.camera)
        for sheet in sheets:
            over = self._warped(sheet.alpha, sheet_to_image(sheet, self._scene.camera))
            np.maximum(mask, (over * 255).astype(np.uint8), out=mask)
        return mask

    def _board_mask(self) -> Layer:
        width, height = self._scene.printed.layout.outer_mm
        sides = np.linspace(0.0, 1.0, 24, endpoint=False)[:, None]
        corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
        edge = np.concatenate(
            [a + (b - a) * sides for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        )
        heights = self._scene.relief.height(edge)[:, None]
        outline = self._scene.camera.project(np.concatenate([edge, heights], axis=1))
        mask = np.zeros(self._shape, np.uint8)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], (255.0,), cv2.LINE_AA, 4)
        return mask

    def _surface(self) -> Light:
        """Reflectance (H, W, 3) of what lies flat: the print on the board, the table around."""
        board = self._print_seen()
        table = self._table_seen()
        inside = cv2.cvtColor(self._board, cv2.COLOR_GRAY2BGR)
        mixed = cv2.add(
            cv2.multiply(board, inside, scale=1 / 255),
            cv2.multiply(table, cv2.bitwise_not(inside), scale=1 / 255),
        )
        return np.asarray(cv2.LUT(mixed, _PAPER), np.float32)

    def _print_seen(self) -> Layer:
        """The print where every pixel's ray lands, from a copy of about the photo's density."""
        printed = _bytes(np.clip(self._scene.printed.image, 0, 1) * 255)
        density = PX_PER_MM
        while density > 1.9 * self._px_per_mm():
            printed = _bytes(
                cv2.resize(printed, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            )
            density /= 2.0
        return _looked_up(printed, self._spread((self._face * density - 0.5).astype(np.float32)))

    def _table_seen(self) -> Layer:
        """The table's square, repeated in mirror images, darker close to the board's edge."""
        tall, wide = self._scene.table.shape[:2]
        below = self._scene.camera.on_plane(self._grid_px, _TABLE_MM) + 0.37 * wide
        at = self._spread(below.astype(np.float32))
        for axis, side in ((0, np.float32(wide - 1)), (1, np.float32(tall - 1))):
            at[:, :, axis] = side - np.abs(np.mod(at[:, :, axis], 2 * side) - side)
        skirt = cv2.GaussianBlur(self._board, (0, 0), 4.0 * self._px_per_mm())
        shade = cv2.cvtColor(_bytes(255 - skirt // 2), cv2.COLOR_GRAY2BGR)
        return _bytes(cv2.multiply(_looked_up(self._scene.table, at), shade, scale=1 / 255))

    def _spread(self, grid: Light) -> Light:
        """Values on the grid (rows, columns, ...) spread over all pixels.

        Resizing puts a grid cell's value at its middle; half a cell is cut so that grid points
        come to stand on their own pixels.
        """
        tall, wide = grid.shape[:2]
        big = cv2.resize(grid, (wide * _GRID_PX, tall * _GRID_PX), interpolation=cv2.INTER_LINEAR)
        cut = _GRID_PX // 2
        return np.asarray(big[cut : cut + self._shape[0], cut : cut + self._shape[1]], np.float32)

    def _px_per_mm(self) -> float:
        """Mean density of the board in the picture."""
        width, height = self._scene.printed.layout.outer_mm
        return float(np.sqrt(max(cv2.countNonZero(self._board), 1) / (width * height)))

    def _shade(self, lamp: LightSource, posed: Sequence[Posed], sheets: Sequence[Plate]) -> Layer:
        """What of a lamp's light the pieces let through, (H, W), 255 for all of it."""
        shade = np.full(self._shape, 255, np.uint8)
        cast_shadows(shade, posed, lamp, self._scene.camera)
        reach = float(np.linalg.norm(lamp.at_mm))
        soft = max(0.5, lamp.radius_mm / reach * 6.0) * self._px_per_mm()
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), min(soft, 12.0)), np.uint8)
        for sheet in sheets:
            if sheet.height_mm > 0.0:
                self._darken_under(shade, sheet, lamp, reach)
        return shade

    def _darken_under(self, shade: Layer, sheet: Plate, lamp: LightSource, reach: float) -> None:
        heights = np.full((4, 1), sheet.height_mm)
        thrown = shadow_points(lamp, np.concatenate([sheet.corners_mm, heights], axis=1))
        dark = self._warped(sheet.alpha, shadow_to_image(sheet, self._scene.camera, thrown))
        soft = (1.0 + lamp.radius_mm / reach * sheet.height_mm) * self._px_per_mm()
        blurred = cv2.GaussianBlur(_bytes(dark * 255), (0, 0), min(soft, 25.0))
        np.minimum(shade, 255 - _bytes(blurred), out=shade)

    def _falling(self, shades: Sequence[Layer], posed: Sequence[Posed]) -> Light:
        """Light (H, W, 3) that falls on the flat surfaces."""
        contact = np.full(self._shape, 255, np.uint8)
        press_contacts(contact, posed, self._scene.camera)
        soft = cv2.GaussianBlur(contact, (0, 0), 1.3 * self._px_per_mm())
        near = soft.astype(np.float32) * np.float32(1 / 255)
        planes = [near * np.float32(part) for part in self._scene.lighting.ambient]
        outer = self._scene.printed.layout.outer_mm
        for lamp, shade in zip(self._scene.lighting.lamps, shades, strict=True):
            way = np.array(lamp.at_mm[:2]) - np.array(outer) / 2.0
            way = way / max(float(np.linalg.norm(way)), 1.0)
            level = reaching(lamp, outer, self._face)
            level = level * self._scene.relief.light(self._face, (float(way[0]), float(way[1])))
            lit = self._spread(level.astype(np.float32)) * shade
            lit *= np.float32(1 / 255)
            for plane, part in zip(planes, lamp.colour, strict=True):
                plane += lit * np.float32(part)
        return np.asarray(cv2.merge(planes), np.float32)

    def _add_glare(self, light: Light, shades: Sequence[Layer]) -> None:
        """Lamps' reflections in the varnish; a table reflects less."""
        lighting = self._scene.lighting
        if lighting.gloss <= 0.01:
            return
        share = self._board.astype(np.float32) * np.float32(0.7 / 255) + np.float32(0.3)
        for lamp, shade in zip(lighting.lamps, shades, strict=True):
            shine = glare(lamp, lighting, self._scene.camera, self._face)
            if float(shine.max()) < 0.01:
                continue
            bright = self._spread(shine.astype(np.float32)) * share * shade * np.float32(1 / 255)
            light += cv2.merge([bright * np.float32(part) for part in lamp.colour])

    def _lay(self, coded: Layer, sheet: Plate) -> None:
        """Lay a sheet over the coded picture, lit by what falls on the plane below it."""
        outer = self._scene.printed.layout.outer_mm
        middle = sheet.corners_mm.mean(axis=0, keepdims=True)
        light = np.array(self._scene.lighting.ambient)
        for lamp in self._scene.lighting.lamps:
            light = light + float(reaching(lamp, outer, middle)[0]) * np.array(lamp.colour)
        onto = sheet_to_image(sheet, self._scene.camera)
        alpha = self._warped(sheet.alpha, onto)
        columns, rows = np.flatnonzero(alpha.any(axis=0)), np.flatnonzero(alpha.any(axis=1))
        if not len(columns):
            return
        box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        lit = self._warped(sheet.colour * light.astype(np.float32), onto)[box]
        share = alpha[box][:, :, None]
        top = np.sqrt(np.clip(lit / HEADROOM, 0.0, 1.0)) * 255.0
        coded[box] = (coded[box] * (1.0 - share) + top * share).astype(np.uint8)

    def _warped(self, sheet: Light, onto: Points) -> Light:
        height, width = self._shape
        return np.asarray(
            cv2.warpPerspective(sheet, onto, (width, height), flags=cv2.INTER_LINEAR), np.float32
        )


def _looked_up(texture: Layer, at: Light) -> Layer:
    """The texture at pixel positions (H, W, 2)."""
    columns, rows = (np.ascontiguousarray(at[:, :, axis]) for axis in (0, 1))
    return _bytes(
        cv2.remap(texture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _bytes(image: object) -> Layer:
    return np.asarray(image, np.uint8)


def _coded(light: Light) -> Layer:
    """Linear light as eight bits of its square root (see `pieces.HEADROOM`)."""
    root = cv2.sqrt(np.clip(light, 0.0, HEADROOM))
    return np.asarray(root * np.float32(255.0 / np.sqrt(HEADROOM)) + np.float32(0.5), np.uint8)
