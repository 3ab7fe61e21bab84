"""Every package that gets installed is pinned and hashed, and stands in the bill of materials."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion.documentation.materials import locked_packages, main

ROOT = Path(__file__).parents[3]
LOCKS = ("requirements", "requirements-dev", "requirements-build")


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_of_a_lock_has_its_hashes(name: str) -> None:
    lock = (ROOT / f"{name}.lock").read_text("utf-8")
    packages = list(locked_packages(lock))
    assert len(packages) == len(re.findall(r"^[a-z0-9].*==", lock, re.MULTILINE)) >= 5
    assert [one.name for one in packages if not one.hashes] == []


def test_an_environment_is_made_of_checked_files_only() -> None:
    script = (ROOT / "scripts" / "make-venv").read_text("utf-8")
    installs = [line.strip() for line in script.splitlines() if re.match(r"\s*get --", line)]
    assert len(installs) == 4
    for line in installs:
        assert "--no-deps" in line, line
        assert "--require-hashes" in line or "--no-build-isolation" in line, line


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_its_packages_ask_for(name: str) -> None:
    locked = {one.name for one in locked_packages((ROOT / f"{name}.lock").read_text("utf-8"))}
    for package in locked:
        try:
            wanted = [Requirement(line) for line in metadata.requires(package) or []]
        except metadata.PackageNotFoundError:
            continue  # for another system or Python
        missing = {
            canonicalize_name(each.name)
            for each in wanted
            if each.marker is None or each.marker.evaluate({"extra": ""})
        } - locked
        assert not missing, f"{package} needs {missing}"


def test_the_bill_of_materials_names_every_package_with_its_licence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dist" / "companion.cdx.json"
    assert main([str(path)]) == 0
    bill = json.loads(path.read_text("utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["name"]: part for part in bill["components"]}
    assert {"flask", "numpy", "onnxruntime", "opencv-python-headless", "networkx"} <= set(parts)
    assert parts["flask"]["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    assert parts["flask"]["purl"].startswith("pkg:pypi/flask@3")
    assert all(part["hashes"] for part in bill["components"])
    assert f"{len(parts)} packages" in capsys.readouterr().out
    assert main([]) == 2


def test_the_same_lock_gives_the_same_bill(tmp_path: Path) -> None:
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    main([str(one)])
    main([str(two)])
    assert one.read_bytes() == two.read_bytes()
