"""`edison eval` of 2,000 cases, from the shell prompt to the stored results and the exit code."""

import json
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.model_server import running_model
from benchmarks.server import edison, environment

CASES = 2_000
AT_ONCE = 100
DELAY_SECONDS = 0.05
WALL_SECONDS = 3.5
HELP_SECONDS = 0.4
RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cost:
    """What a command took: the wall, and the processor time of its processes."""

    wall: float
    processor: float


def measure() -> list[Figure]:
    told = min((_run([edison(Path())[0], "eval", "--help"]) for _ in range(RUNS)), key=_wall)
    with running_model(DELAY_SECONDS) as address:
        found = min((_evaluate(address) for _ in range(RUNS)), key=_wall)
    floor = CASES / AT_ONCE * DELAY_SECONDS
    return [
        Figure(
            name=f"edison eval --help, best of {RUNS}",
            value=f"{told.wall:.2f} s ({told.processor:.2f} s of processor)",
            target=f"< {HELP_SECONDS} s",
            is_met=told.wall < HELP_SECONDS,
        ),
        Figure(
            name=f"edison eval, {CASES:,} cases, {AT_ONCE} at a time, best of {RUNS}",
            value=f"{found.wall:.2f} s ({found.processor:.2f} s of processor)",
            floor=f"{floor:.1f} s",
            ratio=f"{found.wall / floor:.1f} x",
            target=f"<= {WALL_SECONDS} s",
            is_met=found.wall <= WALL_SECONDS,
        ),
    ]


def _wall(cost: _Cost) -> float:
    return cost.wall


def _evaluate(address: str) -> _Cost:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "edison.json"
        config.write_text(json.dumps(_configuration(address)))
        data = Path(folder) / "data"
        flags = ("-c", str(config), "-j", str(AT_ONCE), "--no-cache", "--no-table")
        # The first command makes the data directory, which a person has already.
        _run([*edison(data, "eval"), *flags, "-n", "1"])
        return _run([*edison(data, "eval"), *flags])


def _configuration(address: str) -> dict[str, object]:
    provider = {
        "id": "openai:chat:gpt-x",
        "config": {"apiBaseUrl": f"{address}/v1", "apiKey": "benchmark"},
    }
    check = {"type": "contains", "value": "Paris"}
    return {
        "prompts": ["What is the capital of {{country}}?"],
        "providers": [provider],
        "defaultTest": {"assert": [check]},
        "tests": [{"vars": {"country": f"country {at}"}} for at in range(CASES)],
    }


def _run(command: list[str]) -> _Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return _Cost(wall=wall, processor=used)
