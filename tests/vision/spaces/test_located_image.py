"""A large photo is read from a smaller copy that shows the same."""

import numpy as np
import pytest

from vision.spaces.located_image import LocatedImage, as_fine_as_read
from vision.spaces.patches import cut_patches

SIZE_MM = (24.0, 9.0)


def located(px_per_mm: float) -> LocatedImage:
    """Three spaces, one of them turned, on a board of noise."""
    height, width = (round(side * px_per_mm) for side in (160, 240))
    image = np.random.default_rng(5).integers(0, 256, (height, width, 3)).astype(np.uint8)
    box = np.array([(-12.0, -4.5), (12, -4.5), (12, 4.5), (-12, 4.5)])
    turned = box @ np.array([(0.8, 0.6), (-0.6, 0.8)])
    at_mm = np.array([(60.0, 50.0), (120, 80), (180, 110)])
    spaces_mm = np.stack([box, turned, box]) + at_mm[:, None]
    return LocatedImage(image, spaces_mm * px_per_mm)


@pytest.mark.parametrize(("px_per_mm", "times"), [(3.6, 2), (5.2, 3)])
def test_the_spaces_of_a_smaller_copy_look_the_same(px_per_mm: float, times: int) -> None:
    whole = located(px_per_mm)
    smaller = as_fine_as_read(whole, SIZE_MM)
    assert smaller.image_bgr.shape[0] == whole.image_bgr.shape[0] // times
    patches, same = (
        cut_patches(look.image_bgr, look.spaces_px, SIZE_MM) for look in (whole, smaller)
    )
    assert (patches == same).all()


def test_a_photo_no_finer_than_what_is_read_of_it_stays_as_it_is() -> None:
    whole = located(2.0)
    assert as_fine_as_read(whole, SIZE_MM) is whole
