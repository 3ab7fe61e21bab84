"""Cuts at many more moments of what was recorded, without a boot.

Used as `power_moments.py FOLDER COUNT SEED` behind `power_trial.py FOLDER …`, for what its card was
given until the first cut. At each moment all is there that was flushed before, and a half of what
was written since, in pieces. The program's own start reads the log then.
"""

import json
import random
import struct
import subprocess
import sys
from pathlib import Path

from power_box import TAKEN_OUT, take_out
from power_card import HEAD, Card
from power_trial import log_and_files


def entries_of(log: Path) -> list[tuple[float, int, bytes]]:
    """When the card was given what, and where; a flush has no data."""
    found, content, at = [], log.read_bytes(), 0
    while at + struct.calcsize(HEAD) <= len(content):
        when_s, where, size = struct.unpack_from(HEAD, content, at)
        at += struct.calcsize(HEAD)
        found.append((when_s, where, content[at : at + size]))
        at += size
    return found


def look(image: Path, sent: list[list[float | str]], now_s: float) -> list[str]:
    """What is wrong on the card."""
    fsck = take_out(image, TAKEN_OUT)
    names, wrong = log_and_files(TAKEN_OUT / "companion")
    wrong += [] if fsck == "clean" else [fsck]
    confirmed = sum(1 for _, told_s, _ in sent if float(told_s) < now_s)
    begun = sum(1 for sent_s, _, _ in sent if float(sent_s) < now_s)
    if names != [name for *_, name in sent][: len(names)] or not confirmed <= len(names) <= begun:
        wrong.append(f"{confirmed} taps confirmed, {len(names)} on the card")
    return wrong


def main(place: str, moments: str, seed: str) -> int:
    folder, chance, bad = Path(place), random.Random(seed), 0
    sent = json.loads((folder / "sent-1.json").read_text())
    entries = entries_of(folder / "writes-1")
    image = folder / "moments.img"
    subprocess.run(["cp", "--sparse=always", folder / "base.img", image], check=True)
    first = next(k for k, (when_s, *_) in enumerate(entries) if when_s > float(sent[0][0]))
    every = range(first, len(entries) - 1)
    chosen = set(chance.sample(every, min(int(moments), len(every))))
    card = Card(image)
    for k, (_, where, data) in enumerate(entries):
        if data:
            card.write(where, data)
        else:
            card.flush()
        if k in chosen:
            with card.without(0.5, chance):
                wrong = look(image, sent, entries[k + 1][0])
            bad += bool(wrong)
            for one in wrong:
                print(f"moment {k}: {one}", flush=True)
    image.unlink()
    print(f"{len(chosen)} moments of {len(entries)} writes and flushes, {bad} with something wrong")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
