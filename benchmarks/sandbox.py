"""Overhead of custom code scorers, and throughput of the search for personal data."""

import asyncio
import sys
import time
from typing import Any

from benchmarks.figures import Figure, milliseconds, percentile
from edison.pipeline.score.safety.pii import PiiOptions, find_pii
from edison.pipeline.score.sandbox.program import TIME_LIMIT_SECONDS
from edison.pipeline.score.sandbox.score import ScorerArguments, try_out
from edison.pipeline.score.scorer import Scored

CALLS = 500
OVERHEAD_MILLISECONDS = 2.0
TEXTS = 2_000
SEARCH_MILLISECONDS = 2.0
LOOP_MILLISECONDS = 20.0

CODE = """
def score(output, expected, inputs):
    return {"score": output == expected, "reason": "compared"}
"""
BUSY = """
def score(output, expected, inputs):
    return sum(range(10 ** 12))
"""
SAMPLE = ScorerArguments(output="Paris. " * 100, expected="Paris.", inputs={"question": "Capital?"})
TEXT = (
    "Dear customer, your order 1234 of 15 May ships on Monday. Write to help@example.com with "
    "questions about the parcel, or call +49 30 901820 between 9:00 and 17:00. "
) * 5


def measure() -> list[Figure]:
    one, at_once = asyncio.run(_overhead())
    blocked, floor = asyncio.run(_blocked()), asyncio.run(_blocked_by_others())
    search = _seconds_per_search()
    return [
        Figure(
            name="Sandbox, one call after the other, median",
            value=milliseconds(one),
            target=f"< {OVERHEAD_MILLISECONDS} ms",
            is_met=one * 1000 < OVERHEAD_MILLISECONDS,
        ),
        Figure(name="Sandbox, many at once, per call", value=milliseconds(at_once)),
        Figure(
            name="Event loop, longest wait while code runs endlessly",
            value=milliseconds(blocked),
            ratio=f"{milliseconds(floor)} beside any busy process",
            target=f"< {LOOP_MILLISECONDS} ms",
            is_met=blocked * 1000 < LOOP_MILLISECONDS,
        ),
        Figure(
            name=f"Search for personal data, answers of {len(TEXT)} characters",
            value=f"{search * 1000:.2f} ms CPU",
            target=f"< {SEARCH_MILLISECONDS} ms",
            is_met=search * 1000 < SEARCH_MILLISECONDS,
        ),
    ]


async def _overhead() -> tuple[float, float]:
    await _call()
    samples = []
    for _ in range(CALLS):
        started = time.perf_counter()
        await _call()
        samples.append(time.perf_counter() - started)
    started = time.perf_counter()
    await asyncio.gather(*(_call() for _ in range(CALLS)))
    return percentile(samples, 0.5), (time.perf_counter() - started) / CALLS


async def _call() -> None:
    trial = await try_out(CODE, SAMPLE)
    assert trial.outcome == Scored(value=0.0, rationale="compared")


async def _blocked() -> float:
    return await _longest_wait(asyncio.create_task(try_out(BUSY, SAMPLE)))


async def _blocked_by_others() -> float:
    """The same while an unrelated process keeps a CPU busy, as the baseline."""
    burner = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
    try:
        return await _longest_wait(asyncio.create_task(asyncio.sleep(TIME_LIMIT_SECONDS)))
    finally:
        burner.kill()
        await burner.wait()


async def _longest_wait(running: asyncio.Task[Any]) -> float:
    """The longest delay of the event loop, in seconds."""
    pause, longest = 0.001, 0.0
    while not running.done():
        started = time.perf_counter()
        await asyncio.sleep(pause)
        longest = max(longest, time.perf_counter() - started - pause)
    return longest


def _seconds_per_search() -> float:
    wanted = PiiOptions(region="US")
    assert len(find_pii(TEXT, wanted)) == 10
    started = time.process_time()
    for _ in range(TEXTS):
        find_pii(TEXT, wanted)
    return (time.process_time() - started) / TEXTS
