"""`python -m companion.documentation.case_numbers [CONFIG]`: a box's numbers for its drawn case.

Prints definitions for OpenSCAD, as `packaging/case/box.scad` takes them.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.config import data_folder, read_config
from companion.errors import UnusableInputError
from hardware.console.pins import PinMap


def definitions(pins: PinMap) -> list[str]:
    """The command-line words that define the case's lamps and holes."""
    holes = {"status": pins.status is not None, "buzzer": pins.buzzer is not None}
    words = [
        f"buttons={len(pins.buttons)}",
        f"lamps={len(pins.lamps)}",
        *(f"{name}={str(is_there).lower()}" for name, is_there in holes.items()),
    ]
    return [word for definition in words for word in ("-D", definition)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print them for a configuration; what is wrong with it is one sentence."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    named = Path(words[0]) if words else None
    config = read_config(data_folder(None), named)
    if config.pins is None or (named is not None and config.troubles):
        print(f"make stl: {UnusableInputError.saying(config.troubles[0])}", file=sys.stderr)
        return 3
    print(*definitions(config.pins))
    return 0


if __name__ == "__main__":
    sys.exit(main())
