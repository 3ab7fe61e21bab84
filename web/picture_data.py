"""Pictures that a page holds within itself: no address leads to them."""

from base64 import b64encode


def jpeg_data(jpeg: bytes) -> str:
    """A JPEG as the source of a page's picture."""
    return f"data:image/jpeg;base64,{b64encode(jpeg).decode('ascii')}"
