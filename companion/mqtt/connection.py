"""A connection to a broker that comes back by itself and never holds up the table.

The library (paho-mqtt) is imported only where somebody asks for a connection.
"""

import logging
import socket
import ssl
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError, UsageError
from companion.mqtt.address import BrokerAddress
from scoring.language import SpokenError
from web.days import moment

if TYPE_CHECKING:
    from paho.mqtt.client import Client

AT_MOST_ONCE, AT_LEAST_ONCE = 0, 1
"""Qualities of service. What comes at least once is repeated until the receiver confirms it: the
broker keeps it for whoever is away, which it does not of the other."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 120
"""Pauses between attempts double from the first to the longest."""

CONNECT_S = 10.0
"""A broker that has not answered by then is tried again later."""

KEEPALIVE_S = 30
"""A broker that is silent for 1.5 times as long is gone; it says the same of us (last will)."""

MOST_UNCONFIRMED = 1000
"""Messages that wait for the broker's word; more are refused rather than kept in memory."""

TOO_MANY = 15
"""The library's number of that refusal (MQTT_ERR_QUEUE_SIZE)."""

LARGEST_PACKET_BYTES = 1_000_000
"""Twice a table's largest message. A broker hands on up to 256 MB, which the library would keep
three times over in memory, and once more at every connection where it is retained."""

NOT_YET_VALID, EXPIRED = 9, 10
"""OpenSSL's numbers of what is wrong with a certificate's time (x509_vfy.h)."""

NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which Python has no name for."""

ONLINE, OFFLINE = "online", "offline"
"""What the status topic says: retained, and "offline" also as the last will."""

log = logging.getLogger(__name__)

Heard = Callable[[str, bytes], None]
"""Called with topic and payload of a message, on the connection's thread."""


class BrokerError(SpokenError, CompanionError):
    """The broker cannot be reached, or refuses this program."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told about a connection, each on the connection's own thread; must not block.

    `online` is called after every (re)connection, when subscriptions and status are under way:
    the time to publish everything anew. `tell` hears what is wrong, and None when it works.
    `subscribed` is called when the broker has confirmed the last of those subscriptions: what it
    retained for them comes about now, if there is anything.
    """

    online: Callable[[], None] = lambda: None
    tell: Callable[[BrokerError | None], None] = lambda trouble: None
    subscribed: Callable[[], None] = lambda: None


