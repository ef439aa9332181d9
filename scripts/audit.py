"""Known vulnerabilities and licences of the shipped packages: `make audit`.

Exit code 0: everything was checked and nothing found. 1: something was found. 3: nothing was found,
but an advisory source could not be reached.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from inventory import ROOT, all_packages

from frontend import FRONTEND, get_node

FOUND, NOT_CHECKED = 1, 3
PATIENCE_SECONDS = 300


class Unreachable(Exception):
    """The source of advisories did not return a readable answer."""


def python_weaknesses() -> list[str]:
    """Runs pip-audit on the locked packages, from a temporary virtualenv."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder, "Scripts" if os.name == "nt" else "bin")
        _run([str(programs / "python"), "-m", "pip", "install", "--quiet", "pip-audit"])
        command = [str(programs / "pip-audit"), "--format", "json", "--disable-pip"]
        command += ["--require-hashes", "--progress-spinner", "off", "--timeout", "15"]
        shipped = Path(folder, "shipped.txt")
        shipped.write_text(_shipped_lock())
        answer = _run([*command, "--requirement", str(shipped)])
    try:
        packages = json.loads(answer.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        raise Unreachable(_last_line(answer.stderr)) from None
    # An index without advisories answers too, and would hide all findings.
    if skipped := [package["name"] for package in packages if "skip_reason" in package]:
        raise Unreachable(f"it says nothing about {len(skipped)} of {len(packages)} packages")
    return [
        f"{package['name']} {package['version']}: {weakness['id']}"
        for package in packages
        for weakness in package.get("vulns", [])
    ]


def _shipped_lock() -> str:
    """The lock files merged: pip-audit does not follow includes."""
    files = [(ROOT / "requirements" / name).read_text() for name in ("run.txt", "extras.txt")]
    lines = [line for text in files for line in text.splitlines() if not line.startswith("-r ")]
    return "\n".join(lines) + "\n"


def npm_weaknesses() -> list[str]:
    """Runs npm audit on the packages bundled into the pages."""
    node = get_node()
    answer = _run(
        [str(node.executable), str(node.npm_cli), "audit", "--omit=dev", "--json"], cwd=FRONTEND
    )
    try:
        found = json.loads(answer.stdout)
    except ValueError:
        raise Unreachable(_last_line(answer.stderr)) from None
    if (weaknesses := found.get("vulnerabilities")) is None:
        raise Unreachable(str(found.get("message", "no answer")))
    return [f"{name} {entry['range']}: {entry['severity']}" for name, entry in weaknesses.items()]


def bound_packages() -> list[str]:
    """Packages whose licence would bind operators of Edison."""
    return [f"{each.name}: {each.licence}" for each in all_packages() if each.is_forbidden]


def _run(command: Sequence[str], *, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise Unreachable(f"no answer within {PATIENCE_SECONDS} seconds") from late


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no answer"


def main() -> int:
    found, unchecked = False, False
    for subject, look in (
        ("licences", bound_packages),
        ("weaknesses of Python packages", python_weaknesses),
        ("weaknesses of npm packages", npm_weaknesses),
    ):
        try:
            findings = look()
        except Unreachable as reason:
            unchecked = True
            print(f"{subject}: NOT CHECKED, the advisory source cannot be reached ({reason})")
            continue
        found = found or bool(findings)
        print(f"{subject}: {'none found' if not findings else ''}".rstrip())
        for finding in findings:
            print(f"  {finding}")
    if found:
        return FOUND
    return NOT_CHECKED if unchecked else 0


if __name__ == "__main__":
    sys.exit(main())
