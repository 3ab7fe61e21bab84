"""How alike two arrays are, whatever their sizes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cosine(first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]]) -> float:
    """Cosine of the angle between two arrays of one shape as vectors, -1 to 1; 0 where one is 0.

    Of arrays less their means it is their correlation.

    >>> cosine(np.array([3.0, 4.0]), np.array([6.0, 8.0])), cosine(np.zeros(2), np.ones(2))
    (1.0, 0.0)
    """
    sizes = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.vdot(first, second)) / sizes if sizes > 0 else 0.0
