"""Overhead of a call over the bare HTTP request, at 200 concurrent calls.

The model is a server in another process, and each way of calling runs in a fresh process, so that
CPU and memory are the caller's alone. Figures are the best of several runs, since other load on the
machine only adds to them.
"""

import asyncio
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import uvloop

from benchmarks.call_ways import WAYS, MakeCall
from benchmarks.figures import Figure
from benchmarks.model_server import running_model

CONCURRENCY = 200
WARM_UP_CALLS = 400
CALLS = 4_000
# Vendor libraries are so much slower that fewer calls suffice.
HOSTED_CALLS = 600
RUNS = 3
HOSTED_RUNS = 1
DELAYS_SECONDS = (0.0, 0.05)
MOST = {"Lean adapter": 2.0, "Whole call path, lean": 4.0}
FLOOR = "Bare aiohttp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    cpu_seconds: float
    calls_per_second: float
    memory_bytes: int


def measure() -> list[Figure]:
    return [figure for delay in DELAYS_SECONDS for figure in _compare(delay)]


def _compare(delay_seconds: float) -> Iterator[Figure]:
    with running_model(delay_seconds) as url:
        samples = {name: _best(name, url) for name in WAYS}
    floor = samples[FLOOR]
    for name, sample in samples.items():
        ratio = sample.cpu_seconds / floor.cpu_seconds
        most = MOST.get(name)
        yield Figure(
            name=f"{name}, {delay_seconds * 1000:.0f} ms server",
            value=(
                f"{sample.cpu_seconds * 1e6:,.0f} µs CPU a call, "
                f"{sample.calls_per_second:,.0f} calls/s, "
                f"+{sample.memory_bytes / 1e6:.0f} MB"
            ),
            ratio=f"{ratio:.1f} x bare",
            target="" if most is None else f"<= {most:.0f} x bare",
            is_met=None if most is None else ratio <= most,
        )


def _best(name: str, url: str) -> Sample:
    runs = []
    for _ in range(HOSTED_RUNS if _is_hosted(name) else RUNS):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            runs.append(process.submit(_sample, name, url).result())
    return Sample(
        cpu_seconds=min(run.cpu_seconds for run in runs),
        calls_per_second=max(run.calls_per_second for run in runs),
        memory_bytes=min(run.memory_bytes for run in runs),
    )


def _sample(name: str, url: str) -> Sample:
    """Runs on uvloop, as Edison's server does."""
    calls = HOSTED_CALLS if _is_hosted(name) else CALLS
    return uvloop.run(_run(name, url, calls))


async def _run(name: str, url: str, calls: int) -> Sample:
    before = _peak_memory_bytes()
    async with WAYS[name](url, CONCURRENCY) as make:
        await _make_all(make, WARM_UP_CALLS)
        cpu, started = time.process_time(), time.perf_counter()
        await _make_all(make, calls)
        cpu, seconds = time.process_time() - cpu, time.perf_counter() - started
    return Sample(
        cpu_seconds=cpu / calls,
        calls_per_second=calls / seconds,
        memory_bytes=_peak_memory_bytes() - before,
    )


async def _make_all(make: MakeCall, calls: int) -> None:
    numbers = iter(range(calls))

    async def work() -> None:
        for number in numbers:
            await make(number)

    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))


def _is_hosted(name: str) -> bool:
    return "OpenAI" in name or "Anthropic" in name


def _peak_memory_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        # On Linux `getrusage` starts with the peak of the parent process.
        lines = status.read_text().splitlines()
        peak = next(line for line in lines if line.startswith("VmHWM:"))
        return int(peak.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
