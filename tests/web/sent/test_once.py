"""What is sent again gets the answer of the first time, by its name and its address."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from flask import Flask, Response

from web.errors import BusyError
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


def test_what_was_refused_may_be_sent_again_under_its_name() -> None:
    """Photos of a hand that found no turn are sent once more by the page itself."""
    app, once, answers = Flask(__name__), SentOnce(), [BusyError("web.error.busy"), None]

    def make() -> Response:
        error = answers.pop(0)
        if error is not None:
            raise error
        return Response("read")

    with app.test_request_context("/", method="POST", headers={REQUEST_ID: "number-1"}):
        with pytest.raises(BusyError):
            once.answer(make)
        assert once.answer(make).get_data(as_text=True) == "read"


def test_one_that_comes_while_the_first_is_at_work_waits_for_the_same_answer() -> None:
    app, once = Flask(__name__), SentOnce()
    begun, may_end, made = Event(), Event(), list[str]()

    def make() -> Response:
        made.append("")
        begun.set()
        may_end.wait(20)
        return Response("read")

    def send() -> str:
        with app.test_request_context("/", method="POST", headers={REQUEST_ID: "number-1"}):
            return once.answer(make).get_data(as_text=True)

    with ThreadPoolExecutor(2) as both:
        first = both.submit(send)
        assert begun.wait(20)
        second = both.submit(send)
        may_end.set()
        assert (first.result(20), second.result(20)) == ("read", "read")
    assert len(made) == 1
