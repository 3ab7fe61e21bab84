"""What the status lamp says; pure.

It answers three questions from across the room: does all work, am I wanted at the tablet, is it
saved? Which player is meant, the seats' lamps say.
"""

from companion.session.state import State
from companion.table.box import BoxCursor, settle
from hardware.console.console import Lamp
from web.table_state import CAMERA_TROUBLES, CameraState


def status_lamp(state: State, cursor: BoxCursor, camera: CameraState, is_broken: bool) -> Lamp:
    """Blinking: something does not work. Pulsing: somebody is wanted at the tablet. Lit: all well.

    `is_broken`: something else than the camera is in trouble. The camera's troubles are told while
    it is needed, before the sheet.
    """
    facts = state.facts
    if is_broken or (camera["status"] in CAMERA_TROUBLES and facts.phase != "sheet"):
        return Lamp.BLINK
    asks = facts.phase == "doubts" and settle(state, cursor).route is not None
    is_wanted = asks or facts.phase in ("start", "tickets") or camera["message"] is not None
    return Lamp.PULSE if is_wanted else Lamp.ON