class BrokerConnection:
    """Publishes and subscribes; runs a thread of its own from `start` to `close`.

    `name` is the client's id: one for each table, because a broker lets in each only once.
    `status_topic` says "online" and "offline"; where the broker lets us hear it, "offline" is put
    right as long as we are there. `longest_pause_s` is the longest pause between two
    attempts. Raises UsageError where paho-mqtt is missing or the certificates cannot be read.
    """

    def __init__(
        self,
        address: BrokerAddress,
        name: str,
        status_topic: str,
        listener: Listener,
        longest_pause_s: int = LONGEST_PAUSE_S,
    ) -> None:
        self._address = address
        self._status_topic = status_topic
        self._listener = listener
        self._topic_filters: list[str] = []
        self._lock = threading.Lock()
        self._unconfirmed: dict[int, Callable[[], None]] = {}
        self._confirmed_early: set[int] = set()
        self._is_closing = False
        self._is_listener_told = False
        self._longest_pause_s = longest_pause_s
        self._was_too_large = False
        self._last_subscription: int | None = None
        self._tls: ssl.SSLContext | None = None
        self._client = self._new_client(name)
        self.subscribe(status_topic, self._hear_own_status, retained=False)
        self._receive = self._client._sock_recv
        self._client._sock_recv = self._receive_limited  # type: ignore[method-assign]
        # Parts of a second are as good to it as whole ones.
        self._client.reconnect_delay_set(FIRST_PAUSE_S, longest_pause_s)  # type: ignore[arg-type]

    def subscribe(self, topic_filter: str, heard: Heard, *, retained: bool = True) -> None:
        """Hear messages of a topic (with + and # as wildcards), now and after every reconnection.

        One that was retained on the broker comes too, unless `retained` is False: an order must
        not be carried out again at every connection.
        """
        self._topic_filters.append(topic_filter)
        self._client.message_callback_add(topic_filter, _deliver_to(heard, retained))
        if self._client.is_connected():  # `_connected` may have asked for the others already
            self._client.subscribe(topic_filter, AT_LEAST_ONCE)

    def start(self) -> None:
        """Begin to connect, and return at once."""
        self._client.connect_async(self._address.host, self._address.port, KEEPALIVE_S)
        self._client.loop_start()

    @property
    def is_online(self) -> bool:
        """Whether the broker has let us in, the listener knows it and nothing says it is gone."""
        return self._is_listener_told and bool(self._client.is_connected())

    def publish(
        self,
        topic: str,
        payload: str | bytes,
        *,
        retain: bool = False,
        confirmed: Callable[[], None] = lambda: None,
        qos: int = AT_LEAST_ONCE,
    ) -> bool:
        """Send a message; returns whether it is on its way, at once.

        False where the broker is not there or too many messages wait: nothing is kept then.
        `confirmed` is called when the broker has it, on the connection's thread. A message under
        way when the connection breaks is sent again after it, unless it is to come at most once.
        """
        if not self._client.is_connected():
            return False
        sent = self._client.publish(topic, payload, qos, retain)
        if sent.rc == TOO_MANY or (sent.rc and qos == AT_MOST_ONCE):
            return False  # of all other errors the library keeps the message, and sends it again
        with self._lock:
            is_early = sent.mid in self._confirmed_early
            self._confirmed_early.discard(sent.mid)
            if not is_early:
                self._unconfirmed[sent.mid] = confirmed
        if is_early:
            _call(confirmed)
        return True

    def close(self, patience_s: float = 1.0) -> None:
        """Say "offline" and leave; a broker that does not answer is waited for only so long."""
        self._is_closing = True
        if self.is_online:
            said = threading.Event()
            if self.publish(self._status_topic, OFFLINE, retain=True, confirmed=said.set):
                said.wait(patience_s)
        self._client.disconnect()
        leave = threading.Thread(target=self._leave, name="mqtt-stop", daemon=True)
        leave.start()
        leave.join(patience_s)

    def _leave(self) -> None:
        self._client.loop_stop()
        if self._client.socket() is not None:  # its thread was still connecting
            self._client.disconnect()
        # The pair by which its thread is woken stays open otherwise, until it is collected.
        self._client._reset_sockets()

    def _new_client(self, name: str) -> "Client":
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError:
            raise UsageError("companion.mqtt.not-installed", python=sys.executable) from None
        client = Client(CallbackAPIVersion.VERSION2, client_id=name)
        client.connect_timeout = CONNECT_S
        client.max_queued_messages_set(MOST_UNCONFIRMED)
        client.will_set(self._status_topic, OFFLINE, AT_LEAST_ONCE, retain=True)
        if self._address.user is not None:
            client.username_pw_set(self._address.user, self._address.password)
        if self._address.has_tls:
            self._tls = _tls(self._address)
            client.tls_set_context(self._tls)
        client.on_socket_open = _without_delay
        client.on_connect = self._connected
        client.on_connect_fail = self._not_reached
        client.on_disconnect = self._disconnected
        client.on_publish = self._confirmed
        client.on_subscribe = self._subscribed
        return client

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self._tell(BrokerError("companion.mqtt.refused", broker=self._address, reason=reason))
            return
        for topic_filter in list(self._topic_filters):
            _, self._last_subscription = client.subscribe(topic_filter, AT_LEAST_ONCE)
        self.publish(self._status_topic, ONLINE, retain=True)
        self._tell(None)
        _call(self._listener.online)
        self._is_listener_told = True

    def _hear_own_status(self, _topic: str, payload: bytes) -> None:
        """The last will of a connection that broke before this one reaches the broker late: where
        power or network went without a word, only after the keepalive time."""
        if payload.decode("utf-8", "replace") == OFFLINE and not self._is_closing:
            self.publish(self._status_topic, ONLINE, retain=True)

    def _receive_limited(self, bufsize: int) -> bytes:
        """Read from the broker; what is left of a packet is asked for at once.

        One that is too large ends the connection unread. If it is retained it comes again with
        the next connection, which is therefore made later.
        """
        if bufsize > LARGEST_PACKET_BYTES:
            self._was_too_large = True
            self._client.reconnect_delay_set(self._longest_pause_s, self._longest_pause_s)
            raise ConnectionError("a packet is too large")
        return self._receive(bufsize)

    def _subscribed(self, _client: Any, _data: Any, mid: int, _reasons: Any, _more: Any) -> None:
        if mid == self._last_subscription:
            _call(self._listener.subscribed)

    def _not_reached(self, _client: Any, _data: Any) -> None:
        """Called while the error that says why is being handled."""
        reason = sys.exc_info()[1]
        if self._is_behind_the_certificate(reason):
            return
        key = "companion.mqtt.unreachable"
        if isinstance(reason, ssl.SSLCertVerificationError):
            is_of_time = reason.verify_code in (NOT_YET_VALID, EXPIRED)
            key = "companion.mqtt.certificate-time" if is_of_time else "companion.mqtt.certificate"
        at = moment(datetime.now())
        self._tell(BrokerError(key, broker=self._address, reason=_why(reason), at=at))

    def _is_behind_the_certificate(self, reason: BaseException | None) -> bool:
        """Whether the clock alone keeps us from a club's own broker; the next attempt gets through.

        In a room without internet a Pi goes on from when it was switched off, which may be before
        the certificate was made. That the authority is the club's own is checked as before.
        """
        if self._tls is None or self._address.certificates is None:
            return False
        if not isinstance(reason, ssl.SSLCertVerificationError):
            return False
        if reason.verify_code != NOT_YET_VALID:
            return False
        self._tls.verify_flags |= NO_CHECK_TIME
        return True

    def _disconnected(self, _client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        self._is_listener_told = False
        key = "companion.mqtt.too-large" if self._was_too_large else "companion.mqtt.lost"
        self._was_too_large = False
        if reason.is_failure and not self._is_closing:
            self._tell(BrokerError(key, broker=self._address))

    def _confirmed(self, _client: Any, _data: Any, mid: int, _reason: Any, _more: Any) -> None:
        """May come before `publish` has returned."""
        with self._lock:
            confirmed = self._unconfirmed.pop(mid, None)
            if confirmed is None:
                self._confirmed_early.add(mid)
        if confirmed is not None:
            _call(confirmed)

    def _tell(self, trouble: BrokerError | None) -> None:
        _call(lambda: self._listener.tell(trouble))


def _call(callback: Callable[[], None]) -> None:
    """A listener's fault must not end the connection's thread."""
    try:
        callback()
    except Exception:
        log.exception("A listener of the MQTT connection failed.")


def _deliver_to(heard: Heard, retained: bool) -> Callable[[Any, Any, Any], None]:
    def deliver(_client: Any, _data: Any, message: Any) -> None:
        if retained or not message.retain:
            _call(lambda: heard(message.topic, bytes(message.payload)))

    return deliver


def _without_delay(_client: Any, _data: Any, connection: Any) -> None:
    """Short messages go out at once; else one waits 40 ms for the confirmation of another."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _tls(address: BrokerAddress) -> ssl.SSLContext:
    """Python 3.13 would refuse certificates of one's own that OpenSSL and older Pythons take."""
    try:
        context = ssl.create_default_context(cafile=address.certificates)
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        return context
    except (OSError, ssl.SSLError) as error:
        path = address.certificates
        raise UsageError("companion.error.cannot-read", path=path, reason=_why(error)) from error


def _why(error: BaseException | None) -> object:
    """The part of an error that says something to a person."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return error or "?"
