"""How well the reader does on labelled images: `python -m vision.evaluate DIR`."""
