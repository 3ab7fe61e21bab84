"""Where the optional folder of photos and renders lies: `../shared` beside the checkout."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared"
"""Absent in most checkouts: whoever needs it skips, or draws boards instead."""

NEEDS_PICTURES = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the photos and renders in ../shared are not here"
)
