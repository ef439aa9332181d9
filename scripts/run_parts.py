"""Runs several make targets, even if one fails, and prints a summary.

    python scripts/run_parts.py make test-ui test-sqlite      one after the other
    python scripts/run_parts.py make check-types,check-lint   at the same time

Test counts come from the JUnit files `.tmp/test-results/<target>.xml`. The exit code is 1 if a part
failed.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / ".tmp" / "test-results"
MOST_NAMES = 25


@dataclass(kw_only=True)
class Part:
    """A make target, its outcome, and its test counts if any."""

    target: str
    is_passed: bool
    seconds: float
    tests: int | None = None
    skipped: int = 0
    failed: list[str] = field(default_factory=list)


def run(make: str, target: str, *, is_quiet: bool) -> Part:
    """`is_quiet` prints the output at the end, since other parts run concurrently."""
    report = RESULTS / f"{target}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    ended = subprocess.run(
        [make, "--no-print-directory", target],
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if is_quiet else None,
        stderr=subprocess.STDOUT if is_quiet else None,
    )
    if is_quiet:
        sys.stdout.buffer.write(ended.stdout)
        sys.stdout.flush()
    part = Part(target=target, is_passed=ended.returncode == 0, seconds=time.monotonic() - began)
    if report.exists():
        count(part, report)
    return part


def run_group(make: str, group: str) -> list[Part]:
    targets = group.split(",")
    if len(targets) > 1:
        print(f"\n== {' and '.join(targets)}, at the same time", flush=True)
    with ThreadPoolExecutor(len(targets)) as pool:
        return list(pool.map(lambda target: run(make, target, is_quiet=len(targets) > 1), targets))


def count(part: Part, report: Path) -> None:
    """Reads the test counts. A truncated report counts as a failure."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))  # noqa: S314 - our own file
    except ElementTree.ParseError:
        part.is_passed = False
        return
    part.tests = len(cases)
    for case in cases:
        if case.find("skipped") is not None:
            part.skipped += 1
        elif case.find("failure") is not None or case.find("error") is not None:
            part.failed.append(f"{case.get('classname')} {case.get('name')}")


def summary(parts: Sequence[Part]) -> str:
    width = max(len(part.target) for part in parts)
    lines = [f"\n{'part':{width}}  result  passed  failed  skipped   time"]
    for part in parts:
        failed = len(part.failed)
        passed = "-" if part.tests is None else str(part.tests - failed - part.skipped)
        minutes, seconds = divmod(round(part.seconds), 60)
        lines.append(
            f"{part.target:{width}}  {'ok' if part.is_passed else 'FAILED':6}  {passed:>6}  "
            f"{failed:>6}  {part.skipped:>7}  {minutes:>2}:{seconds:02}"
        )
    names = [f"  {part.target}: {name}" for part in parts for name in part.failed]
    if names:
        lines += ["\nFailed:", *names[:MOST_NAMES]]
        if len(names) > MOST_NAMES:
            lines.append(f"  and {len(names) - MOST_NAMES} more")
    for part in parts:
        if not part.is_passed and not part.failed:
            lines.append(
                f"\n{part.target} failed outside a test; its output above says why. "
                f"Run it alone with `make {part.target}`."
            )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("make")
    parser.add_argument("targets", nargs="+", help="targets with a comma run at the same time")
    options = parser.parse_args(arguments)
    RESULTS.mkdir(parents=True, exist_ok=True)
    parts = [part for group in options.targets for part in run_group(options.make, group)]
    print(summary(parts), flush=True)
    return 0 if all(part.is_passed for part in parts) else 1


if __name__ == "__main__":
    sys.exit(main())
