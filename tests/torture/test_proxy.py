"""The proxy of the trials cuts lines of news, and nothing else."""

import socket
import threading
import time
from contextlib import closing

from tests.torture.proxy import CuttingProxy

ANSWER = b"HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n"


def test_a_line_that_a_slow_box_answers_late_is_answered_before_it_is_cut() -> None:
    """A page that gets no line at all says so, rightly: a test called that a fault under load."""
    with closing(socket.create_server(("127.0.0.1", 0))) as box:

        def answer_late() -> None:
            line, _ = box.accept()
            with line:
                line.recv(1000)
                time.sleep(0.6)
                line.sendall(ANSWER)
                line.recv(1000)  # until it is cut

        answering = threading.Thread(target=answer_late, daemon=True)
        answering.start()
        proxy = CuttingProxy(box.getsockname()[1], longest_s=0.2)
        with proxy.listening() as port, socket.create_connection(("127.0.0.1", port), 10) as page:
            page.sendall(b"GET /events HTTP/1.1\r\n\r\n")
            heard = b""
            while piece := page.recv(1000):
                heard += piece
        answering.join(10)
    assert heard == ANSWER
    assert proxy.cuts == 1
