"""The drawn wiring: every part on its pin of the header, clashes marked."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hardware.console.pins import Part, PinMap, clashes_of, planned_parts
from hardware.console.wiring import draw_wiring, physical_pin
from scoring.language import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("gpio", "pin"),
    # From the Raspberry Pi's own documentation: pinout of the 40-pin header.
    [(2, 3), (14, 8), (17, 11), (27, 13), (22, 15), (5, 29), (13, 33), (19, 35), (21, 40)],
)
def test_a_gpio_is_on_its_pin_of_the_header(gpio: int, pin: int) -> None:
    assert physical_pin(gpio) == pin


def test_every_gpio_has_a_pin_of_its_own() -> None:
    pins = [physical_pin(gpio) for gpio in range(2, 28)]
    assert len(set(pins)) == 26
    assert None not in pins
    assert physical_pin(1) is physical_pin(28) is None


def words(parts: tuple[Part, ...], remarks: list[str], language: str = "en") -> list[str]:
    drawing = ET.fromstring(draw_wiring(parts, remarks, language))
    return [one.text or "" for one in drawing.iter(f"{SVG}text")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usual_box_is_drawn_with_a_resistor_for_each_lamp(language: str) -> None:
    said = words(PinMap().parts(), [], language)
    assert sum("GPIO" in one for one in said) == 4 + 5  # buttons and lamps
    assert said.count("330 Ω") == 5
    assert not any("⚠" in one for one in said)


def test_a_lamp_of_several_colours_has_three_wires_and_three_resistors() -> None:
    pins = PinMap(lamps=((17, 27, 22),), buzzer=12)
    said = words(pins.parts(), [])
    assert "lamp 1 (green) · GPIO 27, pin 13" in said
    assert said.count("330 Ω") == 3
    assert "buzzer · GPIO 12, pin 32" in said


def test_what_clashes_is_drawn_and_said() -> None:
    parts = planned_parts({"lamps": [17, 5], "status": 44})
    clashes = [str(one) for one in clashes_of(parts)]
    assert len(clashes) == 2
    assert "Pin 5 is given to both Scan button and lamp 2" in clashes[0]
    assert "The status lamp is on pin 44" in clashes[1]
    said = words(parts, clashes)
    assert "⚠ Scan button · GPIO 5, pin 29" in said
    assert "⚠ lamp 2 · GPIO 5, pin 29" in said
    assert f"⚠ {clashes[1]}" in said
    assert not any("44, pin" in one for one in said)  # there is no such pin to draw it on


def test_no_two_parts_lie_on_each_other_even_with_all_pins_taken() -> None:
    lamps = ((2, 3, 4), (14, 15, 17), (18, 27, 22), (23, 24, 10), (9, 25, 11))
    parts = PinMap(lamps=lamps, status=(8, 7, 16), buzzer=12).parts()
    drawing = ET.fromstring(draw_wiring(parts, [], "it"))
    height = float(drawing.attrib["viewBox"].split()[3])
    places = [
        (one.attrib["x"], float(one.attrib["y"]))
        for one in drawing.iter(f"{SVG}text")
        if re.search("GPIO", one.text or "")
    ]
    assert len(set(places)) == len(places) == len(parts)
    assert max(y for _, y in places) < height


@pytest.mark.parametrize("page", ["box.md", "box.it.md"])
def test_the_docs_say_which_pin_of_the_header_a_part_goes_on(page: str) -> None:
    """Whoever counts the header's pins finds 3.3 V where GPIO 17 was meant."""
    words = (Path(__file__).parents[3] / "docs" / page).read_text("utf-8")
    rows = re.findall(r"^\|[^|]+\| ([\d, ]+) \| ([\d, ]+) \|", words, re.MULTILINE)
    said = [pair for row in rows for pair in zip(*map(_numbers, row), strict=True)]
    pins = PinMap()
    assert [gpio for gpio, _ in said] == [5, 6, 13, 19, *pins.lamps]
    assert [pin for _, pin in said] == [physical_pin(gpio) for gpio, _ in said]


def _numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.split(", ")]
