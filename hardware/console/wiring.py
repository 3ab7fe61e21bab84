"""The wiring of a box, drawn from its pins: an SVG picture that prints on one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from hardware.console.pins import Part
from scoring.language import text

ROWS = 20
"""Rows of the header, two pins each: odd numbers beside the board's middle, even at its edge."""

PHYSICAL = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38,
    21: 40,
}  # fmt: skip
"""The place of every GPIO (BCM number) on the header, as https://pinout.xyz shows it."""

OTHERS = {
    1: "3V3", 17: "3V3", 2: "5V", 4: "5V", 6: "GND", 9: "GND", 14: "GND", 20: "GND", 25: "GND",
    30: "GND", 34: "GND", 39: "GND", 27: "–", 28: "–",
}  # fmt: skip
"""What the other pins carry."""

GROUND = {"left": 39, "right": 6}
"""The ground pin of each side: beyond all GPIOs of its side, so that no wires cross."""

RESISTOR = "330 Ω"

WIDTH, PITCH, TOP = 1000, 22, 120
"""Units of the picture: its width, between two rows of the header, above the first of them."""

PART_PITCH = 54
"""Between two parts."""

HEADER_X = {"left": 478, "right": 522}
"""The two columns of pins."""

SIGN = {"left": -1, "right": 1}
"""Of x, from the board outwards."""

EDGE = 62
"""From a column of pins to the edge of the drawn board."""

PART_X = {"left": 300, "right": 700}
"""Where the wires reach the parts."""

RAIL_X = {"left": 34, "right": 966}
"""The common wire to ground of each side."""

INK, WIRE, BAD, PAPER = "#1d2b30", ("#1f5f8b", "#8b5a1f", "#3f7a3a", "#7a3a6e"), "#b3261e", "#fff"


@dataclass(frozen=True, slots=True)
class _Placed:
    """A part in the picture: where its symbol is, and the pin it is wired to."""

    part: Part
    side: str
    y: float
    pin_y: float
    is_clash: bool


def physical_pin(gpio: int) -> int | None:
    """The pin of the header, 1 to 40, that carries a GPIO; None where there is none."""
    return PHYSICAL.get(gpio)


def draw_wiring(parts: Sequence[Part], remarks: Sequence[str], language: str) -> str:
    """The SVG document; `remarks` are written below, as warnings."""
    placed = [*_place(parts, "left"), *_place(parts, "right")]
    lowest = max([TOP + ROWS * PITCH, *(one.y for one in placed)])
    height = lowest + 90 + 26 * len(remarks)
    pieces = [
        _text(WIDTH / 2, 42, text("hardware.wiring.title", language), 26, "middle", bold=True),
        _text(WIDTH / 2, 72, text("hardware.wiring.how", language), 14, "middle"),
        *_rails(placed),
        *(_wire(one, number) for number, one in enumerate(placed)),
        *_header(placed),
        *(piece for one in placed for piece in _symbol(one, language)),
        *_remarks(remarks, lowest + 70),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="190mm" '
        f'role="img" font-family="system-ui, sans-serif">'
    )
    paper = f'<rect width="{WIDTH}" height="{height:g}" fill="{PAPER}"/>'
    return "\n".join([head, paper, *pieces, "</svg>"]) + "\n"


def _side_of(pin: int) -> str:
    return "left" if pin % 2 else "right"


def _pin_y(pin: int) -> float:
    return TOP + (pin - 1) // 2 * PITCH


def _place(parts: Sequence[Part], side: str) -> list[_Placed]:
    """The parts of a side in the order of their pins, so that wires do not cross."""
    here = sorted(
        (part for part in parts if part.pin in PHYSICAL and _side_of(PHYSICAL[part.pin]) == side),
        key=lambda part: PHYSICAL[part.pin],
    )
    middle = TOP + (ROWS - 1) * PITCH / 2
    first = max(float(TOP), middle - (len(here) - 1) * PART_PITCH / 2)
    pins = [part.pin for part in parts]
    return [
        _Placed(
            part,
            side,
            first + row * PART_PITCH,
            _pin_y(PHYSICAL[part.pin]),
            pins.count(part.pin) > 1,
        )
        for row, part in enumerate(here)
    ]


def _wire(one: _Placed, number: int) -> str:
    """Out of the header in its pin's row, across, and in to the part in the part's row."""
    sign = SIGN[one.side]
    start, end = HEADER_X[one.side], PART_X[one.side]
    out, into = start + sign * (EDGE + 20), end - sign * 18
    colour = BAD if one.is_clash else WIRE[number % len(WIRE)]
    dash = ' stroke-dasharray="6 4"' if one.is_clash else ""
    path = f"M{start} {one.pin_y:g} L{out} {one.pin_y:g} L{into} {one.y:g} L{end} {one.y:g}"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dash}/>'


