"""A power cut while a package puts its Python parts in place leaves the old or the new ones."""

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

PACKAGING = Path(__file__).parents[1] / "packaging"
FILES = ("first", "last")

CUT = """#!/bin/sh
# Does what the command does, and ends the script after so many of them.
{real} "$@" || exit
echo >> {count}
[ "$(wc -l < {count})" != "$CUT_AFTER" ] || kill -9 $PPID
"""

VENV = """#!/bin/sh
# Makes in no time what takes minutes on a Pi.
[ "$2" = venv ] || exec {python} "$@"
mkdir -p "$3/bin"
touch "$3/pyvenv.cfg" "$3/bin/companion"
printf '#!/bin/sh\\necho new > "%s/first"; echo new > "%s/last"\\n' "$3" "$3" > "$3/bin/python"
chmod 0755 "$3/bin/python"
"""

INTO_TARGET = """#!/bin/sh
for word; do target=$word; done
mkdir "$target"; echo new > "$target/first"; echo new > "$target/last"
"""


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def is_set_of(age: str, folder: Path) -> bool:
    return all(
        (folder / name).exists() and (folder / name).read_text() == f"{age}\n" for name in FILES
    )


def lay(folder: Path, age: str) -> None:
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text(f"{age}\n")


def cuts(tmp_path: Path, words: str, lay_old: Callable[[Path], Path]) -> Iterator[tuple[int, Path]]:
    """What is in use after the script lost power behind its first command, its second, and so on
    until it came to its end."""
    for after in range(1, 100):
        base = tmp_path / f"cut-{after}"
        used = lay_old(base)
        commands, count = base / "commands", base / "count"
        program(base / "program/venv", VENV.format(python="/usr/bin/python3"))
        for name in ("rm", "mv", "sed", "sync"):
            program(commands / name, CUT.format(real=shutil.which(name), count=count))
        program(commands / "python3", CUT.format(real=base / "program/venv", count=count))
        given = {"COMPANION_BASE": str(base / "box"), "COMPANION_HUB_BASE": str(base / "hub")}
        path = f"{commands}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", f"set -- no; {words}"],
            env={**os.environ, **given, "PATH": path, "CUT_AFTER": str(after)},
            capture_output=True,
            check=False,
        )
        yield done.returncode, used
        if done.returncode != -9:
            return


def always_whole(tmp_path: Path, words: str, lay_old: Callable[[Path], Path]) -> Path:
    """The folder in use after it all; wherever it was cut, that was the old set or the new one."""
    *cut, (ended, used) = cuts(tmp_path, words, lay_old)
    assert ended == 0
    assert is_set_of("new", used)
    for _, each in cut:
        assert is_set_of("old", each) or is_set_of("new", each)
    assert len(cut) > 1
    return used


def test_the_hub_always_has_its_packages(tmp_path: Path) -> None:
    """They were deleted first, and then the new ones put there."""

    def lay_old(base: Path) -> Path:
        program(base / "box/current/bin/python", INTO_TARGET)
        shutil.copytree(PACKAGING / "debian", base / "box/bin")
        lay(base / "hub/lib", "old")
        return base / "hub/lib"

    words = f". {PACKAGING / 'hub/postinst'}; install_packages"
    used = always_whole(tmp_path, words, lay_old)
    assert not used.with_name("lib.new").exists()


def test_a_version_that_is_installed_once_more_is_always_there(tmp_path: Path) -> None:
    """The one in use was deleted before its successor of the same number took its place."""

    def lay_old(base: Path) -> Path:
        shutil.copytree(PACKAGING / "debian", base / "box/bin")
        lay(base / "box/versions/1.0", "old")
        return base / "box/versions/1.0"

    words = f". {PACKAGING / 'debian/postinst'}; version=1.0; make_environment"
    always_whole(tmp_path, words, lay_old)


@pytest.mark.parametrize("has_old", [True, False])
def test_the_exchange_has_no_moment_without_a_whole_folder(tmp_path: Path, has_old: bool) -> None:
    new, used = tmp_path / "lib.new", tmp_path / "lib"
    lay(new, "new")
    if has_old:
        lay(used, "old")
    seen: list[bool] = []

    def look(frame: FrameType, event: str, arg: Any) -> Any:
        seen.append(is_set_of("old", used) or is_set_of("new", used))
        return look

    swap = runpy.run_path(str(PACKAGING / "debian/swap"))["swap"]
    before = sys.gettrace()
    sys.settrace(look)
    try:
        swap(str(new), str(used))
    finally:
        sys.settrace(before)
    assert is_set_of("new", used)
    assert not new.exists()
    assert seen[-1]
    assert all(seen) or not has_old


def test_where_a_file_system_cannot_exchange_the_new_one_is_put_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, used = tmp_path / "lib.new", tmp_path / "lib"
    lay(new, "new")
    lay(used, "old")
    there = runpy.run_path(str(PACKAGING / "debian/swap"))

    def cannot(new: str, old: str) -> None:
        raise OSError(22, "Invalid argument")

    there["swap"].__globals__["exchange"] = cannot
    there["swap"](str(new), str(used))
    assert is_set_of("new", used)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["lib"]
