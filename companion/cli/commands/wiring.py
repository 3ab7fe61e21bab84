"""`companion wiring`: what goes where on the Pi's header, as a table or as a drawing."""

import argparse
import sys
from pathlib import Path

from companion.cli.inputs import require_file
from companion.cli.language_choice import add_language_option, language_choice
from companion.cli.outputs import refuse_to_overwrite, tell, write_output
from companion.config import OLD_NAME, config_path, data_folder, read_config
from companion.errors import UnusableInputError
from companion.typed_path import path_of
from hardware.console.pins import clashes_of
from hardware.console.wiring import draw_wiring, physical_pin
from scoring.language import text


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `companion wiring`."""
    parser.add_argument("--data", metavar="DIR", help="companion.help.wiring.data")
    parser.add_argument("--config", metavar="FILE", help="companion.help.wiring.config")
    parser.add_argument("--svg", metavar="OUT", help="companion.help.wiring.svg")
    add_language_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print or draw the wiring; what clashes is marked, and the exit code says so."""
    language = language_choice(arguments.language)
    named = None if arguments.config is None else path_of(arguments.config)
    if named is not None:
        require_file(named)
    folder = data_folder(arguments.data)
    if arguments.svg is not None:
        read = (named or config_path(folder), folder / OLD_NAME)
        refuse_to_overwrite(Path(arguments.svg), *map(str, read))
    config = read_config(folder, named)
    if not config.parts:
        raise UnusableInputError.saying(config.troubles[0])
    clashes = [clash.sentence(language) for clash in clashes_of(config.parts)]
    if arguments.svg is None:
        for part in config.parts:
            pin = physical_pin(part.pin)
            print(
                text(
                    "companion.wiring.line",
                    language,
                    part=part.name,
                    gpio=part.pin,
                    pin="?" if pin is None else pin,
                )
            )
    else:
        path = Path(arguments.svg)
        write_output(path, draw_wiring(config.parts, clashes, language).encode())
        if path.is_file() and not path.is_symlink():  # /dev/stdout, which holds nothing else
            print(text("companion.wiring.drawn", language, path=path))
    for clash in clashes:
        tell(f"companion wiring: {clash}", sys.stderr)
    return 3 if clashes else 0
