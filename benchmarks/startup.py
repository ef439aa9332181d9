"""Time from the command to its help, and to the first page served."""

import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.server import edison, running_edison

HELP_SECONDS = 0.5
HELP_RUNS = 7
SECOND_START_SECONDS = 2.0
STARTS = 3


def measure() -> list[Figure]:
    told = min(_seconds_to_help() for _ in range(HELP_RUNS))
    with tempfile.TemporaryDirectory() as folder:
        first = _seconds_to_first_page(Path(folder))
        second = min(_seconds_to_first_page(Path(folder)) for _ in range(STARTS))
    return [
        Figure(
            name=f"edison --help, best of {HELP_RUNS}",
            value=f"{told:.2f} s",
            target=f"< {HELP_SECONDS} s",
            is_met=told < HELP_SECONDS,
        ),
        Figure(name="First start, empty directory, to first 200", value=f"{first:.2f} s"),
        Figure(
            name=f"Second start to first 200, best of {STARTS}",
            value=f"{second:.2f} s",
            target=f"< {SECOND_START_SECONDS:.0f} s",
            is_met=second < SECOND_START_SECONDS,
        ),
    ]


def _seconds_to_help() -> float:
    started = time.perf_counter()
    subprocess.run([edison(Path())[0], "--help"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _seconds_to_first_page(data_dir: Path) -> float:
    with running_edison(data_dir) as edison:
        with urllib.request.urlopen(f"{edison.url}/login") as response:
            response.read()
        return time.perf_counter() - edison.started_at
