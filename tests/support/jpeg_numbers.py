"""Pictures that look the same and are others to the byte, as a camera's always are."""


def numbered(jpeg: bytes, number: int) -> bytes:
    """The JPEG with a number in a comment of its own."""
    return jpeg[:2] + b"\xff\xfe\x00\x06" + number.to_bytes(4) + jpeg[2:]
