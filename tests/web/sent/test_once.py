"""What is sent again gets the answer of the first time, by its name and its address."""

from collections.abc import Callable

from flask import Flask, Response

from web.sent.once import MOST_KEPT, REQUEST_ID, SentOnce


def sender() -> Callable[[str, str], str]:
    """Sends a name to an address; answers say how many have been made."""
    app, once, made = Flask(__name__), SentOnce(), list[str]()

    def make() -> Response:
        made.append("")
        return Response(f"answer {len(made)}")

    def send(address: str, name: str) -> str:
        with app.test_request_context(address, method="POST", headers={REQUEST_ID: name}):
            return once.answer(make).get_data(as_text=True)

    return send


def test_one_name_at_two_addresses_is_two_requests() -> None:
    """A program may count from one again for each address."""
    send = sender()
    assert send("/tickets/red/photo", "number-1") == "answer 1"
    assert send("/tickets/blue/photo", "number-1") == "answer 2"
    assert send("/tickets/red/photo", "number-1") == "answer 1"


def test_only_the_last_answers_are_kept() -> None:
    """A page has ten kilobytes, and a box little memory."""
    send = sender()
    first = send("/copy", "number-0")
    for number in range(1, MOST_KEPT):
        send("/copy", f"number-{number}")
    assert send("/copy", "number-0") == first
    send("/copy", f"number-{MOST_KEPT}")
    assert send("/copy", "number-0") != first
