"""Runs versus their floors: the ideal time, a bare loop that calls the same model and stores
nothing, and a batch-shaped loop that writes the same rows.

Other load on the machine slows down both, so they are measured alternately, and CPU time, which it
hardly affects, is reported beside wall-clock time.
"""

import asyncio
import itertools
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import uvloop

from benchmarks.batch_floor import run_floor
from benchmarks.call_ways import bare
from benchmarks.engine_installation import CONCURRENCY, Installation, Took, installed
from benchmarks.figures import Figure
from benchmarks.model_server import JUDGE, close_window, running_model

CELLS = 2_000
WARM_UP_CELLS = 300
# The first ones after a start take longer.
ROUNDS = 5
DELAY_SECONDS = 0.05
MOST_OF_IDEAL = 1.25
MOST_OF_LONGER = 1.15
LEAST_OF_BARE = 0.5
MOST_SECONDS = 2.0
MOST_WINDOW_SECONDS = 1.2
MOST_CPU_MICROSECONDS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """Measurements of the bare loop."""

    calls: int
    seconds: float
    cpu_seconds: float


def measure() -> list[Figure]:
    with ExitStack() as stack:
        slow = stack.enter_context(running_model(DELAY_SECONDS))
        quick = stack.enter_context(running_model(0))
        edison = stack.enter_context(installed())
        slow_id, quick_id = edison.add_model("slow", slow), edison.add_model("quick", quick)
        judge_id = edison.add_model("judge", f"{slow}{JUDGE}")
        edison.run([quick_id], WARM_UP_CELLS)
        return [
            *_against_ideal(edison, slow_id, slow),
            *_against_bare(edison, quick_id, quick),
            *_judged(edison, slow_id, judge_id),
        ]


def _against_ideal(edison: Installation, model_id: str, url: str) -> Iterator[Figure]:
    loop = run_loop(url, CELLS)
    close_window(url)
    floor = run_floor(url, CELLS, concurrency=CONCURRENCY)
    floor_window = close_window(url)
    runs, windows = [], []
    for _ in range(ROUNDS):
        runs.append(edison.run([model_id], CELLS))
        windows.append(close_window(url))
    took, window = _best(runs), min(windows)
    ideal = CELLS * DELAY_SECONDS / CONCURRENCY
    yield Figure(
        name=f"{CELLS:,} cells stored and scored, {DELAY_SECONDS * 1000:.0f} ms model",
        floor=f"ideal {ideal:.2f} s; batch floor {floor.seconds:.2f} s; bare {loop.seconds:.2f} s",
        value=f"{took.seconds:.2f} s",
        ratio=f"{took.seconds / ideal:.2f} x ideal; {took.seconds / floor.seconds:.1f} x floor",
        target=f"<= {MOST_OF_IDEAL} x ideal",
        is_met=took.seconds / ideal <= MOST_OF_IDEAL,
    )
    yield Figure(
        name="From the first of its calls to the last answer",
        floor=f"ideal {ideal:.2f} s; batch floor {floor_window:.2f} s",
        value=f"{window:.2f} s",
        ratio=f"{window / ideal:.2f} x ideal; {window / floor_window:.1f} x floor",
        target=f"<= {MOST_WINDOW_SECONDS} s",
        is_met=window <= MOST_WINDOW_SECONDS,
    )
    whole = took.creating_seconds + took.seconds
    yield Figure(
        name=f"Creating and running {CELLS:,} cells, {DELAY_SECONDS * 1000:.0f} ms model",
        floor=f"batch floor {floor.seconds:.2f} s",
        value=f"{whole:.2f} s, of which creating {took.creating_seconds:.2f} s",
        ratio=f"{whole / floor.seconds:.1f} x floor",
        target=f"<= {MOST_SECONDS} s",
        is_met=whole <= MOST_SECONDS,
    )


