"""Where the optional folder of photos and renders lies: `../shared` beside the checkout."""

from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared"
"""Absent in most checkouts: whoever needs it skips, or draws boards instead."""
