"""Outside the virtual machine: does what a family's phone does, cuts the power, looks again.

Used as `power_trial.py FOLDER LOSES SEED NAME=COUNT…`: FOLDER holds the machine, LOSES tells what
its card loses (`power_card.py`), NAME is a method of `Family`: what goes on when the power fails.
Whatever the panel had confirmed has to be there after the next start, once, and the panel has to
come by itself.
"""

import json
import random
import re
import sys
import threading
import time
from pathlib import Path
from typing import Any

from power_box import TAKEN_OUT, Box, ask, put_in_new_card, send_action, state, take_out
from power_family import Family, held

from companion.log.file import read_log
from companion.log.store import LOG_NAME, EventStore
from companion.setup.kept import KeptCalibrations
from companion.studio.store import StudioStore

CUT_S = {
    "taps": (3, 30),
    "first": (2, 40),
    "update": (2, 150),
    "rollback": (1, 14),
    "photo": (0.2, 15),
}
"""When something is cut, in seconds from its beginning; else within `USUAL_S`."""
USUAL_S = (1, 12)

NAME_LENGTH = len("power-123456789-123456")

LOOK = r"""
readlink /opt/companion/current; cat /opt/companion/pending 2>/dev/null
dpkg-query -W -f '${Version} ${Status}\n' companion; systemctl --failed --no-legend
journalctl -q -b --no-pager -o cat -u systemd-fsck-root
companion doctor | grep -vE '^(✓|–)'
"""


def log_and_files(data: Path) -> tuple[list[str], list[str]]:
    """The names of the log's requests in a data folder, and what a start would find wrong there."""
    with EventStore(data / LOG_NAME) as store:
        is_damaged = store.rescue is not None or store.copy_renewed
    wrong = [f"the log was damaged: {store.rescue}"] if is_damaged else []
    wrong += [f"board in work: {one}" for one in StudioStore(data).all() if one.problem]
    wrong += [f"table: {one}" for one in KeptCalibrations(data).all() if one.problem]
    rows = read_log(data / LOG_NAME)[1]
    names = [str(json.loads(row.data).get("request_id", ""))[:NAME_LENGTH] for row in rows]
    return [name for name in names if name], wrong


def seen(box: Box) -> dict[str, Any]:
    """What the panel shows, and the card holds, under the names of the family's facts."""
    now = state()
    routes = {f"route {name}": one["owner"] for name, one in now.get("routes", {}).items()}
    names = {f"name {one['colour']}": one["name"] for one in now.get("players", ())}
    setting = now.get("settings", {}).get("fewest-tickets")
    tables = re.findall(r"Kitchen [\d ]+\d", ask("/setup").decode())
    shown = {"phase": now["phase"], "setting": setting, "table": tables[:1] and tables[0]}
    return {**routes, **names, **held(box), **shown}


def missing(family: Family, now: dict[str, Any]) -> list[str]:
    """What was confirmed and is not there, nor what was on its way in its place."""
    told = {k: v for k, v in family.told.items() if not k.startswith("ticket")}
    return [
        f"{fact}: {value!r} was confirmed, {now.get(fact)!r} is there"
        for fact, value in told.items()
        if now.get(fact) != value and (fact, now.get(fact)) != family.flying
    ]


def cut_amid(box: Box, family: Family, what: str) -> bool:
    """Do something, cut, look; returns whether all is well."""
    ended: list[str] = []
    if what == "first":
        box.cut()
        put_in_new_card(box)
        family.begin()

    def go_on() -> None:
        try:
            getattr(family, what)()
        except Exception as error:
            ended.append(repr(error))

    threading.Thread(target=go_on, daemon=True).start()
    cut_s = family.chance.uniform(*CUT_S.get(what, USUAL_S))
    time.sleep(cut_s)
    early = f"; ended before: {ended[0]}" if ended else ""
    lost = box.cut()
    (box.folder / f"sent-{next(family.cuts)}.json").write_text(json.dumps(family.times))
    print(f"== {what}, cut after {cut_s:.1f} s: {lost}{early}", flush=True)
    wrong = [early] if early else []
    if what != "first":
        fsck = take_out(box.folder / "disk.img", TAKEN_OUT)
        names, damaged = log_and_files(TAKEN_OUT / "companion")
        wrong += damaged + ([] if fsck == "clean" else [fsck])
        on_its_way = [family.sent[2]] if family.sent else []
        if names not in (family.confirmed, family.confirmed + on_its_way):
            wrong.append(f"{len(family.confirmed)} taps confirmed, {len(names)} on the card")
    box.switch_on()
    back_s = box.wait()
    wrong += missing(family, now := seen(box))
    settle(family, now)
    print(f"   back after {back_s:.0f} s, {len(family.confirmed)} taps, {now['phase']}")
    print("   ", " | ".join(line for line in box.run(LOOK).splitlines() if line.strip("# ")))
    for one in wrong:
        print("   WRONG:", one)
    return not wrong


def settle(family: Family, now: dict[str, Any]) -> None:
    """What was on its way is sent again by the phone, under its name: it is done once."""
    if family.sent is not None and family.flying is not None:
        send_action(*family.sent)
        family.confirmed.append(family.sent[2])
        family.told[family.flying[0]] = family.flying[1]
    elif family.flying is not None:
        family.told[family.flying[0]] = now.get(family.flying[0])
    family.sent = family.flying = None


def main(folder: str, loses: str, seed: str, *rounds: str) -> int:
    box = Box(Path(folder), loses)
    family = Family(box, random.Random(seed))
    plan = [(what, int(times)) for what, _, times in (one.partition("=") for one in rounds)]
    put_in_new_card(box)
    if plan[0][0] != "first":
        print(f"up after {box.wait():.0f} s", flush=True)
    bad = 0
    try:
        for what in (what for what, times in plan for _ in range(times)):
            if what in ("taps", "names", "photo") and state()["phase"] != "look":
                family.begin_game()
            bad += not cut_amid(box, family, what)
            sys.stdout.flush()
    finally:
        print(box.cut())
    print(f"the trial is over: {sum(times for _, times in plan)} cuts, {bad} with something wrong")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
