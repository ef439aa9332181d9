"""Writes the lock files: exact versions of all packages, and the hashes of their files.

    python scripts/lock.py            the newest versions that pyproject.toml allows
    python scripts/lock.py --keep     the versions of constraints.txt with new hashes

Resolves for all platforms and Python versions with uv, from pip's configured index, in a temporary
virtualenv:

    requirements/build.txt    pip, the build backend and what renders the documentation
    requirements/node.txt     a Node for machines without one
    requirements/run.txt      what Edison needs to run
    requirements/extras.txt   run.txt and the optional packages
    requirements/dev.txt      all of it, and the development tools
    constraints.txt           the same versions without hashes, for isolated builds
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path

from docs_site import RENDERER

from frontend import NODE_WHEEL

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
FOLDER = ROOT / "requirements"
WRITTEN_BY = "Written by `make lock`."
OLDEST_PYTHON = "3.11"
# Added by hatchling for editable installations.
EDITABLE_BUILD = "editables"
# Not extra indexes: they are often partial mirrors, and a lock needs the files of all platforms.
_PIP_TO_UV = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
_ENTRY = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==(\S+)")

Lock = dict[str, str]


class Resolver:
    """uv with pip's configured index and certificates."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "uv"], check=True)
        self._uv = str(programs / "uv")
        self._folder = folder
        self._environment = {**os.environ, **_index_of(pip)}

    def resolve(self, requirements: Sequence[str], constraints: Path | None) -> Lock:
        """The lines of each package in a requirements file, by name."""
        wanted = self._folder / "wanted.in"
        wanted.write_text("\n".join(requirements) + "\n")
        options = [] if constraints is None else ["--constraint", str(constraints)]
        command = [self._uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
        command += ["--no-header", "--no-annotate", "--python-version", OLDEST_PYTHON, *options]
        answer = subprocess.run(
            [*command, str(wanted)],
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return _split(answer.stdout)


def _index_of(pip: Sequence[str]) -> dict[str, str]:
    """pip's index configuration as uv's environment variables."""
    listed = subprocess.run(
        [*pip, "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(r"^[^=]*?\.([a-z-]+)='(.*)'$", listed, flags=re.MULTILINE)
    return {_PIP_TO_UV[name]: value for name, value in found if name in _PIP_TO_UV and value}


def _split(text: str) -> Lock:
    """One entry per package; a package may have several lines with different markers."""
    lock: Lock = {}
    for block in re.split(r"\n(?=\S)", text.strip()):
        if (match := _ENTRY.match(block)) is None:
            raise SystemExit(f"Not an exact version: {block[:100]}")
        name = re.sub(r"[-_.]+", "-", match[1]).lower()
        lock[name] = f"{lock[name]}\n{block}" if name in lock else block
    return lock


def _versions(lock: Lock) -> list[str]:
    """Versions without hashes. A platform-dependent version cannot be a plain constraint."""
    lines = []
    for name, block in sorted(lock.items()):
        versions = set(re.findall(r"^[^\s#]+==([^\s;\\]+)", block, flags=re.MULTILINE))
        if len(versions) > 1:
            raise SystemExit(f"{name} has a version for each platform: {sorted(versions)}")
        lines.append(f"{name}=={versions.pop()}")
    return lines


def _write(name: str, what: str, lock: Lock, *, includes: Iterable[str] = ()) -> None:
    head = [f"# {what} {WRITTEN_BY}", *(f"-r {other}" for other in includes)]
    blocks = [lock[package] for package in sorted(lock)]
    (FOLDER / name).write_text("\n".join([*head, *blocks]) + "\n")


def _without(lock: Lock, *others: Lock) -> Lock:
    known = {package for other in others for package in other}
    return {package: block for package, block in lock.items() if package not in known}


def main(arguments: Sequence[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = project["project"]["dependencies"]
    optional = project["project"]["optional-dependencies"].values()
    extras = [*run, *(package for group in optional for package in group)]
    build = [*project["build-system"]["requires"], EDITABLE_BUILD, RENDERER, "pip"]
    everything = [*extras, *build, NODE_WHEEL, *project["dependency-groups"]["dev"]]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        resolver = Resolver(Path(folder))
        keep = CONSTRAINTS if "--keep" in arguments else None
        all_locked = resolver.resolve(everything, keep)
        lines = _versions(all_locked)
        pins = Path(folder, "pins.txt")
        pins.write_text("\n".join(lines) + "\n")
        for_run, for_extras, for_build, for_node = (
            resolver.resolve(wanted, pins) for wanted in (run, extras, build, [NODE_WHEEL])
        )
    _write("build.txt", "What builds Edison, with hashes.", for_build)
    _write("node.txt", "A Node for machines without one, with hashes.", for_node)
    _write("run.txt", "What Edison needs to run, with hashes.", for_run)
    only_extras = _without(for_extras, for_run)
    _write("extras.txt", "And its optional packages.", only_extras, includes=["run.txt"])
    only_dev = _without(all_locked, for_extras, for_build, for_node)
    included = ["extras.txt", "build.txt"]
    _write("dev.txt", "And the tools of development.", only_dev, includes=included)
    head = f"# Every dependency to run, develop and build Edison. {WRITTEN_BY}\n"
    CONSTRAINTS.write_text(head + "\n".join(lines) + "\n")
    print(f"{len(lines)} packages locked in {FOLDER.name}/ and {CONSTRAINTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
