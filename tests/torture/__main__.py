"""`python -m tests.torture [KIND …] [--part 0.1]`: every figure with its number of trials."""

import argparse
import signal
import sys
import time

from tests.torture.trials import ALL


def main() -> int:
    """Run what is named, or all of it; returns 1 where anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(ALL))
    parser.add_argument("--part", type=float, default=1.0, help="this part of the trials")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background too
    bad = 0
    for kind in arguments.kinds or ALL:
        run, _, trials = ALL[kind]
        begun_s = time.monotonic()
        outcome = run(max(1, round(trials * arguments.part)))
        print(f"{outcome} ({time.monotonic() - begun_s:.0f} s)", flush=True)
        bad += outcome.bad
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