def _against_bare(edison: Installation, model_id: str, url: str) -> Iterator[Figure]:
    loops, floors, runs = [], [], []
    for _ in range(ROUNDS):
        loops.append(run_loop(url, CELLS))
        floors.append(run_floor(url, CELLS, concurrency=CONCURRENCY))
        runs.append(edison.run([model_id], CELLS))
    took = _best(runs)
    bare_per_second = max(loop.calls / loop.seconds for loop in loops)
    floor_per_second = max(floor.cells_per_second for floor in floors)
    bare_cpu = min(loop.cpu_seconds for loop in loops) / CELLS * 1e6
    floor_cpu = min(floor.cpu_microseconds for floor in floors)
    share = took.cells_per_second / bare_per_second
    yield Figure(
        name=f"{CELLS:,} cells stored and scored, 0 ms model",
        floor=f"batch floor {floor_per_second:,.0f} cells/s; bare {bare_per_second:,.0f} calls/s",
        value=f"{took.cells_per_second:,.0f} cells/s",
        ratio=f"{share:.2f} x bare; {took.cells_per_second / floor_per_second:.2f} x floor",
        target=f">= {LEAST_OF_BARE} x bare",
        is_met=share >= LEAST_OF_BARE,
    )
    cpu = min(each.cpu_microseconds for each in runs)
    yield Figure(
        name="Processor time of a cell with its creation, 0 ms model",
        floor=f"batch floor {floor_cpu:,.0f} µs; bare {bare_cpu:,.0f} µs",
        value=f"{cpu:,.0f} µs",
        ratio=f"{cpu / bare_cpu:.1f} x bare; {cpu / floor_cpu:.1f} x floor",
        target=f"<= {MOST_CPU_MICROSECONDS} µs",
        is_met=cpu <= MOST_CPU_MICROSECONDS,
    )


def _judged(edison: Installation, model_id: str, judge_id: str) -> Iterator[Figure]:
    """Against the longer of its phases: one after another they would take almost twice as long. No
    judge is asked a question twice, since its verdicts are kept like other answers.
    """
    judges = (_judge(judge_id, number) for number in itertools.count())
    answering, judging, judged = [], [], []
    for _ in range(ROUNDS):
        took = edison.run([model_id], CELLS, scorers=[])
        answering.append(took.seconds)
        judging.append(edison.rescore(took.run_id, [next(judges)]) - took.seconds)
        judged.append(edison.run([model_id], CELLS, scorers=[next(judges)]).seconds)
    longer = max(min(answering), min(judging))
    yield Figure(
        name=f"{CELLS:,} cells judged by a model, {DELAY_SECONDS * 1000:.0f} ms both",
        value=f"{min(judged):.2f} s; answers alone {min(answering):.2f} s, judging alone "
        f"{min(judging):.2f} s",
        ratio=f"{min(judged) / longer:.2f} x the longer; "
        f"{min(judged) / min(answering):.2f} x answers alone",
        target=f"<= {MOST_OF_LONGER} x the longer",
        is_met=min(judged) / longer <= MOST_OF_LONGER,
    )


def _judge(model_id: str, number: int) -> dict[str, object]:
    criterion = {"name": "Quality", "description": f"How well question {number} is answered."}
    return {"kind": "judge", "options": {"model_id": model_id, "criteria": [criterion]}}


def run_loop(url: str, calls: int) -> Loop:
    return uvloop.run(_loop(url, calls))


async def _loop(url: str, calls: int) -> Loop:
    async with bare(url, CONCURRENCY) as make:
        numbers = iter(range(calls))

        async def work() -> None:
            for number in numbers:
                await make(number)

        cpu, started = time.process_time(), time.perf_counter()
        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
        return Loop(
            calls=calls,
            seconds=time.perf_counter() - started,
            cpu_seconds=time.process_time() - cpu,
        )


def _best(runs: list[Took]) -> Took:
    """The fastest run: other load on the machine only adds time."""
    return min(runs, key=lambda took: took.seconds)