def _rails(placed: Sequence[_Placed]) -> list[str]:
    """The common ground of each side: down its edge and in to its pin, around all parts."""
    pieces = []
    for side, pin in GROUND.items():
        ys = [one.y for one in placed if one.side == side]
        if not ys:
            continue
        x, start, pin_y = RAIL_X[side], HEADER_X[side], _pin_y(pin)
        away = max(max(ys) + 34, pin_y) if side == "left" else min(min(ys) - 34, pin_y)
        far = min(ys) if side == "left" else max(ys)
        bend = start + SIGN[side] * (EDGE + 8)
        path = f"M{start} {pin_y:g} L{bend} {pin_y:g} L{bend} {away:g} L{x} {away:g} L{x} {far:g}"
        pieces.append(f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="2.5"/>')
    return pieces


def _header(placed: Sequence[_Placed]) -> list[str]:
    left, right = HEADER_X["left"], HEADER_X["right"]
    pieces = [
        f'<rect x="{left - EDGE}" y="{TOP - 34}" width="{right - left + 2 * EDGE}" '
        f'height="{ROWS * PITCH + 34}" rx="10" fill="#e9f0e6" stroke="{INK}"/>',
        _text((left + right) / 2, TOP - 16, "Raspberry Pi", 13, "middle", bold=True),
    ]
    used = {PHYSICAL[one.part.pin] for one in placed}
    grounds = {GROUND[one.side] for one in placed}
    gpio_of = {pin: gpio for gpio, pin in PHYSICAL.items()}
    for pin in range(1, 2 * ROWS + 1):
        side = _side_of(pin)
        x, y = HEADER_X[side], _pin_y(pin)
        is_used = pin in used or pin in grounds
        fill = INK if is_used else PAPER
        pieces.append(f'<circle cx="{x}" cy="{y:g}" r="8" fill="{fill}" stroke="{INK}"/>')
        pieces.append(_text(x, y + 3.5, str(pin), 9.5, "middle", PAPER if is_used else INK))
        name = OTHERS.get(pin) or str(gpio_of[pin])
        pieces.append(_text(x + SIGN[side] * 34, y + 4, name, 11, "middle", bold=is_used))
    return pieces


def _symbol(one: _Placed, language: str) -> list[str]:
    """From the wire's end outwards: the part, then ground; its name above."""
    sign = SIGN[one.side]
    x, y, rail = PART_X[one.side], one.y, RAIL_X[one.side]
    name, pin = one.part.name.text(language), PHYSICAL[one.part.pin]
    where = text("hardware.wiring.where", language, gpio=one.part.pin, pin=pin)
    warning = "⚠ " if one.is_clash else ""
    draw = {"button": _button, "lamp": _lamp, "buzzer": _buzzer}[one.part.kind]
    anchor = "end" if sign < 0 else "start"
    return [
        _text(x, y - 13, f"{warning}{name} · {where}", 13, anchor, BAD if one.is_clash else INK),
        *draw(x, y, sign, rail),
    ]


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{INK}" stroke-width="2"/>'
    )


def _button(x: float, y: float, sign: int, rail: float) -> list[str]:
    """Two contacts and a lever above them."""
    a, b = x + sign * 40, x + sign * 80
    return [
        _line(x, y, a, y),
        f'<circle cx="{a:g}" cy="{y:g}" r="4" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>',
        f'<circle cx="{b:g}" cy="{y:g}" r="4" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>',
        _line(a, y - 5, b, y - 8),
        _line(b + sign * 4, y, rail, y),
    ]


def _lamp(x: float, y: float, sign: int, rail: float) -> list[str]:
    """A resistor, then a diode that points to ground, with its two arrows of light."""
    left = min(x + sign * 20, x + sign * 84)
    a, b = x + sign * 110, x + sign * 132
    rays = [f"M{a + sign * (6 + gap):g} {y + 14:g} l{sign * 7} 9" for gap in (0, 9)]
    return [
        _line(x, y, x + sign * 20, y),
        f'<rect x="{left:g}" y="{y - 8:g}" width="64" height="16" fill="{PAPER}" stroke="{INK}" '
        f'stroke-width="2"/>',
        _text(left + 32, y + 4.5, RESISTOR, 11, "middle"),
        _line(x + sign * 84, y, a, y),
        f'<path d="M{a:g} {y - 10:g} L{a:g} {y + 10:g} L{b:g} {y:g} Z" fill="{INK}"/>',
        _line(b, y - 10, b, y + 10),
        f'<path d="{" ".join(rays)}" stroke="{INK}" stroke-width="1.5"/>',
        _line(b, y, rail, y),
    ]


def _buzzer(x: float, y: float, sign: int, rail: float) -> list[str]:
    """A round case with its plus towards the pin."""
    middle = x + sign * 62
    return [
        _line(x, y, middle - sign * 9, y),
        f'<circle cx="{middle:g}" cy="{y:g}" r="9" fill="{PAPER}" stroke="{INK}" '
        f'stroke-width="2"/>',
        f'<circle cx="{middle:g}" cy="{y:g}" r="3" fill="{INK}"/>',
        _text(middle - sign * 20, y + 14, "+", 14, "middle", bold=True),
        _line(middle + sign * 9, y, rail, y),
    ]


def _remarks(remarks: Sequence[str], y: float) -> list[str]:
    return [
        _text(40, y + 26 * row, f"⚠ {one}", 15, "start", BAD, bold=True)
        for row, one in enumerate(remarks)
    ]


def _text(
    x: float, y: float, words: str, size: float, anchor: str, fill: str = INK, bold: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{fill}"{weight}>{escape(words)}</text>'
    )
