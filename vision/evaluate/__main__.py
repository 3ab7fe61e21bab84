"""Runs `python -m vision.evaluate`."""

import sys

from vision.evaluate.command import main

if __name__ == "__main__":
    sys.exit(main())
