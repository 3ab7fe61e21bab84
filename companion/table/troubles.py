"""What is wrong with the camera and the photos just now: each message goes with its own cause."""

from dataclasses import dataclass

from companion.session.state import Facts
from companion.table.camera_feed import FeedStatus
from companion.table.watching import Glimpse
from scoring.language import Message
from web.table_state import CameraState


@dataclass(slots=True)
class Troubles:
    """Troubles of one game; the next game begins with none.

    `scan` is about the camera's last picture, `photo` about the last photo that was sent, `view`
    about a camera that sees no board between scans, `flaw` about one that sees it in part.
    `gone` is how many routes count as they lay although their wagons went all at once.
    `covered` are the routes over which something lay when the board last came to rest, None where
    the camera has not seen that since its last look.
    """

    game: int = 0
    scan: Message | None = None
    photo: Message | None = None
    view: Message | None = None
    flaw: Message | None = None
    covered: frozenset[str] | None = None
    gone: int = 0

    def keep_to(self, facts: Facts) -> None:
        """Forget what another game had; what the camera saw ends where nothing is watched."""
        if facts.number != self.game:
            self.game, self.photo, self.covered = facts.number, None, None
            self.scan = self.view = self.flaw = None
            self.gone = 0
        if facts.board is None or not facts.camera or facts.phase == "sheet":
            self.scan = self.view = self.flaw = None
            self.gone = 0

    def begin_look(self, sent: bool) -> None:
        """A new look is under way: what was wrong with the last one no longer matters.

        What is over the board now the camera's own picture will show; photos that were sent are
        older than what it sees.
        """
        self.scan = self.photo = None
        if not sent:
            self.covered = None

    def take(self, glimpse: Glimpse) -> bool:
        """Take in what the camera sees by itself; says whether a message came or went."""
        if glimpse.blocked is None:
            return False
        before = self.scan, self.view, self.flaw, self.covered
        self.scan, self.view = None, _view(glimpse) if glimpse.blocked else None
        self.flaw = None if glimpse.blocked else glimpse.reason
        if glimpse.covered is not None:
            self.covered = glimpse.covered
        return before != (self.scan, self.view, self.flaw, self.covered)

    def tell_gone(self, routes: int) -> bool:
        """Whether that is news."""
        before, self.gone = self.gone, routes
        return before != routes

    def camera(self, feed: FeedStatus) -> CameraState:
        """The camera for the panel: gone, blocked, or ready with what is to be known of it."""
        trouble = None if feed.trouble is None else feed.trouble.message
        if feed.status != "ready":
            return _camera(feed.status, trouble)
        if self.view is not None:
            return _camera("blocked", self.view)
        gone = Message("companion.camera.gone-at-once", count=self.gone) if self.gone else None
        return _camera("ready", self.scan or gone or self.flaw or trouble)


def _view(glimpse: Glimpse) -> Message:
    if glimpse.reason is None:
        return Message("companion.camera.blocked")
    return Message("companion.camera.view-unreadable", reason=glimpse.reason)


def _camera(status: str, message: Message | None) -> CameraState:
    return CameraState(status=status, message=None if message is None else message.to_json())
