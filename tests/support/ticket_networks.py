"""Whether the optional networks that read text are here."""

import pytest

from vision.errors import TicketNetworksMissingError
from vision.tickets.networks import load_text_networks


def _are_here() -> bool:
    try:
        load_text_networks()
    except TicketNetworksMissingError:
        return False
    return True


needs_networks = pytest.mark.skipif(
    not _are_here(), reason="the package rapidocr is not installed; `make tickets` installs it"
)
