"""Bill of materials and licences of the shipped third-party packages.

    python scripts/inventory.py sbom          print a CycloneDX document
    python scripts/inventory.py licences      print every licence; fails on one that binds users

Covers the installed Python packages of requirements/extras.txt and the packages of
frontend/package-lock.json that are bundled into the pages. Needs only the standard library.
"""

import base64
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
NPM_LOCK = ROOT / "frontend" / "package-lock.json"
_ENTRY = re.compile(r"^([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
# Copyleft that would bind operators of Edison. LGPL and MPL only cover their own files.
_FORBIDDEN = re.compile(
    r"\b(?:A?GPL|GNU (?:Affero )?General Public|SSPL|BUSL|Commons Clause)", re.IGNORECASE
)
_CLASSIFIER = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    ecosystem: str
    name: str
    version: str
    licence: str
    sha512: str | None = None

    @property
    def purl(self) -> str:
        name = self.name.replace("@", "%40") if self.ecosystem == "npm" else self.name
        return f"pkg:{self.ecosystem}/{name}@{self.version}"

    @property
    def is_forbidden(self) -> bool:
        """A choice of licences is allowed if one of them is."""
        return all(_FORBIDDEN.search(each) for each in re.split(r"\bOR\b", self.licence))


def python_packages() -> Iterator[Package]:
    """The locked packages of this platform; the lock file covers all platforms."""
    for file in ("run.txt", "extras.txt"):
        for name, _ in _ENTRY.findall((REQUIREMENTS / file).read_text()):
            try:
                found = metadata.distribution(name)
            except metadata.PackageNotFoundError:
                continue
            yield Package(
                ecosystem="pypi",
                name=re.sub(r"[-_.]+", "-", name).lower(),
                version=found.version,
                licence=_licence_of(found),
            )


def _licence_of(found: metadata.Distribution) -> str:
    """The SPDX expression, else the classifiers, else the first line of the licence text, which may
    be in a file.
    """
    known = found.metadata
    if expression := known.get("License-Expression"):
        return expression
    classifiers = [
        value.removeprefix(_CLASSIFIER)
        for value in known.get_all("Classifier") or []
        if value.startswith(_CLASSIFIER)
    ]
    if classifiers:
        return " AND ".join(classifiers)
    texts = [known.get("License")]
    texts += [found.read_text(f"licenses/{name}") for name in known.get_all("License-File") or []]
    text = next((each.strip() for each in texts if each and each.strip()), "")
    return text.splitlines()[0][:80] if text else "unknown"


def npm_packages() -> Iterator[Package]:
    locked = json.loads(NPM_LOCK.read_text())["packages"]
    for path, entry in locked.items():
        if not path or entry.get("dev") or entry.get("devOptional"):
            continue
        algorithm, _, digest = entry.get("integrity", "").partition("-")
        yield Package(
            ecosystem="npm",
            name=path.rpartition("node_modules/")[2],
            version=entry["version"],
            licence=entry.get("license", "unknown"),
            sha512=base64.b64decode(digest).hex() if algorithm == "sha512" else None,
        )


def all_packages() -> list[Package]:
    found = {package.purl: package for package in (*python_packages(), *npm_packages())}
    return [found[purl] for purl in sorted(found)]


def bill_of_materials(packages: list[Package]) -> dict[str, object]:
    """Deterministic: the same packages give the same bytes."""
    version = re.search(r'__version__ = "(.*)"', (ROOT / "src/edison/__init__.py").read_text())
    edison = {
        "type": "application",
        "bom-ref": "edison",
        "name": "edison",
        "version": version[1] if version else "unknown",
        "licenses": [{"expression": "Apache-2.0"}],
    }
    serial = uuid5(NAMESPACE_URL, " ".join(package.purl for package in packages))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": edison},
        "components": [_component(package) for package in packages],
        "dependencies": [{"ref": "edison", "dependsOn": [package.purl for package in packages]}],
    }


def _component(package: Package) -> dict[str, object]:
    component: dict[str, object] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "licenses": [{"license": {"name": package.licence}}],
    }
    if package.sha512 is not None:
        component["hashes"] = [{"alg": "SHA-512", "content": package.sha512}]
    return component


def main(arguments: list[str]) -> None:
    packages = all_packages()
    match arguments:
        case ["sbom"]:
            print(json.dumps(bill_of_materials(packages), indent=2))
        case ["licences"]:
            for package in packages:
                print(f"{package.licence:<45} {package.ecosystem:<5} {package.name}")
            if bound := [package.name for package in packages if package.is_forbidden]:
                sys.exit(f"These may not be shipped with Edison: {', '.join(bound)}")
        case _:
            sys.exit(str(__doc__).rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
