"""Dependencies are locked with hashes, listed, and free of copyleft licences."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from scripts.inventory import Package, all_packages, bill_of_materials

ROOT = Path(__file__).parents[2]
LOCKS = {file.name: file.read_text() for file in (ROOT / "requirements").glob("*.txt")}
ENTRY = re.compile(r"^([a-z0-9][\w.-]*)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", name)[0]).lower()


def locked(*files: str) -> dict[str, str]:
    return {normal(name): version for file in files for name, version in ENTRY.findall(LOCKS[file])}


@pytest.mark.parametrize("file", sorted(LOCKS))
def test_every_locked_package_has_hashes_and_nothing_else_is_in_the_file(file: str) -> None:
    entries = re.split(r"\n(?=\S)", LOCKS[file].strip())
    for entry in entries:
        if entry.startswith(("#", "-r ")):
            continue
        first, *hashes = [line.rstrip(" \\") for line in entry.split("\n")]
        assert ENTRY.match(first), entry
        assert hashes, f"{first} has no hash"
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", line) for line in hashes)


def test_every_dependency_is_locked_where_it_is_needed() -> None:
    """Update with `make lock`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = {normal(each) for each in project["project"]["dependencies"]}
    assert run <= locked("run.txt").keys()
    for group in project["project"]["optional-dependencies"].values():
        assert {normal(each) for each in group} <= locked("run.txt", "extras.txt").keys()
    dev = {normal(each) for each in project["dependency-groups"]["dev"]}
    assert dev <= locked(*LOCKS).keys()
    build = {normal(each) for each in project["build-system"]["requires"]}
    assert build | {"pip", "editables"} <= locked("build.txt").keys()


def test_the_constraints_of_isolated_builds_are_the_same_versions() -> None:
    constraints = dict(ENTRY.findall((ROOT / "constraints.txt").read_text()))
    assert constraints == locked(*LOCKS)


def test_no_shipped_package_has_a_copyleft_licence() -> None:
    packages = all_packages()
    assert {package.ecosystem for package in packages} == {"npm", "pypi"}
    assert [package.name for package in packages if package.is_forbidden] == []
    assert [package.name for package in packages if package.licence == "unknown"] == []


@pytest.mark.parametrize(
    ("licence", "is_forbidden"),
    [
        ("GPL-3.0-only", True),
        ("AGPL-3.0-or-later", True),
        ("GNU General Public License v3 (GPLv3)", True),
        ("GNU Affero General Public License v3", True),
        ("MIT AND GPL-2.0", True),
        ("SSPL-1.0", True),
        ("GPL-2.0 OR MIT", False),
        ("LGPL-2.1-or-later", False),
        ("GNU Lesser General Public License v2 or later (LGPLv2+)", False),
        ("MPL-2.0 AND MIT", False),
        ("Apache-2.0", False),
    ],
)
def test_copyleft_licences_are_forbidden(licence: str, is_forbidden: bool) -> None:
    package = Package(ecosystem="pypi", name="x", version="1", licence=licence)
    assert package.is_forbidden == is_forbidden


def test_the_bill_of_materials_names_every_package_once() -> None:
    packages = all_packages()
    bill = json.loads(json.dumps(bill_of_materials(packages)))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    purls = [component["purl"] for component in bill["components"]]
    assert len(set(purls)) == len(purls)
    assert any(purl.startswith("pkg:pypi/fastapi@") for purl in purls)
    assert any(purl.startswith("pkg:npm/react@") for purl in purls)
