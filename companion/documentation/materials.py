"""The bill of materials: every package of `requirements.lock` as a CycloneDX 1.6 document."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]

PACKAGE = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>\S+)(?: ; (?P<where>[^\\]+))?")

HASH = re.compile(r"--hash=sha256:(?P<value>[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A package of a lock file; `hashes` of the files that may be installed, `where` it is used."""

    name: str
    version: str
    hashes: tuple[str, ...]
    where: str


def locked_packages(lock: str) -> Iterator[LockedPackage]:
    """The packages of a lock file, from its text."""
    for block in re.split(r"\n(?=[a-z0-9])", lock):
        found = PACKAGE.match(block)
        if found is not None:
            hashes = tuple(one["value"] for one in HASH.finditer(block))
            where = (found["where"] or "").strip()
            yield LockedPackage(found["name"], found["version"], hashes, where)


def bill_of_materials(packages: Sequence[LockedPackage]) -> dict[str, Any]:
    """The document. It has no date and no number of its own: the same lock gives the same bill."""
    own = metadata("ttr-companion")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": own["Name"],
                "version": own["Version"],
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [_component(package) for package in packages],
    }


def _component(package: LockedPackage) -> Mapping[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:pypi/{package.name}@{package.version}",
        "hashes": [{"alg": "SHA-256", "content": value} for value in package.hashes],
        "properties": [{"name": "companion:where", "value": package.where or "everywhere"}],
    }
    licence = _licence(package.name)
    return component | ({"licenses": [{"license": {"name": licence}}]} if licence else {})


def _licence(name: str) -> str:
    """As the installed package says it, empty where it is not installed or says nothing short."""
    try:
        known = metadata(name)
    except PackageNotFoundError:
        return ""
    for field in ("License-Expression", "License"):
        if field in known and known[field] and "\n" not in known[field]:
            return known[field]
    classifiers = known.get_all("Classifier") or []
    of_licences = [one for one in classifiers if one.startswith("License ::")]
    return of_licences[0].rpartition(" :: ")[2] if of_licences else ""


def main(arguments: Sequence[str]) -> int:
    """Write the bill of materials to the path that is given; returns the exit code."""
    if len(arguments) != 1:
        print("materials: give the file to write", file=sys.stderr)
        return 2
    lock = (CHECKOUT / "requirements.lock").read_text("utf-8")
    path = Path(arguments[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    bill = bill_of_materials(list(locked_packages(lock)))
    path.write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    print(f"{path}: {len(bill['components'])} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
