"""Starts the installed `edison` in a separate process, for measurements."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WIDE_OPEN = {
    "EDISON_REQUESTS_PER_MINUTE": "10000000",
    "EDISON_REQUESTS_PER_MINUTE_SIGNED_IN": "10000000",
    "EDISON_LOGIN_ATTEMPTS": "10000000",
    "EDISON_STREAMS_PER_PERSON": "10000",
    "EDISON_LOG_LEVEL": "warning",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningEdison:
    url: str
    sign_in_link: str | None
    process: subprocess.Popen[str]
    started_at: float


def edison(data_dir: Path, *arguments: str) -> list[str]:
    program = Path(sys.executable).with_name("edison")
    return [str(program), "--json", "--data-dir", str(data_dir), *arguments]


def environment() -> dict[str, str]:
    """Allows bytecode files, as in an installed program, even if this shell disables them."""
    inherited = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return inherited | WIDE_OPEN


@contextmanager
def running_edison(data_dir: Path) -> Iterator[RunningEdison]:
    """Starts Edison. `started_at` is the time of the command, to measure the start-up time."""
    started_at = time.perf_counter()
    process = subprocess.Popen(
        edison(data_dir, "serve", "--demo", "--no-open", "--port", "0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    )
    try:
        assert process.stdout is not None
        announced = json.loads(process.stdout.readline())
        yield RunningEdison(
            url=announced["url"],
            sign_in_link=announced["sign_in_link"],
            process=process,
            started_at=started_at,
        )
    finally:
        process.terminate()
        process.wait()
