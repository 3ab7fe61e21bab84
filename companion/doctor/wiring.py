"""The box's wiring for the panel, from the configuration as it stands."""

from pathlib import Path

from companion.config import read_config
from hardware.console.pins import clashes_of
from hardware.console.wiring import draw_wiring, physical_pin
from web.ports import Wire, Wiring


def wiring_of(folder: Path, language: str) -> Wiring:
    """What is on which pin, what clashes, and the drawing; nothing where it cannot be read."""
    config = read_config(folder)
    clashes = [clash.message for clash in clashes_of(config.parts)]
    if not config.parts:
        clashes = [trouble.message for trouble in config.troubles]
    return Wiring(
        wires=[
            Wire(part=one.name.to_json(), gpio=one.pin, pin=physical_pin(one.pin))
            for one in config.parts
        ],
        clashes=[clash.to_json() for clash in clashes],
        drawing=draw_wiring(config.parts, [one.text(language) for one in clashes], language),
    )
